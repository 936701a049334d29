//! `diff` and `apply`: what changed since a filter was built.

use crate::run::{Folder, names, number, numbers};
use serde_json::{Value, json};

/// A folder with `old.txt`, `new.txt`, `no.txt` and `f.bw`, a filter of the old keys.
fn folder(build: &str) -> Folder {
    let folder = Folder::new();
    folder.write("old.txt", numbers(0..2000));
    folder.write("new.txt", numbers(20..2020));
    folder.write("no.txt", numbers(10_000..12_000));
    let args = format!("build {build} --positives old.txt --negatives no.txt -o f.bw");
    folder.run(&args).succeeds();
    folder
}

const DIFF: &str =
    "diff f.bw --positives new.txt --old-positives old.txt --negatives no.txt -o p.bw";

/// Checks that a filter has the new keys, and neither removed keys nor known negatives.
fn is_right(folder: &Folder, filter: &str) {
    folder.write("gone.txt", numbers(0..20));
    let args =
        format!("eval {filter} --positives new.txt --negatives no.txt --unseen gone.txt --json");
    let report = folder.run(&args).succeeds().json();
    assert_eq!(report["false_negatives"], 0);
    assert_eq!(report["positives"], 2000);
    assert_eq!(report["known_false_positives"], 0);
    assert_eq!(report["unseen_false_positives"], 0);
}

#[test]
fn patch_of_changed_keys_is_made_and_applied() {
    for build in ["guarded --bits-per-key 8.44", "bloom --bits-per-key 6"] {
        let folder = folder(build);
        let report = folder.run(&format!("{DIFF} --json")).succeeds().json();
        assert_eq!(names(&report), ["added", "denied", "bytes", "base_bytes"]);
        assert_eq!(report["bytes"], folder.read("p.bw").len());
        assert_eq!(report["base_bytes"], folder.read("f.bw").len());
        assert!(
            (15.0..=20.0).contains(&number(&report["added"])),
            "{report}"
        );
        assert!(number(&report["denied"]) >= 20.0, "{report}");

        let before = folder.read("f.bw");
        let run = folder.run("apply f.bw p.bw -o g.bw --json").succeeds();
        assert_eq!(names(&run.json()), ["bytes", "added", "denied"]);
        assert_eq!(run.json()["added"], report["added"]);
        assert_eq!(run.json()["denied"], report["denied"]);
        assert_eq!(folder.read("f.bw"), before);
        is_right(&folder, "g.bw");
        folder.run("verify g.bw").succeeds();
        let inspected = folder.run("inspect g.bw --json").succeeds().json();
        assert_eq!(inspected["keys"], 2000);
        assert_eq!(inspected["bytes"], run.json()["bytes"]);
        assert_eq!(inspected["exact"], true);
        let patch = json!({
            "added": report["added"], "denied": report["denied"], "bytes": report["bytes"]
        });
        assert_eq!(inspected["patch"], patch);
        assert_eq!(folder.inspect()["patch"], Value::Null);
        folder.run("inspect g.bw").succeeds().prints("denied ");
    }
}

#[test]
fn next_patch_replaces_the_last_one_in_the_same_file() {
    let folder = folder("guarded --bits-per-key 8.44");
    folder.write("between.txt", numbers(10..2010));
    folder
        .run("diff f.bw --positives between.txt --old-positives old.txt -o first.bw")
        .succeeds()
        .prints("of the base");
    folder
        .run("apply f.bw first.bw -o f.bw")
        .succeeds()
        .prints("written  f.bw");
    let first = folder.inspect();
    assert_eq!(
        (&first["keys"], &first["patch"]["denied"]),
        (&json!(2000), &json!(10))
    );
    // From the base of the patched filter.
    folder.run(DIFF).succeeds();
    folder.run("apply f.bw p.bw -o f.bw").succeeds();
    is_right(&folder, "f.bw");
    assert!(number(&folder.inspect()["patch"]["denied"]) >= 20.0);
}

#[test]
fn filters_and_patches_go_through_pipes() {
    let folder = folder("guarded --bits-per-key 8.44");
    folder.run(DIFF).succeeds();
    let to_pipe = DIFF.replace("f.bw", "-").replace("p.bw", "-");
    let run = folder
        .run_with_input(&to_pipe, &folder.read("f.bw"))
        .exits_with(0);
    assert_eq!(run.stdout, folder.read("p.bw"));
    let run = folder
        .run_with_input("apply f.bw - -o -", &run.stdout)
        .exits_with(0);
    folder.write("g.bw", run.stdout);
    is_right(&folder, "g.bw");
    folder
        .run("apply - - -o h.bw")
        .fails(&["standard input is named more than once"]);
}

