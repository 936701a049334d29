//! `build`: sizes, settings, seeds, the report.

use crate::run::{Folder, names, number, numbers};
use bloomwise::{Family, Operation};
use serde_json::json;

#[test]
fn report_has_the_documented_fields_in_order() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\nbee\nant\ncow\n");
    folder.write("n.txt", "dog\t2\ndog\t1\nant\t5\neel\n");
    let args = "build bloom --positives p.txt --negatives n.txt";
    let args = format!("{args} --fpr 0.01 -o f.bw --json");
    let report = folder.run(&args).succeeds().json();
    assert_eq!(
        names(&report),
        [
            "kind",
            "keys",
            "duplicates",
            "known_negatives",
            "overlap",
            "guarded",
            "exact",
            "wrong",
            "bytes",
            "bits_per_key",
            "build_ns_per_key",
            "peak_bytes",
            "parameters",
            "report",
            "shards"
        ]
    );
    assert_eq!(report["kind"], "bloom");
    assert_eq!(report["keys"], 3);
    assert_eq!(report["duplicates"], 1);
    assert_eq!(
        report["known_negatives"], 2,
        "dog counts once, and ant is a positive"
    );
    assert_eq!(report["overlap"], 1);
    assert_eq!(report["guarded"], 0);
    let bytes = report["bytes"].as_u64().expect("a number");
    assert_eq!(report["bits_per_key"], json!(bytes as f64 * 8.0 / 3.0));
    assert!(number(&report["build_ns_per_key"]) > 0.0);
    assert_eq!(
        names(&report["report"]),
        ["fill", "predicted_fpr", "skipped"]
    );
    assert!(
        report["report"]["predicted_fpr"]
            .as_f64()
            .expect("a number")
            <= 0.01
    );
    assert_eq!(report["parameters"]["bits"], bytes * 8);
    let file = folder.read("f.bw").len() as u64;
    assert!((bytes..bytes + 4096).contains(&file), "{file} for {bytes}");
    if cfg!(target_os = "linux") {
        assert!(report["peak_bytes"].as_u64().expect("a number") > 100_000);
    }
}

#[test]
fn without_negatives_their_counts_are_null() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let args = "build blocked --positives p.txt --bytes 64 -o f.bw --json";
    let report = folder.run(args).succeeds().json();
    assert!(report["known_negatives"].is_null() && report["overlap"].is_null());
    assert_eq!(report["bytes"], 64);
}

#[test]
fn text_report_is_aligned() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..100_000));
    let args = "build bloom --positives p.txt --bits-per-key 10 -o f.bw";
    let run = folder.run(args).succeeds();
    for line in [
        "built           bloom\n",
        "keys            100,000\n",
        "size            124,992 bytes, 10.00 bits per key\n",
        "written         f.bw\n",
    ] {
        run.prints(line);
    }
}

#[test]
fn every_kind_can_be_built_and_queried() {
    for kind in Family::ALL.map(Family::name) {
        let folder = Folder::with_filter(kind, "ant\nbee\n");
        let run = folder.run("query f.bw ant bee").succeeds();
        assert_eq!(run.text(), "yes\tant\nyes\tbee\n", "{kind}");
    }
}

#[test]
fn help_lists_kinds_and_their_settings() {
    let run = Folder::new().run("build --help").succeeds();
    for part in [
        "  bloom: ",
        "  blocked: ",
        "  counting: ",
        "block: bits of a block",
        "k: number of hash",
    ] {
        run.prints(part);
    }
}

#[test]
fn settings_reach_the_filter() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let args = "build blocked --positives p.txt --bytes 640 -o f.bw --json";
    let args = format!("{args} --set k=5 --set block=256");
    let report = folder.run(&args).succeeds().json();
    assert_eq!(report["parameters"]["k"], 5, "{report}");
    let inspected = folder.inspect();
    assert_eq!(inspected["parameters"], report["parameters"]);
}

#[test]
fn same_keys_and_seed_give_the_same_bytes_in_any_order() {
    let folder = Folder::new();
    folder.write("a.txt", numbers(0..5000));
    let mut backwards: Vec<_> = (0..5000).map(|n| format!("{n}\n")).collect();
    backwards.reverse();
    folder.write("b.txt", backwards.concat() + "17\n17\n");
    for (kind, hash) in [
        ("bloom", "xxh3"),
        ("blocked", "siphash"),
        ("counting", "xxh3"),
    ] {
        let build = |keys, seed, out| {
            let args =
                format!("build {kind} --hash {hash} --positives {keys} --fpr 0.02 --seed {seed}");
            folder
                .run(&format!("{args} -o {out} --force"))
                .exits_with(0);
            folder.read(out)
        };
        let first = build("a.txt", "42", "a.bw");
        assert_eq!(first, build("b.txt", "0x2a", "b.bw"), "{kind}");
        assert_ne!(first, build("a.txt", "43", "c.bw"), "{kind}");
    }
}

#[test]
fn siphash_key_is_random_unless_given() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let seed = |given: &str| {
        let args = "build bloom --positives p.txt --fpr 0.01 -o f.bw --force";
        folder
            .run(&format!("{args} --hash siphash {given}"))
            .succeeds();
        folder.run("query f.bw ant").succeeds();
        let report = folder.inspect();
        assert_eq!(report["hash"], "siphash");
        report["seed"].as_str().expect("digits").to_string()
    };
    assert_ne!(seed(""), seed(""));
    let given = "0x0123456789abcdef0123456789abcdef";
    assert_eq!(seed(&format!("--seed {given}")), given);
    assert_eq!(seed("--seed 1"), "0x00000000000000000000000000000001");
}

