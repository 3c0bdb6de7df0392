//! The notation of a value (docs/design.md). Iterative: depth is no matter.

use std::fmt::Write;

/// One value of a library: a leaf in notation, or the children of an object or an array.
pub enum Node<T> {
    Leaf(String),
    Array(Vec<T>),
    Object(Vec<(String, T)>),
}

pub fn render<T: Copy>(root: T, look: impl Fn(T) -> Node<T>) -> String {
    enum Open<T> {
        Array(std::vec::IntoIter<T>),
        Object(std::vec::IntoIter<(String, T)>),
    }
    let (mut out, mut stack) = (String::new(), Vec::new());
    let mut next = Some(root);
    loop {
        if let Some(value) = next.take() {
            match look(value) {
                Node::Leaf(text) => out.push_str(&text),
                Node::Array(items) => {
                    out.push('[');
                    stack.push((Open::Array(items.into_iter()), true));
                }
                Node::Object(members) => {
                    out.push('{');
                    stack.push((Open::Object(members.into_iter()), true));
                }
            }
        }
        let Some((open, first)) = stack.last_mut() else { return out };
        let (name, child, end) = match open {
            Open::Array(items) => (None, items.next(), ']'),
            Open::Object(members) => match members.next() {
                Some((name, child)) => (Some(name), Some(child), '}'),
                None => (None, None, '}'),
            },
        };
        if child.is_none() {
            out.push(end);
            stack.pop();
            continue;
        }
        if !std::mem::take(first) {
            out.push(',');
        }
        if let Some(name) = name {
            out.push_str(&text(&name));
            out.push(':');
        }
        next = child;
    }
}

pub fn binary64(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    format!("{value:e}") // the shortest that comes back, always with an e; whichwins makes it canonical
}

pub fn text(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out + "\""
}
