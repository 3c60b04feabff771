// SPDX-License-Identifier: Apache-2.0
use crate::all::TranslateAll;
use crate::error::{check, Result};
use crate::job::Job;
use crate::made::calls;
use crate::made::infos::Stats;
use crate::made::options::{JobOptions, ScoreOptions, TranslateOptions};
use crate::model::Model;
use crate::owned::Owned;
use crate::result::{Translation, Translations};
use crate::scores::Scores;
use crate::stream::Stream;
use crate::text::{Sequences, Strings, Text};
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
        Ok(Translator(Arc::new(calls::translator_create(&model.0)?)))
    }

    /// From one language to another via models of one device: the way with the fewest. Each model takes what
    /// the one before it made of a sentence. For texts without prefixes.
    pub fn route(models: &[Model], source_language: &str, target_language: &str) -> Result<Self> {
        let models: Vec<_> = models.iter().map(|model| &*model.0).collect();
        Ok(Translator(Arc::new(calls::translator_create_route(&models, source_language, target_language)?)))
    }

    /// Translates a text of any length, sentence by sentence. What is between sentences is copied.
    pub fn translate(&self, text: &str, options: &TranslateOptions) -> Result<Translation> {
        let found = self.translate_batch(&[text], options)?;
        Ok(found.get(0).expect("a translation for each text"))
    }

    /// The same of several texts.
    pub fn translate_batch<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions) -> Result<Translations> {
        let prefixes = Sequences::of(&options.prefixes);
        calls::translate_texts(&self.0, &Strings::of(texts), &prefixes, options).map(Translations::of)
    }

    /// Translates sequences of source tokens as they stand, as the model was trained on them.
    pub fn translate_tokens<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        options: &TranslateOptions,
    ) -> Result<Translations> {
        let prefixes = Sequences::of(&options.prefixes);
        calls::translate_tokens(&self.0, &Sequences::of(sources), &prefixes, options).map(Translations::of)
    }

    /// Starts to translate texts, and returns at once. A job can be awaited, waited for, polled and cancelled. It does
    /// not call the options' `progress`.
    pub fn submit<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions, job: &JobOptions) -> Result<Job> {
        self.submit_with(texts, options, job, false)
    }

    fn submit_with<T: AsRef<str>>(
        &self,
        texts: &[T],
        options: &TranslateOptions,
        job: &JobOptions,
        sentences: bool,
    ) -> Result<Job> {
        let (texts, prefixes) = (Strings::of(texts), Sequences::of(&options.prefixes));
        Job::submit(self, job, sentences, |job| calls::submit_texts(&self.0, &texts, &prefixes, options, job))
    }

    /// The same of tokens.
    pub fn submit_tokens<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        options: &TranslateOptions,
        job: &JobOptions,
    ) -> Result<Job> {
        let (sources, prefixes) = (Sequences::of(sources), Sequences::of(&options.prefixes));
        Job::submit(self, job, false, |job| calls::submit_tokens(&self.0, &sources, &prefixes, options, job))
    }

    /// Translates texts and gives each sentence when it is done. With [`JobOptions::partial`] also the best translation
    /// so far, token by token.
    pub fn stream<T: AsRef<str>>(&self, texts: &[T], options: &TranslateOptions, job: &JobOptions) -> Result<Stream> {
        Ok(Stream::of(self.submit_with(texts, options, job, true)?))
    }

    /// Translates what an iterator gives, however much, in bounded memory; gives translations in its order. The iterator
    /// is asked for texts by the thread that asks for translations.
    pub fn translate_all<I>(&self, texts: I, options: &TranslateOptions) -> Result<TranslateAll<I::IntoIter>>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let job = self.submit(&[""; 0], options, &JobOptions::new().fed(true))?;
        Ok(TranslateAll::of(job, texts.into_iter()))
    }

    /// The log-probability of each target token, and of the end token, given its source.
    pub fn score<S: AsRef<[T]>, T: AsRef<str>>(
        &self,
        sources: &[S],
        targets: &[S],
        options: &ScoreOptions,
    ) -> Result<Scores> {
        calls::score_tokens(&self.0, &Sequences::of(sources), &Sequences::of(targets), options).map(Scores)
    }

    /// The same of texts, each side as one sequence.
    pub fn score_texts<S: AsRef<str>, T: AsRef<str>>(
        &self,
        sources: &[S],
        targets: &[T],
        options: &ScoreOptions,
    ) -> Result<Scores> {
        calls::score_texts(&self.0, &Strings::of(sources), &Strings::of(targets), options).map(Scores)
    }

    /// Its counters.
    pub fn stats(&self) -> Result<Stats> {
        calls::translator_stats(&self.0)
    }

    /// Sets them to 0.
    pub fn reset_stats(&self) -> Result<()> {
        calls::translator_reset_stats(&self.0)
    }

    /// Gives back device memory that the next call can take again.
    pub fn trim(&self) -> Result<()> {
        calls::translator_trim(&self.0)
    }
}

/// Finds the way of [`Translator::route`] from the models' files alone: their places in `models`.
pub fn find_route<P: AsRef<Path>>(models: &[P], source_language: &str, target_language: &str) -> Result<Vec<usize>> {
    let names: Vec<Text> = models.iter().map(|path| path.as_ref().into()).collect();
    let names = names.iter().map(|name| name.pointer("models")).collect::<Result<Vec<_>>>()?;
    let (source, target) = (Text::from(source_language), Text::from(target_language));
    let (source, target) = (source.pointer("source_language")?, target.pointer("target_language")?);
    let (mut path, mut length) = (vec![0; models.len()], 0);
    let (way, count) = (path.as_mut_ptr(), names.len());
    check(unsafe { sys::dragoman_find_route(names.as_ptr(), count, source, target, way, &mut length) })?;
    path.truncate(length);
    Ok(path)
}
