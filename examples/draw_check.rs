use girih::layout::draw::{Background, Color};
use girih::prelude::*;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).unwrap();
    let put = |n: &str, d: Drawing| std::fs::write(format!("{dir}/{n}.svg"), d.svg()).unwrap();
    put("a_6_2", Drawing::of(&layout!((6,2):(8,2)))?);
    put("b_8_8", Drawing::of(&layout!((8,8):(8,1)))?);
    put("c_nested", Drawing::of(&layout!((4,(2,4)):(2,(1,8))))?);
    put("c2_nested", Drawing::of(&layout!(((2,2),(2,(2,2))):((1,4),(2,(8,16)))))?.background(Background::Dark));
    put("d_64", Drawing::of(&layout!((16,64):(64,1)))?);
    put("d_64x64", Drawing::of(&layout!((64,64):(64,1)))?.background(Background::Dark));
    put(
        "e_tv",
        Drawing::tv(&layout!(((4,8),(2,2)):((32,1),(16,8))), &ints!((16, 8)))?
            .title("m16n8 C fragment: ((4,8),(2,2)):((32,1),(16,8))"),
    );
    put(
        "e_tv_dark",
        Drawing::tv(&layout!(((4,8),(2,2)):((32,1),(16,8))), &ints!((16, 8)))?.background(Background::Dark),
    );
    put("e_tv_val", Drawing::tv(&layout!(((4,8),(2,2,2)):((32,1),(16,8,128))), &ints!((16, 16)))?.color(Color::Value));
    put("f_banks", Drawing::banks(&layout!((32,32):(32,1)), 4, 4)?);
    put("f_banks33", Drawing::banks(&layout!((32,32):(33,1)), 4, 4)?);
    let sw = (ints!((8, 64)), |i: i64| {
        let o = (i % 8) * 64 + i / 8;
        o ^ ((o >> 3) & 0b111000)
    });
    put("g_swz", Drawing::banks(&sw, 2, 16)?.title("S<3,3,3> o (8,64):(64,1), halves, ldmatrix rows"));
    put("g_swz_off", Drawing::of(&sw)?.title("S<3,3,3> o (8,64):(64,1)"));
    put("g_plain", Drawing::banks(&layout!((8,64):(64,1)), 2, 16)?.background(Background::Dark));
    put("h_rank3", Drawing::of(&layout!((4,4,(2,3)):(4,1,(16,32))))?);
    put("i_rank1", Drawing::of(&layout!(((2,4)):((4,1))))?);
    put("j_id", Drawing::of(&Layout::identity(&ints!((8, 8)))?)?);
    put("k_tile", Drawing::of(&layout!(((4,4),(2,4)):((8,32),(1,2))))?.color(Color::Tile));
    put("l_wide", Drawing::of(&layout!((8,256):(256,1)))?);
    put("m_partial", Drawing::tv(&layout!((4,(2,2)):(1,(8,0))), &ints!((8, 4)))?);
    put("n_tv128", Drawing::tv(&layout!(((4,8,4),(2,2,8)):((128,1,16),(64,8,512))), &ints!((64, 64)))?);
    put("o_8b", Drawing::banks(&layout!((32,8):(8,1)), 4, 8)?);
    std::fs::write(
        format!("{dir}/tv.tex"),
        Drawing::tv(&layout!(((4,8),(2,2)):((32,1),(16,8))), &ints!((16, 8)))?.latex(),
    )?;
    std::fs::write(format!("{dir}/bank.tex"), Drawing::banks(&layout!((8,16):(16,1)), 2, 16)?.latex())?;
    std::fs::write(format!("{dir}/nest.tex"), layout!(((2,2),(2,(2,2)),2):((1,4),(2,(8,16)),64)).latex()?)?;
    println!("{}", layout!((4,(2,4)):(2,(1,8))).table()?);
    println!("{}", layout!(((2,2),(2,2),2):((1,4),(2,8),16)).table()?);
    println!("{}", Layout::identity(&ints!((2, 3)))?.table()?);
    Ok(())
}
