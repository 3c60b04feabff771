// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from models.h.
use crate::bindings::*;
use std::marker::{PhantomData, PhantomPinned};
use std::mem;
use std::os::raw::{c_char, c_void};


/// Told a few times a second. Returns 0 to go on, anything else to stop: the call ends with DRAGOMAN_CANCELLED, and
/// the next one goes on where it stopped. Runs on the thread of the call.
pub type dragoman_download_fn = Option<unsafe extern "C" fn(
    progress: *const dragoman_download,
    user: *mut c_void,
) -> i32>;

/// Models that a call found, with all strings in them. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_model_list {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Registries that are known. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_registry_list {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// How far a download is. Lives until the callback returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_download {
    /// of the library: fields beyond it are not there
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// "firefox:de-en"; "": a registry's list
    pub model: *const c_char,
    /// the file that moved, without its folder
    pub file: *const c_char,
    /// a sentence for people, such as why it waits and how long; "": none
    pub note: *const c_char,
    /// of all files of the model, with what was there before
    pub done_bytes: u64,
    /// of all files; 0: not known
    pub total_bytes: u64,
}

impl Default for dragoman_download {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How registries are asked and models brought.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_models_options {
    /// bytes of this struct, set by dragoman_models_options_init()
    pub struct_size: u32,
    /// 1: no network; default 0, or true where DRAGOMAN_OFFLINE is set
    pub offline: i32,
    /// 1: asks for lists even where those that are kept are younger than a day; default 0
    pub refresh: i32,
    /// 1: downloads, or shows as it is offered, what is there, too; default 0
    pub again: i32,
    /// files that come side by side, 1 to 16; default 4
    pub parallel: i32,
    /// 0
    pub reserved: u32,
    /// ids with commas between them; NULL (default): all
    pub registries: *const c_char,
    /// Told a few times a second how far it is; it may stop the call; default: none
    pub progress: dragoman_download_fn,
    /// for progress
    pub user: *mut c_void,
    /// of the device that is to hold a model, as dragoman_device_info has it: models whose files are larger come last;
    /// 0 (default): not known
    pub memory_bytes: u64,
}

impl Default for dragoman_models_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A published model. Borrowed from its list; no string is NULL, and "" stands for what is not known.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_published_model {
    /// of the library: fields beyond it are not there
    pub struct_size: u32,
    /// 1: on this machine, at `path`
    pub installed: i32,
    /// "firefox:de-en"
    pub name: *const c_char,
    /// for people
    pub title: *const c_char,
    /// languages, BCP 47 with commas between them; "": the model says it when it is loaded
    pub from: *const c_char,
    /// likewise
    pub to: *const c_char,
    /// who made it
    pub publisher: *const c_char,
    /// "": not stated
    pub license: *const c_char,
    /// as the registry spells it
    pub version: *const c_char,
    /// likewise
    pub architecture: *const c_char,
    /// of `quality`: "comet22", "chrf", "bleu"
    pub metric: *const c_char,
    /// what is loaded; "": not on this machine
    pub path: *const c_char,
    /// "dragoman", or the program in whose cache it is: "huggingface"; "": not here
    pub owner: *const c_char,
    /// what the registry wants said before a download
    pub notice: *const c_char,
    /// where its licence has to be accepted first
    pub gate: *const c_char,
    /// as the registry has it; 0: it has none
    pub quality: f64,
    /// on this machine, otherwise to download; 0: not known
    pub bytes: u64,
    /// files that dragoman_model_list_file() has
    pub file_count: usize,
}

impl Default for dragoman_published_model {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A file of a model. Borrowed from its list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_published_file {
    /// of the library: fields beyond it are not there
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// in the model's folder, with '/'
    pub name: *const c_char,
    /// where it comes from; "": a member of an archive
    pub url: *const c_char,
    /// of the file on this machine, or of what is downloaded; "": the registry has none
    pub sha256: *const c_char,
    /// on this machine: "published": the registry's hash fitted; "first use": it has none; "converted q8": made here,
    /// see dragoman_models_keep_file()
    pub proof: *const c_char,
    /// 0: not known
    pub bytes: u64,
}

impl Default for dragoman_published_file {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A registry. Borrowed from its list; no string is NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_registry {
    /// of the library: fields beyond it are not there
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// "firefox", what names begin with
    pub id: *const c_char,
    /// for people
    pub title: *const c_char,
    /// its address
    pub homepage: *const c_char,
    /// of its models, unless one has its own; "": not stated
    pub license: *const c_char,
    /// said before a download; "": none
    pub notice: *const c_char,
    /// its list's address; "": it has none, names are taken as they are
    pub list_url: *const c_char,
    /// the variable that names another host: "DRAGOMAN_MIRROR_FIREFOX"
    pub mirror: *const c_char,
    /// which describes it; "built in"
    pub file: *const c_char,
    /// when the list on this machine was fetched: "2026-11-26T10:00:00Z"; "": none is here
    pub list_time: *const c_char,
}

impl Default for dragoman_registry {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

#[link(name = "dragoman_models")]
extern "C" {
    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_models_options_init_sized(
        options: *mut dragoman_models_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// How many models there are; 0 for NULL. Any thread.
    pub fn dragoman_model_list_count(list: *const dragoman_model_list) -> usize;

    /// Model `index`; NULL beyond the last. Any thread.
    pub fn dragoman_model_list_get(list: *const dragoman_model_list, index: usize) -> *const dragoman_published_model;

    /// File `file` of model `index`; NULL beyond the last. Any thread.
    pub fn dragoman_model_list_file(
        list: *const dragoman_model_list,
        index: usize,
        file: usize,
    ) -> *const dragoman_published_file;

    /// What kept the list from being whole, a line each: a registry that cannot be reached, a folder that is no model.
    /// "": nothing. Lives as long as the list. Any thread.
    pub fn dragoman_model_list_problems(list: *const dragoman_model_list) -> *const c_char;

    /// Ends the handle and what was borrowed from it. NULL is allowed.
    pub fn dragoman_model_list_destroy(list: *mut dragoman_model_list);

    /// The models on this machine: those that were downloaded, and those in the caches of other programs (Hugging
    /// Face, llama.cpp, ollama, Argos, translateLocally, fxtranslate), which are only read. Any thread. Statuses:
    /// DRAGOMAN_IO_ERROR.
    pub fn dragoman_models_installed(list: *mut *mut dragoman_model_list) -> dragoman_status;

    /// The models that registries offer for two languages, the best first; NULL or "" for a language stands for any.
    /// Lists that are older than a day are brought anew, unless offline. Any thread; waits for the network.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (a language, a registry), DRAGOMAN_BAD_MODEL (a registry's data file),
    /// DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR (only where no registry has a list).
    pub fn dragoman_models_search(
        from: *const c_char,
        to: *const c_char,
        options: *const dragoman_models_options,
        list: *mut *mut dragoman_model_list,
    ) -> dragoman_status;

    /// The models on this machine that lead from one language to another: one, two over a pivot, or none. Any thread.
    pub fn dragoman_models_installed_route(
        from: *const c_char,
        to: *const c_char,
        list: *mut *mut dragoman_model_list,
    ) -> dragoman_status;

    /// The models to load for two languages: those on this machine where there are some, otherwise the best that
    /// registries offer, which are yet to be downloaded. Empty: none leads there. Any thread; waits for the network.
    /// Statuses: those of dragoman_models_search().
    pub fn dragoman_models_route(
        from: *const c_char,
        to: *const c_char,
        options: *const dragoman_models_options,
        list: *mut *mut dragoman_model_list,
    ) -> dragoman_status;

    /// One model by its name, with its files: as it is on this machine, otherwise as its registry offers it. Any
    /// thread; may wait for the network. Statuses: those of dragoman_models_search(); DRAGOMAN_INVALID_ARGUMENT for an
    /// unknown name.
    pub fn dragoman_models_show(
        name: *const c_char,
        options: *const dragoman_models_options,
        list: *mut *mut dragoman_model_list,
    ) -> dragoman_status;

    /// Brings a model to this machine, and gives it as it is there. What is there in this version is not brought
    /// again. A download that was stopped in any way goes on. Files are checked by the registry's sizes and hashes and
    /// appear when all are whole. Processes that download the same model wait for each other. `list` may be NULL. Any
    /// thread; waits.
    /// Statuses: those of dragoman_models_show(); DRAGOMAN_IO_ERROR: the network, the disk, a file that is not what
    /// its registry says; DRAGOMAN_BAD_MODEL: an archive that is broken or dangerous.
    pub fn dragoman_models_download(
        name: *const c_char,
        options: *const dragoman_models_options,
        list: *mut *mut dragoman_model_list,
    ) -> dragoman_status;

    /// Reads the files of a downloaded model again and compares sizes and hashes. Any thread; waits.
    /// Statuses: DRAGOMAN_BAD_MODEL: the message names each file that differs; DRAGOMAN_INVALID_ARGUMENT: not
    /// downloaded by this library; DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR.
    pub fn dragoman_models_verify(name: *const c_char, options: *const dragoman_models_options) -> dragoman_status;

    /// Keeps one file instead of the files of a downloaded model: a GGUF file that dragoman_model_convert() made of
    /// it. The file is copied; what was downloaded goes when the copy is whole. The `proof` of the file then says
    /// which type it was converted to: "converted keep", "converted f32", "f16", "q8" or "q4" likewise. A later
    /// download brings what the publisher has again. Any thread; waits.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT: not downloaded by this library; DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED:
    /// no GGUF file of a model; DRAGOMAN_CANCELLED, DRAGOMAN_IO_ERROR.
    pub fn dragoman_models_keep_file(
        name: *const c_char,
        file: *const c_char,
        options: *const dragoman_models_options,
    ) -> dragoman_status;

    /// Removes a downloaded model. Statuses: DRAGOMAN_INVALID_ARGUMENT: it is not there, or belongs to another
    /// program; DRAGOMAN_IO_ERROR. Any thread.
    pub fn dragoman_models_remove(name: *const c_char) -> dragoman_status;

    /// Removes parts of downloads that were not gone on with for so many days; `bytes`, which may be NULL, gets how
    /// much. Any thread. Statuses: DRAGOMAN_IO_ERROR.
    pub fn dragoman_models_clean(days: f64, bytes: *mut u64) -> dragoman_status;

    /// The folder that downloaded models lie in, whether it is there or not; "": the system does not say. Lives until
    /// this thread calls it again.
    pub fn dragoman_models_folder() -> *const c_char;

    /// The registries, those of the user's folder too. Any thread. Statuses: DRAGOMAN_BAD_MODEL: a broken data file.
    pub fn dragoman_registries(list: *mut *mut dragoman_registry_list) -> dragoman_status;

    /// How many registries there are; 0 for NULL. Any thread.
    pub fn dragoman_registry_list_count(list: *const dragoman_registry_list) -> usize;

    /// Registry `index`; NULL beyond the last. Any thread.
    pub fn dragoman_registry_list_get(list: *const dragoman_registry_list, index: usize) -> *const dragoman_registry;

    /// Ends the handle and what was borrowed from it. NULL is allowed.
    pub fn dragoman_registry_list_destroy(list: *mut dragoman_registry_list);

    /// The message of this thread's latest failed call of this header. Never NULL. Lives until the next one.
    pub fn dragoman_models_error() -> *const c_char;
}
