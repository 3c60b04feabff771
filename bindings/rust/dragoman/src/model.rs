// SPDX-License-Identifier: Apache-2.0
use crate::embed::Vectors;
use crate::error::Result;
use crate::files::{File, Files};
use crate::made::enums::Side;
use crate::made::infos::{DeviceInfo, DeviceMemory, ModelInfo};
use crate::made::options::{EmbedOptions, ModelOptions};
use crate::owned::{get, read, Owned};
use crate::text::{borrowed, pointer_of, slice, spans, string, tokens, Sequences, Strings, Text};
use dragoman_sys as sys;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A model on a device: weights and vocabularies. Any number of threads and translators share it; a clone is the same
/// model.
#[derive(Clone, Debug)]
pub struct Model(Arc<Owned<sys::dragoman_model>>);

impl Model {
    /// Reads a model, a folder, a zip archive or a GGUF file, and puts its weights on a device.
    pub fn load(path: impl AsRef<Path>, options: &ModelOptions) -> Result<Self> {
        Self::load_at(Some(path.as_ref()), options)
    }

    /// The model that `DRAGOMAN_MODEL` names in the environment, else the one that comes with the library.
    pub fn load_default(options: &ModelOptions) -> Result<Self> {
        Self::load_at(None, options)
    }

    fn load_at(path: Option<&Path>, options: &ModelOptions) -> Result<Self> {
        let path = Text::of_path(path);
        let name = path.pointer("path")?;
        let load = |raw: &_| Owned::made(|model| unsafe { sys::dragoman_model_load(name, raw, model) });
        Ok(Model(Arc::new(options.with(load)?)))
    }

    /// Loads a model from files that need not be in the file system: those of its folder, or one that is a model by
    /// itself. Nothing of them is needed after the return.
    pub fn from_files(files: Vec<File<'_>>, options: &ModelOptions) -> Result<Self> {
        let mut files = Files::of(files)?;
        let load = |data, count| {
            options.with(|raw| Owned::made(|model| unsafe { sys::dragoman_model_load_files(data, count, raw, model) }))
        };
        Ok(Model(Arc::new(files.with(load)?)))
    }

    /// What it is.
    pub fn info(&self) -> Result<ModelInfo> {
        Ok(ModelInfo::of(&read(|info| unsafe { sys::dragoman_model_get_info(self.pointer(), info) })?))
    }

    /// The device it is on.
    pub fn device(&self) -> Result<DeviceInfo> {
        Ok(DeviceInfo::of(&read(|info| unsafe { sys::dragoman_model_device(self.pointer(), info) })?))
    }

    /// Memory of that device, and what everything on it holds, other models included.
    pub fn memory(&self) -> Result<DeviceMemory> {
        Ok(DeviceMemory::of(&read(|info| unsafe { sys::dragoman_model_memory(self.pointer(), info) })?))
    }

    /// The languages it translates from or to; none if its files do not name them.
    pub fn languages(&self, side: Side) -> Result<Vec<Language>> {
        languages(|list| unsafe { sys::dragoman_model_languages(self.pointer(), side as i32, list) })
    }

    /// Cuts each text, as one sentence, into the model's tokens.
    pub fn tokenize<T: AsRef<str>>(&self, texts: &[T], side: Side) -> Result<Vec<TokenList>> {
        let given = Strings::of(texts);
        let (data, count) = (pointer_of(&given), given.len());
        let lists =
            Owned::made(|made| unsafe { sys::dragoman_tokenize(self.pointer(), side as i32, data, count, made) })?;
        let pointer = lists.pointer();
        let list = |index| unsafe {
            TokenList {
                tokens: owned_tokens(get(|out| sys::dragoman_token_lists_get(pointer, index, out))),
                ranges: spans(get(|out| sys::dragoman_token_lists_ranges(pointer, index, out))),
            }
        };
        Ok((0..unsafe { sys::dragoman_token_lists_count(pointer) }).map(list).collect())
    }

    /// Joins each sequence of tokens into a text. Tokens that control the model are left out.
    pub fn detokenize<S: AsRef<[T]>, T: AsRef<str>>(&self, sequences: &[S], side: Side) -> Result<Vec<String>> {
        let given = Sequences::of(sequences);
        let (data, count) = (pointer_of(&given), given.len());
        let texts =
            Owned::made(|made| unsafe { sys::dragoman_detokenize(self.pointer(), side as i32, data, count, made) })?;
        let pointer = texts.pointer();
        let text = |index| unsafe { string(get(|out| sys::dragoman_text_list_get(pointer, index, out))).to_owned() };
        Ok((0..unsafe { sys::dragoman_text_list_count(pointer) }).map(text).collect())
    }

    /// Vectors of texts, by its encoder. Each text is one sequence.
    pub fn embed<T: AsRef<str>>(&self, texts: &[T], options: &EmbedOptions) -> Result<Vectors> {
        let given = Strings::of(texts);
        let (data, count) = (pointer_of(&given), given.len());
        options.with(|raw| {
            Owned::made(|made| unsafe { sys::dragoman_embed_texts(self.pointer(), data, count, raw, made) })
                .map(Vectors::of)
        })
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_model {
        self.0.pointer()
    }
}

/// The tokens of a text, and what of it each stands for, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenList {
    /// As the model's vocabulary spells them.
    pub tokens: Vec<String>,
    /// In order; empty for a token that stands for nothing there.
    pub ranges: Vec<Range<usize>>,
}

pub(crate) unsafe fn owned_tokens(raw: sys::dragoman_tokens) -> Vec<String> {
    tokens(raw).into_iter().map(str::to_owned).collect()
}

/// A language of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// BCP 47: "de", "pt-BR"; "und" for a code that belongs to no standard.
    pub tag: String,
    /// As the model's files spell it, "deu_Latn".
    pub code: String,
    /// In English, "German"; the code where there is none.
    pub name: String,
}

fn languages(make: impl FnOnce(*mut *mut sys::dragoman_language_list) -> i32) -> Result<Vec<Language>> {
    let list = Owned::made(make)?;
    let text = |text| unsafe { borrowed(text) }.to_owned();
    let language =
        |one: &sys::dragoman_language| Language { tag: text(one.tag), code: text(one.code), name: text(one.name) };
    let pointer = list.pointer();
    // SAFETY: the list lives until the end of this function.
    let all = unsafe { slice(sys::dragoman_language_list_data(pointer), sys::dragoman_language_list_count(pointer)) };
    Ok(all.iter().map(language).collect())
}

/// Describes a model from its files alone, without a device; `None`: the default model.
pub fn describe(path: Option<&Path>) -> Result<ModelInfo> {
    let path = Text::of_path(path);
    let name = path.pointer("path")?;
    Ok(ModelInfo::of(&read(|info| unsafe { sys::dragoman_model_describe(name, info) })?))
}

/// Likewise the languages that a model translates from or to.
pub fn describe_languages(path: Option<&Path>, side: Side) -> Result<Vec<Language>> {
    let path = Text::of_path(path);
    let name = path.pointer("path")?;
    languages(|list| unsafe { sys::dragoman_model_describe_languages(name, side as i32, list) })
}

/// [`describe`] for files as in [`Model::from_files`].
pub fn describe_files(files: Vec<File<'_>>) -> Result<ModelInfo> {
    let describe = |data, count| read(|info| unsafe { sys::dragoman_model_describe_files(data, count, info) });
    Ok(ModelInfo::of(&Files::of(files)?.with(describe)?))
}