#[test]
fn wrong_inputs_are_one_line_errors_and_write_nothing() {
    let folder = folder("guarded --bits-per-key 8.44");
    folder.run(DIFF).succeeds();
    let files = folder.names();
    folder
        .run("diff f.bw --positives old.txt --old-positives new.txt -o q.bw")
        .fails(&["new.txt", "not built from these 2000 keys", "denies"]);
    folder.write("some.txt", numbers(0..1999));
    folder
        .run("diff f.bw --positives new.txt --old-positives some.txt -o q.bw")
        .fails(&["some.txt", "1999 keys", "has 2000 keys"]);
    for missing in ["f.bw", "new.txt", "old.txt", "no.txt"] {
        let line = DIFF.replace("p.bw", "q.bw").replace(missing, "missing.txt");
        folder.run(&line).fails(&["missing.txt"]);
    }
    folder.run(DIFF).fails(&["p.bw already exists", "--force"]);
    for input in ["f.bw", "new.txt", "old.txt", "no.txt"] {
        folder
            .run(&format!(
                "{} {input} --force",
                DIFF.trim_end_matches(" p.bw")
            ))
            .fails(&[input, "is an input"]);
    }
    folder
        .run("diff f.bw -o q.bw")
        .fails(&["--positives", "--old-positives"]);
    folder
        .run(&DIFF.replace("f.bw", "p.bw").replace("-o p.bw", "-o q.bw"))
        .fails(&["p.bw", "this is a patch, not a filter"]);

    folder
        .run("apply f.bw f.bw -o g.bw")
        .fails(&["f.bw", "a guarded filter, not a patch"]);
    folder
        .run("apply p.bw p.bw -o g.bw")
        .fails(&["p.bw", "this is a patch, not a filter"]);
    folder
        .run("apply f.bw new.txt -o g.bw")
        .fails(&["new.txt", "not a bloomwise filter"]);
    folder
        .run("apply f.bw missing.bw -o g.bw")
        .fails(&["missing.bw", "holds a patch"]);
    folder
        .run("apply f.bw p.bw -o p.bw --force")
        .fails(&["p.bw", "is an input"]);
    folder
        .run("query p.bw 7")
        .fails(&["this is a patch, not a filter", "apply it"]);
    folder
        .run("build guarded --positives new.txt --bits-per-key 9 -o other.bw")
        .succeeds();
    folder.run("apply other.bw p.bw -o g.bw").fails(&[
        "p.bw",
        "made from a filter with checksum",
        "apply it to",
    ]);
    let mut damaged = folder.read("p.bw");
    let last = damaged.len() - 20;
    damaged[last] ^= 1;
    folder.write("damaged.bw", damaged);
    folder
        .run("apply f.bw damaged.bw -o g.bw")
        .fails(&["damaged.bw", "checksum"]);
    let left: Vec<String> = folder.names();
    let new = |name: &&String| !files.contains(name);
    assert_eq!(
        left.iter().filter(new).collect::<Vec<_>>(),
        ["damaged.bw", "other.bw", "some.txt"]
    );
}

#[test]
fn update_of_a_fixed_set_says_to_use_diff() {
    let folder = folder("guarded --bits-per-key 8.44");
    for option in ["--insert", "--remove", "--guard"] {
        folder
            .run(&format!("update f.bw {option} new.txt"))
            .fails(&["guarded", "bloomwise diff"]);
    }
    let folder = self::folder("bloom --bits-per-key 6");
    folder.run(DIFF).succeeds();
    folder.run("apply f.bw p.bw -o f.bw").succeeds();
    folder
        .run("update f.bw --insert new.txt")
        .fails(&["a patched filter cannot insert", "bloomwise diff"]);
}

#[test]
fn patch_that_is_larger_than_its_base_gives_a_remark() {
    let folder = folder("guarded --bits-per-key 8.44");
    folder.write("new.txt", numbers(50_000..52_000));
    let run = folder.run(DIFF).exits_with(0);
    run.remarks(&["not smaller than the filter", "build a new filter"]);
}
