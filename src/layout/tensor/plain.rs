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
    /// ```
    /// # use girih::layout::Plain;
    /// assert_eq!(f32::BITS, 32);
    /// ```
    const BITS: i64;
    /// The number that `bytes` begin with; None if they are too few.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Plain;
    /// assert_eq!(f32::from_bytes(&[0, 0, 128, 63, 9]), Some(1.0)); // the fifth byte is another number's
    /// assert_eq!(f32::from_bytes(&[0, 0, 128]), None);
    /// ```
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
    /// Appends the bytes of this number.
    /// ```
    /// # use girih::prelude::*;
    /// # use girih::layout::Plain;
    /// let mut bytes = vec![];
    /// 513u16.to_bytes(&mut bytes);
    /// 1u8.to_bytes(&mut bytes);
    /// assert_eq!(bytes, [1, 2, 1]);
    /// ```
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
