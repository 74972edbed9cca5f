//! Matrices from .npy files: the header is a layout.

use girih::prelude::*;
use std::{error::Error, fmt::Display, fs, path::Path};

/// A matrix of f32, from integers, booleans and floats whose values f32 has, in the file's own order.
pub fn read(path: &Path) -> Result<Tensor<f32>, Box<dyn Error>> {
    matrix(path).map_err(|e| format!("{}: {e}", path.display()).into())
}

fn matrix(path: &Path) -> Result<Tensor<f32>, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let file = npyz::NpyFile::new(&bytes[..])?;
    let shape: Vec<i64> = file.shape().iter().map(|&s| s as i64).collect();
    let [rows, cols] = shape[..] else {
        return Err(format!("a matrix is needed, the shape is {shape:?}").into());
    };
    if rows * cols == 0 {
        return Err(format!("the matrix is empty, {rows} x {cols}").into());
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
        "b1" => convert(file.into_vec::<bool>()?),
        "u4" => exact(file.into_vec::<u32>()?, |v| v as f32, |v, f| f as i128 == v.into())?,
        "i4" => exact(file.into_vec::<i32>()?, |v| v as f32, |v, f| f as i128 == v.into())?,
        "u8" => exact(file.into_vec::<u64>()?, |v| v as f32, |v, f| f as i128 == v.into())?,
        "i8" => exact(file.into_vec::<i64>()?, |v| v as f32, |v, f| f as i128 == v.into())?,
        "f8" => exact(file.into_vec::<f64>()?, |v| v as f32, |v, f| f64::from(f) == v || v.is_nan())?,
        _ => return Err(format!("elements of type {dtype} are not read: save them as float32").into()),
    };
    Ok(Tensor::new(values, layout)?)
}

fn convert<T: Into<f32>>(values: Vec<T>) -> Vec<f32> {
    values.into_iter().map(Into::into).collect()
}

/// Wider types only if nothing is lost.
fn exact<T: Copy + Display>(
    values: Vec<T>,
    narrow: fn(T) -> f32,
    same: fn(T, f32) -> bool,
) -> Result<Vec<f32>, String> {
    let one =
        |v: T| Some(narrow(v)).filter(|&f| same(v, f)).ok_or_else(|| format!("{v} is no f32: save it as float32"));
    values.into_iter().map(one).collect()
}
