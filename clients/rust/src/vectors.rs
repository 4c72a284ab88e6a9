//! The test vectors that all SDKs pass.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The cases of a file in `clients/vectors`.
pub(crate) fn cases(name: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/{name}.json"));
    let cases = serde_json::from_slice::<Vec<Value>>(&fs::read(&file).expect("vectors")).expect("JSON");
    assert!(!cases.is_empty(), "{} has no cases", file.display());
    cases
}
