//! Numbers as bytes.

/// A number that is its bytes, little-endian as on the devices: what [`Tensor::recast`](crate::layout::Tensor::recast) can
/// see at another width.
/// ```
/// use girih::layout::Plain;
/// assert_eq!(u32::from_bytes(&[1, 2, 0, 0]), Some(513));
/// assert_eq!(u16::from_bytes(&[1]), None);
/// ```
pub trait Plain: Copy {
    /// Width in bits.
    const BITS: i64;
    /// The number that `bytes` begin with; None if they are too few.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
    /// Appends the bytes of this number.
    fn to_bytes(self, bytes: &mut Vec<u8>);
}

macro_rules! plain {
    ($($number:ty)*) => {$(
        impl Plain for $number {
            const BITS: i64 = 8 * size_of::<$number>() as i64;
            fn from_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.first_chunk().map(|b| <$number>::from_le_bytes(*b))
            }
            fn to_bytes(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}
plain!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);
