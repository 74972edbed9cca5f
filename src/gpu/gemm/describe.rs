//! How the kernel is launched.

use super::skeleton::MOST;
use super::{Gemm, Matrix, Order, Tiling};
use crate::gpu::launch::{Condition, DataType, Expr, Launch, LaunchError, Param, Usage};

impl Gemm {
    /// The launch of the kernel, with so many bytes of shared memory; `declared` if the PTX declares them.
    pub(super) fn describe(
        &self,
        entry: &str,
        tiling: &Tiling,
        bytes: u32,
        declared: bool,
    ) -> Result<Launch, LaunchError> {
        let [a, b, c] = self.matrices();
        let sizes = [("a", a, ["m", "k"]), ("b", b, ["n", "k"]), ("c", c, ["m", "n"])];
        let mut params = Vec::new();
        let mut conditions = Vec::new();
        for (name, matrix, [rows, columns]) in sizes {
            let (lines, line) = if matrix.order == Order::Row { (rows, columns) } else { (columns, rows) };
            let ld = format!("ld{name}");
            let bytes = Expr::from(matrix.bytes() as u64) * Expr::param(lines) * Expr::param(&ld);
            let usage = if name == "c" { Usage::Write } else { Usage::Read };
            params.push(Param::pointer(name, matrix.data_type(), usage).holding(bytes));
            let upper = name.to_uppercase();
            conditions.push(Condition::new(
                &format!("{line} <= {ld}"),
                format!(
                    "{ld} is the distance of {upper}'s {}s, in elements",
                    if matrix.order == Order::Row { "row" } else { "column" }
                ),
            )?);
            conditions.extend(alignment(name, &ld, matrix)?);
        }
        for name in ["m", "n", "k", "lda", "ldb", "ldc"] {
            params.push(Param::number(name, DataType::U32));
            conditions.push(Condition::new(&format!("{name} <= {MOST}"), "cut the problem")?);
        }
        let [m, n, _] = self.tiles(tiling);
        let grid = Expr::param("m").ceil_div(m as u64) * Expr::param("n").ceil_div(n as u64);
        Ok(Launch {
            entry: entry.into(),
            params,
            block: [tiling.threads() as u32, 1, 1],
            static_shared: if declared { bytes } else { 0 },
            dynamic_shared: if declared { 0 } else { bytes },
            grid: [grid, 1.into(), 1.into()],
            conditions,
            ..Launch::default()
        })
    }
}

/// What a matrix' promised alignment asks of the arguments.
fn alignment(name: &str, ld: &str, matrix: &Matrix) -> Result<Vec<Condition>, LaunchError> {
    let (align, elements) = (i64::from(matrix.align), i64::from(matrix.align) / matrix.bytes());
    let advice = format!("or promise less than {align} bytes for {}", name.to_uppercase());
    let mut conditions = vec![Condition::new(&format!("{name} % {align} == 0"), advice.clone())?];
    if elements > 1 {
        conditions.push(Condition::new(&format!("{ld} % {elements} == 0"), advice)?);
    }
    Ok(conditions)
}
