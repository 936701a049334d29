//! The HTML page with charts: its content, and how a browser shows it.

use crate::browser::Browser;
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
    assert_eq!(figures.len(), 4);
    let axes = [
        ["share of the cost, %", "bits per key"],
        ["false positive rate, %", "bits per key"],
        ["nanoseconds per query", "positive"],
        ["nanoseconds per key", "build"],
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
        "the slowest and the fastest pass differ",
        "prefers-color-scheme",
        "@media print",
        "width=device-width",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
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
    let limit = "a filter of this size can be right on every known negative";
    assert!(page("all.html", "4,8").contains(limit));
    let some = page("some.html", "1,2,4,8");
    assert!(!some.contains(limit) && some.contains("from 4 bits per key:"));
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
    for absent in ["At ", "<figure", "<svg", "Speed"] {
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
fn browser_shows_the_charts_without_messages_or_requests() {
    let Some(browser) = Browser::find("browser_shows_the_charts_without_messages_or_requests")
    else {
        return;
    };
    let (folder, page) = page();
    let visit = browser.open(&folder, &page);
    assert_eq!(visit.console, Vec::<String>::new());
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
fn browser_reports_messages_requests_and_overflow() {
    let Some(browser) = Browser::find("browser_reports_messages_requests_and_overflow") else {
        return;
    };
    let page = "<!doctype html><head></head><body><svg width=\"3000\" height=\"9\"></svg>\
                <script>console.error('a message')</script><img src=\"http://elsewhere.example/picture\"></body>";
    let visit = browser.open(&Folder::new(), page);
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
}
