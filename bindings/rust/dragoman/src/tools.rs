// SPDX-License-Identifier: Apache-2.0
//! What needs no translator: versions, sentences, languages, conversion, measurement.
use crate::error::{check, Result};
use crate::made::options::{BenchOptions, ConvertOptions, ModelOptions, TranslateOptions};
use crate::owned::{get, read, Owned};
use crate::text::{borrowed, pointer_of, slice, span, string, view, with_text, Sequences, Strings, Text};
use dragoman_sys as sys;
use std::ops::Range;
use std::path::Path;

/// The version of the library that runs as a number that grows with it: 1.2.3 is 10203.
pub fn version_number() -> u32 {
    unsafe { sys::dragoman_version() }
}

/// The same as text, "1.0.0".
pub fn version() -> &'static str {
    unsafe { borrowed(sys::dragoman_version_string()) }
}

/// Whether the library has "format.ctranslate2", "compute.float16", "jobs.partial" ...; false for unknown names.
pub fn has_feature(name: &str) -> bool {
    with_text("name", name, |name| Ok(unsafe { sys::dragoman_has_feature(name) } != 0)).unwrap_or(false)
}

/// The names of all features.
pub fn features() -> Vec<&'static str> {
    let name = |index| unsafe { sys::dragoman_feature_name(index) };
    (0..).map(name).take_while(|name| !name.is_null()).map(|name| unsafe { borrowed(name) }).collect()
}

/// Finds the sentences of a text, in bytes. `language` is that of the text, "de"; "": unknown. `join_lines`: a line
/// break is a space, and a blank line ends a paragraph; else every line break ends a sentence.
pub fn split_sentences(text: &str, language: &str, join_lines: bool) -> Result<Vec<Range<usize>>> {
    let given = view(text);
    let list = with_text("language", language, |language| {
        Owned::made(|list| unsafe { sys::dragoman_split_sentences(&given, language, join_lines.into(), list) })
    })?;
    let pointer = list.pointer();
    // SAFETY: the list lives until the end of this function.
    let ranges = unsafe { slice(sys::dragoman_range_list_data(pointer), sys::dragoman_range_list_count(pointer)) };
    Ok(ranges.iter().map(span).collect())
}

/// A language that a text may be in.
#[derive(Clone, Debug, PartialEq)]
pub struct LanguageGuess {
    /// BCP 47: "de", "zh-Hant".
    pub tag: String,
    /// In English: "German".
    pub name: String,
    /// That the text, or most of it, is in this language; 0 to 1.
    pub probability: f32,
}

/// For each text the languages it may be in, at most three, the most probable first. Needs no model. `expected` names
/// languages that are likelier than others; it excludes none.
pub fn detect_languages<T: AsRef<str>>(texts: &[T], expected: &[&str]) -> Result<Vec<Vec<LanguageGuess>>> {
    let given = Strings::of(texts);
    let (data, count) = (pointer_of(&given), given.len());
    let found = with_text("expected", &expected.join(","), |expected| {
        Owned::made(|found| unsafe { sys::dragoman_detect_languages(data, count, expected, found) })
    })?;
    let guess = |text, index| unsafe {
        let one = get(|one| sys::dragoman_detection_guess(found.pointer(), text, index, one));
        let (tag, name) = (borrowed(one.tag).to_owned(), borrowed(one.name).to_owned());
        LanguageGuess { tag, name, probability: one.probability }
    };
    let guesses = |text| {
        let count = unsafe { sys::dragoman_detection_guess_count(found.pointer(), text) };
        (0..count).map(|index| guess(text, index)).collect()
    };
    Ok((0..count).map(guesses).collect())
}

/// Writes a model of any format (`None`: the default model) as one GGUF file with everything it needs, whole or not at
/// all.
pub fn convert(path: Option<&Path>, out_path: impl AsRef<Path>, options: &ConvertOptions) -> Result<()> {
    let (path, out_path) = (Text::of_path(path), Text::of_path(Some(out_path.as_ref())));
    let (from, to) = (path.pointer("path")?, out_path.pointer("out_path")?);
    options.with(|raw| check(unsafe { sys::dragoman_model_convert(from, to, raw) }))
}

/// The JSON of a report.
pub(crate) fn report(make: impl FnOnce(*mut *mut sys::dragoman_report) -> i32) -> Result<String> {
    let made = Owned::made(make)?;
    Ok(unsafe { string(read(|json| sys::dragoman_report_json(made.pointer(), json))?) }.to_owned())
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
    let (path, given) = (Text::of_path(path), Strings::of(texts));
    let (name, data, count) = (path.pointer("path")?, pointer_of(&given), given.len());
    model.with(|model| {
        options.with(|raw| {
            how.with(|how| {
                report(|made| unsafe { sys::dragoman_bench_texts(name, model, data, count, raw, how, made) })
            })
        })
    })
}

/// The same with sequences of source tokens.
pub fn bench_tokens<S: AsRef<[T]>, T: AsRef<str>>(
    path: Option<&Path>,
    sources: &[S],
    model: &ModelOptions,
    options: &TranslateOptions,
    how: &BenchOptions,
) -> Result<String> {
    let (path, given) = (Text::of_path(path), Sequences::of(sources));
    let (name, data, count) = (path.pointer("path")?, pointer_of(&given), given.len());
    model.with(|model| {
        options.with(|raw| {
            how.with(|how| {
                report(|made| unsafe { sys::dragoman_bench_tokens(name, model, data, count, raw, how, made) })
            })
        })
    })
}
