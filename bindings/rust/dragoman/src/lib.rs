// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../../README.md")]
#![warn(missing_docs, missing_debug_implementations)]

mod all;
mod device;
#[cfg(feature = "documents")]
mod documents;
mod embed;
mod error;
mod events;
mod files;
mod glossary;
mod job;
mod logs;
mod made;
mod memory;
mod model;
mod owned;
mod result;
mod score;
mod sentence;
mod stream;
mod text;
mod tools;
mod translator;
mod watch;

pub use all::TranslateAll;
pub use device::{device_memory, devices, Device};
#[cfg(feature = "documents")]
pub use documents::{DocumentFormat, DocumentOptions};
pub use dragoman_sys as sys;
pub use embed::Vectors;
pub use error::{Error, Result};
pub use events::Event;
pub use files::File;
pub use glossary::Glossary;
pub use job::{Job, JobOptions};
pub use logs::{log_nothing_to_stderr, Logger};
pub use made::enums::*;
pub use made::infos::*;
pub use made::options::*;
pub use memory::TranslationMemory;
pub use model::{describe, describe_files, describe_languages, Language, Model, TokenList};
pub use result::{Hypothesis, Translation, Translations, TranslationsIter};
pub use score::{Score, Scores};
pub use sentence::{Match, Sentence, Term};
pub use stream::{NextEvent, Stream};
pub use text::Matrix;
pub use tools::{
    bench, bench_tokens, convert, detect_languages, features, has_feature, split_sentences, version, version_number,
    LanguageGuess,
};
pub use translator::{find_route, Translator};

/// For [`TranslateOptions::attention_head`]: the mean of all heads.
pub const ALL_HEADS: u32 = sys::DRAGOMAN_ALL_HEADS;
