// SPDX-License-Identifier: Apache-2.0
//! Functions that need no translator: versions, sentences, languages, conversion, measurement.
use crate::error::Result;
use crate::made::calls;
use crate::made::options::{BenchOptions, ConvertOptions, ModelOptions, TranslateOptions};
use crate::owned::Owned;
use crate::text::{borrowed, span, Sequences, Strings};
use dragoman_sys as sys;
use std::ops::Range;
use std::path::Path;

/// The version of the library that runs as a number that grows with it: 1.2.3 is 10203.
pub fn version_number() -> u32 {
    calls::version()
}

/// The same as text, "1.0.0".
pub fn version() -> &'static str {
    calls::version_string()
}

/// Whether the library has "format.ctranslate2", "compute.float16", "jobs.partial" ...; false for unknown names.
pub fn has_feature(name: &str) -> bool {
    calls::has_feature(name).unwrap_or(false)
}

/// The names of all features.
pub fn features() -> Vec<&'static str> {
    (0..).map_while(calls::feature_name).collect()
}

/// Finds the sentences of a text, in bytes. `language` is that of the text, "de"; "": unknown. `join_lines`: a line
/// break is a space, and a blank line ends a paragraph; else every line break ends a sentence.
pub fn split_sentences(text: &str, language: &str, join_lines: bool) -> Result<Vec<Range<usize>>> {
    let list = calls::split_sentences(text, language, join_lines)?;
    Ok(calls::range_list_data(&list).iter().map(span).collect())
}

/// A language that a text may be in.
#[derive(Clone, Debug, PartialEq)]
pub struct LanguageGuess {
    /// BCP 47: "de", "zh-Hant".
    pub tag: String,
    /// English name: "German".
    pub name: String,
    /// That the text, or most of it, is in this language; 0 to 1.
    pub probability: f32,
}

/// For each text the languages it may be in, at most three, the most probable first. Needs no model. `expected` names
/// languages that are likelier than others; it excludes none.
pub fn detect_languages<T: AsRef<str>>(texts: &[T], expected: &[&str]) -> Result<Vec<Vec<LanguageGuess>>> {
    let found = calls::detect_languages(&Strings::of(texts), expected.join(",").as_str())?;
    let guess = |text, index| {
        let one = calls::detection_guess(&found, text, index)?;
        // SAFETY: both live as long as `found`.
        let (tag, name) = unsafe { (borrowed(one.tag).to_owned(), borrowed(one.name).to_owned()) };
        Ok(LanguageGuess { tag, name, probability: one.probability })
    };
    let guesses = |text| (0..calls::detection_guess_count(&found, text)).map(|index| guess(text, index)).collect();
    (0..texts.len()).map(guesses).collect()
}

/// Writes a model of any format (`None`: the default model) as one GGUF file with everything it needs, whole or not at
/// all.
pub fn convert(path: Option<&Path>, out_path: impl AsRef<Path>, options: &ConvertOptions) -> Result<()> {
    calls::model_convert(path, out_path.as_ref(), options)
}

pub(crate) fn json(report: Owned<sys::dragoman_report>) -> Result<String> {
    calls::report_json(&report).map(str::to_owned)
}

/// Loads a model (`path` `None`: the default one), translates texts again and again and measures throughput, latency,
/// memory and the device's time by pass: JSON, as docs/bench.md describes it. No texts: random words.
pub fn bench<T: AsRef<str>>(
    path: Option<&Path>,
    texts: &[T],
    model: &ModelOptions,
    options: &TranslateOptions,
    how: &BenchOptions,
) -> Result<String> {
    json(calls::bench_texts(path, model, &Strings::of(texts), options, how)?)
}

/// The same with sequences of source tokens.
pub fn bench_tokens<S: AsRef<[T]>, T: AsRef<str>>(
    path: Option<&Path>,
    sources: &[S],
    model: &ModelOptions,
    options: &TranslateOptions,
    how: &BenchOptions,
) -> Result<String> {
    json(calls::bench_tokens(path, model, &Sequences::of(sources), options, how)?)
}
