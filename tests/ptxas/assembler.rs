//! `ptxas`: which lines of a kernel it refuses.

use crate::instances::{REGISTERS, letter, register};
use crate::ptxas;
use girih::gpu::ptx::{Target, Version};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Ptxas {
    program: PathBuf,
    directory: PathBuf,
    runs: AtomicUsize,
    /// syntax errors end a run, and are the same for every target: known ones are not tried again
    syntax: Mutex<HashMap<String, String>>,
}

/// What a run said: errors by line, one that ends the run there, and one without a line.
#[derive(Default)]
struct Verdict {
    errors: BTreeMap<usize, String>,
    fatal: Option<usize>,
    elsewhere: Option<String>,
}

impl Ptxas {
    /// The one that `GIRIH_PTXAS` names, or the one in the path.
    pub fn find() -> Option<Ptxas> {
        let program = ptxas::find()?;
        // tests of one process run side by side
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("girih-ptxas-{}-{instance}", std::process::id()));
        std::fs::create_dir_all(&directory).ok()?;
        Some(Ptxas { program, directory, runs: AtomicUsize::new(0), syntax: Mutex::default() })
    }

    pub fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }

    /// For each line of a kernel what is wrong with it; none if it is accepted.
    ///
    /// A syntax error ends a run, so that what follows it is read by another; errors of code generation come only from a kernel
    /// without others.
    pub fn errors(&self, target: Target, version: Version, lines: &[String]) -> Vec<Option<String>> {
        let mut errors: Vec<_> = {
            let known = self.syntax.lock().expect("no thread panics");
            lines.iter().map(|line| known.get(line).cloned()).collect()
        };
        let mut read = Vec::new();
        let mut rest: Vec<usize> = (0..lines.len()).filter(|&i| errors[i].is_none()).collect();
        while !rest.is_empty() {
            let verdict = self.run(target, version, lines, &rest);
            let end = verdict.fatal.map_or(rest.len(), |at| at + 1);
            for (at, &line) in rest[..end].iter().enumerate() {
                match verdict.errors.get(&at) {
                    Some(error) => errors[line] = Some(error.clone()),
                    None => read.push(line),
                }
            }
            if let Some(line) = verdict.fatal.map(|at| rest[at])
                && let Some(error) = errors[line].clone().filter(|e| e.starts_with("Parsing error"))
            {
                self.syntax.lock().expect("no thread panics").insert(lines[line].clone(), error);
            }
            if verdict.fatal.is_none() && verdict.errors.is_empty() {
                // it has already gone through code generation
                if let Some(error) = verdict.elsewhere {
                    self.generate(target, version, lines, &rest, &error, &mut errors);
                    read.retain(|line| !rest.contains(line));
                } else if read.len() == rest.len() {
                    return errors;
                }
            }
            rest.drain(..end);
        }
        self.assemble(target, version, lines, &read, &mut errors);
        errors
    }

    /// Generates code for lines that can be read.
    fn assemble(
        &self,
        target: Target,
        version: Version,
        lines: &[String],
        of: &[usize],
        errors: &mut [Option<String>],
    ) {
        let mut of = of.to_vec();
        while !of.is_empty() {
            let verdict = self.run(target, version, lines, &of);
            for (&at, error) in &verdict.errors {
                errors[of[at]] = Some(error.clone());
            }
            match verdict.elsewhere {
                _ if !verdict.errors.is_empty() => of.retain(|&line| errors[line].is_none()),
                Some(error) => return self.generate(target, version, lines, &of, &error, errors),
                None => return,
            }
        }
    }

    /// Finds by halves the lines whose code cannot be generated.
    fn generate(
        &self,
        target: Target,
        version: Version,
        lines: &[String],
        of: &[usize],
        error: &str,
        errors: &mut [Option<String>],
    ) {
        if let [line] = of {
            errors[*line] = Some(error.into());
            return;
        }
        let (low, high) = of.split_at(of.len() / 2);
        self.assemble(target, version, lines, low, errors);
        self.assemble(target, version, lines, high, errors);
    }

    /// Runs on a kernel of some of the lines.
    fn run(&self, target: Target, version: Version, lines: &[String], of: &[usize]) -> Verdict {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let file = self.directory.join(format!("{run}.ptx"));
        let (text, before) = module(target, version, of.iter().map(|&i| &*lines[i]));
        std::fs::write(&file, text).expect("a temporary file can be written");
        let output = Command::new(&self.program)
            .args(["-arch", &target.to_string(), "-o", "/dev/null"])
            .arg(&file)
            .output()
            .expect("ptxas can be run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let mut verdict = Verdict::default();
        let mut conflicting = Vec::new();
        for line in said.lines() {
            // only a warning before sm_90, where it fails the module as a whole
            if let Some((_, rest)) = line.split_once("32-bit address on line '") {
                conflicting.extend(rest.split('\'').next().and_then(|n| n.parse::<usize>().ok()));
            }
            let Some((place, message)) = line.split_once("; ") else { continue };
            let fatal = message.starts_with("fatal");
            if !fatal && !message.starts_with("error") {
                continue;
            }
            let number = place.rsplit_once("line ").and_then(|(_, n)| n.parse::<usize>().ok());
            let message = message.split_once(": ").map_or(message, |(_, m)| m);
            match number.and_then(|n| n.checked_sub(before + 1)).filter(|at| *at < of.len()) {
                Some(at) => {
                    if fatal {
                        verdict.fatal = Some(at);
                        verdict.errors.insert(at, message.into());
                    } else {
                        verdict.errors.entry(at).or_insert_with(|| message.into());
                    }
                }
                None => verdict.elsewhere = Some(line.into()),
            }
        }
        let here = conflicting.into_iter().filter_map(|n| n.checked_sub(before + 1));
        verdict.errors.extend(here.map(|at| (at, "an address of 32 bits".into())));
        if !output.status.success() && verdict.errors.is_empty() && verdict.elsewhere.is_none() {
            verdict.elsewhere = Some(format!("{}: {}", output.status, said.lines().next().unwrap_or("")));
        }
        std::fs::remove_file(&file).expect("a temporary file can be removed");
        verdict
    }
}

