//! Opens a page in headless Chromium and reports what the browser showed.
//!
//! The browser is the one that `BLOOMWISE_BROWSER` names, or a Chromium or Chrome on the path. It cannot resolve any host. A script
//! in a copy of the page measures it. A frame shows the copy, because a window cannot be as narrow as a phone, and receives the
//! measurements from the script. For dark mode and paper, the copy has the rules of that medium.

use crate::run::{Folder, skipped};
use serde_json::Value;
use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The names of the browser on different systems.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Measures the page and lists its requests, including those that failed.
const PROBE: &str = include_str!("probe.html");

/// The page with the frame.
const FRAME: &str = "<!doctype html><script>addEventListener('message', message =>
document.documentElement.setAttribute('data-seen', JSON.stringify(message.data)));</script>
<iframe src=\"probed.html\" width=\"WIDTH\" height=\"800\"></iframe>";

/// How a page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Light,
    Dark,
    Paper,
}

/// The path of the browser.
pub struct Browser(PathBuf);

/// What the browser showed.
#[derive(Debug)]
pub struct Visit {
    /// The messages in the console.
    pub console: Vec<String>,
    /// The requests of the page.
    pub requests: Vec<Value>,
    /// The width and height of each drawing.
    pub charts: Vec<(f64, f64)>,
    /// How many pixels the page is wider than the screen.
    pub overflow: f64,
    /// The texts that overlap another one or are cut.
    pub hidden: Vec<Value>,
    /// The lowest contrast of a text.
    pub contrast: f64,
}

impl Browser {
    /// Finds the browser. If there is none, prints that the test is skipped.
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

    /// Opens a page, `width` pixels wide; its files go into `folder`.
    pub fn open(&self, folder: &Folder, page: &str, width: u32, medium: Medium) -> Visit {
        // The copy allows scripts, so that the probe can run.
        let styles = "style-src 'unsafe-inline'";
        let mut page = page.replace(styles, &format!("{styles}; script-src 'unsafe-inline'"));
        match medium {
            Medium::Light => {}
            Medium::Dark => {
                page = page.replace(
                    "@media screen and (prefers-color-scheme: dark)",
                    "@media all",
                );
            }
            Medium::Paper => {
                page = page
                    .replace("@media screen", "@media not all")
                    .replace("@media print", "@media all");
            }
        }
        folder.write(
            "probed.html",
            page.replace("</head>", &format!("{PROBE}</head>")),
        );
        folder.write("frame.html", FRAME.replace("WIDTH", &width.to_string()));
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
        let seen: Value = serde_json::from_str(&seen.replace("&quot;", "\"").replace("&amp;", "&"))
            .expect("JSON");
        let list = |name: &str| seen[name].as_array().expect("a list").clone();
        let number = |value: &Value| value.as_f64().expect("a number");
        let console = log.lines().filter(|line| line.contains("CONSOLE"));
        Visit {
            console: console.map(String::from).collect(),
            requests: list("requests"),
            charts: (list("charts").iter())
                .map(|chart| (number(&chart[0]), number(&chart[1])))
                .collect(),
            overflow: number(&seen["overflow"]),
            hidden: list("hidden"),
            contrast: number(&seen["contrast"]),
        }
    }
}
