//! JSON lines: one answer for each line, in order, whatever the line holds.

use crate::eval;
use crate::ops;
use crate::value::{Failure, Value};
use girih::LayoutError;
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, Write};

/// Answers every line of `input`.
pub fn run(input: impl io::Read, mut output: impl Write) -> io::Result<()> {
    let mut input = io::BufReader::new(input);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        writeln!(output, "{}", answer(&line))?;
        line.clear();
        // who waits for this answer before asking again gets it
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

fn answer(line: &[u8]) -> Json {
    let result = request(line).and_then(|(op, args, table)| {
        let value = ops::apply(&op, args)?;
        Ok(if table { (value.table()?, value) } else { (None, value) })
    });
    match result {
        Ok((table, value)) => {
            let mut out = json!({ "result": value.to_string() });
            if let Value::Guarded(_, guard) = &value {
                out["guard"] = guard.to_string().into();
            }
            if let Some(table) = table {
                out["table"] = table.into();
            }
            out
        }
        Err(e) => json!({ "error": { "kind": e.kind(), "message": e.to_string() } }),
    }
}

type Request = (String, Vec<Value>, bool);

fn request(line: &[u8]) -> Result<Request, Failure> {
    let bad = |what: String| Failure::own("json", what);
    let json: Json = serde_json::from_slice(line).map_err(|e| bad(format!("not a line of JSON: {e}")))?;
    let op = json["op"].as_str().ok_or_else(|| bad(r#""op" must be the name of an operation"#.into()))?;
    let args = json["args"].as_array().ok_or_else(|| bad(r#""args" must be a list of strings"#.into()))?;
    let table = match &json["table"] {
        Json::Null => false,
        Json::Bool(b) => *b,
        _ => return Err(bad(r#""table" must be true or false"#.into())),
    };
    let args = args.iter().map(|arg| match arg {
        Json::String(text) => eval::argument(text),
        Json::Number(n) => eval::argument(&n.to_string()),
        _ => Err(bad(r#""args" must be a list of strings"#.into())),
    });
    Ok((op.to_string(), args.collect::<Result<_, _>>()?, table))
}

impl Value {
    /// The values at `0..size` of a layout, unless it is too large or symbolic; of a swizzle the first 256.
    fn table(&self) -> Result<Option<Vec<Json>>, Failure> {
        let table = |size: Result<i64, _>, value: &dyn Fn(i64) -> Result<Json, LayoutError>| match size {
            Ok(size @ 0..=65536) => Ok(Some((0..size).map(value).collect::<Result<_, _>>()?)),
            Ok(_) | Err(_) => Ok(None),
        };
        match self {
            Value::Guarded(value, _) => value.table(),
            Value::Layout(l) if l.has_basis() => table(l.size(), &|i| Ok(l.coord_at(i)?.to_string().into())),
            Value::Layout(l) => table(l.size(), &|i| Ok(l.at(i)?.into())),
            Value::Composed(c) => table(c.size(), &|i| Ok(c.at(i)?.into())),
            Value::Swizzle(s) => table(Ok::<_, LayoutError>(256), &|i| Ok(s.at(i)?.into())),
            _ => Ok(None),
        }
    }
}
