//! The text output of `compare`: the table, and a summary that must not claim too much.

use crate::compare::{compare, folder, rows};
use crate::run::{Folder, numbers};
use serde_json::json;

#[test]
fn output_is_a_markdown_table_and_a_summary() {
    let folder = folder();
    // Enough keys to distinguish 0.8 % from 0.2 %.
    folder.write("u.txt", numbers(5000..25_000));
    let kinds = "--kinds bloom,guarded --bits-per-key 10";
    let run = compare(&folder, &format!("{kinds} --unseen u.txt")).succeeds();
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
    // On a busy machine there is no fastest kind.
    if !run.text().contains("\nSpeed: the machine was too busy") {
        sentence("Fastest to query:");
        sentence("Fastest to build:");
    }
    sentence("Times are medians of 5 passes");
    sentence("Ship guarded: ");
}

#[test]
fn bloom_is_named_if_no_kind_beats_it() {
    // 16 negatives are too few for rates of 0.0001.
    let folder = folder();
    folder.write("n.tsv", numbers(5000..5016));
    let run = compare(&folder, "--bits-per-key 20 --holdout 0.5").succeeds();
    run.prints("Known negatives: bloom makes no mistake");
    run.prints("Unseen keys: no kind is significantly better than bloom");
}

#[test]
fn mistakes_without_cost_are_still_mistakes() {
    let folder = folder();
    let free = (0..999).map(|n| format!("n{n}\t0\n"));
    folder.write("n.tsv", free.collect::<String>() + "n999\t1\n");
    // The filter may or may not be wrong on the costly key; it is wrong on many others.
    let args = "--kinds bloom --bits-per-key 4 --holdout 0.01";
    let run = compare(&folder, args).succeeds();
    let free = "Known negatives: bloom makes no mistake that costs anything on any of";
    let hit = "Known negatives: no kind is better than bloom, which is wrong on 100.00 %";
    assert!(
        run.text().contains(free) || run.text().contains(hit),
        "{}",
        run.text()
    );
    assert!(!run.text().contains("no mistake on any"), "{}", run.text());
}

/// The sentence about known negatives that all cost the same, and the page.
fn of_equal_costs(folder: &Folder, cost: &str) -> (String, String) {
    let costs = (0..100).map(|n| format!("n{n}\t{cost}\n"));
    folder.write("n.tsv", costs.collect::<String>());
    let page = format!("{cost}.html");
    let run = compare(folder, &format!("--html {page}")).succeeds();
    let mut lines = run.text().lines();
    let sentence = lines.find(|line| line.starts_with("Known negatives:"));
    let page = folder.text(&page);
    assert!(!page.contains("NaN") && !page.contains("inf\""));
    (sentence.expect("a sentence").to_string(), page)
}

#[test]
fn costs_that_are_all_0_are_reported() {
    let (sentence, page) = of_equal_costs(&folder(), "0");
    assert!(sentence.contains("every cost is 0"), "{sentence}");
    assert!(page.contains("<figcaption>This chart is empty: "));
}

#[test]
fn costs_whose_sum_is_not_a_number_have_the_shares_of_other_equal_costs() {
    let folder = folder();
    let [(large, _), (small, _)] = ["1e308", "1"].map(|cost| of_equal_costs(&folder, cost));
    assert_eq!(large, small);
}

#[test]
fn luck_is_not_reported_as_better() {
    let folder = folder();
    // Two dozen keys have half of the cost, and these kinds ignore costs, so it is luck whose mistakes cost least.
    let kinds = "--kinds bloom,blocked,balanced --bits-per-key 8";
    let mut lucky = 0;
    for seed in ["1", "2", "3", "4", "5"] {
        let args = format!("{kinds} --seed {seed}");
        let run = compare(&folder, &args).succeeds();
        let equal = run
            .text()
            .contains("Known negatives: no kind is better than bloom");
        let lucky_win = run
            .text()
            .contains("Known negatives: no kind is significantly better than bloom");
        assert!(equal || lucky_win, "{}", run.text());
        lucky += u32::from(lucky_win);
    }
    assert!(
        lucky > 0,
        "no seed has a lucky win, so this test shows nothing"
    );
    // Without bloom, kinds that cannot be distinguished are named together.
    let run = compare(&folder, "--kinds blocked,balanced --bits-per-key 8").succeeds();
    let together = "Known negatives: blocked and balanced are wrong on ";
    run.prints(together);
}

#[test]
fn filters_over_budget_are_marked_and_not_in_the_summary() {
    let folder = folder();
    folder.write("p.txt", numbers(0..8));
    let more = "--kinds bloom,blocked --bits-per-key 10 --html page.html";
    let run = compare(&folder, more).succeeds();
    // 512 bits for eight keys.
    run.prints("| blocked |  * 64.00 |");
    run.prints("\n*: larger than the budget");
    let sentences = run.text().split("At 10 bits per key:").nth(1);
    let sentences = sentences.expect("sentences");
    assert!(
        sentences.contains("bloom") && !sentences.contains("blocked"),
        "{sentences}"
    );
    let page = folder.text("page.html");
    assert!(page.contains("* 64.00") && page.contains("*: larger than the budget"));
    let args = "--kinds bloom,blocked --bits-per-key 10 --json";
    let result = compare(&folder, args).succeeds().json();
    let over = rows(&result).iter().map(|row| row["over_budget"].clone());
    assert_eq!(over.collect::<Vec<_>>(), [json!(false), json!(true)]);
}
