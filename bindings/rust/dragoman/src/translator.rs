// SPDX-License-Identifier: Apache-2.0
use crate::all::TranslateAll;
use crate::error::{check, same_length, Result};
use crate::job::{Job, JobOptions};
use crate::made::infos::Stats;
use crate::made::options::{ScoreOptions, TranslateOptions};
use crate::model::Model;
use crate::owned::{read, Owned};
use crate::result::{Translation, Translations};
use crate::score::Scores;
use crate::stream::Stream;
use crate::text::{pointer_of, with_text, Sequences, Strings, Text};
use dragoman_sys as sys;
use std::path::Path;
use std::sync::Arc;

/// Translates with one model. Any number of threads may use it at the same time: their sentences share the device, and
/// short ones overtake long ones. A clone is the same translator.
#[derive(Clone, Debug)]
pub struct Translator(pub(crate) Arc<Owned<sys::dragoman_translator>>);

impl Translator {
    /// A translator of a model, which it keeps.
    pub fn new(model: &Model) -> Result<Self> {
        let made = Owned::made(|made| unsafe { sys::dragoman_translator_create(model.pointer(), made) })?;
        Ok(Translator(Arc::new(made)))
    }

    /// From one language to another over several models of one device: the way with the fewest. Each model takes what
    /// the one before it made of a sentence. For texts without prefixes.
    pub fn route(models: &[Model], source_language: &str, target_language: &str) -> Result<Self> {
        let pointers: Vec<_> = models.iter().map(|model| model.pointer() as *const _).collect();
        let (data, count) = (pointers.as_ptr(), pointers.len());
        with_text("source_language", source_language, |source| {
            with_text("target_language", target_language, |target| {
                Owned::made(|made| unsafe { sys::dragoman_translator_create_route(data, count, source, target, made) })
            })
        })
        .map(|made| Translator(Arc::new(made)))
    }

    /// Translates a text of any length, sentence by sentence. What is between sentences is copied.
    pub fn translate(&self, text: &str, options: &TranslateOptions) -> Result<Translation> {
        let found = self.translate_batch(&[text], options)?;
        Ok(found.get(0).expect("a translation for each text"))
    }

