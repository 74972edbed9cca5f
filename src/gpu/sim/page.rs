//! Memory by pages: bytes, which of them were written, and who touched them.

use super::shadow::{More, Strength, Touch, Touching, Word};
use super::strong::{Given, Released};
use std::collections::HashMap;

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;

/// A page of shared or global memory.
#[derive(Debug)]
pub(super) struct Page {
    bytes: Box<[u8; PAGE]>,
    /// a bit for each byte
    written: Box<[u64; PAGE / 64]>,
    /// none until something touches it in this run
    shadow: Option<Box<Shadow>>,
    /// the run that the shadow is of
    run: u64,
}

#[derive(Debug)]
struct Shadow {
    words: Vec<Word>,
    more: Vec<More>,
    /// what releases into a location gave away
    released: HashMap<usize, Released>,
}

impl Shadow {
    fn new() -> Shadow {
        Shadow { words: vec![Word::new(); PAGE / 4], more: Vec::new(), released: HashMap::new() }
    }
}

impl Page {
    /// That nothing has written.
    pub fn new() -> Page {
        Page { bytes: Box::new([0; PAGE]), written: Box::new([0; PAGE / 64]), shadow: None, run: 0 }
    }

    /// Forgets who touched it if that was in another run.
    pub fn in_run(&mut self, run: u64) {
        if self.run != run {
            (self.shadow, self.run) = (None, run);
        }
    }

    /// Bytes at a place in the page; at most 16, not beyond its end.
    #[inline]
    pub fn get(&self, at: usize, size: usize) -> u128 {
        let bytes = &self.bytes;
        match size {
            1 => bytes[at].into(),
            2 => u16::from_le_bytes([bytes[at], bytes[at + 1]]).into(),
            4 => u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]).into(),
            _ => {
                let mut value = [0; 16];
                value[..size].copy_from_slice(&bytes[at..at + size]);
                u128::from_le_bytes(value)
            }
        }
    }

    /// Writes bytes at a place in the page.
    #[inline]
    pub fn set(&mut self, at: usize, size: usize, value: u128) {
        let value = value.to_le_bytes();
        match size {
            4 => self.bytes[at..at + 4].copy_from_slice(&value[..4]),
            _ => self.bytes[at..at + size].copy_from_slice(&value[..size]),
        }
        self.mark(at, size);
    }

    fn mark(&mut self, at: usize, size: usize) {
        // an access does not cross 64 bytes: it is aligned to its size
        self.written[at / 64] |= ((1u64 << size) - 1) << (at % 64);
    }

    /// Were all of these bytes written?
    #[inline]
    pub fn is_written(&self, at: usize, size: usize) -> bool {
        let mask = ((1u64 << size) - 1) << (at % 64);
        self.written[at / 64] & mask == mask
    }

    /// These bytes count as never written.
    pub fn forget(&mut self, at: usize, size: usize) {
        (at..at + size).for_each(|i| self.written[i / 64] &= !(1 << (i % 64)));
    }

    /// Copies what a host wrote.
    pub fn fill(&mut self, at: usize, from: &[u8]) {
        self.bytes[at..at + from.len()].copy_from_slice(from);
        (at..at + from.len()).for_each(|i| self.written[i / 64] |= 1 << (i % 64));
    }

    /// All of its bytes.
    pub fn bytes(&self) -> &[u8; PAGE] {
        &self.bytes
    }

    fn shadow(&mut self) -> &mut Shadow {
        self.shadow.get_or_insert_with(|| Box::new(Shadow::new()))
    }

    /// Remembers a read; what it races with.
    pub fn read(&mut self, by: &Touching, at: usize, size: usize) -> Option<Touch> {
        let Shadow { words, more, .. } = self.shadow();
        each_word(at, size, |word, bytes| words[word].read(by, bytes, more))
    }

    /// Remembers a write; what it races with.
    pub fn write(&mut self, by: &Touching, at: usize, size: usize) -> Option<Touch> {
        let Shadow { words, more, .. } = self.shadow();
        each_word(at, size, |word, bytes| words[word].write(by, bytes, more))
    }

    /// A write of this run in these bytes.
    pub fn written_by(&mut self, at: usize, size: usize) -> Option<Touch> {
        let Shadow { words, more, .. } = self.shadow();
        each_word(at, size, |word, bytes| words[word].written_by(bytes, more))
    }

    /// A copy of this thread from or to here, of this number, is over.
    pub fn settle(&mut self, number: u32, by: &Touching, at: usize, size: usize) {
        let Shadow { words, more, .. } = self.shadow();
        each_word(at, size, |word, bytes| {
            words[word].settle(number, by, bytes, more);
            None
        });
    }

    /// What was given away at this location, as far as it reaches a CTA.
    pub fn released(&self, at: usize, cta: u32, strength: Strength) -> Given {
        let released = self.shadow.as_ref().and_then(|shadow| shadow.released.get(&at));
        released.map_or(Given::default(), |released| released.find(cta, strength))
    }

    /// A thread of a CTA gives away here: a store in place of what was there, an atomic beside it.
    pub fn release(&mut self, at: usize, given: &Given, cta: u32, beside: bool) {
        let released = &mut self.shadow().released;
        if !beside {
            released.remove(&at);
        }
        if !given.is_nothing() {
            released.entry(at).or_default().add(given, cta);
        }
    }
}

/// Each word of a range with its bytes, until one says something.
#[inline]
fn each_word(at: usize, size: usize, mut f: impl FnMut(usize, u8) -> Option<Touch>) -> Option<Touch> {
    if size < 4 {
        return f(at / 4, (((1 << size) - 1) << (at % 4)) as u8);
    }
    let mut found = None;
    for word in at / 4..(at + size) / 4 {
        found = found.or(f(word, 15));
    }
    found
}
