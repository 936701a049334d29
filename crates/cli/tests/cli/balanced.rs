//! Kind `balanced`: the report, the settings, more keys than the capacity, invalid settings.

use crate::run::{Folder, Run, number, numbers};

fn build(folder: &Folder, more: &str) -> Run {
    folder.run(&format!(
        "build balanced --positives p.txt -o f.bw --force {more}"
    ))
}

/// A `--set` option per setting.
fn set(settings: &[&str]) -> String {
    let options = settings.iter().map(|setting| format!("--set {setting} "));
    options.collect()
}

#[test]
fn report_has_parameters_and_loads() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    let size = "--bits-per-key 24 --set block=256";
    let report = build(&folder, &format!("{size} --json")).succeeds().json();
    let parameters = &report["parameters"];
    assert_eq!(parameters["scheme"], "mht");
    assert_eq!(parameters["beyond_capacity"], 0);
    let parameter = |name: &str| number(&parameters[name]);
    assert!(parameter("insert_reads") <= 1.2 && parameter("insert_reads") > 1.0);
    assert!(parameter("negative_reads") > parameter("insert_reads"));
    assert!(parameter("worst_insert_reads") <= parameter("choices"));
    assert!(parameter("listed") <= parameter("list_room"));
    assert!(parameter("largest_load") <= parameter("level") + 1.0);
    assert!(number(&report["bits_per_key"]) <= 24.0);
    for name in ["scheme", "overflow_share", "mean_load", "insert_reads"] {
        assert_eq!(report["report"][name], parameters[name], "{name}");
    }
    let inspected = folder.inspect();
    assert_eq!(&inspected["parameters"], parameters);
    assert_eq!(inspected["capacity"], 20_000);

    let run = build(&folder, size).succeeds();
    assert_eq!(run.row("scheme"), "mht");
    for row in [
        "mean_load",
        "overflow_share",
        "insert_reads",
        "worst_insert_reads",
    ] {
        assert!(!run.row(row).is_empty());
    }
    // A streaming build gives the same report.
    let run = build(&folder, &format!("{size} --capacity 20000")).succeeds();
    assert_eq!(run.row("scheme"), "mht");
    folder.run("eval f.bw --positives p.txt").succeeds();
}

#[test]
fn settings_reach_the_filter() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    for (scheme, choices) in [("single", 1), ("sequential", 3), ("mht", 3)] {
        let settings = format!("--set scheme={scheme} --set choices={choices} --set k=9");
        let size = "--bytes 60000 --json";
        let report = build(&folder, &format!("{size} {settings}"))
            .succeeds()
            .json();
        assert_eq!(report["parameters"]["scheme"], scheme);
        assert_eq!(report["parameters"]["choices"], choices);
        assert_eq!(report["parameters"]["k"], 9);
        assert!(report["bytes"].as_u64().expect("a number") <= 60_000);
        folder.run("query f.bw --keys p.txt --count").succeeds();
    }
}

#[test]
fn predicted_rate_meets_the_target() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    let report = build(&folder, "--fpr 0.0001 --json").succeeds().json();
    let predicted = number(&report["report"]["predicted_fpr"]);
    assert!(predicted < 1.1e-4, "{report}");
    assert!(number(&report["bits_per_key"]) < 23.0);
}

#[test]
fn keys_beyond_the_capacity_are_counted_and_never_denied() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    folder.write("more.txt", numbers(2000..6000));
    for scheme in ["scheme=single", "scheme=sequential", "scheme=mht"] {
        build(&folder, &format!("--bits-per-key 20 --set {scheme}")).succeeds();
        let before = folder.inspect();
        let parts = ["6,000 keys exceed the capacity of 2,000", "or as growing"];
        let run = folder.run("update f.bw --insert more.txt");
        run.exits_with(0).remarks(&parts);
        for file in ["p.txt", "more.txt"] {
            folder
                .run(&format!("query f.bw --keys {file} --count"))
                .succeeds();
        }
        let after = folder.inspect();
        let of = |report: &serde_json::Value, name: &str| report["parameters"][name].as_u64();
        assert_eq!(of(&after, "beyond_capacity"), Some(4000));
        assert!(of(&after, "listed") >= of(&before, "listed"), "{after}");
        assert_eq!(of(&after, "listed"), of(&after, "list_room"), "{after}");
        assert!(8.0 * number(&after["bytes"]) <= 20.0 * 2000.0, "{after}");
    }
}

#[test]
fn invalid_settings_are_one_line_errors() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    let fails = |settings: &[&str], parts: &[&str]| {
        build(&folder, &format!("--bits-per-key 16 {}", set(settings))).fails(parts);
    };
    fails(
        &["scheme=double"],
        &["scheme", "single or sequential or mht"],
    );
    fails(&["block=128"], &["block", "256 or 512"]);
    fails(&["reads=0.5"], &["reads", "from 1 to 8"]);
    fails(&["reads=many"], &["reads", "from 1 to 8"]);
    fails(&["choices=9"], &["choices", "from 1 to 8"]);
    fails(&["choices=2.0"], &["choices is 2.0", "a whole number"]);
    fails(&["overflow=0.9"], &["overflow", "from 0 to 0.5"]);
    fails(&["k=0"], &["k", "1 to 32"]);
    fails(&["scheme=single", "choices=2"], &["choices", "one choice"]);
    fails(&["scheme=single", "reads=5"], &["reads", "one choice"]);
    fails(&["scheme=mht", "choices=1"], &["choices", "2 to 8"]);
    fails(&["scheme=mht", "reads=1"], &["reads", "more than 1"]);
    fails(
        &["scheme=mht", "reads=3", "choices=3"],
        &["reads", "less than the choices, 3"],
    );
    fails(
        &["scheme=mht", "reads=1.3", "choices=2", "overflow=0.01"],
        &["overflow", "at least"],
    );
    let settings = ["scheme=mht", "reads=1.5", "choices=2", "overflow=0.001"];
    build(&folder, &format!("--fpr 0.001 {}", set(&settings))).fails(&[
        "overflow",
        "at least",
        "with these reads and choices",
    ]);
    build(&folder, "--fpr 0.00001 --set k=1").fails(&["(k) is 1", "at least"]);
    fails(&["level=3"], &["level", "scheme, reads, choices, overflow"]);
    build(&folder, "--bytes 64").fails(&["the size", "a bit for each key"]);
}