    /// The same of several texts.
    pub fn translate_batch<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions) -> Result<Translations> {
        let given = Strings::of(texts);
        let (data, count) = (pointer_of(&given), given.len());
        self.call(count, options, |prefixes, raw| {
            Owned::made(|made| unsafe {
                sys::dragoman_translate_texts(self.pointer(), data, count, prefixes, raw, made)
            })
        })
        .map(Translations::of)
    }

    /// Translates sequences of source tokens as they stand, as the model was trained on them.
    pub fn translate_tokens<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        options: &TranslateOptions,
    ) -> Result<Translations> {
        let given = Sequences::of(sources);
        let (data, count) = (pointer_of(&given), given.len());
        self.call(count, options, |prefixes, raw| {
            Owned::made(|made| unsafe {
                sys::dragoman_translate_tokens(self.pointer(), data, count, prefixes, raw, made)
            })
        })
        .map(Translations::of)
    }

    /// Calls with the prefixes and C's options.
    fn call<R>(
        &self,
        count: usize,
        options: &TranslateOptions,
        call: impl FnOnce(*const sys::dragoman_tokens, &sys::dragoman_translate_options) -> Result<R>,
    ) -> Result<R> {
        if !options.prefixes.is_empty() {
            same_length("prefixes", count, options.prefixes.len())?;
        }
        let prefixes = Sequences::of(&options.prefixes);
        options.with(|raw| call(pointer_of(&prefixes), raw))
    }

    /// Starts to translate texts, and returns at once. A job can be awaited, waited for, polled and cancelled. It does
    /// not call the options' `progress`.
    pub fn submit<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions, job: &JobOptions) -> Result<Job> {
        let given = Strings::of(texts);
        let (data, count) = (pointer_of(&given), given.len());
        self.call(count, options, |prefixes, raw| {
            Job::submit(self, raw, job, |raw, job, made| unsafe {
                sys::dragoman_submit_texts(self.pointer(), data, count, prefixes, raw, job, made)
            })
        })
    }

    /// The same of tokens.
    pub fn submit_tokens<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        options: &TranslateOptions,
        job: &JobOptions,
    ) -> Result<Job> {
        let given = Sequences::of(sources);
        let (data, count) = (pointer_of(&given), given.len());
        self.call(count, options, |prefixes, raw| {
            Job::submit(self, raw, job, |raw, job, made| unsafe {
                sys::dragoman_submit_tokens(self.pointer(), data, count, prefixes, raw, job, made)
            })
        })
    }

    /// Translates texts and gives each sentence when it is done. With [`JobOptions::partial`] also the best translation
    /// so far, token by token.
    pub fn stream<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions, job: &JobOptions) -> Result<Stream> {
        Ok(Stream::of(self.submit(texts, options, &job.clone().sentences(true))?))
    }

    /// Translates what an iterator gives, however much, in bounded memory; gives translations in its order.
    pub fn translate_all<I>(&self, texts: I, options: &TranslateOptions) -> Result<TranslateAll<I::IntoIter>>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let none: [&str; 0] = [];
        let job = self.submit(&none, options, &JobOptions::new().fed(true))?;
        Ok(TranslateAll::of(job, texts.into_iter()))
    }

    /// The log-probability of each target token, and of the end token, given its source.
    pub fn score<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        targets: &[S],
        options: &ScoreOptions,
    ) -> Result<Scores> {
        same_length("targets", sources.len(), targets.len())?;
        let (sources, targets) = (Sequences::of(sources), Sequences::of(targets));
        let (from, to, count) = (pointer_of(&sources), pointer_of(&targets), sources.len());
        options.with(|raw| {
            Owned::made(|made| unsafe { sys::dragoman_score_tokens(self.pointer(), from, to, count, raw, made) })
                .map(Scores::of)
        })
    }

    /// The same of texts, each side as one sequence.
    pub fn score_texts<S: AsRef<str>, T: AsRef<str>>(
        &self,
        sources: &[S],
        targets: &[T],
        options: &ScoreOptions,
    ) -> Result<Scores> {
        same_length("targets", sources.len(), targets.len())?;
        let (sources, targets) = (Strings::of(sources), Strings::of(targets));
        let (from, to, count) = (pointer_of(&sources), pointer_of(&targets), sources.len());
        options.with(|raw| {
            Owned::made(|made| unsafe { sys::dragoman_score_texts(self.pointer(), from, to, count, raw, made) })
                .map(Scores::of)
        })
    }

    /// Its counters.
    pub fn stats(&self) -> Result<Stats> {
        Ok(Stats::of(&read(|stats| unsafe { sys::dragoman_translator_stats(self.pointer(), stats) })?))
    }

    /// Sets them to 0.
    pub fn reset_stats(&self) -> Result<()> {
        check(unsafe { sys::dragoman_translator_reset_stats(self.pointer()) })
    }

    /// Gives back device memory that the next call can take again.
    pub fn trim(&self) -> Result<()> {
        check(unsafe { sys::dragoman_translator_trim(self.pointer()) })
    }

    pub(crate) fn pointer(&self) -> *mut sys::dragoman_translator {
        self.0.pointer()
    }
}

/// Finds the way of [`Translator::route`] from the models' files alone: their places in `models`.
pub fn find_route<P: AsRef<Path>>(models: &[P], source_language: &str, target_language: &str) -> Result<Vec<usize>> {
    let names: Vec<Text> = models.iter().map(|path| Text::of_path(Some(path.as_ref()))).collect();
    let pointers = names.iter().map(|name| name.pointer("models")).collect::<Result<Vec<_>>>()?;
    let (mut path, mut length) = (vec![0; models.len()], 0);
    with_text("source_language", source_language, |source| {
        with_text("target_language", target_language, |target| {
            check(unsafe {
                sys::dragoman_find_route(
                    pointers.as_ptr(),
                    pointers.len(),
                    source,
                    target,
                    path.as_mut_ptr(),
                    &mut length,
                )
            })
        })
    })?;
    path.truncate(length);
    Ok(path)
}
