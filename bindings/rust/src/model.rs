// SPDX-License-Identifier: Apache-2.0
use crate::error::Result;
use crate::files::{with_files, File};
use crate::made::calls;
use crate::made::enums::Side;
use crate::made::infos::{DeviceInfo, DeviceMemory, ModelInfo};
use crate::made::options::{EmbedOptions, ModelOptions};
use crate::owned::Owned;
use crate::scores::Vectors;
use crate::text::{borrowed, Sequences, Strings, Text};
use dragoman_sys as sys;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A model on a device: weights and vocabularies. Any number of threads and translators share it; a clone is the same
/// model.
#[derive(Clone, Debug)]
pub struct Model(pub(crate) Arc<Owned<sys::dragoman_model>>);

impl Model {
    /// Reads a model, a folder, a zip archive or a GGUF file, and puts its weights on a device.
    pub fn load(path: impl AsRef<Path>, options: &ModelOptions) -> Result<Self> {
        Ok(Model(Arc::new(calls::model_load(path.as_ref(), options)?)))
    }

    /// The model that `DRAGOMAN_MODEL` names in the environment, else the one that comes with the library.
    pub fn load_default(options: &ModelOptions) -> Result<Self> {
        Ok(Model(Arc::new(calls::model_load(None, options)?)))
    }

    /// Loads a model from files that need not be in the file system: those of its folder, or one that is a model by
    /// itself. Nothing of them is needed after the return.
    pub fn from_files(files: Vec<File<'_>>, options: &ModelOptions) -> Result<Self> {
        Ok(Model(Arc::new(with_files(files, |files| calls::model_load_files(files, options))?)))
    }

    /// Facts about the model.
    pub fn info(&self) -> Result<ModelInfo> {
        calls::model_get_info(&self.0)
    }

    /// The device it is on.
    pub fn device(&self) -> Result<DeviceInfo> {
        calls::model_device(&self.0)
    }

    /// Memory of that device, and what everything on it holds, other models included.
    pub fn memory(&self) -> Result<DeviceMemory> {
        calls::model_memory(&self.0)
    }

    /// The languages it translates from or to; none if its files do not name them.
    pub fn languages(&self, side: Side) -> Result<Vec<Language>> {
        Ok(languages(calls::model_languages(&self.0, side)?))
    }

    /// Cuts each text, as one sentence, into the model's tokens.
    pub fn tokenize<T: AsRef<str>>(&self, texts: &[T], side: Side) -> Result<Vec<TokenList>> {
        let lists = calls::tokenize(&self.0, side, &Strings::of(texts))?;
        let list = |index| {
            let tokens = calls::token_lists_get(&lists, index)?.into_iter().map(str::to_owned).collect();
            Ok(TokenList { tokens, ranges: calls::token_lists_ranges(&lists, index)? })
        };
        (0..calls::token_lists_count(&lists)).map(list).collect()
    }

    /// Joins each sequence of tokens into a text. Tokens that control the model are left out.
    pub fn detokenize<S: AsRef<[T]>, T: AsRef<str>>(&self, sequences: &[S], side: Side) -> Result<Vec<String>> {
        let texts = calls::detokenize(&self.0, side, &Sequences::of(sequences))?;
        let text = |index| calls::text_list_get(&texts, index).map(str::to_owned);
        (0..calls::text_list_count(&texts)).map(text).collect()
    }

    /// Whether its vocabulary of a side has a token; for one that it has not, the model takes its unknown token.
    pub fn has_token(&self, token: &str, side: Side) -> Result<bool> {
        Ok(calls::model_has_token(&self.0, side, token)? != 0)
    }

    /// Vectors of texts, by its encoder. Each text is one sequence.
    pub fn embed<T: AsRef<str>>(&self, texts: &[T], options: &EmbedOptions) -> Result<Vectors> {
        calls::embed_texts(&self.0, &Strings::of(texts), options).map(Vectors)
    }
}

/// The tokens of a text, and what of it each stands for, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenList {
    /// Spelt as in the model's vocabulary.
    pub tokens: Vec<String>,
    /// In order; empty for a token that stands for nothing there.
    pub ranges: Vec<Range<usize>>,
}

/// A language of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// BCP 47: "de", "pt-BR"; "und" for a code that belongs to no standard.
    pub tag: String,
    /// Spelt as in the model's files, "deu_Latn".
    pub code: String,
    /// English name, "German"; the code where there is none.
    pub name: String,
}

fn languages(list: Owned<sys::dragoman_language_list>) -> Vec<Language> {
    // SAFETY: the list lives until the end of this function.
    let text = |text| unsafe { borrowed(text) }.to_owned();
    let language =
        |one: &sys::dragoman_language| Language { tag: text(one.tag), code: text(one.code), name: text(one.name) };
    calls::language_list_data(&list).iter().map(language).collect()
}

/// Describes a model from its files alone, without a device; `None`: the default model.
pub fn describe(path: Option<&Path>) -> Result<ModelInfo> {
    calls::model_describe(path)
}

/// The same for the languages that a model translates from or to.
pub fn describe_languages(path: Option<&Path>, side: Side) -> Result<Vec<Language>> {
    Ok(languages(calls::model_describe_languages(path, side)?))
}

/// What [`describe_all`] finds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// Facts about the model.
    pub info: ModelInfo,
    /// The languages that it translates from.
    pub source_languages: Vec<Language>,
    /// And to.
    pub target_languages: Vec<Language>,
}

/// [`describe`] and [`describe_languages`] of both sides, while the files are read once.
pub fn describe_all(path: Option<&Path>) -> Result<Description> {
    let (path, mut info, mut targets) = (Text::from(path), sys::dragoman_model_info::default(), std::ptr::null_mut());
    let path = path.pointer("path")?;
    let call = |sources| unsafe { sys::dragoman_model_describe_all(path, &mut info, sources, &mut targets) };
    let sources = languages(Owned::made(call)?);
    // SAFETY: the library gives both lists or none, and `made` is a place for one.
    let targets = Owned::made(|made| {
        unsafe { *made = targets };
        sys::DRAGOMAN_OK
    })?;
    Ok(Description { info: ModelInfo::of(&info), source_languages: sources, target_languages: languages(targets) })
}

/// [`describe`] for files as in [`Model::from_files`].
pub fn describe_files(files: Vec<File<'_>>) -> Result<ModelInfo> {
    with_files(files, calls::model_describe_files)
}
