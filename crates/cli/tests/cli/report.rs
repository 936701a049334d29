//! The HTML page with charts: its content, and how a browser shows it.

use crate::browser::{Browser, Medium};
use crate::run::{Folder, numbers};
use std::process::Stdio;

/// A file name that would end an attribute, open an element and break a line if it were not escaped.
#[cfg(unix)]
const NASTY: &str = "a\"b'<i b=1>&amp;\n.txt";
#[cfg(not(unix))]
const NASTY: &str = "a'b&amp;.txt";

/// A folder with a page, and the content of the page.
fn page() -> (Folder, String) {
    let folder = Folder::new();
    folder.write(NASTY, numbers(0..2000));
    folder.write("n.txt", numbers(5000..6000));
    // Long names must fit too, and nothing can be built at the last budget.
    let kinds = "bloom,guarded,habf-cache,personalized-rejecting,personalized-counting";
    let line = format!(
        "compare --negatives n.txt --html page.html --kinds {kinds} --bits-per-key 6,8,8.1,10,1e18 --positives"
    );
    folder.run_with_args(&line, &[NASTY]).succeeds();
    let page = folder.text("page.html");
    (folder, page)
}

#[test]
fn page_loads_no_other_files_and_escapes_names() {
    let (_, page) = page();
    for outside in [
        "http:", "https:", "//", "src=", "href=", "url(", "@import", "<script", "<link",
    ] {
        assert!(!page.contains(outside), "{outside} is in the page");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(
        page.contains("a&quot;b&#39;&lt;i") || cfg!(not(unix)),
        "names are escaped"
    );
    assert!(!page.contains("<i b"));
}

#[test]
fn every_chart_has_a_title_axes_with_units_and_its_numbers() {
    let (_, page) = page();
    let figures: Vec<&str> = page.split("<figure>").skip(1).collect();
    assert_eq!(figures.len(), 7);
    let axes = [
        ["wrong answers", "known, by cost"],
        ["wrong share of unseen keys", "size"],
        ["wrong share of the cost", "bits per key"],
        ["wrong share of unseen keys", "bits per key"],
        ["share of the cost of all", "costliest 10 %"],
        ["nanoseconds per query", "other key"],
        ["nanoseconds per key", "build"],
    ];
    for (figure, axes) in figures.iter().zip(axes) {
        for part in ["<h3>", "<svg", "<title>", "<details>", "<table>"]
            .iter()
            .chain(&axes)
        {
            assert!(figure.contains(part), "{part} is not in {figure}");
        }
    }
    let (rates, limits) = ([0, 2, 3], [0, 1, 3]);
    for (at, figure) in figures.iter().enumerate() {
        assert_eq!(figure.contains(">none<"), rates.contains(&at), "{figure}");
        assert_eq!(
            figure.contains("class=\"limit\""),
            limits.contains(&at),
            "{figure}"
        );
        assert_eq!(figure.contains(">guarded<"), at != 4, "{figure}");
    }
    for part in [
        "processor",
        "cores",
        "passes",
        "the slowest and the fastest pass differ",
        "prefers-color-scheme",
        "@media print",
        "width=device-width",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
}

#[test]
fn page_opens_with_a_verdict_and_names_the_costliest_mistakes() {
    let folder = Folder::new();
    folder.write("my set.txt", numbers(0..5000));
    let costs: String = (10_000..20_000)
        .map(|n: u32| format!("{n}\t{}\n", 1 + n % 7))
        .collect();
    folder.write("n.tsv", costs);
    let compare = "compare --negatives n.tsv --kinds bloom,guarded --bits-per-key 8 --seed 7";
    let line = format!("{compare} --html page.html --positives");
    let run = folder.run_with_args(&line, &["my set.txt"]).succeeds();
    let page = folder.text("page.html");
    let command = "bloomwise build guarded --positives 'my set.txt' --negatives n.tsv --seed 7 --bits-per-key 8 -o my-set.bloomwise";
    assert!(run.text().contains(command), "{}", run.text());
    assert!(page.contains(&command.replace('\'', "&#39;")), "{page}");
    for part in [
        "<title>Which filter for my set</title>",
        "Ship guarded: ",
        "A Bloom filter of the same size wrongly accepts ",
        "(cost 7) and ",
        "guarded accepts none.",
        "holds a fixed set: for new keys, build it again. If keys are to be inserted, take bloom, which accepts ",
        "No mistake on ",
        "known negatives have a cost of ",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
    let bloom = page.split("<article>").nth(1).expect("a card");
    assert!(bloom.contains("<h3>bloom</h3>"), "{bloom}");
    assert_eq!(bloom.matches("<b>7</b>").count(), 10, "{bloom}");
    // The command does what it says: the costliest mistake of bloom is none of the filter that it builds.
    let args: Vec<&str> = vec!["my set.txt"];
    let build =
        "build guarded --negatives n.tsv --seed 7 --bits-per-key 8 -o f.bloomwise --positives";
    folder.run_with_args(build, &args).succeeds();
    let name = bloom.split("<span>").nth(1).expect("a name");
    let name = name.split('<').next().expect("its end");
    folder
        .run(&format!("query f.bloomwise {name}"))
        .exits_with(1);
}

#[test]
fn limit_is_described_only_if_there_is_one() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000));
    folder.write("n.txt", numbers(5000..7000));
    let page = |name: &str, budgets: &str| {
        let args = "compare --positives p.txt --negatives n.txt";
        let more = format!("--kinds bloom --html {name} --bits-per-key {budgets}");
        folder.run(&format!("{args} {more}")).succeeds();
        folder.text(name)
    };
    // To distinguish 1000 keys from 1600 others takes 2.5 bits per key.
    let limit = "A filter of this size can be right on every known negative";
    assert!(page("all.html", "4,8").contains(limit));
    let some = page("some.html", "1,2,4,8");
    assert!(!some.contains(limit) && some.contains("From 4 bits per key, "));
    let none = page("none.html", "1,2");
    assert!(!none.contains(limit) && none.contains("No filter of this size can be right"));
}

