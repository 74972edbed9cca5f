use crate::gpu::ptx::{Item, Module};
use std::path::Path;

/// The texts of `.ptx` files that nvcc and Triton made.
fn fixtures() -> Vec<String> {
    let mut all = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ptx")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                Some(e) if e == "ptx" => all.push(std::fs::read_to_string(&path).unwrap()),
                _ if path.is_dir() => folders.push(path),
                _ => {}
            }
        }
    }
    all
}

/// The first words of what stands between braces and semicolons, without guards.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    line.split(['{', '}', ';']).map(str::trim).filter_map(|code| {
        let mut words = code.split([' ', '\t', '.']).filter(|word| !word.starts_with('@'));
        words.next()
    })
}

/// Each line has a statement with the mnemonic of the instruction that is said to stand there. How many instructions there are.
fn count(text: &str) -> usize {
    let (module, lines) = Module::parse_with_lines(text).unwrap();
    assert_eq!(module, Module::parse(text).unwrap());
    let all: Vec<&str> = text.lines().collect();
    let (mut before, mut found) = (0, 0);
    for (f, function) in module.functions().enumerate() {
        for (n, i) in function.instructions().enumerate() {
            let line = lines.of(f, n).unwrap();
            let here = statements(all[line - 1]).any(|word| word == i.opcode().mnemonic());
            assert!(here, "line {line} has no `{}`: {}", i.opcode().mnemonic(), all[line - 1]);
            assert!(line >= before);
            (before, found) = (line, found + 1);
        }
        assert_eq!(lines.of(f, function.instructions().count()), None);
    }
    assert_eq!(lines.of(module.functions().count(), 0), None);
    found
}

#[test]
fn the_lines_of_what_nvcc_and_triton_print_hold_the_mnemonics() {
    let mut total = 0;
    for text in fixtures() {
        let read = count(&text);
        // every statement of a printed module has its own line
        let printed = Module::parse(&text).unwrap().to_string();
        assert_eq!(count(&printed), read);
        total += read;
    }
    println!("{total} instructions");
    assert!(total > 8_000);
}

#[test]
fn lines_are_counted_through_comments_blocks_and_declarations() {
    let text = ".version 8.0\n.target sm_90a\n.func f;\n/* one\ntwo */ .func f\n{\n  ret; // three\n}\n\n.entry k() {\n\
                .reg .pred p; { bar.sync 0; bar.sync\n1; }\n  // ü\n  @!p\n  bra done; exit;\r\ndone:\n  ret;\n}\n";
    let (module, lines) = Module::parse_with_lines(text).unwrap();
    let found: Vec<Vec<_>> = (0..3).map(|f| (0..).map_while(|i| lines.of(f, i)).collect()).collect();
    assert_eq!(found, [vec![], vec![7], vec![11, 11, 15, 15, 17]]);
    assert_eq!(module.items.iter().filter(|item| matches!(item, Item::Function(_))).count(), 3);
}
