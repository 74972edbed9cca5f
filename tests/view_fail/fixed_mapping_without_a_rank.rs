use girih::{prelude::*, view};
fn main() {
    let x = [0; 8];
    let span = TensorSpan::<i32, view::Fixed<LogicalDivide<L<U8, U1>, L<U2, U1>>>, _>::fixed(&x);
}
