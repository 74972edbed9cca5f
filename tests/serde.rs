//! Layouts and their parts as serde text.

use girih::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(v: &T, text: &str) {
    let json = serde_json::to_string(v).unwrap();
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), v);
}

#[test]
fn values_are_their_text() {
    round_trip(&layout!(((2,2),3):((24,2),8)), "((2,2),3):((24,2),8)");
    round_trip(&Layout::parse("(?M{8},⌈?N/64⌉):(1,64*?lda)").unwrap(), "(?M{8},⌈?N/64⌉):(1,64*?lda)");
    round_trip(&ints!((2, (3, _))), "(2,(3,_))");
    round_trip(&tiler![4:1, _], "<4:1,_>");
    round_trip(&"lane:[1,6] -> offset:8 ^ 1".parse::<LinearLayout>().unwrap(), "lane:[1,6] -> offset:8 ^ 1");
    round_trip(&"S<3,4,3> o 0 o (8,64):(64,1)".parse::<Composed>().unwrap(), "S<3,4,3> o 0 o (8,64):(64,1)");
}

#[test]
fn bad_text_is_an_error_with_the_reason() {
    let e = serde_json::from_str::<Layout>("\"(4,0):(1,4)\"").unwrap_err().to_string();
    assert!(e.contains("extents are at least 1"), "{e}");
    assert!(serde_json::from_str::<Layout>("4").is_err());
}
