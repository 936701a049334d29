//! `demo`: what the program is about, told on generated keys.
//!
//! No files and no network. A block list of host names is to be kept in ten bits per name, and the popular sites that must
//! not be flagged by mistake are known, with their traffic. The kinds are compared as `compare` does it.

use super::Outcome;
use super::outlet::{Outlet, outcome};
use crate::args::{HashName, parse_count, parse_seed};
use crate::comparison::{self, Comparison, Plan, Row};
use crate::output::Output;
use crate::report::{self, Setup};
use crate::story::Story;
use crate::text;
use anyhow::{Context, Result, bail};
use bloomwise::Family;
use std::io::Write;

/// The budget of the table.
const BUDGET: f64 = 10.0;

/// The budgets of the page, which shows how rates fall with space; the one in the middle is that of the table.
const BUDGETS: [f64; 5] = [6.0, 8.0, BUDGET, 12.0, 14.0];

/// The most host names: what comes of more would no longer fit into most machines.
const MOST: u64 = 100_000_000;

/// The commands that come next, on the user's own keys.
const NEXT: &str = "\
Next, on your own keys:
  bloomwise compare --positives keys.txt --negatives known.tsv --html report.html
  bloomwise build guarded --positives keys.txt --negatives known.tsv --bits-per-key 10 -o keys.bloomwise
  bloomwise query keys.bloomwise some-key another-key
keys.txt has one key a line, known.tsv a key, a TAB and what a mistake on it costs.";

/// The arguments of `demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Host names on the block list; there are half as many popular sites, and twice as many that nobody has listed
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true, default_value = "500000")]
    keys: u64,
    /// Seed of the names and of the hash function, decimal or 0x…, 64 bits (default: 0)
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u128>,
    /// What to write.
    #[command(flatten)]
    outlet: Outlet,
}

/// Tells the story.
pub fn run(args: &Args) -> Result<Outcome> {
    if !(2..=MOST).contains(&args.keys) {
        bail!("--keys {}: expected a number from 2 to {MOST}", args.keys);
    }
    let target = args.outlet.target(&[])?;
    let plan = Plan {
        kinds: comparison::usual_kinds(),
        budgets: match target {
            Some(_) => BUDGETS.to_vec(),
            None => vec![BUDGET],
        },
        hashing: HashName::Xxh3.hashing(args.seed)?,
    };
    let story = Story {
        blocked: args.keys,
        popular: args.keys / 2,
        unlisted: args.keys * 2,
        seed: plan.hashing.seed() as u64,
    };
    let samples = story.samples();
    let samples = samples.context("the keys do not fit into memory; use a smaller --keys")?;
    let mut out = Output::new(false);
    let begun = match args.outlet.json {
        true => Ok(()),
        false => writeln!(out, "{}\n", beginning(&story).join("\n")).and_then(|()| out.flush()),
    };
    // Whoever reads the output may have gone away; a page is made all the same.
    let begun = match target {
        Some(_) => begun,
        None => Ok(begun?),
    };
    let comparison = Comparison::run(&plan, &samples)?;
    if let Some(target) = &target {
        target.save_page(&report::page(&setup(&story, &comparison), &comparison))?;
    }
    begun?;
    if args.outlet.json {
        out.json(&comparison.json())?;
    } else {
        comparison.print(&mut out, &[BUDGET])?;
        let noise = comparison.noise_in_words();
        let words = moral(&comparison).into_iter().chain(comparison.words());
        for sentence in words.chain(noise) {
            writeln!(out, "{sentence}")?;
        }
        writeln!(out, "\n{NEXT}")?;
    }
    if let Some(target) = &target {
        args.outlet.tell(target, &mut out)?;
    }
    out.flush()?;
    Ok(outcome(&comparison))
}

/// What the page tells about how it was made.
fn setup(story: &Story, comparison: &Comparison) -> Setup {
    Setup {
        title: "A block list and popular sites".to_string(),
        lead: std::iter::once(beginning(story).join(" "))
            .chain(moral(comparison))
            .collect(),
        settings: vec![
            (
                "positives",
                "host names of a block list, generated".to_string(),
            ),
            (
                "negatives",
                "popular sites, generated; cost: visits a day, by Zipf's law".to_string(),
            ),
            (
                "unseen keys",
                "sites that are on no list, generated".to_string(),
            ),
            ("seed", story.seed.to_string()),
        ],
    }
}

/// What the story is about, sentence by sentence.
fn beginning(story: &Story) -> Vec<String> {
    let [blocked, popular, unlisted] =
        [story.blocked, story.popular, story.unlisted].map(text::grouped);
    let known = match story.popular {
        1 => "Known is one popular site and its traffic".to_string(),
        _ => format!("Known are {popular} popular sites and their traffic"),
    };
    vec![
        format!("A browser keeps a block list of {blocked} host names in {BUDGET} bits per name."),
        "A filter that small errs: it flags some sites that are not on the list.".to_string(),
        format!("{known}, which follows Zipf's law; unknown are {unlisted} others."),
        "All names and numbers of visits are generated; the filters are real.".to_string(),
    ]
}

/// What it means for those who use the browser.
fn moral(comparison: &Comparison) -> Option<String> {
    let flagged = |row: &Row| {
        let known = row.comparable()?.evaluation.known.as_ref()?;
        Some((known.weighted_rate?, known.false_positives))
    };
    let of = |kind: Family| {
        comparison
            .at(BUDGET)
            .find(|row| row.kind == kind)
            .and_then(flagged)
    };
    let (plain, guarded) = (of(Family::Bloom)?, of(Family::Guarded)?);
    let sites = |(share, count): (f64, u64)| match count {
        0 => "none".to_string(),
        1 => format!("one, with {} of their traffic", text::percent(Some(share))),
        _ => format!(
            "{} with {} of their traffic",
            text::grouped(count),
            text::percent(Some(share))
        ),
    };
    Some(format!(
        "Of the popular sites, a plain Bloom filter would wrongly flag {}; guarded, in the same space: {}.",
        sites(plain),
        sites(guarded)
    ))
}
