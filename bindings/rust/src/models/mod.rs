// SPDX-License-Identifier: Apache-2.0
//! Published models by their names, such as `firefox:de-en`: what registries offer, what is on this machine, downloads.
//! docs/models.md has more. With the feature `models`, which links `libdragoman_models`; [`Model::load`](crate::Model::load)
//! takes the name of a model on this machine without it.
pub(crate) mod progress;

pub use crate::made::published::{Download, ModelsOptions, PublishedFile, PublishedModel, Registry};

use crate::error::{check_models, Error, Result};
use crate::owned::Owned;
use crate::text::{borrowed, Text};
use dragoman_sys as sys;
use std::ops::Deref;
use std::os::raw::c_char;
use std::path::{Path, PathBuf};
use std::vec;

/// Models that a call found: a slice of them, which can be taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Models {
    models: Vec<PublishedModel>,
    problems: Vec<String>,
}

impl Models {
    /// What kept the list from being whole: a registry that cannot be reached, a folder that is no model.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    fn made(call: impl FnOnce(*mut *mut sys::dragoman_model_list) -> i32) -> Result<Self> {
        let list = Owned::models_made(call)?;
        let raw = list.pointer();
        // SAFETY: indices below the counts, and all is copied before the list ends.
        unsafe {
            let model = |index| {
                let model = &*sys::dragoman_model_list_get(raw, index);
                let file = |file| PublishedFile::of(&*sys::dragoman_model_list_file(raw, index, file));
                PublishedModel::of(model, (0..model.file_count).map(file).collect())
            };
            let models = (0..sys::dragoman_model_list_count(raw)).map(model).collect();
            let problems = borrowed(sys::dragoman_model_list_problems(raw));
            Ok(Models { models, problems: problems.lines().map(str::to_owned).collect() })
        }
    }

    fn one(self, name: &str) -> Result<PublishedModel> {
        self.into_iter().next().ok_or_else(|| Error::Internal(format!("{name}: expected a model, got none")))
    }
}

impl Deref for Models {
    type Target = [PublishedModel];
    fn deref(&self) -> &Self::Target {
        &self.models
    }
}

impl IntoIterator for Models {
    type Item = PublishedModel;
    type IntoIter = vec::IntoIter<PublishedModel>;
    fn into_iter(self) -> Self::IntoIter {
        self.models.into_iter()
    }
}

impl<'a> IntoIterator for &'a Models {
    type Item = &'a PublishedModel;
    type IntoIter = std::slice::Iter<'a, PublishedModel>;
    fn into_iter(self) -> Self::IntoIter {
        self.models.iter()
    }
}

fn with_text<R>(name: &str, text: &str, call: impl FnOnce(*const c_char) -> Result<R>) -> Result<R> {
    let text = Text::from(text);
    call(text.pointer(name)?)
}

fn with_languages<R>(from: &str, to: &str, call: impl FnOnce(*const c_char, *const c_char) -> Result<R>) -> Result<R> {
    with_text("from", from, |from| with_text("to", to, |to| call(from, to)))
}

/// The models on this machine: those that were downloaded, and those in the caches of other programs, which are only read.
pub fn list() -> Result<Models> {
    Models::made(|made| unsafe { sys::dragoman_models_installed(made) })
}

/// The models that registries offer for two languages, the best first; `""`: any language. Waits for the network.
pub fn search(from: &str, to: &str, options: &ModelsOptions) -> Result<Models> {
    with_languages(from, to, |from, to| {
        options.with(|how| Models::made(|made| unsafe { sys::dragoman_models_search(from, to, how, made) }))
    })
}

/// The models on this machine that lead from one language to another: one, two over a pivot, or none.
pub fn installed_route(from: &str, to: &str) -> Result<Models> {
    with_languages(from, to, |from, to| {
        Models::made(|made| unsafe { sys::dragoman_models_installed_route(from, to, made) })
    })
}

/// The models to load for two languages: those on this machine where there are some, otherwise the best that registries
/// offer, which are yet to be downloaded. Empty: none leads there.
pub fn route(from: &str, to: &str, options: &ModelsOptions) -> Result<Models> {
    with_languages(from, to, |from, to| {
        options.with(|how| Models::made(|made| unsafe { sys::dragoman_models_route(from, to, how, made) }))
    })
}

/// One model by its name: as it is on this machine, otherwise as its registry offers it.
pub fn show(name: &str, options: &ModelsOptions) -> Result<PublishedModel> {
    let found = with_text("name", name, |text| {
        options.with(|how| Models::made(|made| unsafe { sys::dragoman_models_show(text, how, made) }))
    });
    found?.one(name)
}

/// Brings a model to this machine, and gives it as it is there. What is there is not brought again; a download that was
/// stopped in any way goes on.
pub fn download(name: &str, options: &ModelsOptions) -> Result<PublishedModel> {
    let found = with_text("name", name, |text| {
        options.with(|how| Models::made(|made| unsafe { sys::dragoman_models_download(text, how, made) }))
    });
    found?.one(name)
}

/// Reads the files of a downloaded model again. [`BadModel`](Error::BadModel) names each file that differs.
pub fn verify(name: &str, options: &ModelsOptions) -> Result<()> {
    with_text("name", name, |name| options.with(|how| check_models(unsafe { sys::dragoman_models_verify(name, how) })))
}

/// Keeps one file instead of the files of a downloaded model: a GGUF file that [`convert`](crate::convert) made of it.
pub fn keep_file(name: &str, file: impl AsRef<Path>, options: &ModelsOptions) -> Result<()> {
    let file = Text::from(file.as_ref());
    let file = file.pointer("file")?;
    with_text("name", name, |name| {
        options.with(|how| check_models(unsafe { sys::dragoman_models_keep_file(name, file, how) }))
    })
}

/// Removes a downloaded model.
pub fn remove(name: &str) -> Result<()> {
    with_text("name", name, |name| check_models(unsafe { sys::dragoman_models_remove(name) }))
}

/// Removes parts of downloads that were not gone on with for so many days, and gives how many bytes they had.
pub fn clean(days: f64) -> Result<u64> {
    let mut bytes = 0;
    check_models(unsafe { sys::dragoman_models_clean(days, &mut bytes) })?;
    Ok(bytes)
}

/// The folder that downloaded models lie in, whether it is there or not; `None`: the system does not say.
pub fn folder() -> Option<PathBuf> {
    // SAFETY: valid until this thread's next call.
    let folder = unsafe { borrowed(sys::dragoman_models_folder()) };
    (!folder.is_empty()).then(|| folder.into())
}

/// The registries that are known, those of the user's folder too.
pub fn registries() -> Result<Vec<Registry>> {
    let list = Owned::models_made(|made| unsafe { sys::dragoman_registries(made) })?;
    let raw = list.pointer();
    // SAFETY: indices below the count, and all is copied before the list ends.
    let registry = |index| unsafe { Registry::of(&*sys::dragoman_registry_list_get(raw, index)) };
    Ok((0..unsafe { sys::dragoman_registry_list_count(raw) }).map(registry).collect())
}
