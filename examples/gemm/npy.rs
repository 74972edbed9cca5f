//! Matrices from .npy files: the header is a layout.

use girih::prelude::*;
use std::{error::Error, fs, path::Path};

/// A matrix of f32, from any real type that .npy has, in the file's own order.
pub fn read(path: &Path) -> Result<Tensor<f32>, Box<dyn Error>> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file = npyz::NpyFile::new(&bytes[..]).map_err(|e| format!("{}: {e}", path.display()))?;
    let shape: Vec<i64> = file.shape().iter().map(|&s| s as i64).collect();
    let [rows, cols] = shape[..] else {
        return Err(format!("{}: a matrix is needed, the shape is {shape:?}", path.display()).into());
    };
    if rows * cols == 0 {
        return Err(format!("{}: the matrix is empty", path.display()).into());
    }
    let shape = IntTuple::flat(&[rows, cols])?;
    let layout = match file.order() {
        npyz::Order::C => Layout::row_major(&shape)?,
        npyz::Order::Fortran => Layout::column_major(&shape)?,
    };
    let dtype = file.dtype().descr();
    let values = match dtype.trim_matches(['\'', '<', '>', '|', '=']) {
        "u1" => convert(file.into_vec::<u8>()?),
        "i1" => convert(file.into_vec::<i8>()?),
        "u2" => convert(file.into_vec::<u16>()?),
        "i2" => convert(file.into_vec::<i16>()?),
        "f4" => file.into_vec::<f32>()?,
        "u4" => exact(file.into_vec::<u32>()?.into_iter().map(f64::from))?,
        "i4" => exact(file.into_vec::<i32>()?.into_iter().map(f64::from))?,
        "f8" => exact(file.into_vec::<f64>()?.into_iter())?,
        other => return Err(format!("{}: elements of type {other} are not read", path.display()).into()),
    };
    Ok(Tensor::new(values, layout)?)
}

fn convert<T: Into<f32>>(values: Vec<T>) -> Vec<f32> {
    values.into_iter().map(Into::into).collect()
}

/// Wider types only if nothing is lost.
fn exact(values: impl Iterator<Item = f64>) -> Result<Vec<f32>, String> {
    let narrow = |v: f64| if f64::from(v as f32) == v { Ok(v as f32) } else { Err(format!("{v} is not an f32")) };
    values.map(narrow).collect()
}
