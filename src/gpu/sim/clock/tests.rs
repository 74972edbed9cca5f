use super::*;

#[test]
fn what_a_thread_finds_again_and_again_is_one_clock() {
    let mut found = Found::default();
    for tick in 1..100 {
        found.add(5, &Clock::new(0, 1).with(0, (tick % 32) as u8, tick));
    }
    let all = found.take(1 << 5);
    assert_eq!(all.len(), 1);
    assert!((0..32).all(|lane| all[0].1.knows(Thread { warp: 0, lane }, 68)));
    assert!(found.take(u32::MAX).is_empty());
}