#[test]
fn filter_without_keys_denies_everything() {
    let folder = Folder::new();
    folder.write("p.txt", "");
    for family in Family::ALL {
        // A kind that accepts keys later must know how many.
        let capacity = match family.can(Operation::Insert) {
            true => "--capacity 10",
            false => "",
        };
        for size in ["--bits-per-key 10", "--fpr 0.01", "--bytes 100"] {
            let args = format!("build {} --positives p.txt", family.name());
            let args = format!("{args} -o f.bw --force {size} {capacity}");
            let report = folder.run(&format!("{args} --json")).succeeds().json();
            assert_eq!(report["keys"], 0);
            assert!(
                report["bits_per_key"].is_null() && report["build_ns_per_key"].is_null(),
                "{report}"
            );
            let run = folder.run(&args).succeeds();
            assert!(run.row("size").ends_with("bytes, -"), "{}", run.text());
            assert_eq!(run.row("time"), "-");
            folder.run("query f.bw ant").exits_with(1);
            folder.run("inspect f.bw").succeeds();
            let report = folder.inspect();
            assert!(report["bits_per_key"].is_null());
        }
    }
}

#[test]
fn invalid_options_are_errors_before_keys_are_read() {
    let folder = Folder::new();
    let build = |kind, more: &str| {
        let args = format!("build {kind} --positives missing.txt -o f.bw");
        folder.run(&format!("{args} {more}"))
    };
    let fpr = "--fpr 0.01";
    build("blom", fpr).fails(&["\"blom\"", "bloom, blocked, counting"]);
    build("blocked", &format!("{fpr} --set blok=1")).fails(&["\"blok\"", "k, block"]);
    build("blocked", &format!("{fpr} --set block=300")).fails(&["block", "300", "256 or 512"]);
    build("bloom", &format!("{fpr} --set k=99")).fails(&["k", "1 to 32"]);
    build("bloom", &format!("{fpr} --preset paper")).fails(&["paper", "has no preset"]);
    build("bloom", &format!("{fpr} --seed 0x10000000000000000")).fails(&["--seed", "64 bits"]);
    build("bloom", "--fpr 1.5").fails(&["1.5", "below 1"]);
    build("bloom", "--fpr nan").fails(&["NaN", "below 1"]);
    build("bloom", "--bits-per-key -3").fails(&["bits per key", "-3"]);
    build("bloom", "--bytes 0").fails(&["0 bits"]);
    build("bloom", "--bytes 18446744073709551615").fails(&["at most"]);
    assert!(folder.names().is_empty());
}

#[test]
fn auto_builds_the_recommended_kind_and_says_why() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..3000));
    folder.write("n.tsv", "dog\t5\ncat\t3\n");
    let args = "build auto --positives p.txt --negatives n.tsv --bits-per-key 10 -o f.bw --force";
    let run = folder.run(args).succeeds();
    assert_eq!(run.row("built"), "guarded");
    assert!(!run.row("why").is_empty());
    // Keys are to come, so the filter must take them.
    let run = folder.run(&format!("{args} --capacity 6000 --json"));
    let kind = run.succeeds().json()["kind"].clone();
    assert!(
        ["bloom", "habf", "cuckoo"].contains(&kind.as_str().expect("a name")),
        "{kind}"
    );
    let run = folder.run(&format!("{args} --set k=3"));
    run.fails(&["auto takes no --set", "bloomwise plan"]);
}

#[test]
fn size_in_bytes_may_have_a_unit() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..3000));
    for (size, bytes) in [("16kB", 16_000), ("16KiB", 16_384), ("1.5kB", 1472)] {
        let args = "build blocked --positives p.txt -o f.bw --force --json";
        let report = folder.run(&format!("{args} --bytes {size}"));
        let got = report.succeeds().json()["bytes"].as_u64();
        assert_eq!(got, Some(bytes), "{size}");
    }
}

#[test]
fn misspelt_names_get_a_suggestion() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let args = "--positives p.txt --bits-per-key 10 -o f.bw";
    let run = folder.run(&format!("build gaurded {args}"));
    run.fails(&["no kind \"gaurded\" (did you mean guarded?); choose one of"]);
    let run = folder.run(&format!("build blocked {args} --set blocks=512"));
    run.fails(&["no setting \"blocks\" (did you mean block?)"]);
    let run = folder.run(&format!("build xyz {args}"));
    run.fails(&["no kind \"xyz\"; choose one of"]);
}

#[test]
fn impossible_sizes_are_errors_for_every_kind_and_for_plan() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    for (size, expected) in [
        ("--bytes 0", "at least 1 bit"),
        ("--bits-per-key nan", "a finite number above zero"),
        ("--bits-per-key -1", "a finite number above zero"),
        ("--bytes 1000000000000000000", "expected at most"),
    ] {
        for family in Family::ALL {
            let kind = family.name();
            let run = folder.run(&format!("build {kind} --positives p.txt {size} -o f.bw"));
            run.fails(&[expected]);
        }
        folder
            .run(&format!("plan --positives 1 {size}"))
            .fails(&[expected]);
    }
}
