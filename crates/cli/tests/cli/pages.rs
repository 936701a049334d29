//! The pages do what they say: their transcripts print what the page shows, and their links lead somewhere.
//!
//! `.ci/transcript` runs the blocks ```` ```console ```` of a page. Blocks ```` ```sh ```` are not run: they need the network, hours or a program that may be
//! missing.

#[cfg(unix)]
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

/// What is wrong with the transcripts of a page; empty if nothing is. `bloomwise` in a transcript is the program under test.
#[cfg(unix)]
fn errors(page: &Path) -> String {
    let program = Path::new(PROGRAM).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(program.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).expect("no colon in a path");
    let mut command = std::process::Command::new(root().join(".ci/transcript"));
    let run = command.arg(page).env("PATH", path).output();
    let run = run.expect("a shell");
    let errors = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.success(), errors.is_empty(), "{errors}");
    errors
}

/// `docs/redis.md` is missing here: its commands need a server, and `doors/redis/tests` starts one.
#[cfg(unix)]
#[test]
fn transcripts_print_what_the_pages_show() {
    let with_transcript = |page: &PathBuf| text(page).contains("\n```console\n");
    let pages = pages().into_iter().filter(with_transcript);
    let pages: Vec<_> = pages.filter(|page| !page.ends_with("redis.md")).collect();
    assert!(pages.len() > 3, "{pages:?}");
    let errors: String = pages.iter().map(|page| errors(page)).collect();
    assert!(errors.is_empty(), "{errors}");
}

#[cfg(unix)]
#[test]
fn error_of_a_transcript_names_page_and_line() {
    let folder = crate::run::Folder::new();
    let line = |lines: &str| {
        folder.write("page.md", format!("# Title\n\n```console\n{lines}```\n"));
        let errors = errors(&folder.path("page.md"));
        let place = errors.split_once("page.md:").map(|(_, place)| place);
        place.map(|place| place.split(':').next().expect("a line").to_string())
    };
    assert_eq!(line("$ seq 9\n1\n...\n7\n...\n9\n$ true\n"), None);
    assert_eq!(line("$ cat <<'END'; x=3\n> one $x\n> END\none...\n"), None);
    assert_eq!(line("$ x=3\n$ echo a $x b\na ... b\n"), None);
    assert_eq!(line("$ cat nothing\n... nothing: ...\n"), None);
    let wrong = [
        ("$ true\n$ echo a\nb\n", "5"),
        ("$ echo a\n", "4"),
        ("$ seq 3\n1\n...\n4\n", "4"),
        ("$ true\na\n", "4"),
        ("$ echo aba\na...ab\n", "4"),
    ];
    for (lines, number) in wrong {
        assert_eq!(line(lines).as_deref(), Some(number), "{lines}");
    }
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
