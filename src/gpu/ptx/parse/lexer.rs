//! Text to tokens.

use super::{Fault, ParseFault};
use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// an identifier
    Word(&'a str),
    /// `.word`, without the dot
    Dot(&'a str),
    /// and whether it is unsigned
    Int(u64, bool),
    Single(u32),
    Double(u64),
    /// between its quotes; `ptxas` knows no escapes
    Text(&'a str),
    /// of one or two characters
    Mark(&'a str),
    End,
}

/// Operators of two characters.
const PAIRS: [&str; 8] = ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];

pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// a token that was looked at, where it begins and ends
    ahead: Option<(Token<'a>, usize, usize)>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, ahead: None }
    }

    /// The next token, left where it is.
    pub fn peek(&mut self) -> Result<Token<'a>, Fault> {
        if self.ahead.is_none() {
            let begin = self.skip(self.at, |_| {})?;
            let (token, end) = self.token(begin)?;
            self.ahead = Some((token, begin, end));
        }
        Ok(self.ahead.map_or(Token::End, |(token, ..)| token))
    }

    /// The next token, and where it begins.
    pub fn next(&mut self) -> Result<(Token<'a>, usize), Fault> {
        let token = self.peek()?;
        let (begin, end) = self.ahead.take().map_or((self.at, self.at), |(_, begin, end)| (begin, end));
        self.at = end;
        Ok((token, begin))
    }

    /// Goes back to where a token began.
    pub fn back(&mut self, begin: usize) {
        self.at = begin;
        self.ahead = None;
    }

    /// Where the next token begins.
    pub fn here(&mut self) -> usize {
        let _ = self.peek();
        self.ahead.map_or(self.at, |(_, begin, _)| begin)
    }

    /// Comments `// ..` that stand before the next token on lines of their own.
    pub fn comments(&mut self) -> Result<Vec<&'a str>, Fault> {
        let mut all = Vec::new();
        let begin = self.skip(self.at, |comment| all.push(comment))?;
        self.at = self.ahead.map_or(begin, |_| self.at);
        Ok(all)
    }

    /// Takes the rest of the line if it is this comment and nothing else.
    pub fn takes_comment(&mut self, comment: &str) -> bool {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        let found = rest[..end].trim() == comment;
        if found {
            self.at += end;
        }
        found
    }

    /// The rest of the line, without a comment at its end.
    pub fn line(&mut self) -> &'a str {
        self.ahead = None;
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += end;
        uncommented(&rest[..end])
    }

    /// What comes next up to a blank or comma, whatever it is.
    pub fn raw(&mut self) -> Result<(&'a str, usize), Fault> {
        self.ahead = None;
        let begin = self.skip(self.at, |_| {})?;
        let rest = &self.text[begin..];
        let end = rest.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(rest.len());
        self.at = begin + end;
        Ok((&rest[..end], begin))
    }

    /// The lines up to one that begins with a closing brace, which is taken too.
    pub fn lines(&mut self) -> Result<Vec<&'a str>, Fault> {
        let mut all = Vec::new();
        let begin = self.at;
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let line = uncommented(&rest[..end]);
            if line.starts_with('}') {
                self.at += rest.find('}').unwrap_or(0) + 1;
                return Ok(all);
            }
            if rest.is_empty() {
                return Err(Fault { at: begin, fault: ParseFault::Unfinished("section") });
            }
            if !line.is_empty() {
                all.push(line);
            }
            self.at += end;
        }
    }

    /// Does this character come next?
    pub fn follows(&self, c: char) -> bool {
        self.text[self.at..].trim_start().starts_with(c)
    }

    /// The qualifiers `.a.b::c` that follow a mnemonic, in one string with it. Blanks before a dot do not matter.
    pub fn opcode(&mut self, mnemonic: &'a str, begin: usize) -> Cow<'a, str> {
        let mut spelling = Cow::Borrowed(mnemonic);
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            let word = rest[blank..].strip_prefix('.').unwrap_or("");
            let fits = |c: char| if blank == 0 { c.is_ascii_alphanumeric() } else { c.is_ascii_alphabetic() };
            if !word.starts_with(fits) {
                return spelling;
            }
            let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c))).unwrap_or(word.len());
            self.at += blank + 1 + end;
            spelling = match (spelling, blank) {
                (Cow::Borrowed(_), 0) => Cow::Borrowed(&self.text[begin..self.at]),
                (old, _) => Cow::Owned(format!("{old}.{}", &word[..end])),
            };
        }
    }

    /// Where the next token begins, past blanks and comments.
    fn skip(&self, mut at: usize, mut see: impl FnMut(&'a str)) -> Result<usize, Fault> {
        loop {
            let rest = &self.text[at..];
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            if let Some(comment) = trimmed.strip_prefix("//") {
                let end = comment.find('\n').unwrap_or(comment.len());
                let before = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
                if self.text[before..at].trim().is_empty() {
                    see(comment[..end].trim_end());
                }
                at += 2 + end;
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let end = comment.find("*/").ok_or(Fault { at, fault: ParseFault::Unfinished("comment") })?;
                at += end + 4;
            } else {
                return Ok(at);
            }
        }
    }

    /// The token that begins here, and where it ends.
    fn token(&self, at: usize) -> Result<(Token<'a>, usize), Fault> {
        let rest = &self.text[at..];
        let mut chars = rest.chars();
        let (Some(first), second) = (chars.next(), chars.next()) else { return Ok((Token::End, at)) };
        let run = |from: usize, more: fn(char) -> bool| {
            rest[from..].find(|c: char| !more(c)).map_or(rest.len(), |end| from + end)
        };
        let follows = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        if first.is_ascii_alphabetic() || "_$".contains(first) || first == '%' && second.is_some_and(follows) {
            let end = run(1, |c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
            return Ok((Token::Word(&rest[..end]), at + end));
        }
        if first == '.' && second.is_some_and(|c| c.is_ascii_alphabetic() || c == '_') {
            let end = run(1, |c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
            return Ok((Token::Dot(&rest[1..end]), at + end));
        }
        if first.is_ascii_digit() || first == '.' && second.is_some_and(|c| c.is_ascii_digit()) {
            let end = number_end(rest);
            let token =
                number(&rest[..end]).ok_or_else(|| Fault { at, fault: ParseFault::Number(rest[..end].into()) })?;
            return Ok((token, at + end));
        }
        if first == '"' {
            let end = rest[1..].find(['"', '\n']).filter(|end| rest[1 + end..].starts_with('"'));
            let end = end.ok_or(Fault { at, fault: ParseFault::Unfinished("string") })?;
            return Ok((Token::Text(&rest[1..1 + end]), at + end + 2));
        }
        let length = if PAIRS.iter().any(|pair| rest.starts_with(pair)) { 2 } else { first.len_utf8() };
        if length == 1 && !"{}()[]<>,;:=+-*/%&|^!~?@".contains(first) || !first.is_ascii() {
            return Err(Fault { at, fault: ParseFault::Character(first) });
        }
        Ok((Token::Mark(&rest[..length]), at + length))
    }
}

fn uncommented(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code).trim()
}

/// Where a number ends: with its letters and dot, and the sign of its exponent.
fn number_end(text: &str) -> usize {
    let radix = text.starts_with('0') && text[1..].starts_with(['x', 'X', 'f', 'F', 'd', 'D', 'b', 'B']);
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        let exponent = !radix && matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        if !(c.is_ascii_alphanumeric() || c == '_' || c == '.' && !radix || exponent) {
            return i;
        }
        before = c;
    }
    text.len()
}

