//! The recorded lines, and the answers of the command line to them.

use girih::layout::{Composed, IntTuple, Layout, Swizzle, Tiler};
use serde_json::{Value as Json, json};
use std::fmt;
use std::io::Write;
use std::process::{Command, Stdio};

/// What the command line answers.
pub type Reply = Result<Answer, Refusal>;

#[derive(Clone, Debug)]
pub struct Answer {
    pub text: String,
    pub table: Option<Vec<i64>>,
}

#[derive(Clone, Debug)]
pub struct Refusal {
    pub kind: String,
    pub message: String,
}

/// A recorded case with our answers.
#[derive(Debug)]
pub struct Line {
    pub number: usize,
    pub op: String,
    pub args: Vec<String>,
    /// what the witness answers, None if it refuses
    pub witness: Option<Answer>,
    /// C++ with integers that are not all known at compile time
    pub run_time: bool,
    pub ours: Reply,
    /// our answer to the form of the operation that rounds up or continues past the domain, where there is one
    pub ragged: Option<Reply>,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |r: &Reply| match r {
            Ok(a) => a.text.clone(),
            Err(e) => format!("[{}] {}", e.kind, e.message),
        };
        write!(f, "line {}: {}({})", self.number, self.op, self.args.join(", "))?;
        write!(f, "\n    witness {}", self.witness.as_ref().map_or("refuses", |w| &w.text))?;
        if self.run_time {
            write!(f, " (run time)")?;
        }
        write!(f, "\n    ours    {}", text(&self.ours))?;
        self.ragged.iter().try_for_each(|r| write!(f, "\n    ragged  {}", text(r)))
    }
}

/// How an operation is cut or repeated.
pub enum Tile {
    One(Layout),
    ByMode(Tiler),
}

impl Line {
    /// The argument as a layout.
    pub fn layout(&self, i: usize) -> Result<Layout, String> {
        self.arg(i)?.parse().map_err(|e| format!("{}: {e}", self.args[i]))
    }
    pub fn swizzle(&self, i: usize) -> Result<Swizzle, String> {
        self.arg(i)?.parse().map_err(|e| format!("{}: {e}", self.args[i]))
    }
    pub fn int(&self, i: usize) -> Result<i64, String> {
        self.arg(i)?.parse().map_err(|e| format!("{}: {e}", self.args[i]))
    }
    fn arg(&self, i: usize) -> Result<&String, String> {
        self.args.get(i).ok_or_else(|| format!("no argument {i}"))
    }
    pub fn tuple(&self, i: usize) -> Result<IntTuple, String> {
        self.arg(i)?.parse().map_err(|e| format!("{}: {e}", self.args[i]))
    }
    pub fn tile(&self, i: usize) -> Result<Tile, String> {
        let text = self.arg(i)?;
        Ok(match text.parse() {
            Ok(n) => Tile::One(Layout::new(&IntTuple::int(n), &IntTuple::int(1)).map_err(|e| e.to_string())?),
            Err(_) if text.contains(':') && !text.starts_with('<') => Tile::One(self.layout(i)?),
            Err(_) => Tile::ByMode(text.parse().map_err(|e| format!("{text}: {e}"))?),
        })
    }
}

/// A layout of the witnesses' text, which may be none: extents of 0, swizzles.
pub fn layout(text: &str) -> Option<Layout> {
    text.parse().ok()
}

/// A layout below swizzles; C++ writes an offset between any two.
pub fn composed(text: &str) -> Option<Composed> {
    text.replace("> o 0 o Sw<", "> o Sw<").parse().ok()
}

/// The form that accepts an overhang.
fn ragged(op: &str, args: &[String]) -> Option<Json> {
    let args = args.to_vec();
    Some(match op {
        "composition" => json!({"op": "composition_extended", "args": args, "table": true}),
        "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" => {
            json!({"op": format!("{op}_ceil"), "args": args, "table": true})
        }
        "hier_unzip" if args[0] == "logical_divide" => {
            json!({"op": "zipped_divide_ceil", "args": args[1..], "table": true})
        }
        "crd2idx" => json!({"op": "at_extended", "args": [args[1], args[0]]}),
        "upcast" | "recast_layout" => json!({"op": format!("{op}_ceil"), "args": args}),
        "swizzle_compose_rhs" => {
            let left = format!("{} o 0 o {}", args[0], args[1]);
            json!({"op": "composition_extended", "args": [left, args[2]], "table": true})
        }
        _ => return None,
    })
}

/// The lines of a file of `tests/data`, answered.
pub fn read(file: &str) -> Vec<Line> {
    let lines = json_lines(file);
    let mut requests = Vec::new();
    for l in &lines {
        let (op, args) = (l["op"].as_str().unwrap(), strings(&l["args"]));
        requests.push(json!({"op": op, "args": args, "table": true}));
        requests.extend(ragged(op, &args));
    }
    let mut replies = batch(&requests).into_iter();
    let mut read = Vec::new();
    for (number, l) in lines.iter().enumerate() {
        let (op, args) = (l["op"].as_str().unwrap(), strings(&l["args"]));
        read.push(Line {
            number: number + 1,
            witness: l["result"].as_str().map(|text| Answer { text: text.into(), table: numbers(&l["table"]) }),
            run_time: matches!(l["ints"].as_str(), Some("dyn" | "mix")),
            ours: replies.next().unwrap(),
            ragged: ragged(op, &args).map(|_| replies.next().unwrap()),
            op: op.into(),
            args,
        });
    }
    read
}

pub fn json_lines(file: &str) -> Vec<Json> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn strings(list: &Json) -> Vec<String> {
    list.as_array().unwrap().iter().map(|a| a.as_str().unwrap().to_string()).collect()
}

fn numbers(list: &Json) -> Option<Vec<i64>> {
    list.as_array()?.iter().map(Json::as_i64).collect()
}

/// The answers of `girih batch`.
pub fn batch(requests: &[Json]) -> Vec<Reply> {
    let mut girih = Command::new(env!("CARGO_BIN_EXE_girih"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = girih.stdin.take().unwrap();
    let input: String = requests.iter().map(|r| format!("{r}\n")).collect();
    // it answers while it reads: write from the side, so that no pipe fills up
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = girih.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let replies: Vec<Reply> = String::from_utf8(output.stdout).unwrap().lines().map(reply).collect();
    assert_eq!(replies.len(), requests.len(), "one answer for each line");
    replies
}

fn reply(line: &str) -> Reply {
    let json: Json = serde_json::from_str(line).unwrap();
    match json["result"].as_str() {
        Some(text) => Ok(Answer { text: text.into(), table: numbers(&json["table"]) }),
        None => Err(Refusal {
            kind: json["error"]["kind"].as_str().unwrap().into(),
            message: json["error"]["message"].as_str().unwrap().into(),
        }),
    }
}
