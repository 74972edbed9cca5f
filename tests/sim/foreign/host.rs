//! What each kernel computes, in plain words of the host.

use super::{Case, arrays, floats, number, warps};
use girih::gpu::launch::DataType;
use girih::gpu::sim::Argument;

/// What an output should hold.
pub enum Expected {
    Exactly(Vec<u8>),
    /// each within so much of its value, or of 1 if that is smaller
    Near(Vec<f64>, f64),
}

/// These numbers, to the last bit.
pub fn exactly<const N: usize, T>(values: impl IntoIterator<Item = T>, bytes: impl Fn(T) -> [u8; N]) -> Expected {
    Expected::Exactly(values.into_iter().flat_map(bytes).collect())
}

pub fn words(values: impl IntoIterator<Item = i64>) -> Expected {
    exactly(values, |v| (v as i32).to_le_bytes())
}

/// What a kernel is given.
pub struct Given<'a>(&'a Case);

impl Given<'_> {
    /// A buffer's bytes; none are unwritten.
    pub fn bytes(&self, argument: usize) -> Vec<u8> {
        self.0.buffer(argument).bytes(super::folder()).unwrap().unwrap()
    }

    pub fn floats(&self, argument: usize) -> Vec<f64> {
        floats(self.0.buffer(argument).of, &self.bytes(argument))
    }

    /// A buffer's integers.
    pub fn ints(&self, argument: usize) -> Vec<i64> {
        use DataType::*;
        let of = self.0.buffer(argument).of;
        let wide = |b: &[u8]| {
            let mut all = [0; 8];
            all[..b.len()].copy_from_slice(b);
            u64::from_le_bytes(all)
        };
        let element = |b: &[u8]| match of {
            S16 => (wide(b) as i16).into(),
            S32 => (wide(b) as i32).into(),
            U8 | U16 | U32 | U64 | S64 => wide(b) as i64,
            _ => panic!("{of} is no integer here"),
        };
        self.bytes(argument).chunks_exact(of.bits() as usize / 8).map(element).collect()
    }

    /// An integer argument.
    pub fn int(&self, argument: usize) -> usize {
        match &self.0.launch.arguments(&self.0.kernel()).unwrap()[argument] {
            Argument::Value(b) if b.len() == 4 => u32::from_le_bytes(b[..].try_into().unwrap()) as usize,
            Argument::Value(b) => u64::from_le_bytes(b[..].try_into().unwrap()) as usize,
            Argument::Buffer(_) => panic!("argument {argument} is a buffer"),
        }
    }

    /// An f32 argument.
    pub fn float(&self, argument: usize) -> f64 {
        match &self.0.launch.arguments(&self.0.kernel()).unwrap()[argument] {
            Argument::Value(b) if number(true, b.len()) == DataType::F32 => {
                f32::from_le_bytes(b[..].try_into().unwrap()).into()
            }
            _ => panic!("argument {argument} is no f32"),
        }
    }
}

pub fn expected(case: &Case) -> Vec<Expected> {
    let g = &Given(case);
    match case.name.as_str() {
        "branch_table" => vec![arrays::branch_table(g)],
        "doubles" => vec![arrays::doubles(g)],
        "stages" => vec![arrays::stages(g)],
        "histogram" => vec![arrays::histogram(g, 1, 4 * g.int(2), 0)],
        "layer_norm" => vec![arrays::layer_norm(g, 2 * g.int(3), 1e-5)],
        "local_arrays" => vec![arrays::local_arrays(g)],
        "matmul" => vec![arrays::product(g, [3, 4, 5], 1e-6)],
        "reduce" => vec![exactly([g.floats(0).iter().sum::<f64>() as f32], f32::to_le_bytes)],
        "scan" => vec![arrays::scan(g, 1024)],
        "softmax" => vec![arrays::softmax(g, g.int(3), 1.0, 2e-6)],
        "tables" => arrays::tables(g).into(),
        "transpose_f32" | "transpose_f64" | "transpose_u8" | "triton_transpose" => {
            vec![arrays::transpose(g, g.int(2), g.int(3))]
        }
        "gemm_mma" => vec![arrays::product(g, [3, 4, 5], 1e-5)],
        "mma_kinds" => warps::mma_kinds(g).into(),
        "last_block" => arrays::last_block(g).into(),
        "warp" => vec![warps::warp(g)],
        "aggregated" => arrays::aggregated(g).into(),
        "integers" => vec![warps::integers(g)],
        "atomics" => arrays::atomics(g).into(),
        "recursion" => vec![warps::recursion(g)],
        "interpreter" => vec![warps::interpreter(g)],
        "half_vectors" => warps::half_vectors(g).into(),
        "stencil" => vec![arrays::stencil(g)],
        "named_barriers" => vec![arrays::named_barriers(g)],
        "barrier" => vec![arrays::barrier(g)],
        "lookback" => arrays::lookback(g).into(),
        "triton_add" => vec![arrays::add(g)],
        "triton_total" => vec![exactly([g.floats(0).iter().sum::<f64>() as f32], f32::to_le_bytes)],
        // one rounding to f16
        "triton_matmul_f16" => vec![arrays::product(g, [3, 4, 5], 1.0 / 2048.0 + 1e-5)],
        // operands of 10 bits
        "triton_matmul_tf32" => vec![arrays::product(g, [3, 4, 5], 5e-3)],
        "triton_scan" => vec![arrays::scan(g, 400)],
        "triton_histogram" => vec![arrays::histogram(g, 1, g.int(2), 2048 - g.int(2))],
        "triton_divide" => vec![arrays::divide(g)],
        "triton_softmax_online" => vec![arrays::softmax(g, g.int(2), g.float(3), 1e-3)],
        "triton_layer_norm" => vec![arrays::layer_norm(g, g.int(3), g.float(4))],
        "triton_matmul_stages" => vec![arrays::product(g, [3, 4, 5], 1e-5)],
        "triton_sort" => arrays::sort(g).into(),
        "triton_attention" => vec![arrays::attention(g, g.int(4), 32)],
        other => panic!("{other}: nothing says what it computes"),
    }
}
