//! What `compare` says to people: the table, the sentences, and what they must not claim.

use crate::compare::{compare, folder, rows};
use crate::run::numbers;
use serde_json::json;

#[test]
fn people_get_a_markdown_table_and_sentences() {
    let folder = folder();
    // As many as it takes to tell 0.8 % from 0.2 %.
    folder.write("u.txt", numbers(5000..25_000));
    let kinds = ["--kinds", "bloom,guarded", "--bits-per-key", "10"];
    let run = compare(&folder, &[&kinds[..], &["--unseen", "u.txt"]].concat()).fine();
    let lines: Vec<_> = run.text().lines().collect();
    let cells = |line: &str| line.matches('|').count();
    assert!(lines[0].starts_with("| kind "), "{}", run.text());
    assert!(lines[1].starts_with("|---"), "{}", run.text());
    assert!(lines[2].starts_with("| bloom ") && lines[3].starts_with("| guarded "));
    assert!(lines[..4].iter().all(|line| cells(line) == cells(lines[0])));
    let sentence = |about: &str| {
        let found = run.text().lines().find(|line| line.starts_with(about));
        found.unwrap_or_else(|| panic!("{about:?} is not in: {}", run.text()))
    };
    assert!(sentence("Known negatives:").contains("no mistake on any of"));
    assert!(sentence("Unseen keys:").contains("fewest mistakes with guarded"));
    // A busy machine is no place to name the fastest.
    if !run.text().contains("\nSpeed: the machine was too busy") {
        sentence("Fastest to ask:");
        sentence("Fastest to build:");
    }
    sentence("Times are medians of 3 passes");
}

#[test]
fn the_plain_filter_is_named_where_nothing_beats_it() {
    // 16 negatives say nothing about rates of a ten thousandth.
    let folder = folder();
    folder.write("n.tsv", numbers(5000..5016));
    let run = compare(&folder, &["--bits-per-key", "20", "--holdout", "0.5"]).fine();
    assert!(
        run.text()
            .contains("Known negatives: the plain bloom makes no mistake")
    );
    assert!(
        run.text()
            .contains("Unseen keys: no kind is surely better than the plain bloom")
    );
}

#[test]
fn mistakes_that_cost_nothing_are_not_called_none() {
    let folder = folder();
    let free = (0..999).map(|n| format!("n{n}\t0\n"));
    folder.write("n.tsv", free.collect::<String>() + "n999\t1\n");
    // The one that costs something is hit or not; many of the others are.
    let args = [
        "--kinds",
        "bloom",
        "--bits-per-key",
        "4",
        "--holdout",
        "0.01",
    ];
    let run = compare(&folder, &args).fine();
    let free = "Known negatives: the plain bloom makes no mistake that costs anything on any of";
    let hit =
        "Known negatives: no kind does better than the plain bloom, which is wrong on 100.00 %";
    assert!(
        run.text().contains(free) || run.text().contains(hit),
        "{}",
        run.text()
    );
    assert!(!run.text().contains("no mistake on any"), "{}", run.text());
}

#[test]
fn costs_without_a_sum_are_said_to_be_so() {
    let folder = folder();
    for (cost, page, reason) in [
        ("1e308", "large.html", "more than a number can hold"),
        ("0", "none.html", "none of them costs anything"),
    ] {
        let costs = (0..100).map(|n| format!("n{n}\t{cost}\n"));
        folder.write("n.tsv", costs.collect::<String>());
        let run = compare(&folder, &["--html", page]).fine();
        let sentence = run
            .text()
            .lines()
            .find(|line| line.starts_with("Known negatives:"));
        assert!(
            sentence.is_some_and(|text| text.contains(reason)),
            "{}",
            run.text()
        );
        let page = String::from_utf8(folder.read(page)).expect("UTF-8");
        assert!(page.contains("<figcaption>There is nothing to see here: "));
        assert!(!page.contains("NaN") && !page.contains("inf\""));
    }
}

#[test]
fn luck_is_not_called_a_win() {
    let folder = folder();
    // Half of the cost lies on two dozen keys, and none of these kinds knows: whose mistakes cost least is chance.
    let kinds = ["--kinds", "bloom,blocked,balanced", "--bits-per-key", "8"];
    let mut lucky = 0;
    for seed in ["1", "2", "3", "4", "5"] {
        let args = [&kinds[..], &["--seed", seed]].concat();
        let run = compare(&folder, &args).fine();
        let plain = run
            .text()
            .contains("Known negatives: no kind does better than the plain bloom");
        let unsure = run
            .text()
            .contains("Known negatives: no kind is surely better than the plain bloom");
        assert!(plain || unsure, "{}", run.text());
        lucky += u32::from(unsure);
    }
    assert!(lucky > 0, "or this shows nothing");
    // Without a yardstick, those that cannot be told apart are named together.
    let run = compare(
        &folder,
        &["--kinds", "blocked,balanced", "--bits-per-key", "8"],
    )
    .fine();
    let together = "Known negatives: blocked and balanced are wrong on ";
    assert!(run.text().contains(together), "{}", run.text());
}

#[test]
fn filters_beyond_their_budget_are_marked_and_win_nothing() {
    let folder = folder();
    folder.write("p.txt", numbers(0..8));
    let more = [
        "--kinds",
        "bloom,blocked",
        "--bits-per-key",
        "10",
        "--html",
        "page.html",
    ];
    let run = compare(&folder, &more).fine();
    // 512 bits for eight keys.
    assert!(
        run.text().contains("| blocked |  * 64.00 |"),
        "{}",
        run.text()
    );
    assert!(
        run.text().contains("\n*: beyond the budget"),
        "{}",
        run.text()
    );
    let sentences = run.text().split("At 10 bits per key:").nth(1);
    let sentences = sentences.expect("sentences");
    assert!(
        sentences.contains("bloom") && !sentences.contains("blocked"),
        "{sentences}"
    );
    let page = String::from_utf8(folder.read("page.html")).expect("UTF-8");
    assert!(page.contains("* 64.00") && page.contains("*: beyond the budget"));
    let args = [&more[..4], &["--json"]].concat();
    let result = compare(&folder, &args).fine().json();
    let over = rows(&result).iter().map(|row| row["over_budget"].clone());
    assert_eq!(over.collect::<Vec<_>>(), [json!(false), json!(true)]);
}
