//! Memory that a simulated kernel works on.

use super::page::{PAGE, Page};
use crate::gpu::launch::{Arg, Element, Memory, Value};
use core::marker::PhantomData;
use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// Those that live, by address: arguments of a launch say where memory is, not whose.
static ALL: Mutex<BTreeMap<u64, Weak<Allocation>>> = Mutex::new(BTreeMap::new());

/// Consecutive global memory. Allocations have addresses of their own in the process, with a page between them.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub address: u64,
    pub bytes: u64,
    /// made when they are touched
    chunks: Vec<OnceLock<Chunk>>,
    /// is it zero at first, or written by nobody?
    zero: bool,
}

/// Consecutive pages.
type Chunk = Box<[OnceLock<Mutex<Page>>]>;

/// Pages of a chunk.
const CHUNK: usize = 512;
/// Bytes of a buffer at most: 1 TiB, more than any device has.
const MOST: u64 = 1 << 40;

impl Allocation {
    /// That nothing has written; of 1 TiB at most.
    pub fn new(bytes: u64) -> Arc<Allocation> {
        Allocation::with(bytes, false)
    }

    /// Of zeros.
    pub fn zeroed(bytes: u64) -> Arc<Allocation> {
        Allocation::with(bytes, true)
    }

    fn with(bytes: u64, zero: bool) -> Arc<Allocation> {
        let bytes = bytes.min(MOST);
        static NEXT: AtomicU64 = AtomicU64::new(0x10_0000_0000);
        let pages = bytes.div_ceil(PAGE as u64);
        let address = NEXT.fetch_add((pages + 1) * PAGE as u64, Ordering::Relaxed);
        let chunks = (0..pages.div_ceil(CHUNK as u64)).map(|_| OnceLock::new()).collect();
        let allocation = Arc::new(Allocation { address, bytes, chunks, zero });
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, one| one.strong_count() > 0);
        all.insert(address, Arc::downgrade(&allocation));
        allocation
    }

    /// The one that holds an address, if it lives.
    pub fn holding(address: u64) -> Option<Arc<Allocation>> {
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let one = all.range(..=address).next_back()?.1.upgrade()?;
        // an empty one has an address too, and so does its end
        (address - one.address <= one.bytes).then_some(one)
    }

    /// The page of an offset below `bytes`.
    pub fn page(&self, offset: u64) -> MutexGuard<'_, Page> {
        let number = (offset / PAGE as u64) as usize;
        let chunk = self.chunks[number / CHUNK].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        let page = chunk[number % CHUNK].get_or_init(|| {
            let mut page = Page::new();
            if self.zero {
                page.fill(0, &[0; PAGE]);
            }
            Mutex::new(page)
        });
        page.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes as a host does.
    pub fn upload(&self, at: u64, from: &[u8]) {
        let mut done = 0;
        while done < from.len() {
            let offset = at + done as u64;
            let within = offset as usize % PAGE;
            let some = (PAGE - within).min(from.len() - done);
            self.page(offset).fill(within, &from[done..done + some]);
            done += some;
        }
    }

    /// Were all bytes of an element written?
    fn is_written(&self, at: u64, size: usize) -> bool {
        self.page(at).is_written(at as usize % PAGE, size)
    }

    /// Reads as a host does; with the first byte that nothing has written, if there is one.
    pub fn download(&self, range: Range<u64>) -> (Vec<u8>, Option<u64>) {
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        let mut unwritten = None;
        let mut offset = range.start;
        while offset < range.end {
            let within = offset as usize % PAGE;
            let some = (PAGE - within).min((range.end - offset) as usize);
            let page = self.page(offset);
            bytes.extend_from_slice(&page.bytes()[within..within + some]);
            if unwritten.is_none() {
                unwritten = (0..some).find(|i| !page.is_written(within + i, 1)).map(|i| offset + i as u64);
            }
            offset += some as u64;
        }
        (bytes, unwritten)
    }
}

/// Elements in the memory of the simulator, as `device::Buffer` is on a device.
/// ```
/// use girih::gpu::sim::Buffer;
/// let x = Buffer::from_slice(&[1f32, 2.0, 3.0]);
/// assert_eq!((x.len(), x.address() % 256), (3, 0));
/// assert_eq!(x.to_vec()?, [1.0, 2.0, 3.0]);
/// let y = Buffer::<f32>::new(4);
/// assert_eq!(y.to_vec().unwrap_err().to_string(), "element 0 of the buffer was never written");
/// # Ok::<(), girih::gpu::sim::UnwrittenElement>(())
/// ```
#[derive(Debug)]
pub struct Buffer<T: Element> {
    memory: Arc<Allocation>,
    len: usize,
    of: PhantomData<T>,
}

/// An element was asked for that neither host nor kernel has written.
/// ```
/// use girih::gpu::sim::{Buffer, UnwrittenElement};
/// assert_eq!(Buffer::<u8>::new(2).to_vec(), Err(UnwrittenElement { index: 0 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnwrittenElement {
    /// which
    pub index: usize,
}

impl core::fmt::Display for UnwrittenElement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "element {} of the buffer was never written", self.index)
    }
}

