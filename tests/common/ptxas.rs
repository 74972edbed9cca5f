//! The real `ptxas`, where there is one.

#![allow(dead_code)]

use girih::gpu::ptx::{Module, Target};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The one that `GIRIH_PTXAS` names, or the one in the path; where `CI` is `true` there must be one.
pub fn find() -> Option<PathBuf> {
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|d| d.join("ptxas")).find(|p| p.is_file())
    };
    let found = std::env::var_os("GIRIH_PTXAS").map(PathBuf::from).or_else(in_path);
    if found.is_none() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "there is no ptxas: set GIRIH_PTXAS");
        println!("skipped: there is no ptxas in GIRIH_PTXAS or the path");
    }
    found
}

/// Assembles a module for a target, with the lowest version that does.
pub fn assemble(module: &Module, target: Target) {
    let Some(ptxas) = find() else { return };
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("girih-{}-{run}.ptx", std::process::id()));
    let mut module = Module { target, ..module.clone() };
    module.version = module.lowest_version().unwrap();
    std::fs::write(&file, module.to_string()).unwrap();
    let out = Command::new(ptxas).arg(format!("-arch={target}")).arg(&file).args(["-o", "/dev/null"]).output().unwrap();
    assert!(out.status.success(), "{target}: {}\n{module}", String::from_utf8_lossy(&out.stderr));
    let _ = std::fs::remove_file(file);
}