fn number<'a>(text: &str) -> Option<Token<'a>> {
    let bits = |digits: &str, count: usize| {
        let exact = digits.len() == count && digits.bytes().all(|b| b.is_ascii_hexdigit());
        exact.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
    };
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0f") {
        return bits(digits, 8).map(|b| Token::Single(b as u32));
    }
    if let Some(digits) = lower.strip_prefix("0d") {
        return bits(digits, 16).map(Token::Double);
    }
    let hex = lower.starts_with("0x");
    if !hex && lower.contains(['.', 'e']) {
        let value: f64 = lower.parse().ok()?;
        return value.is_finite().then(|| Token::Double(value.to_bits()));
    }
    let (digits, unsigned) = lower.strip_suffix('u').map_or((&lower[..], false), |digits| (digits, true));
    let value = match digits.as_bytes() {
        [b'0', b'x', ..] => radix(&digits[2..], 16),
        [b'0', b'b', ..] => radix(&digits[2..], 2),
        [b'0', _, ..] => radix(&digits[1..], 8),
        _ => radix(digits, 10),
    }?;
    Some(Token::Int(value, unsigned || value > i64::MAX as u64))
}

fn radix(digits: &str, radix: u32) -> Option<u64> {
    // the library's would take a sign
    digits.starts_with(|c: char| c.is_ascii_alphanumeric()).then(|| u64::from_str_radix(digits, radix).ok()).flatten()
}
