//! What a front end sees and decides: progress, remarks, the end of work, and the names of settings.

use bloomwise::Family;
use bloomwise_compare::input::log::Layout;
use bloomwise_compare::input::{Columns, Input, Role, read};
use bloomwise_compare::{
    Comparison, Error, Host, Message, Options, Positives, Progress, Quiet, Samples, Setting, Work,
};
use flate2::write::GzEncoder;
use std::cell::{Cell, RefCell};
use std::io::Write;

/// Notes what it hears, and ends the work after some steps.
struct Notes {
    heard: RefCell<Vec<String>>,
    steps: Cell<u64>,
    most: u64,
}

impl Notes {
    fn new(most: u64) -> Self {
        Notes {
            heard: RefCell::default(),
            steps: Cell::new(0),
            most,
        }
    }
}

impl Host for Notes {
    fn begin<'a>(&'a self, work: Work<'_>) -> Box<dyn Progress + 'a> {
        self.heard.borrow_mut().push(format!("{work:?}"));
        Box::new(Heard(self))
    }

    fn remark(&self, message: &Message) {
        self.heard.borrow_mut().push(message.to_string());
    }

    fn is_cancelled(&self) -> bool {
        self.steps.get() >= self.most
    }
}

struct Heard<'a>(&'a Notes);

impl Progress for Heard<'_> {
    fn advance(&mut self, by: u64) {
        self.0.steps.set(self.0.steps.get() + by);
    }

    fn step(&mut self, name: &str) {
        self.0.heard.borrow_mut().push(name.to_string());
    }
}

/// Positives and known negatives.
fn samples() -> Samples {
    let mut positives = Positives::default();
    let number = |number: u32| number.to_le_bytes();
    (0..500).for_each(|key| positives.push(&number(key)).expect("memory"));
    let mut known = positives.negatives();
    (400..900).for_each(|key| known.push(&number(key), 2.0).expect("memory"));
    let known = Some(known.finish().expect("memory"));
    Samples {
        known,
        ..positives.into_samples()
    }
}

fn options() -> Options {
    Options {
        kinds: vec![Family::Bloom, Family::Guarded],
        budgets: vec![10.0],
        hashing: Default::default(),
        settings: Vec::new(),
    }
}

#[test]
fn comparison_names_every_step_and_counts_it() {
    let host = Notes::new(u64::MAX);
    let comparison = Comparison::run(&options(), &samples(), &host).expect("valid keys");
    assert_eq!(comparison.rows.len(), 2);
    let heard = host.heard.into_inner();
    assert_eq!((heard[0].as_str(), host.steps.get()), ("Steps(10)", 10));
    assert_eq!(heard[1], "bloom at 10 bits per key");
    assert_eq!(heard.len(), 11, "{heard:?}");
}

#[test]
fn comparison_ends_when_the_front_end_says_so() {
    let host = Notes::new(3);
    let ended = Comparison::run(&options(), &samples(), &host);
    assert!(matches!(ended, Err(Error::Cancelled)));
    assert_eq!(host.steps.get(), 3);
}

#[test]
fn negatives_that_are_positives_are_left_out_and_counted() {
    let samples = samples();
    let known = samples.known.as_ref().expect("negatives");
    assert_eq!((known.costs.len(), samples.overlap()), (400, 100));
}

#[test]
fn streams_are_read_like_files_of_their_name() {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed
        .write_all(b"site,ms\nant,2.5\n,1\nbee,4\n")
        .expect("memory");
    let packed = packed.finish().expect("memory");
    let columns = Columns {
        key: vec!["site".to_string()],
        cost: Some("ms".to_string()),
        ..Columns::default()
    };
    let (host, mut keys) = (Notes::new(u64::MAX), Vec::new());
    let input = Input::stream("sites.csv.gz", &packed[..]);
    let counts = read(input, Role::Negatives, &columns, &host, |key, cost| {
        keys.push((key.to_vec(), cost));
        Ok::<(), Error>(())
    });
    assert_eq!(counts.expect("a table").skipped, 1);
    assert_eq!(keys, [(b"ant".to_vec(), 2.5), (b"bee".to_vec(), 4.0)]);
    assert_eq!(host.steps.get(), packed.len() as u64);
    let heard = host.heard.into_inner();
    assert_eq!(heard[1], "sites.csv.gz: empty keys skipped: 1");
}

#[test]
fn reading_ends_when_the_front_end_or_the_caller_says_so() {
    let text = "ant\n".repeat(1 << 16);
    let read = |most| {
        let (host, input) = (Notes::new(most), Input::stream("keys", text.as_bytes()));
        read(input, Role::Keys, &Columns::default(), &host, |_, _| {
            Ok::<(), Error>(())
        })
    };
    assert!(matches!(read(1), Err(Error::Cancelled)));
    assert_eq!(read(u64::MAX).expect("keys").keys, 1 << 16);

    /// An error of the caller.
    #[derive(Debug, PartialEq)]
    struct Enough(u32);
    impl From<Error> for Enough {
        fn from(error: Error) -> Self {
            panic!("{error}");
        }
    }
    let (mut seen, layout) = (0, Layout::Columns(Columns::default()));
    let ended = layout.read(Input::stream("log", text.as_bytes()), false, &Quiet, |_| {
        seen += 1;
        if seen < 3 { Ok(()) } else { Err(Enough(seen)) }
    });
    assert_eq!(ended.err(), Some(Enough(3)));
}

#[test]
fn front_ends_write_settings_in_their_own_way() {
    let error = samples().hold_out(1e-12, 0).expect_err("an empty side");
    assert_eq!(
        error.to_string(),
        "holdout=0.000000000001 of 400 negatives leaves no unseen negatives; give more negatives, or give unseen keys with unseen"
    );
    let shown = error.shown(&|setting: &Setting| setting.name.to_uppercase());
    assert!(shown.starts_with("HOLDOUT of 400") && shown.ends_with("with UNSEEN"));
    let input = Input::stream("keys.csv", &b"a,b\n"[..]);
    let columns = Columns::default();
    let unnamed = read(input, Role::Keys, &columns, &Quiet, |_, _| {
        Ok::<(), Error>(())
    });
    assert_eq!(
        unnamed.err().map(|error| error.to_string()).as_deref(),
        Some("keys.csv: name the column of the keys with key_column; the columns are: a, b")
    );
}
