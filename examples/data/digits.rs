//! The digits: grey values 0 to 16 of images of 8 x 8 pixels.

// each example uses a part
#![allow(dead_code)]

use std::error::Error;

/// How many images there are.
pub const IMAGES: usize = 1797;
/// Pixels of an image.
pub const PIXELS: usize = 64;

/// The pixels of all images, image by image, row by row.
pub fn read() -> Result<Vec<u8>, Box<dyn Error>> {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/digits.npy"))?;
    Ok(npyz::NpyFile::new(&bytes[..])?.into_vec()?)
}

/// An error unless all elements agree within a tolerance.
pub fn compare(got: &[f32], expected: &[f32], tolerance: f32) -> Result<(), Box<dyn Error>> {
    let right = got.iter().zip(expected).filter(|(x, y)| (*x - *y).abs() <= tolerance).count();
    let wrong = expected.len() - right;
    if got.len() != expected.len() || wrong > 0 {
        return Err(format!("{wrong} of {} elements differ from the plain computation", expected.len()).into());
    }
    println!("equal to the plain computation in all {} elements (tolerance {tolerance:e})", got.len());
    Ok(())
}
