//! The contract of `girih sim`: what it takes, prints and writes, and how it ends.

use girih::gpu::atom::NumericType::F32;
use girih::gpu::copy::Stream;
use girih::gpu::ptx::Target;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const AXPY: &str = "\
// girih sim --grid 1 --block 64 2.5 f32[50]=iota f32[50]=1 50
.version 7.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<2>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<2>;
    ld.param.u32 %r1, [n];
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p, %r0, %r1;
    @%p ret;
    ld.param.f32 %f0, [a];
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [y];
    mad.wide.u32 %rd0, %r0, 4, %rd0;
    mad.wide.u32 %rd1, %r0, 4, %rd1;
    ld.global.f32 %f1, [%rd0];
    ld.global.f32 %f2, [%rd1];
    fma.rn.f32 %f2, %f0, %f1, %f2;
    // y = a x + y
    st.global.f32 [%rd1], %f2;
    ret;
}
";

/// A directory of the test's own, with the kernel `axpy.ptx` in it.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let path = std::env::temp_dir().join(format!("girih-sim-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("axpy.ptx"), AXPY).unwrap();
        Home(path)
    }

    fn sim(&self, words: &str) -> Output {
        let mut girih = Command::new(env!("CARGO_BIN_EXE_girih"));
        girih.current_dir(&self.0).arg("sim").args(words.split_whitespace()).output().unwrap()
    }

    /// What it prints, without a fault.
    #[track_caller]
    fn prints(&self, words: &str) -> String {
        let out = self.sim(words);
        assert_eq!((text(&out.stderr), out.status.code()), (String::new(), Some(0)), "{words}");
        text(&out.stdout)
    }

    /// What it says on stderr, with exit code 1 and nothing else.
    #[track_caller]
    fn refuses(&self, words: &str) -> String {
        let out = self.sim(words);
        assert_eq!((text(&out.stdout), out.status.code()), (String::new(), Some(1)), "{words}: {}", text(&out.stderr));
        text(&out.stderr)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const SUMMARY: &str = "\
1 block, 27 instructions of warps, 706 of threads
global memory: 21 sectors, 672 B, 89.3 % used
";

#[test]
fn a_kernel_is_launched_as_its_first_line_says() {
    let home = Home::new("header");
    assert_eq!(home.prints("axpy.ptx"), SUMMARY);
    assert_eq!(home.prints("axpy.ptx --quiet"), "");
}

#[test]
fn a_launch_on_the_command_line_has_precedence() {
    let home = Home::new("words");
    let printed =
        home.prints("axpy.ptx --quiet --grid 1 --block 32 --entry axpy -1 f32[10]=iota f32[10]=0 9 --print 2");
    assert_eq!(printed, "argument 2, y:\n 0:  0 -1 -2 -3 -4 -5 -6 -7\n 8: -8  0\n");
    let printed = home.prints("axpy.ptx --quiet --print 2:1 --grid 1 --block 32 -- -inf f32[10]=1 f32[10]=0 9");
    assert_eq!(printed, "argument 2, y:\n0: -inf\n");
}

#[test]
fn what_nothing_wrote_is_printed_as_such_and_not_saved() {
    let home = Home::new("unwritten");
    let launch = "axpy.ptx --quiet --no-memory --grid 1 --block 32 1 f32[4]=iota f32[4] 2";
    assert_eq!(home.prints(&format!("{launch} --print 2")), "argument 2, y:\n0: 0 1 ? ?\n");
    assert_eq!(home.refuses(&format!("{launch} -o 2=y.bin")), "-o 2: element 2 was never written\n");
    assert!(!home.0.join("y.bin").exists());
    let fault = home.refuses("axpy.ptx --grid 1 --block 32 1 f32[4]=iota f32[4] 2");
    assert!(fault.starts_with("unwritten-memory: 4 bytes at "), "{fault}");
}

#[test]
fn buffers_are_read_from_files_and_written_to_them() {
    let home = Home::new("files");
    let x: Vec<u8> = [4f32, 5.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(home.0.join("x.bin"), &x).unwrap();
    home.prints("axpy.ptx --grid 1 --block 32 2 f32[3]=@x.bin f32[3]=1 3 -o 2=y.bin -o 1=same.bin");
    let y: Vec<u8> = [9f32, 11.0, 13.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(std::fs::read(home.0.join("y.bin")).unwrap(), y);
    assert_eq!(std::fs::read(home.0.join("same.bin")).unwrap(), x);
    let wrong = home.refuses("axpy.ptx --grid 1 --block 32 2 f32[4]=@x.bin f32[3]=1 3");
    assert_eq!(wrong, "x.bin: 12 bytes, the buffer has 16\n");
}

#[test]
fn a_header_finds_its_files_beside_the_kernel() {
    let home = Home::new("beside");
    let inner = home.0.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(inner.join("x.bin"), [0u8; 12]).unwrap();
    let header = "// girih sim --grid 1 --block 32 2 f32[3]=@x.bin f32[3]=1 3";
    std::fs::write(inner.join("k.ptx"), format!("{header}\n{AXPY}")).unwrap();
    assert!(home.prints("inner/k.ptx --print 2").ends_with("argument 2, y:\n0: 1 1 1\n"));
}

#[test]
fn a_launch_description_says_how_many_blocks_there_are() {
    let home = Home::new("json");
    let (module, launch) = Stream::axpy(F32).build(Target::SM_80).unwrap();
    std::fs::write(home.0.join("k.ptx"), module.to_string()).unwrap();
    std::fs::write(home.0.join("k.json"), launch.to_json().unwrap()).unwrap();
    let printed = home.prints("k.ptx --launch k.json 2 f32[5000]=iota f32[5000]=1 5000 --print 2:4");
    assert!(printed.ends_with("0: 1 3 5 7\n") && !printed.starts_with("1 block"), "{printed}");
    let short = home.refuses("k.ptx --launch k.json 2 f32[5000]=iota f32[4999]=1 5000");
    assert!(short.contains("19996 bytes"), "{short}");
    let kind = home.refuses("k.ptx --launch k.json 2 u32[5000]=iota f32[5000]=1 5000");
    assert!(kind.contains("u32") && kind.contains("f32"), "{kind}");
    assert!(home.refuses("k.ptx --launch axpy.ptx 2").starts_with("axpy.ptx: not a launch description: "));
    assert!(home.refuses("k.ptx --launch none.json 2").starts_with("none.json: "));
    assert_eq!(home.sim("k.ptx --launch k.json --grid 1").status.code(), Some(2));
}

#[test]
fn faults_are_told_and_end_with_1() {
    let home = Home::new("faults");
    // y ends before the last threads
    let launch = "axpy.ptx --grid 1 --block 64 2 f32[50]=iota f32[40]=1 50";
    let fault = "\
out-of-bounds: 4 bytes at offset 160 of argument 2, y, which has 160
  axpy, line 21: ld.global.f32 %f2, [%rd1];
  thread (40,0,0) of block (0,0,0)
";
    assert_eq!(home.refuses(launch), fault);
    let out = home.sim(&format!("{launch} --report"));
    assert_eq!((text(&out.stderr).as_str(), out.status.code()), (fault, Some(1)));
    assert!(text(&out.stdout).contains("costliest lines") && !text(&out.stdout).contains("out-of-bounds"));
}

#[test]
fn checks_are_left_out_by_name_and_faults_counted() {
    let home = Home::new("checks");
    let kernel =
        |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bugs").join(name).display().to_string();
    let race = kernel("reverse_no_barrier.ptx");
    let faults = |words: &str| home.refuses(words).lines().filter(|l| l.starts_with("race: ")).count();
    assert_eq!(faults(&format!("{race} --no-memory")), 1);
    assert!(faults(&format!("{race} --no-memory --faults 10")) > 1);
    home.prints(&format!("{race} --no-memory --no-races"));
    for (name, kind, without) in [
        ("shared_not_cleared.ptx", "unwritten-memory", "--no-memory"),
        ("register_guarded_mov.ptx", "unwritten-register", "--no-registers"),
        ("exited_threads.ptx", "exited-at-barrier", "--no-exited"),
    ] {
        let kernel = kernel(name);
        assert!(home.refuses(&kernel).starts_with(kind), "{name}");
        let out = home.sim(&format!("{kernel} {without} --threads 1"));
        assert!(!text(&out.stderr).contains(kind), "{name}: {}", text(&out.stderr));
    }
}

#[test]
fn a_report_replaces_the_summary() {
    let home = Home::new("report");
    let report = home.prints("axpy.ptx --report");
    assert!(report.starts_with(SUMMARY));
    assert!(report.contains("\n  f32 ") && report.contains("\n  global stores ") && report.contains("// y = a x + y"));
    assert_eq!(home.sim("axpy.ptx --report --quiet").status.code(), Some(2));
}

#[test]
fn bad_input_is_named() {
    let home = Home::new("bad");
    std::fs::write(home.0.join("no.ptx"), "hello").unwrap();
    std::fs::write(home.0.join("bare.ptx"), AXPY.split_once('\n').unwrap().1).unwrap();
    std::fs::write(home.0.join("header.ptx"), format!("// girih sim --grid 1 --blok 1\n{AXPY}")).unwrap();
    std::fs::write(home.0.join("binary.ptx"), [0xff, 0xfe]).unwrap();
    let launch = "axpy.ptx --grid 1 --block 32";
    let good = "1 f32[4]=0 f32[4]=0 4";
    for (words, expected) in [
        ("none.ptx", "none.ptx: No such file"),
        ("binary.ptx", "binary.ptx: stream did not contain valid UTF-8"),
        ("no.ptx", "no.ptx: line 1, column 1: "),
        (
            "bare.ptx",
            "bare.ptx: launch it by --grid, --block and arguments, or by a first line `// girih sim --grid ...`",
        ),
        ("header.ptx", "header.ptx: --blok: no such option"),
        (&format!("{launch} --entry f {good}"), "axpy.ptx: no kernel f; there are axpy"),
        (&format!("{launch} 1 f32[4]"), "axpy has 4 parameters, 2 arguments are given"),
        (&format!("{launch} 1 2 f32[4]=0 f32[4]=0"), "n is a .u32, which takes no buffer"),
        (&format!("{launch} x f32[4]=0 f32[4]=0 4"), "x: not a number of type f32"),
        (&format!("{launch} 1 f31[4] f32[4]=0 4"), "f31[4]: no type f31"),
        (&format!("axpy.ptx --grid 1 {good}"), "--block is missing"),
        (&format!("axpy.ptx --grid 1 --block 2048 {good}"), "--block 2048: "),
        (
            &format!("axpy.ptx --grid 2000000000 --block 1024 {good}"),
            "about 64000000000 instructions of warps, more than the budget of 4294967296; --budget raises it",
        ),
        (&format!("{launch} {good} --print 0"), "--print 0: that argument is a value, no buffer"),
        (&format!("{launch} {good} -o 4=x"), "-o 4: arguments are 0 to 3"),
        (&format!("{launch} {good} -o 2=none/x"), "-o 2: none/x: No such file"),
    ] {
        let out = home.sim(words);
        let said = text(&out.stderr);
        assert!(said.starts_with(expected), "{words}: {said}");
        assert_eq!(out.status.code(), Some(1), "{words}");
    }
    for words in
        ["axpy.ptx -o 2", "axpy.ptx -o x=y", "axpy.ptx --print 1:x", "axpy.ptx --budget 0", "axpy.ptx --gird 1", ""]
    {
        assert_eq!(home.sim(words).status.code(), Some(2), "{words}");
    }
}

#[test]
fn a_budget_ends_a_loop_and_refuses_what_is_too_large() {
    let home = Home::new("budget");
    let endless = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f()\n{\nagain:\n bra again;\n}\n";
    std::fs::write(home.0.join("endless.ptx"), endless).unwrap();
    let said = home.refuses("endless.ptx --grid 1 --block 32 --budget 10000");
    assert!(said.starts_with("budget: 10000 instructions of warps\n") && said.contains("line 7: bra again;"), "{said}");
    let said = home.refuses("axpy.ptx --grid 1000 --block 32 --budget 2000 1 f32[4]=0 f32[4]=0 4");
    assert!(said.starts_with("about ") && said.ends_with("; --budget raises it\n"), "{said}");
}
