// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from models.h.
use crate::models::progress::{Progress, Watch};
use crate::text::{borrowed, words, Text};
use crate::Result;
use dragoman_sys as sys;
use std::ffi::OsStr;
use std::ops::ControlFlow;

/// How registries are asked and models brought.
#[derive(Clone, Debug)]
pub struct ModelsOptions {
    raw: sys::dragoman_models_options,
    pub(crate) registries: Text,
    pub(crate) progress: Progress,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for ModelsOptions {}
unsafe impl Sync for ModelsOptions {}

impl Default for ModelsOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_models_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_models_options_init_sized(&mut raw, size) };
        ModelsOptions {
            raw,
            registries: Default::default(),
            progress: Default::default(),
        }
    }
}

impl ModelsOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// True: no network; default false, or true where DRAGOMAN_OFFLINE is set.
    #[must_use]
    pub fn offline(mut self, value: bool) -> Self {
        self.raw.offline = value.into();
        self
    }

    /// True: asks for lists even where those that are kept are younger than a day; default false.
    #[must_use]
    pub fn refresh(mut self, value: bool) -> Self {
        self.raw.refresh = value.into();
        self
    }

    /// True: downloads, or shows as it is offered, what is there, too; default false.
    #[must_use]
    pub fn again(mut self, value: bool) -> Self {
        self.raw.again = value.into();
        self
    }

    /// Files that come side by side, 1 to 16; default 4.
    #[must_use]
    pub fn parallel(mut self, value: i32) -> Self {
        self.raw.parallel = value;
        self
    }

    /// Ids with commas between them; default: all.
    #[must_use]
    pub fn registries(mut self, value: impl AsRef<OsStr>) -> Self {
        self.registries = Text::of(value.as_ref());
        self
    }

    /// Told a few times a second how far it is; it may stop the call; default: none.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(&Download) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = crate::watch::Callback(Some(std::sync::Arc::new(value)));
        self
    }

    /// Of the device that is to hold a model, as `DeviceInfo` has it: models whose files are larger come last; 0
    /// (default): not known.
    #[must_use]
    pub fn memory_bytes(mut self, value: u64) -> Self {
        self.raw.memory_bytes = value;
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_models_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.registries = self.registries.pointer("registries")?;
        let watch = Watch::of(&self.progress);
        (raw.progress, raw.user) = (watch.callback(), watch.user());
        let done = call(&raw);
        watch.resume();
        done
    }
}

/// How far a download is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Download {
    /// "firefox:de-en"; "": a registry's list.
    pub model: String,
    /// The file that moved, without its folder.
    pub file: String,
    /// A sentence for people, such as why it waits and how long; "": none.
    pub note: String,
    /// Of all files of the model, with what was there before.
    pub done_bytes: u64,
    /// Of all files; 0: not known.
    pub total_bytes: u64,
}

impl Download {
    pub(crate) unsafe fn of(raw: &sys::dragoman_download) -> Self {
        Download {
            model: borrowed(raw.model).to_owned(),
            file: borrowed(raw.file).to_owned(),
            note: borrowed(raw.note).to_owned(),
            done_bytes: raw.done_bytes,
            total_bytes: raw.total_bytes,
        }
    }
}

/// A published model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PublishedModel {
    /// True: on this machine, at `path`.
    pub installed: bool,
    /// "firefox:de-en".
    pub name: String,
    /// For people.
    pub title: String,
    /// Languages, BCP 47; none: the model says it when it is loaded.
    pub from: Vec<String>,
    /// Likewise.
    pub to: Vec<String>,
    /// Who made it.
    pub publisher: String,
    /// "": not stated.
    pub license: String,
    /// As the registry spells it.
    pub version: String,
    /// Likewise.
    pub architecture: String,
    /// Of `quality`: "comet22", "chrf", "bleu".
    pub metric: String,
    /// What is loaded; "": not on this machine.
    pub path: String,
    /// "dragoman", or the program in whose cache it is: "huggingface"; "": not here.
    pub owner: String,
    /// What the registry wants said before a download.
    pub notice: String,
    /// Where its licence has to be accepted first.
    pub gate: String,
    /// As the registry has it; 0: it has none.
    pub quality: f64,
    /// On this machine, otherwise to download; 0: not known.
    pub bytes: u64,
    /// Its files.
    pub files: Vec<PublishedFile>,
}

impl PublishedModel {
    pub(crate) unsafe fn of(raw: &sys::dragoman_published_model, files: Vec<PublishedFile>) -> Self {
        PublishedModel {
            installed: raw.installed != 0,
            name: borrowed(raw.name).to_owned(),
            title: borrowed(raw.title).to_owned(),
            from: words(borrowed(raw.from)),
            to: words(borrowed(raw.to)),
            publisher: borrowed(raw.publisher).to_owned(),
            license: borrowed(raw.license).to_owned(),
            version: borrowed(raw.version).to_owned(),
            architecture: borrowed(raw.architecture).to_owned(),
            metric: borrowed(raw.metric).to_owned(),
            path: borrowed(raw.path).to_owned(),
            owner: borrowed(raw.owner).to_owned(),
            notice: borrowed(raw.notice).to_owned(),
            gate: borrowed(raw.gate).to_owned(),
            quality: raw.quality,
            bytes: raw.bytes,
            files,
        }
    }
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PublishedFile {
    /// In the model's folder, with '/'.
    pub name: String,
    /// Where it comes from; "": a member of an archive.
    pub url: String,
    /// Of the file on this machine, or of what is downloaded; "": the registry has none.
    pub sha256: String,
    /// On this machine: "published": the registry's hash fitted; "first use": it has none; "converted q8": made here,
    /// see C's `dragoman_models_keep_file()`.
    pub proof: String,
    /// 0: not known.
    pub bytes: u64,
}

impl PublishedFile {
    pub(crate) unsafe fn of(raw: &sys::dragoman_published_file) -> Self {
        PublishedFile {
            name: borrowed(raw.name).to_owned(),
            url: borrowed(raw.url).to_owned(),
            sha256: borrowed(raw.sha256).to_owned(),
            proof: borrowed(raw.proof).to_owned(),
            bytes: raw.bytes,
        }
    }
}

/// A registry.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Registry {
    /// "firefox", what names begin with.
    pub id: String,
    /// For people.
    pub title: String,
    /// Its address.
    pub homepage: String,
    /// Of its models, unless one has its own; "": not stated.
    pub license: String,
    /// Said before a download; "": none.
    pub notice: String,
    /// Its list's address; "": it has none, names are taken as they are.
    pub list_url: String,
    /// The variable that names another host: "DRAGOMAN_MIRROR_FIREFOX".
    pub mirror: String,
    /// Which describes it; "built in".
    pub file: String,
    /// When the list on this machine was fetched: "2026-11-26T10:00:00Z"; "": none is here.
    pub list_time: String,
}

impl Registry {
    pub(crate) unsafe fn of(raw: &sys::dragoman_registry) -> Self {
        Registry {
            id: borrowed(raw.id).to_owned(),
            title: borrowed(raw.title).to_owned(),
            homepage: borrowed(raw.homepage).to_owned(),
            license: borrowed(raw.license).to_owned(),
            notice: borrowed(raw.notice).to_owned(),
            list_url: borrowed(raw.list_url).to_owned(),
            mirror: borrowed(raw.mirror).to_owned(),
            file: borrowed(raw.file).to_owned(),
            list_time: borrowed(raw.list_time).to_owned(),
        }
    }
}
