//! A worker for parsers in Rust: the frames and the loop of ../PROTOCOL.md.

mod notation;
mod shims;

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::os::fd::FromRawFd;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// How a library says no: the name of its error and its words.
pub struct Rejected(pub &'static str, pub String);

/// In the place of an error's name: the input cannot be given to this entry point, or its answer not be told.
pub const UNSUPPORTED: &str = "unsupported";

/// One subject: what it makes of the bytes, in notation.
pub type Parse = fn(&[u8]) -> Result<String, Rejected>;

struct Worker {
    parse: Option<Parse>,
    stages: HashMap<String, &'static str>,
}

fn one_line(words: &str) -> String {
    words.bytes().take(290).map(|c| if (b' '..=b'~').contains(&c) { c as char } else { '?' }).collect()
}

impl Worker {
    fn hello(&mut self, text: &str) -> (&'static str, String) {
        let mut shim = "";
        for line in text.lines() {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "protocol" if value != "1" => {
                    return ("fault", "ProtocolMismatch this kit speaks protocol 1".into());
                }
                "shim" => shim = value,
                "rejects" => drop(self.stages.insert(value.into(), "parse")),
                "rejects-decode" => drop(self.stages.insert(value.into(), "decode")),
                _ => {}
            }
        }
        let Some((library, parse)) = shims::find(shim) else {
            return ("fault", "UnknownShim this program has no such shim".into());
        };
        self.parse = Some(parse);
        let version = locked(library);
        let lines = format!(
            "protocol 1\nruntime Rust {}\nlibrary {library} {version}\ncapability parse\n",
            option_env!("ADAPTER_RUSTC").unwrap_or("unknown")
        );
        ("ready", lines)
    }

    fn answer(&self, verb: &str, body: &[u8]) -> (&'static str, String) {
        let Some(parse) = self.parse.filter(|_| verb == "parse") else {
            return ("unsupported", format!("no {verb}"));
        };
        match catch_unwind(AssertUnwindSafe(|| parse(body))) {
            Ok(Ok(value)) => ("accept", value),
            Ok(Err(Rejected(UNSUPPORTED, reason))) => ("unsupported", one_line(&reason)),
            Ok(Err(Rejected(error, words))) => match self.stages.get(error) {
                Some(stage) => ("reject", one_line(&format!("{stage} {error} {words}"))),
                None => ("fault", one_line(&format!("{error} {words}"))),
            },
            Err(_) => ("fault", "panic".into()),
        }
    }
}

/// The version that the lock holds of a crate.
fn locked(library: &str) -> &'static str {
    let wanted = format!("name = \"{library}\"\nversion = \"");
    let lock = include_str!("../Cargo.lock");
    lock.split_once(&wanted).and_then(|(_, rest)| rest.split('"').next()).unwrap_or("unknown")
}

/// One frame; None at the end of input and at `bye`.
fn frame(source: &mut impl BufRead) -> Option<(String, String, Vec<u8>)> {
    let mut head = String::new();
    source.read_line(&mut head).ok().filter(|&size| size > 0)?;
    let mut words = head.trim_end().split(' ');
    let (verb, sequence) = (words.next()?.to_string(), words.next()?.to_string());
    let mut body = vec![0; words.next()?.parse::<usize>().ok()? + 1];
    source.read_exact(&mut body).ok()?;
    body.pop();
    (verb != "bye").then_some((verb, sequence, body))
}

fn put(out: &mut Vec<u8>, sequence: &str, (verb, body): (&str, String)) {
    out.extend(format!("{verb} {sequence} {}\n", body.len()).bytes());
    out.extend(body.bytes());
    out.push(b'\n');
}

extern "C" {
    fn dup(descriptor: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

fn main() {
    // Whatever a library prints does not meet the frames.
    // SAFETY: descriptors 1 and 2 are open, and nobody has written to them.
    let mut answers = unsafe {
        let kept = dup(1);
        dup2(2, 1);
        std::fs::File::from_raw_fd(kept)
    };
    std::panic::set_hook(Box::new(|_| {}));
    let mut worker = Worker { parse: None, stages: HashMap::new() };
    let mut source = io::stdin().lock();
    while let Some((verb, sequence, body)) = frame(&mut source) {
        let mut out = Vec::new();
        match verb.as_str() {
            "hello" => put(&mut out, "0", worker.hello(&String::from_utf8_lossy(&body))),
            "batch" => {
                let mut inner = &body[..];
                while let Some((verb, sequence, body)) = frame(&mut inner) {
                    put(&mut out, &sequence, worker.answer(&verb, &body));
                }
            }
            _ => put(&mut out, &sequence, worker.answer(&verb, &body)),
        }
        if answers.write_all(&out).is_err() {
            return;
        }
    }
}
