// SPDX-License-Identifier: Apache-2.0
#![allow(dead_code)] // each test uses a part of it
pub mod json;
#[cfg(feature = "models")]
pub mod played;

use dragoman::{ComputeType, Model, ModelOptions, TranslateOptions, Translator};
use std::path::{Path, PathBuf};

pub const TEXT: &str = "batin kétiß kénara késora banara!";
pub const TRANSLATION: &str = "fopiй Gasa Gakuй Gakux foй!";

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").canonicalize().unwrap().join(name)
}

pub fn text_model() -> PathBuf {
    data("huggingface/shared")
}

pub fn token_model() -> PathBuf {
    data("aren-transliteration")
}

pub fn exact() -> ModelOptions {
    ModelOptions::new().compute_type(ComputeType::F32)
}

pub fn translator() -> Translator {
    Translator::new(&Model::load(text_model(), &exact()).unwrap()).unwrap()
}

pub fn options() -> TranslateOptions {
    TranslateOptions::new().target_language("xx").raw(true)
}

/// Texts that take a while.
pub fn many() -> Vec<String> {
    (0..400).map(|place| format!("batin kétiß. {}", "kén ".repeat(place % 50))).collect()
}

/// A file or folder of its own, gone at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Self {
        Place(std::env::temp_dir().join(format!("dragoman-{}-{name}", std::process::id())))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
