//! The page with charts: as a file, and in a browser.

use crate::browser::Browser;
use crate::run::{Folder, numbers};
use std::process::Stdio;

/// A name that would end an attribute, open an element and break a line, were it not escaped.
#[cfg(unix)]
const NASTY: &str = "a\"b'<i b=1>&amp;\n.txt";
#[cfg(not(unix))]
const NASTY: &str = "a'b&amp;.txt";

/// A folder with a page in it, and the page.
fn page() -> (Folder, String) {
    let folder = Folder::new();
    folder.write(NASTY, numbers(0..2000));
    folder.write("n.txt", numbers(5000..6000));
    let args = [
        "compare",
        "--positives",
        NASTY,
        "--negatives",
        "n.txt",
        "--html",
        "page.html",
        // Long names, which must fit too, and a budget at which nothing can be built.
        "--kinds",
        "bloom,guarded,habf-cache,personalized-rejecting,personalized-counting",
        "--bits-per-key",
        "6,8,8.1,10,1e18",
    ];
    folder.run(&args).fine();
    let page = String::from_utf8(folder.read("page.html")).expect("UTF-8");
    (folder, page)
}

#[test]
fn the_page_needs_nothing_but_itself() {
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
    assert_eq!(figures.len(), 4);
    let axes = [
        ["share of the cost, %", "bits per key"],
        ["false positive rate, %", "bits per key"],
        ["nanoseconds per query", "member"],
        ["nanoseconds per key of the set", "build"],
    ];
    for (figure, axes) in figures.iter().zip(axes) {
        for part in [
            "<h3>",
            "<svg",
            "<title>",
            "<details>",
            "<table>",
            ">guarded<",
        ]
        .iter()
        .chain(&axes)
        {
            assert!(figure.contains(part), "{part} is not in {figure}");
        }
    }
    for figure in &figures[..2] {
        assert!(figure.contains(">limit<") && figure.contains("class=\"zero\""));
    }
    for part in [
        "processor",
        "cores",
        "passes",
        "from the fastest to the slowest",
        "prefers-color-scheme",
        "@media print",
        "width=device-width",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
}

#[test]
fn the_limit_is_promised_only_where_there_is_one() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000));
    folder.write("n.txt", numbers(5000..7000));
    let page = |name: &str, budgets: &str| {
        let args = ["compare", "--positives", "p.txt", "--negatives", "n.txt"];
        let more = [
            "--kinds",
            "bloom",
            "--html",
            name,
            "--bits-per-key",
            budgets,
        ];
        folder.run(&[&args[..], &more].concat()).fine();
        String::from_utf8(folder.read(name)).expect("UTF-8")
    };
    // To tell 1000 keys from 1600 takes 2.5 bits for each of the 1000.
    let promise = "a filter of this size can be right on every known key";
    assert!(page("all.html", "4,8").contains(promise));
    let some = page("some.html", "1,2,4,8");
    assert!(!some.contains(promise) && some.contains("from 4 bits per key on"));
    let none = page("none.html", "1,2");
    assert!(!none.contains(promise) && none.contains("No filter of this size can be right"));
}

#[test]
fn a_page_about_nothing_has_its_table_and_no_charts() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000));
    folder.write("n.txt", numbers(5000..6000));
    let args = ["compare", "--positives", "p.txt", "--negatives", "n.txt"];
    let more = ["--html", "page.html", "--bits-per-key", "1e18"];
    let run = folder.run(&[&args[..], &more].concat()).fine();
    assert!(!run.text().contains("bits per key:\n"), "{}", run.text());
    let page = String::from_utf8(folder.read("page.html")).expect("UTF-8");
    for absent in ["At ", "<figure", "<svg", "How long they take"] {
        assert!(!page.contains(absent), "{absent:?} is in the page");
    }
    assert!(page.contains("class=\"s\">not built because") && page.contains("Settings"));
}

#[test]
fn a_page_that_exists_is_replaced_only_by_force() {
    let folder = Folder::new();
    folder.write("page.html", "mine");
    let run = |more: &[&str]| {
        let mut args = vec!["demo", "--keys", "100", "--html", "page.html"];
        args.extend(more);
        folder.run(&args)
    };
    run(&[]).wrong(&["page.html", "exists already", "--force"]);
    assert_eq!(folder.read("page.html"), b"mine");
    let told = run(&["--force"]).fine();
    assert!(told.text().contains("Page with charts: page.html"));
    assert!(folder.read("page.html").starts_with(b"<!doctype html>"));
    assert_eq!(folder.names(), ["page.html"], "nothing lies beside it");
}

#[test]
fn a_page_is_saved_though_nobody_reads_the_output() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..100));
    folder.write("n.txt", numbers(500..600));
    let compare = ["compare", "--positives", "p.txt", "--negatives", "n.txt"];
    for (args, page) in [
        (&["demo", "--keys", "100"][..], "demo.html"),
        (&compare, "compare.html"),
    ] {
        let mut command = folder.command(&[args, &["--html", page]].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        assert!(child.wait().expect("it ends").success());
        assert!(folder.read(page).starts_with(b"<!doctype html>"), "{page}");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_a_page_does_not_steer_the_terminal() {
    let folder = Folder::new();
    let args = ["demo", "--keys", "100", "--html", "a\u{1b}[2Jb.html"];
    let run = folder.run(&args).fine();
    assert!(run.text().contains("Page with charts: a\\u{1b}[2Jb.html"));
    let null = ["demo", "--html", "/dev/null", "--force"];
    let run = folder.run(&null).coded(2);
    let end = "no ordinary file; name a file to write\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_page_can_be_read_by_those_who_may() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = || {
        let file = std::fs::metadata(folder.path("page.html")).expect("a file");
        file.permissions().mode() & 0o777
    };
    let args = ["demo", "--keys", "100", "--html", "page.html", "--force"];
    crate::run::finish(&mut crate::run::after(&folder, "umask 027", &args), b"").fine();
    assert_eq!(mode(), 0o640, "as the umask says");
    std::fs::set_permissions(folder.path("page.html"), PermissionsExt::from_mode(0o604))
        .expect("is ours");
    folder.run(&args).fine();
    assert_eq!(mode(), 0o604, "as it was");
}

#[test]
fn a_browser_shows_the_charts_without_complaint_and_without_the_network() {
    let Some(browser) = Browser::find("a_browser_shows_the_charts") else {
        return;
    };
    let (folder, page) = page();
    let visit = browser.open(&folder, &page);
    assert_eq!(visit.complaints, Vec::<String>::new());
    assert!(visit.requests.is_empty(), "{visit:?}");
    assert_eq!(visit.charts.len(), 4);
    for (width, height) in visit.charts {
        assert!(
            width > 300.0 && height > 120.0,
            "a chart of {width} by {height}"
        );
    }
    assert!(
        visit.overflow <= 0.0,
        "{} pixels too wide for a phone",
        visit.overflow
    );
}

#[test]
fn the_browser_would_have_told() {
    let Some(browser) = Browser::find("the_browser_would_have_told") else {
        return;
    };
    let page = "<!doctype html><head></head><body><svg width=\"3000\" height=\"9\"></svg>\
                <script>console.error('a complaint')</script><img src=\"http://elsewhere.example/picture\"></body>";
    let visit = browser.open(&Folder::new(), page);
    assert!(
        visit
            .complaints
            .iter()
            .any(|line| line.contains("a complaint")),
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
}
