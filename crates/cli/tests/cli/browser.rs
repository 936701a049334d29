//! A headless Chromium that opens a page and tells what it saw.
//!
//! The browser is the one that `BLOOMWISE_BROWSER` names, or a Chromium or Chrome on the path. It finds no host on the
//! network. What the page looks like is found by a script that is added to a copy of it. The copy is shown in a frame as wide
//! as a phone, since no window is that narrow, and the frame passes on what the script found.

use crate::run::{Folder, skipped};
use serde_json::Value;
use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Names that the browser has on different systems.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Finds out what the page looks like, and what it asked for: every request has an entry, if it failed too.
const PROBE: &str = "<script>addEventListener('load', () => {
const box = chart => { const b = chart.getBoundingClientRect(); return [b.width, b.height]; };
const root = document.documentElement;
parent.postMessage({charts: [...document.querySelectorAll('svg')].map(box),
    requests: performance.getEntriesByType('resource').map(entry => entry.name),
    overflow: root.scrollWidth - root.clientWidth}, '*');
});</script>";

/// The frame.
const FRAME: &str = "<!doctype html><script>addEventListener('message', message =>
document.documentElement.setAttribute('data-seen', JSON.stringify(message.data)));</script>
<iframe src=\"probed.html\" width=\"375\" height=\"800\"></iframe>";

/// A browser that can be run.
pub struct Browser(PathBuf);

/// What it saw of a page.
#[derive(Debug)]
pub struct Visit {
    /// What it wrote to its console.
    pub complaints: Vec<String>,
    /// What the page asked for.
    pub requests: Vec<Value>,
    /// The width and height of each drawing.
    pub charts: Vec<(f64, f64)>,
    /// By how much the page is wider than the screen.
    pub overflow: f64,
}

impl Browser {
    /// The browser; says loudly that the test does not run if there is none.
    pub fn find(test: &str) -> Option<Self> {
        let named = env::var_os("BLOOMWISE_BROWSER").map(PathBuf::from);
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        let mut places = NAMES
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        let found = named.or_else(|| places.find(|place| place.is_file()));
        if found.is_none() {
            skipped(
                test,
                "no Chromium on the path; install it (Debian: apt-get install chromium) or name a browser in BLOOMWISE_BROWSER",
            );
        }
        found.map(Browser)
    }

    /// Opens a page that is put into this folder.
    pub fn open(&self, folder: &Folder, page: &str) -> Visit {
        // The probe is the only script, and only the copy allows it.
        let styles = "style-src 'unsafe-inline'";
        let page = page.replace(styles, &format!("{styles}; script-src 'unsafe-inline'"));
        folder.write(
            "probed.html",
            page.replace("</head>", &format!("{PROBE}</head>")),
        );
        folder.write("frame.html", FRAME);
        let output = Command::new(&self.0)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--enable-logging=stderr"])
            .arg("--host-resolver-rules=MAP * ~NOTFOUND")
            .arg(format!(
                "--user-data-dir={}",
                folder.path("profile").display()
            ))
            .args(["--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("file://{}", folder.path("frame.html").display()))
            .stdin(Stdio::null())
            .output()
            .expect("the browser starts");
        let dom = String::from_utf8_lossy(&output.stdout);
        let log = String::from_utf8_lossy(&output.stderr);
        let seen = dom.split("data-seen=\"").nth(1);
        let seen = seen.and_then(|rest| rest.split('"').next());
        let seen = seen.unwrap_or_else(|| panic!("the page was not shown: {log}"));
        let seen: Value = serde_json::from_str(&seen.replace("&quot;", "\"")).expect("JSON");
        let list = |name: &str| seen[name].as_array().expect("a list").clone();
        let number = |value: &Value| value.as_f64().expect("a number");
        let of_the_console = log.lines().filter(|line| line.contains("CONSOLE"));
        Visit {
            complaints: of_the_console.map(String::from).collect(),
            requests: list("requests"),
            charts: (list("charts").iter())
                .map(|chart| (number(&chart[0]), number(&chart[1])))
                .collect(),
            overflow: number(&seen["overflow"]),
        }
    }
}
