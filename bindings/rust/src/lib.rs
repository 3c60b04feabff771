// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![warn(missing_docs, missing_debug_implementations)]

mod all;
mod device;
#[cfg(feature = "documents")]
mod documents;
mod error;
mod events;
mod files;
mod job;
mod logs;
mod made;
mod model;
#[cfg(feature = "models")]
pub mod models;
mod owned;
mod result;
mod scores;
mod sentence;
mod stream;
mod terms;
mod text;
mod tools;
mod translator;
mod watch;

pub use all::TranslateAll;
pub use device::{device_memory, devices, Device};
#[cfg(feature = "documents")]
pub use documents::document_format;
pub use dragoman_sys as sys;
pub use error::{Error, Result};
pub use events::Event;
pub use files::File;
pub use job::Job;
pub use logs::{log_nothing_to_stderr, Logger};
#[cfg(feature = "documents")]
pub use made::{document_enums::*, document_options::*};
pub use made::{enums::*, infos::*, options::*};
pub use model::{describe, describe_all, describe_files, describe_languages, Description, Language, Model, TokenList};
pub use result::{Hypothesis, Translation, Translations};
pub use scores::{Score, Scores, Vectors};
pub use sentence::{Match, Sentence, Term};
pub use stream::{NextEvent, Stream};
pub use terms::{Glossary, TranslationMemory};
pub use text::Matrix;
pub use tools::{
    bench, bench_tokens, convert, detect_languages, features, has_feature, split_sentences, version, version_number,
    LanguageGuess,
};
pub use translator::{find_route, Translator};

/// For [`TranslateOptions::attention_head`]: the mean of all heads.
pub const ALL_HEADS: u32 = sys::DRAGOMAN_ALL_HEADS;
