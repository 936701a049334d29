//! The pages do what they say: their transcripts print what the page shows, and their links lead somewhere.
//!
//! `.ci/transcript` runs the blocks ```` ```console ```` of a page. Blocks ```` ```sh ```` are not run: they need the network, hours or a program that may be
//! missing.

use crate::run::PROGRAM;
use std::fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2);
    root.expect("the package is two folders down")
}

/// All pages: at the top, in `docs`, and beside each door.
fn pages() -> Vec<PathBuf> {
    let doors = fs::read_dir(root().join("doors")).expect("a folder");
    let doors = doors.map(|door| door.expect("an entry").path());
    let folders = [root().to_path_buf(), root().join("docs")];
    let folders = folders
        .into_iter()
        .chain(doors.filter(|door| door.is_dir()));
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let paths = files.map(|file| file.expect("an entry").path());
    let mut pages: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).expect("the page is UTF-8")
}

/// `docs/redis.md` is missing here: its commands need a server, and `doors/redis/tests` starts one.
#[cfg(unix)]
#[test]
fn transcripts_print_what_the_pages_show() {
    let with_transcript = |page: &PathBuf| text(page).contains("\n```console\n");
    let pages = pages().into_iter().filter(with_transcript);
    let pages: Vec<_> = pages.filter(|page| !page.ends_with("redis.md")).collect();
    assert!(pages.len() >= 2, "{pages:?}");
    let program = Path::new(PROGRAM).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).expect("no colon in the path");
    let errors = pages.iter().filter_map(|page| {
        let mut run = std::process::Command::new("sh");
        run.arg(root().join(".ci/transcript")).arg(page);
        let run = run.env("PATH", &path).output().expect("a shell");
        (!run.status.success()).then(|| String::from_utf8_lossy(&run.stderr).into_owned())
    });
    let errors: Vec<_> = errors.collect();
    assert!(errors.is_empty(), "{}", errors.concat());
}

#[cfg(unix)]
#[test]
fn error_of_a_transcript_names_page_and_line() {
    let folder = crate::run::Folder::new();
    let line = |page: &str| {
        folder.write("page.md", page);
        let mut run = std::process::Command::new("sh");
        run.arg(root().join(".ci/transcript"))
            .arg(folder.path("page.md"));
        let run = run.output().expect("a shell");
        let error = String::from_utf8(run.stderr).expect("UTF-8");
        assert_eq!(run.status.success(), error.is_empty());
        let place = error
            .split_once("page.md:")
            .map(|(_, rest)| rest.to_string());
        place.map(|rest| rest.split(':').next().expect("a line").to_string())
    };
    let block = |lines: &str| line(&format!("# Title\n\n```console\n{lines}```\n"));
    assert_eq!(block("$ seq 9\n1\n...\n7\n...\n9\n$ true\n"), None);
    assert_eq!(block("$ cat <<'END'; x=3\n> one $x\n> END\none...\n"), None);
    assert_eq!(block("$ x=3\n$ echo a $x b\na ... b\n"), None);
    assert_eq!(block("$ cat nothing\n... nothing: ...\n"), None);
    assert_eq!(block("$ true\n$ echo a\nb\n").as_deref(), Some("5"));
    assert_eq!(block("$ echo a\n").as_deref(), Some("4"));
    assert_eq!(block("$ seq 3\n1\n...\n4\n").as_deref(), Some("4"));
    assert_eq!(block("$ true\na\n").as_deref(), Some("4"));
    assert_eq!(block("$ echo aba\na...ab\n").as_deref(), Some("4"));
}

/// Where the links of a text lead.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let markdown = text.split("](").skip(1);
    let markdown = markdown.filter_map(|rest| rest.split(')').next());
    let images = text.split("src=\"").skip(1);
    markdown.chain(images.filter_map(|rest| rest.split('"').next()))
}

/// The names of the headings of a text, as links have them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ => letter.is_alphanumeric().then_some(letter),
        });
        kept.collect()
    })
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        for link in links(&text(&page)) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let there = target.exists()
                && (anchor.is_empty() || anchors(&text(&target)).any(|name| name == anchor));
            if !there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
