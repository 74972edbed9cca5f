//! How much memory a run takes.

use girih::Shape;
use girih::program::*;
use girih::view::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts for each thread.
struct Counting;

thread_local! {
    /// bytes in use, and the most of them
    static BYTES: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(more: isize) {
    // a thread that ends has no counter
    let _ = BYTES.try_with(|bytes| {
        let (now, most) = bytes.get();
        bytes.set((now + more, most.max(now + more)));
    });
}

// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most bytes in use during a run on this thread.
fn most(host: Host) -> isize {
    let before = BYTES.get().0;
    BYTES.set((before, before));
    host.threads(1).run().unwrap();
    BYTES.get().1 - before
}

const N: i64 = 20_000;

#[test]
fn a_strong_store_in_a_loop_takes_little_more_than_its_elements() {
    let p = program("p", |p| {
        let y = p.inout::<i32, 1>("y", [16]);
        let (one, four) = (y.partition::<Shape![1]>(), y.partition::<Shape![4]>());
        p.each(p.symbol("n"), |i| {
            one.atomic_add(p.full::<i32, Shape![1]>(1), 0, Relaxed, Device);
            four.atomic_add(p.full::<i32, Shape![4]>(1), i % 3 + 1, Relaxed, Device);
        });
    })
    .unwrap();
    let mut y = [0; 16];
    let bytes = most(p.host().arg("y", &mut y).bind("n", N));
    assert_eq!((i64::from(y[0]), i64::from(y[4] + y[8] + y[12])), (N, N));
    // 20 bytes of elements and two headers, in vectors that grow by doubling
    assert!(bytes < 300 * N as isize, "{bytes}");
}

#[test]
fn a_store_of_a_block_takes_little_more_than_the_record_of_it() {
    let p = program("p", |p| {
        let n = p.symbol("n");
        let y = p.output::<i32, 1>("y", [n]).partition::<Shape![1]>();
        let [i] = p.grid([n]);
        y.store(i.reshape::<Shape![1]>(), i);
    })
    .unwrap();
    let mut y = vec![0; N as usize];
    let bytes = most(p.host().arg("y", &mut y));
    assert!((0..).zip(&y).all(|(i, y)| i == *y));
    assert!(bytes < 600 * N as isize, "{bytes}");
}
