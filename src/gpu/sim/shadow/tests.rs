use super::*;

/// Each thread of a warp again and again, each time in a tick of its own.
fn loops(strength: Strength, access: fn(&mut Word, &Touching, &mut Vec<More>)) -> (Word, Vec<More>) {
    let (clock, mut word, mut mores) = (Clock::new(0, 1), Word::new(), Vec::new());
    for tick in 1..100 {
        for lane in 0..32 {
            let thread = Thread { warp: 0, lane };
            let (code, size, pending, alike) = (7, 4, false, true);
            let by = Touching { thread, warps: 1, tick, code, size, strength, pending, clock: &clock, alike };
            access(&mut word, &by, &mut mores);
        }
    }
    (word, mores)
}

#[test]
fn the_last_access_of_each_thread_is_remembered() {
    let write = |word: &mut Word, by: &Touching, mores: &mut Vec<More>| {
        word.write(by, 15, mores);
    };
    let read = |word: &mut Word, by: &Touching, mores: &mut Vec<More>| {
        word.read(by, 15, mores);
    };
    for (word, mores) in [loops(Strength::Gpu, write), loops(Strength::Gpu, read), loops(Strength::Weak, read)] {
        let more = mores.iter().flat_map(|m| m.writes.iter().chain(&m.reads));
        let all: Vec<&Touch> = more.chain([&word.write, &word.read]).filter(|t| t.bytes != 0).collect();
        assert!(all.len() <= 2, "{all:?}");
        let last = all.iter().filter(|t| t.tick == 99).fold(0, |lanes, t| lanes | t.lanes);
        assert_eq!(last, u32::MAX, "{all:?}");
    }
}

#[test]
fn the_first_write_needs_no_more_than_the_word() {
    let (clock, mut word, mut mores) = (Clock::new(0, 1), Word::new(), Vec::new());
    let thread = Thread { warp: 0, lane: 3 };
    let (strength, pending, alike) = (Strength::Gpu, false, true);
    let by = Touching { thread, warps: 1, tick: 1, code: 7, size: 4, strength, pending, clock: &clock, alike };
    assert_eq!(word.write(&by, 15, &mut mores), None);
    assert!(mores.is_empty());
}
