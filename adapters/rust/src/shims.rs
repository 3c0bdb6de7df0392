//! The subjects of this program: one function each.

use crate::notation::{binary64, render, text, Node};
use crate::{Parse, Rejected};
use serde_json::Value;

pub fn find(shim: &str) -> Option<(&'static str, Parse)> {
    Some(match shim {
        "serde_json" => ("serde_json", serde),
        #[cfg(feature = "libraries")]
        "simd_json" => ("simd-json", libraries::simd),
        #[cfg(feature = "libraries")]
        "simd_json_get" => ("simd-json", libraries::simd_get),
        #[cfg(feature = "libraries")]
        "sonic" => ("sonic-rs", libraries::sonic),
        #[cfg(feature = "libraries")]
        "sonic_get" => ("sonic-rs", libraries::sonic_get),
        #[cfg(feature = "libraries")]
        "json5" => ("json5", libraries::json5),
        _ => return None,
    })
}

fn serde(data: &[u8]) -> Result<String, Rejected> {
    match serde_json::from_slice::<Value>(data) {
        Ok(value) => Ok(render(&value, look)),
        Err(error) => Err(Rejected("serde_json::Error", error.to_string())),
    }
}

fn look(value: &Value) -> Node<&Value> {
    Node::Leaf(match value {
        Value::Object(members) => {
            return Node::Object(members.iter().map(|(name, value)| (name.clone(), value)).collect());
        }
        Value::Array(items) => return Node::Array(items.iter().collect()),
        Value::String(s) => text(s),
        Value::Bool(b) => b.to_string(),
        Value::Null => "null".into(),
        Value::Number(number) => spelled(number),
    })
}

#[cfg(feature = "arbitrary_precision")]
fn spelled(number: &serde_json::Number) -> String {
    format!("D{}", number.as_str())
}

#[cfg(not(feature = "arbitrary_precision"))]
fn spelled(number: &serde_json::Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    number.as_f64().map_or("X\"number\"".into(), binary64)
}

#[cfg(feature = "libraries")]
mod libraries {
    use super::*;
    use crate::UNSUPPORTED;
    use std::cell::Cell;
    use simd_json::{OwnedValue, StaticNode};
    use sonic_rs::{JsonNumberTrait, ValueRef};

    pub fn simd(data: &[u8]) -> Result<String, Rejected> {
        simd_as(data, false)
    }

    pub fn simd_get(data: &[u8]) -> Result<String, Rejected> {
        simd_as(data, true)
    }

    fn simd_as(data: &[u8], get: bool) -> Result<String, Rejected> {
        let mut own = data.to_vec(); // it writes into what it reads
        let value = simd_json::to_owned_value(&mut own)
            .map_err(|error| Rejected("simd_json::Error", error.to_string()))?;
        let hashed = Cell::new(false);
        let said = render(Some(&value), |value| look_simd(value, get, &hashed));
        if hashed.get() {
            let why = "names repeat in an object of more than 32: which comes first differs in every process";
            return Err(Rejected(UNSUPPORTED, why.into()));
        }
        Ok(said)
    }

    fn look_simd<'a>(value: Option<&'a OwnedValue>, get: bool, hashed: &Cell<bool>) -> Node<Option<&'a OwnedValue>> {
        let Some(value) = value else { return Node::Leaf("X\"missing\"".into()) };
        Node::Leaf(match value {
            OwnedValue::Object(members) => {
                let mut found: Vec<_> = members.iter().map(|(name, v)| (name.to_string(), Some(v))).collect();
                found.sort_by(|one, other| one.0.cmp(&other.0)); // hashed with another seed in every process
                let repeats = found.windows(2).any(|two| two[0].0 == two[1].0);
                hashed.set(hashed.get() || (repeats && members.len() > 32));
                if get {
                    found.dedup_by(|one, other| one.0 == other.0);
                    for (name, v) in &mut found {
                        *v = members.get(name.as_str());
                    }
                }
                return Node::Object(found);
            }
            OwnedValue::Array(items) => return Node::Array(items.iter().map(Some).collect()),
            OwnedValue::String(s) => text(s),
            OwnedValue::Static(StaticNode::Null) => "null".into(),
            OwnedValue::Static(StaticNode::Bool(b)) => b.to_string(),
            OwnedValue::Static(StaticNode::I64(n)) => n.to_string(),
            OwnedValue::Static(StaticNode::U64(n)) => n.to_string(),
            OwnedValue::Static(StaticNode::F64(n)) => binary64(f64::from(*n)),
        })
    }

    pub fn sonic(data: &[u8]) -> Result<String, Rejected> {
        let value = load(data)?;
        Ok(render(Some(&value), |value| look_sonic(value, false)))
    }

    pub fn sonic_get(data: &[u8]) -> Result<String, Rejected> {
        let value = load(data)?;
        Ok(render(Some(&value), |value| look_sonic(value, true)))
    }

    fn load(data: &[u8]) -> Result<sonic_rs::Value, Rejected> {
        sonic_rs::from_slice(data).map_err(|error| Rejected("sonic_rs::Error", error.to_string()))
    }

    fn look_sonic(value: Option<&sonic_rs::Value>, get: bool) -> Node<Option<&sonic_rs::Value>> {
        let Some(value) = value else { return Node::Leaf("X\"missing\"".into()) };
        Node::Leaf(match value.as_ref() {
            ValueRef::Object(object) => {
                let mut found: Vec<(String, Option<&sonic_rs::Value>)> = Vec::new();
                let mut seen = std::collections::HashSet::new();
                for (name, member) in object.iter() {
                    if !get {
                        found.push((name.to_string(), Some(member)));
                    } else if seen.insert(name) {
                        found.push((name.to_string(), object.get(&name)));
                    }
                }
                return Node::Object(found);
            }
            ValueRef::Array(array) => return Node::Array(array.iter().map(Some).collect()),
            ValueRef::String(s) => text(s),
            ValueRef::Bool(b) => b.to_string(),
            ValueRef::Null => "null".into(),
            ValueRef::Number(n) => match (n.as_u64(), n.as_i64(), n.as_f64()) {
                (Some(whole), _, _) => whole.to_string(),
                (_, Some(whole), _) => whole.to_string(),
                (_, _, Some(real)) => binary64(real),
                _ => "X\"number\"".into(),
            },
        })
    }

    pub fn json5(data: &[u8]) -> Result<String, Rejected> {
        let words = match std::str::from_utf8(data) {
            Ok(words) => words,
            Err(error) => return Err(Rejected("Utf8Error", error.to_string())),
        };
        match ::json5::from_str::<Value>(words) {
            Ok(value) => Ok(render(&value, look)),
            Err(error) => Err(Rejected("json5::Error", error.to_string())),
        }
    }
}
