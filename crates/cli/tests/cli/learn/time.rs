//! `learn` over time: events that fade, and sketches that are saved and merged.

use super::{folder, line};
use crate::run::number;

#[test]
fn old_events_fade_or_are_left_out() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt --force -o list.tsv";
    folder.run(&format!("{learn} --half-life 7d")).succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    folder
        .run(&format!("{learn} --since 2026-10-02"))
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
}

#[test]
fn saved_sketches_add_up_and_know_their_time() {
    let folder = folder();
    let learn = "--column 7 --positives pages.txt --force -o list.tsv";
    folder
        .run(&format!(
            "learn early.log {learn} --half-life 7d --sketch early.sketch"
        ))
        .succeeds();
    let merge = "--merge early.sketch";
    folder
        .run(&format!("learn late.log {learn} {merge} --half-life 7d"))
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    let run = folder.run(&format!(
        "learn late.log {learn} {merge} --sketch early.sketch"
    ));
    assert_eq!(run.succeeds().row("with sketches"), "5 absent events");
    folder
        .run("learn --merge early.sketch early.sketch --force -o list.tsv")
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/a\t6\n/b\t4\n");
    // A key that has come since is no negative.
    folder.write("pages.txt", "/1\n/a\n");
    folder
        .run("learn --merge early.sketch --positives pages.txt --force -o list.tsv")
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
}

#[test]
fn sketch_of_any_run_fades_when_it_is_merged() {
    let folder = folder();
    let learn = "--column 7 --positives pages.txt --force -o list.tsv";
    let merge = "--merge early.sketch --half-life 7d";
    let save = folder.run(&format!("learn early.log {learn} --sketch early.sketch"));
    save.succeeds();
    let run = folder.run(&format!("learn late.log {learn} {merge}"));
    run.succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    // Without times, a remark says that it does not fade.
    folder.write("plain.txt", "/1\n/a\n/a\n/a\n");
    let line = "learn plain.txt --positives pages.txt -o list.tsv --sketch early.sketch";
    folder.run(&format!("{line} --force")).succeeds();
    let run = folder.run(&format!("learn late.log {learn} {merge}"));
    run.exits_with(0)
        .remarks(&["early.sketch has no time", "do not fade"]);
    assert_eq!(folder.text("list.tsv"), "/a\t3\n/b\t2\n");
}

#[test]
fn keys_that_have_joined_the_set_take_nobodys_place() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt -o list.tsv --sketch s";
    folder.run(learn).succeeds();
    folder.write("pages.txt", "/1\n/2\n/a\n");
    let line = "learn --merge s --positives pages.txt --top 1 --force -o list.tsv --json";
    let json = folder.run(line).succeeds().json();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
    assert_eq!(
        (
            number(&json["coverage"]["1000"]),
            number(&json["half_of_cost"])
        ),
        (1.0, 1.0)
    );
}

#[test]
fn list_and_sketch_are_two_files_and_the_sketch_is_saved_last() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt";
    let run = folder.run(&format!("{learn} -o out --sketch ./out"));
    run.fails(&["-o and --sketch", "same file", "two files"]);
    assert!(!folder.path("out").exists());
    folder.write("out", "");
    let run = folder.run(&format!("{learn} -o out --sketch ./out --force"));
    run.fails(&["same file"]);
    // A list that cannot be written leaves no sketch.
    #[cfg(target_os = "linux")]
    {
        let line = format!("{learn} -o - --sketch s");
        let run = crate::run::finish(
            &mut crate::run::after(&folder, "exec 1>/dev/full", &line),
            b"",
        );
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(!folder.path("s").exists());
    }
}

#[test]
fn time_in_the_future_is_skipped_and_leaves_other_costs_alone() {
    let folder = folder();
    let future = line(1, "/c", "1").replace("01/Oct/2026", "31/Dec/9998");
    folder.write(
        "odd.log",
        folder.text("early.log") + &future + &folder.text("late.log"),
    );
    let learn = "learn odd.log --column 7 --positives pages.txt -o list.tsv --half-life 7d";
    let run = folder.run(&format!("{learn} --sketch s")).exits_with(0);
    run.remarks(&[
        "odd.log",
        "lines skipped: 1",
        "line 5",
        "9998-12-31",
        "in the future",
    ]);
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
}

#[test]
fn event_without_a_time_is_as_old_as_the_one_before() {
    let folder = folder();
    let untimed = "x x x x x x /u 1 1 1\n";
    let log = [
        &folder.text("early.log"),
        untimed,
        &folder.text("late.log"),
        untimed,
    ]
    .concat();
    folder.write("odd.log", log);
    let run =
        folder.run("learn odd.log --column 7 --positives pages.txt -o list.tsv --since 2026-10-02");
    run.exits_with(0)
        .remarks(&["events without a time", "the one before: 2"]);
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/u\t1\n");
}
