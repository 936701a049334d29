//! The module loads into every server that is installed, and a filter survives a restart. All other tests against servers are in Python, beside this file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server on a port of its own, which is stopped when it goes.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Starts a server with the module; `None` if it is not installed.
    fn start(name: &str, folder: &Path) -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let process = Command::new(name)
            .args([
                "--port",
                &port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
            ])
            .arg(folder)
            .arg("--loadmodule")
            .arg(module())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let server = Server {
            process: process.ok()?,
            port,
        };
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "{name} does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// The answer to a command, as the server writes it.
    fn call(&self, command: &str) -> String {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        let mut reader = BufReader::new(&stream);
        (&stream)
            .write_all(format!("{command}\r\n").as_bytes())
            .expect("sent");
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        if let Some(count) = line.trim().strip_prefix('*') {
            for _ in 0..count.parse().expect("a number") {
                reader.read_line(&mut line).expect("an element");
            }
        }
        line.replace("\r\n", " ").trim().to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The module that this test was built with.
fn module() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let folder = test.parent().and_then(Path::parent).expect("target/debug");
    folder.join("libbloomwise_redis.so")
}

#[test]
fn filters_live_in_every_server_that_is_installed() {
    let mut installed = 0;
    for name in ["redis-server", "valkey-server"] {
        let folder = std::env::temp_dir().join(format!("bloomwise-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        if let Some(server) = Server::start(name, &folder) {
            installed += 1;
            assert_eq!(server.call("BF.ADD seen ant"), ":1");
            assert_eq!(server.call("BF.MEXISTS seen ant bee"), "*2 :1 :0");
            assert_eq!(server.call("BW.CREATE set cuckoo CAPACITY 100"), "+OK");
            assert_eq!(server.call("BW.ADD set ant"), ":1");
            assert_eq!(
                server
                    .call("BF.RESERVE huge 0.01 1000000000000")
                    .chars()
                    .next(),
                Some('-')
            );
            assert_eq!(server.call("SAVE"), "+OK");
            drop(server);
            let server = Server::start(name, &folder).expect("installed");
            assert_eq!(server.call("BF.EXISTS seen ant"), ":1");
            assert_eq!(server.call("BW.EXISTS set ant"), ":1");
        }
        std::fs::remove_dir_all(&folder).expect("the folder");
    }
    if installed == 0 {
        // Written around the test's capture, so that it is seen.
        let mut terminal = std::io::stderr().lock();
        _ = writeln!(
            terminal,
            "SKIPPED: neither redis-server nor valkey-server is installed"
        );
    }
}

#[test]
fn module_was_built() {
    let mut start = [0; 4];
    let mut file = std::fs::File::open(module()).expect("cargo builds it with the tests");
    file.read_exact(&mut start).expect("bytes");
    assert_eq!(&start, b"\x7fELF");
}