impl Drop for Ptxas {
    fn drop(&mut self) {
        // what is left in a temporary directory does no harm
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// A module with a kernel of these lines, and how many lines come before them.
fn module<'a>(target: Target, version: Version, lines: impl Iterator<Item = &'a str> + Clone) -> (String, usize) {
    let mut used = BTreeSet::new();
    for word in lines.clone().flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '%')) {
        for (i, ty) in REGISTERS.iter().enumerate() {
            let digits = word.strip_prefix('%').and_then(|w| w.strip_prefix(letter(*ty)));
            if let Some(id) = digits.and_then(|d| d.parse::<u32>().ok())
                && register(id) == Some(*ty)
            {
                used.insert((i, id));
            }
        }
    }
    let mut text = format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .global .align 128 .b8 g[1024]; .const .align 128 .b8 c[1024]; .shared .align 128 .b8 s[1024];\n\
         .func f() {{ ret; }}\n.func (.reg .b32 r) h(.reg .b32 a) {{ mov.b32 r, a; ret; }}\n\
         .visible .entry k(.param .align 128 .b8 p[1024]) {{\n.local .align 128 .b8 l[1024]; .param .align 128 .b8 q[1024]; .reg .pred skip;\n"
    );
    for (i, id) in used {
        text += &format!(".reg .{} %{}{id};\n", REGISTERS[i], letter(REGISTERS[i]));
    }
    text += "table: .branchtargets L, M; proto: .callprototype _ (); to: .calltargets f;\n";
    let before = text.matches('\n').count();
    for line in lines {
        text += line;
        text.push('\n');
    }
    text += "L:\nM:\n}\n";
    (text, before)
}