#[test]
fn page_without_filters_has_a_table_and_no_charts() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000));
    folder.write("n.txt", numbers(5000..6000));
    let args = "compare --positives p.txt --negatives n.txt";
    let more = "--html page.html --bits-per-key 1e18";
    let run = folder.run(&format!("{args} {more}")).succeeds();
    assert!(!run.text().contains("bits per key:\n"), "{}", run.text());
    let page = folder.text("page.html");
    for absent in ["At ", "<figure", "<svg", "Speed", "Ship"] {
        assert!(!page.contains(absent), "{absent:?} is in the page");
    }
    assert!(page.contains("class=\"s\">why not built") && page.contains("Settings"));
}

#[test]
fn existing_page_is_replaced_only_with_force() {
    let folder = Folder::new();
    folder.write("page.html", "mine");
    let run = |more: &str| folder.run(&format!("demo --keys 100 --html page.html {more}"));
    run("").fails(&["page.html", "already exists", "--force"]);
    assert_eq!(folder.read("page.html"), b"mine");
    run("--force")
        .succeeds()
        .prints("Page with charts: page.html");
    assert!(folder.read("page.html").starts_with(b"<!doctype html>"));
    assert_eq!(folder.names(), ["page.html"], "no temporary file remains");
}

#[test]
fn page_is_saved_even_if_the_output_is_not_read() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..100));
    folder.write("n.txt", numbers(500..600));
    let compare = "compare --positives p.txt --negatives n.txt";
    for (args, page) in [("demo --keys 100", "demo.html"), (compare, "compare.html")] {
        let mut command = folder.command(&format!("{args} --html {page}"));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        assert!(child.wait().expect("it ends").success());
        assert!(folder.read(page).starts_with(b"<!doctype html>"), "{page}");
    }
}

#[cfg(unix)]
#[test]
fn page_name_does_not_control_the_terminal() {
    let folder = Folder::new();
    let args = "demo --keys 100 --html a\u{1b}[2Jb.html";
    let run = folder.run(args).succeeds();
    run.prints("Page with charts: a\\u{1b}[2Jb.html");
    let null = "demo --html /dev/null --force";
    let run = folder.run(null).exits_with(2);
    let end = "not a regular file; name a file to write\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn page_keeps_its_permissions_or_follows_the_umask() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = || {
        let file = std::fs::metadata(folder.path("page.html")).expect("a file");
        file.permissions().mode() & 0o777
    };
    let args = "demo --keys 100 --html page.html --force";
    crate::run::finish(&mut crate::run::after(&folder, "umask 027", args), b"").succeeds();
    assert_eq!(mode(), 0o640, "the umask decides");
    std::fs::set_permissions(folder.path("page.html"), PermissionsExt::from_mode(0o604))
        .expect("permissions");
    folder.run(args).succeeds();
    assert_eq!(mode(), 0o604, "the permissions stay");
}

#[test]
fn browser_shows_everything_at_each_width_and_in_each_medium() {
    let Some(browser) = Browser::find("browser_shows_everything_at_each_width_and_in_each_medium")
    else {
        return;
    };
    let (folder, page) = page();
    // A phone, a tablet, a computer; paper is as wide as a sheet.
    let screens = [390, 768, 1280].map(|width| [(width, Medium::Light), (width, Medium::Dark)]);
    for (width, medium) in screens.concat().into_iter().chain([(720, Medium::Paper)]) {
        let visit = browser.open(&folder, &page, width, medium);
        let shown = format!("{width} pixels, {medium:?}: {visit:?}");
        assert_eq!(visit.console, Vec::<String>::new(), "{shown}");
        assert!(visit.requests.is_empty(), "{shown}");
        assert_eq!(visit.charts.len(), 7, "{shown}");
        for (chart_width, chart_height) in &visit.charts {
            assert!(*chart_width > 300.0 && *chart_height > 60.0, "{shown}");
        }
        assert!(visit.overflow <= 0.0, "wider than the screen: {shown}");
        assert_eq!(visit.hidden, Vec::<serde_json::Value>::new(), "{shown}");
        assert!(visit.contrast >= 4.5, "{shown}");
    }
}

#[test]
fn browser_reports_what_is_wrong_with_a_page() {
    let Some(browser) = Browser::find("browser_reports_what_is_wrong_with_a_page") else {
        return;
    };
    let page = "<!doctype html><head></head><body><svg width=\"3000\" height=\"9\"></svg>\
                <p style=\"color: #ccc\">pale</p><p style=\"margin-top: -2.1em\">above</p><script>console.error('a message')</script><img src=\"http://elsewhere.example/picture\"></body>";
    let visit = browser.open(&Folder::new(), page, 390, Medium::Light);
    assert!(
        visit.console.iter().any(|line| line.contains("a message")),
        "{visit:?}"
    );
    assert!(
        visit
            .requests
            .iter()
            .any(|request| request == "http://elsewhere.example/picture"),
        "{visit:?}"
    );
    assert_eq!(visit.charts, [(3000.0, 9.0)]);
    assert!(visit.overflow > 1000.0, "{visit:?}");
    assert_eq!(
        visit.hidden,
        [serde_json::json!(["pale", "overlaps", "above"])]
    );
    assert!((1.5..1.7).contains(&visit.contrast), "{visit:?}");
}