impl std::error::Error for UnwrittenElement {}

const fn size_of<T: Element>() -> usize {
    T::TYPE.bits() as usize / 8
}

impl<T: Element> Buffer<T> {
    /// So many elements that nothing has written, of 1 TiB together at most: those beyond are left out. Memory of the host is taken
    /// by what is touched.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert_eq!(Buffer::<f32>::new(7).len(), 7);
    /// ```
    pub fn new(len: usize) -> Buffer<T> {
        let size = size_of::<T>() as u64;
        let memory = Allocation::new((len as u64).min(MOST / size) * size);
        Buffer { len: (memory.bytes / size) as usize, memory, of: PhantomData }
    }

    /// With these values.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert_eq!(Buffer::from_slice(&[1u8, 2]).to_vec(), Ok(vec![1, 2]));
    /// ```
    pub fn from_slice(values: &[T]) -> Buffer<T> {
        let mut buffer = Buffer::new(values.len());
        buffer.write(0, values);
        buffer
    }

    /// Writes values from an element on; those beyond the end are left out.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let mut x = Buffer::from_slice(&[1u8, 2, 3]);
    /// x.write(1, &[7]);
    /// assert_eq!(x.to_vec(), Ok(vec![1, 7, 3]));
    /// ```
    pub fn write(&mut self, at: usize, values: &[T]) {
        let at = at.min(self.len);
        let values = &values[..values.len().min(self.len - at)];
        let size = size_of::<T>();
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.bits().to_le_bytes().into_iter().take(size)).collect();
        self.memory.upload((at * size) as u64, &bytes);
    }

    /// Its values.
    ///
    /// # Errors
    /// If nothing has written one of them.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert_eq!(Buffer::from_slice(&[-1i16]).to_vec(), Ok(vec![-1]));
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, UnwrittenElement> {
        let size = size_of::<T>();
        match self.memory.download(0..(self.len * size) as u64) {
            (_, Some(offset)) => Err(UnwrittenElement { index: offset as usize / size }),
            (bytes, None) => Ok(bytes.chunks_exact(size).map(element).collect()),
        }
    }

    /// Its values, none where nothing has written one.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let mut x = Buffer::<u8>::new(2);
    /// x.write(1, &[7]);
    /// assert_eq!(x.values(), [None, Some(7)]);
    /// ```
    pub fn values(&self) -> Vec<Option<T>> {
        let size = size_of::<T>();
        let (bytes, _) = self.memory.download(0..(self.len * size) as u64);
        let written = |i: usize| self.memory.is_written((i * size) as u64, size);
        bytes.chunks_exact(size).enumerate().map(|(i, bytes)| written(i).then(|| element(bytes))).collect()
    }

    /// How many elements.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert_eq!(Buffer::<u8>::new(3).len(), 3);
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// None at all?
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert!(Buffer::<u8>::new(0).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where it begins, in bytes; a kernel may find it in another buffer, if the launch is told of it.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// assert_ne!(Buffer::<u8>::new(1).address(), Buffer::<u8>::new(1).address());
    /// ```
    pub fn address(&self) -> u64 {
        self.memory.address
    }

    /// As an argument that is only read.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let x = Buffer::<f32>::new(8);
    /// assert_eq!(x.arg().integer(), Some(x.address()));
    /// ```
    pub fn arg(&self) -> Arg<'_> {
        self.argument(0..self.len, false)
    }

    /// As an argument that may be written.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let mut y = Buffer::<f32>::new(8);
    /// assert!(y.arg_mut().integer().is_some());
    /// ```
    pub fn arg_mut(&mut self) -> Arg<'_> {
        self.argument(0..self.len, true)
    }

    /// Some of its elements, as an argument that is only read. A range beyond its end is cut.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let x = Buffer::<f32>::new(8);
    /// assert_eq!(x.range(2..4).integer(), Some(x.address() + 8));
    /// ```
    pub fn range(&self, range: Range<usize>) -> Arg<'_> {
        self.argument(range, false)
    }

    /// Some of its elements, as an argument that may be written. A range beyond its end is cut.
    /// ```
    /// # use girih::gpu::sim::Buffer;
    /// let mut x = Buffer::<f32>::new(8);
    /// assert!(x.range_mut(0..4).integer().is_some());
    /// ```
    pub fn range_mut(&mut self, range: Range<usize>) -> Arg<'_> {
        self.argument(range, true)
    }

    fn argument(&self, range: Range<usize>, write: bool) -> Arg<'_> {
        let size = size_of::<T>();
        let end = range.end.min(self.len);
        let start = range.start.min(end);
        let address = self.memory.address + (start * size) as u64;
        let memory = Memory { address, bytes: ((end - start) * size) as u64, write, device: None };
        Value::Pointer { to: T::TYPE, memory }.into()
    }
}

/// An element from its bytes.
fn element<T: Element>(bytes: &[u8]) -> T {
    let mut bits = [0; 8];
    bits[..bytes.len()].copy_from_slice(bytes);
    T::from_bits(u64::from_le_bytes(bits))
}
