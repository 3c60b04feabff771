// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use super::enums::*;
use crate::text::{pointer_of, Sequences, Strings, Text};
use crate::watch::{Progress, Watch};
use crate::{Device, Glossary, Result, TranslationMemory};
use dragoman_sys as sys;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::ptr::null_mut;

/// How a device is opened.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    raw: sys::dragoman_device_options,
    pub(crate) name: Text,
    pub(crate) cache_dir: Text,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for DeviceOptions {}
unsafe impl Sync for DeviceOptions {}

impl Default for DeviceOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_device_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_device_options_init_sized(&mut raw, size) };
        DeviceOptions {
            raw,
            name: Default::default(),
            cache_dir: Default::default(),
        }
    }
}

impl DeviceOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// True: run under the Vulkan validation layer where it is installed; default false.
    #[must_use]
    pub fn validation(mut self, value: bool) -> Self {
        self.raw.validation = value.into();
        self
    }

    /// Which device: a number is its index, 32 hexadecimal digits (dashes allowed) its UUID, anything else a part of
    /// its name in any case. default: DRAGOMAN_DEVICE from the environment, else the best one, discrete before
    /// integrated before virtual before other GPUs before CPU. C's `dragoman_device_adopt()` ignores it. "all", every
    /// GPU (the best device where there is none), and lists such as "0,1" open several devices that work together
    /// behind one handle: each model is loaded on each of them, its sentences go to the device that will be free
    /// first, and those of a device that is lost go to the others. Embeddings of many texts are shared out in the same
    /// way.
    #[must_use]
    pub fn name(mut self, value: impl AsRef<OsStr>) -> Self {
        self.name = Text::of(value.as_ref());
        self
    }

    /// Folder for compiled pipelines. default: DRAGOMAN_CACHE_DIR from the environment, else the user's cache folder.
    /// "-": none.
    #[must_use]
    pub fn cache_dir(mut self, value: impl AsRef<OsStr>) -> Self {
        self.cache_dir = Text::of(value.as_ref());
        self
    }

    /// Device memory that everything on it, or on each of several devices, may hold; 0 (default): no limit.
    #[must_use]
    pub fn memory_limit_bytes(mut self, value: u64) -> Self {
        self.raw.memory_limit_bytes = value;
        self
    }

    /// True: kernels are used without being checked on this device before (C's `dragoman_device_check()` checks all
    /// the same); default false.
    #[must_use]
    pub fn trust_kernels(mut self, value: bool) -> Self {
        self.raw.trust_kernels = value.into();
        self
    }

    /// `Tune`; default DRAGOMAN_TUNE_AUTO.
    #[must_use]
    pub fn tune(mut self, value: Tune) -> Self {
        self.raw.tune = value as i32;
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_device_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.name = self.name.pointer("name")?;
        raw.cache_dir = self.cache_dir.pointer("cache_dir")?;
        call(&raw)
    }
}

/// How a model is loaded.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    raw: sys::dragoman_model_options,
    pub(crate) device: Option<Device>,
    pub(crate) more_models: Vec<String>,
    pub(crate) weights: Vec<f32>,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for ModelOptions {}
unsafe impl Sync for ModelOptions {}

impl Default for ModelOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_model_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_model_options_init_sized(&mut raw, size) };
        ModelOptions {
            raw,
            device: Default::default(),
            more_models: Default::default(),
            weights: Default::default(),
        }
    }
}

impl ModelOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// `ComputeType`; default DRAGOMAN_COMPUTE_AUTO.
    #[must_use]
    pub fn compute_type(mut self, value: ComputeType) -> Self {
        self.raw.compute_type = value as i32;
        self
    }

    /// Default: the device that all such models of the process share.
    #[must_use]
    pub fn device(mut self, value: &Device) -> Self {
        self.device = Some(value.clone());
        self
    }

    /// Paths of further models of the same vocabulary, which predict each token together with the one that is loaded
    /// (an ensemble); default: none. Alignments are those of the first model.
    #[must_use]
    pub fn more_models(mut self, value: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.more_models = value.into_iter().map(Into::into).collect();
        self
    }

    /// One for each model, above 0; default: those of its files, or 1 each.
    #[must_use]
    pub fn weights(mut self, value: impl Into<Vec<f32>>) -> Self {
        self.weights = value.into();
        self
    }

    /// False (default): an ensemble's weighted log-probabilities are added up, as Marian does; true: weighted
    /// probabilities.
    #[must_use]
    pub fn average_probabilities(mut self, value: bool) -> Self {
        self.raw.average_probabilities = value.into();
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_model_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.device = self.device.as_ref().map_or(null_mut(), |one| one.pointer()) as *const _;
        let more_models = Strings::of(&self.more_models);
        (raw.more_models, raw.more_model_count) = (pointer_of(&more_models), more_models.len());
        (raw.weights, raw.weight_count) = (pointer_of(&self.weights), self.weights.len());
        call(&raw)
    }
}

/// Contents and limits of a memory.
#[derive(Clone, Debug)]
pub struct MemoryOptions {
    raw: sys::dragoman_memory_options,
    pub(crate) path: Text,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for MemoryOptions {}
unsafe impl Sync for MemoryOptions {}

impl Default for MemoryOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_memory_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_memory_options_init_sized(&mut raw, size) };
        MemoryOptions {
            raw,
            path: Default::default(),
        }
    }
}

impl MemoryOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of segments that are offered; more than 0, at most 1; default 0.75.
    #[must_use]
    pub fn min_similarity(mut self, value: f32) -> Self {
        self.raw.min_similarity = value;
        self
    }

    /// Most bytes of answers in memory; 0: none; default 67108864.
    #[must_use]
    pub fn cache_bytes(mut self, value: u64) -> Self {
        self.raw.cache_bytes = value;
        self
    }

    /// File of SQLite that keeps answers, made if there is none; default: none.
    #[must_use]
    pub fn path(mut self, value: impl AsRef<OsStr>) -> Self {
        self.path = Text::of(value.as_ref());
        self
    }

    /// Most bytes of answers in it, about; default 1073741824.
    #[must_use]
    pub fn file_bytes(mut self, value: u64) -> Self {
        self.raw.file_bytes = value;
        self
    }

    /// Segments that are offered for a sentence; 0: none; default 3.
    #[must_use]
    pub fn max_matches(mut self, value: u32) -> Self {
        self.raw.max_matches = value;
        self
    }

    /// True: keep translations for C's `dragoman_memory_write_tmx()`; default false.
    #[must_use]
    pub fn record(mut self, value: bool) -> Self {
        self.raw.record = value.into();
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_memory_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.path = self.path.pointer("path")?;
        call(&raw)
    }
}

/// How to decode. docs/options.md gives the formulas.  C's `dragoman_translate_tokens()` ignores options "of texts",
/// and a decoder-only model splits and joins nothing.
#[derive(Clone, Debug)]
pub struct TranslateOptions {
    raw: sys::dragoman_translate_options,
    pub(crate) suppress_sequences: Vec<Vec<String>>,
    pub(crate) end_tokens: Vec<String>,
    pub(crate) progress: Progress,
    pub(crate) source_language: Text,
    pub(crate) target_language: Text,
    pub(crate) glossary: Option<Glossary>,
    pub(crate) memory: Option<TranslationMemory>,
    pub(crate) prefixes: Vec<Vec<String>>,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for TranslateOptions {}
unsafe impl Sync for TranslateOptions {}

impl Default for TranslateOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_translate_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_translate_options_init_sized(&mut raw, size) };
        TranslateOptions {
            raw,
            suppress_sequences: Default::default(),
            end_tokens: Default::default(),
            progress: Default::default(),
            source_language: Default::default(),
            target_language: Default::default(),
            glossary: Default::default(),
            memory: Default::default(),
            prefixes: Default::default(),
        }
    }
}

impl TranslateOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// 1 (greedy) to 64; default the model's.
    #[must_use]
    pub fn beam_size(mut self, value: u32) -> Self {
        self.raw.beam_size = value;
        self
    }

    /// A search ends with round(beam_size * patience) hypotheses; default 1.
    #[must_use]
    pub fn patience(mut self, value: f32) -> Self {
        self.raw.patience = value;
        self
    }

    /// Score = sum of log-probabilities / length ^ this; default the model's.
    #[must_use]
    pub fn length_penalty(mut self, value: f32) -> Self {
        self.raw.length_penalty = value;
        self
    }

    /// Weight of the reward for source tokens attended to; default 0.
    #[must_use]
    pub fn coverage_penalty(mut self, value: f32) -> Self {
        self.raw.coverage_penalty = value;
        self
    }

    /// Above 1: tokens that have occurred become less likely; default the model's.
    #[must_use]
    pub fn repetition_penalty(mut self, value: f32) -> Self {
        self.raw.repetition_penalty = value;
        self
    }

    /// No sequence of this many tokens occurs twice; 0: off; default the model's.
    #[must_use]
    pub fn no_repeat_ngram_size(mut self, value: u32) -> Self {
        self.raw.no_repeat_ngram_size = value;
        self
    }

    /// 0 (default): a target prefix is forced; up to 1: made more likely.
    #[must_use]
    pub fn prefix_bias_beta(mut self, value: f32) -> Self {
        self.raw.prefix_bias_beta = value;
        self
    }

    /// Source tokens; longer inputs are cut; 0: no limit; default 1024.
    #[must_use]
    pub fn max_input_length(mut self, value: u32) -> Self {
        self.raw.max_input_length = value;
        self
    }

    /// Target tokens, end token included; 1 to 4096; default the model's.
    #[must_use]
    pub fn max_decoding_length(mut self, value: u32) -> Self {
        self.raw.max_decoding_length = value;
        self
    }

    /// Fewest target tokens; default the model's.
    #[must_use]
    pub fn min_decoding_length(mut self, value: u32) -> Self {
        self.raw.min_decoding_length = value;
        self
    }

    /// Per input, at most round(beam_size * patience); default 1.
    #[must_use]
    pub fn num_hypotheses(mut self, value: u32) -> Self {
        self.raw.num_hypotheses = value;
        self
    }

    /// With return_alternatives: the least probability of an alternative; default 0.
    #[must_use]
    pub fn min_alternative_expansion_prob(mut self, value: f32) -> Self {
        self.raw.min_alternative_expansion_prob = value;
        self
    }

    /// Never produce the unknown token; default false.
    #[must_use]
    pub fn disable_unk(mut self, value: bool) -> Self {
        self.raw.disable_unk = value.into();
        self
    }

    /// Keep the end token in the result; default false.
    #[must_use]
    pub fn return_end_token(mut self, value: bool) -> Self {
        self.raw.return_end_token = value.into();
        self
    }

    /// Return scores; otherwise every score is 0; default false.
    #[must_use]
    pub fn return_scores(mut self, value: bool) -> Self {
        self.raw.return_scores = value.into();
        self
    }

    /// Return attention of target tokens to source tokens; default false; see C's `dragoman_result_attention()`.
    #[must_use]
    pub fn return_attention(mut self, value: bool) -> Self {
        self.raw.return_attention = value.into();
        self
    }

    /// Hypotheses that differ in the first token after the prefix; default false.
    #[must_use]
    pub fn return_alternatives(mut self, value: bool) -> Self {
        self.raw.return_alternatives = value.into();
        self
    }

    /// An unknown token is replaced by the source token that gets most attention; default false.
    #[must_use]
    pub fn replace_unknowns(mut self, value: bool) -> Self {
        self.raw.replace_unknowns = value.into();
        self
    }

    /// Source tokens per device batch; 0 (default): chosen from memory.
    #[must_use]
    pub fn max_batch_tokens(mut self, value: u32) -> Self {
        self.raw.max_batch_tokens = value;
        self
    }

    /// Inputs per device batch; 0 (default): chosen.
    #[must_use]
    pub fn max_batch_size(mut self, value: u32) -> Self {
        self.raw.max_batch_size = value;
        self
    }

    /// Token sequences that must not be produced; none of them may be empty; default: none.
    #[must_use]
    pub fn suppress_sequences(
        mut self,
        value: impl IntoIterator<Item = impl IntoIterator<Item = impl Into<String>>>,
    ) -> Self {
        self.suppress_sequences = value.into_iter().map(|one| one.into_iter().map(Into::into).collect()).collect();
        self
    }

    /// Tokens that end a translation; default: the model's.
    #[must_use]
    pub fn end_tokens(mut self, value: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.end_tokens = value.into_iter().map(Into::into).collect();
        self
    }

    /// Default: none.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = crate::watch::Callback(Some(std::sync::Arc::new(value)));
        self
    }

    /// `Search`: which engine's beam search; "auto": that of the model's engine; default DRAGOMAN_SEARCH_AUTO.
    #[must_use]
    pub fn search(mut self, value: Search) -> Self {
        self.raw.search = value as i32;
        self
    }

    /// Marian's search: subtracted for each token; default the model's.
    #[must_use]
    pub fn word_penalty(mut self, value: f32) -> Self {
        self.raw.word_penalty = value;
        self
    }

    /// Most target tokens per source token; 0: any; default the model's.
    #[must_use]
    pub fn max_length_factor(mut self, value: f32) -> Self {
        self.raw.max_length_factor = value;
        self
    }

    /// `EarlyStopping`: what ends Hugging Face's search; "auto": as the model says; default
    /// DRAGOMAN_EARLY_STOPPING_AUTO.
    #[must_use]
    pub fn early_stopping(mut self, value: EarlyStopping) -> Self {
        self.raw.early_stopping = value as i32;
        self
    }

    /// Of texts: BCP 47 ("de") or the model's code; "auto": found, sentence by sentence; default: unknown.
    #[must_use]
    pub fn source_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.source_language = Text::of(value.as_ref());
        self
    }

    /// Of texts: BCP 47 ("en") or the model's code; default: the text's own code, or the only one.
    #[must_use]
    pub fn target_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.target_language = Text::of(value.as_ref());
        self
    }

    /// Of texts: false: each text is one sequence, which max_input_length cuts; default true.
    #[must_use]
    pub fn split_sentences(mut self, value: bool) -> Self {
        self.raw.split_sentences = value.into();
        self
    }

    /// Of texts: true: a line break is a space, a blank line ends a paragraph; default false.
    #[must_use]
    pub fn join_lines(mut self, value: bool) -> Self {
        self.raw.join_lines = value.into();
        self
    }

    /// Of texts: longer sentences are translated in parts; 0 (default): 128.
    #[must_use]
    pub fn max_segment_tokens(mut self, value: u32) -> Self {
        self.raw.max_segment_tokens = value;
        self
    }

    /// Of texts: true: no tokens in the result, which takes much less memory; default false.
    #[must_use]
    pub fn discard_tokens(mut self, value: bool) -> Self {
        self.raw.discard_tokens = value.into();
        self
    }

    /// Of the decoder, from 1; 0 (default): the layer the model names for alignment.
    #[must_use]
    pub fn attention_layer(mut self, value: u32) -> Self {
        self.raw.attention_layer = value;
        self
    }

    /// From 1, or `ALL_HEADS`; 0 (default): the mean of the heads the model names.
    #[must_use]
    pub fn attention_head(mut self, value: u32) -> Self {
        self.raw.attention_head = value;
        self
    }

    /// Only tokens of the model's lexical shortlist may occur (Marian); default false.
    #[must_use]
    pub fn use_shortlist(mut self, value: bool) -> Self {
        self.raw.use_shortlist = value.into();
        self
    }

    /// `Sampling`: draw tokens by their probabilities: num_hypotheses independent samples, no beams; "auto": as the
    /// model says; default DRAGOMAN_SAMPLING_AUTO.
    #[must_use]
    pub fn sampling(mut self, value: Sampling) -> Self {
        self.raw.sampling = value as i32;
        self
    }

    /// With sampling: divides the logits; default the model's.
    #[must_use]
    pub fn temperature(mut self, value: f32) -> Self {
        self.raw.temperature = value;
        self
    }

    /// With sampling: only so many of the best tokens; 0: all; default the model's.
    #[must_use]
    pub fn top_k(mut self, value: u32) -> Self {
        self.raw.top_k = value;
        self
    }

    /// With sampling: only the best with this probability together; 0 to 1; default the model's.
    #[must_use]
    pub fn top_p(mut self, value: f32) -> Self {
        self.raw.top_p = value;
        self
    }

    /// With sampling: only this share of the best one's probability; 0 to 1; default the model's.
    #[must_use]
    pub fn min_p(mut self, value: f32) -> Self {
        self.raw.min_p = value;
        self
    }

    /// With sampling: the same seed gives a sentence the same samples; default 0.
    #[must_use]
    pub fn seed(mut self, value: u32) -> Self {
        self.raw.seed = value;
        self
    }

    /// Of texts: return which source words each word of a translation stands for; default false; see C's
    /// `dragoman_result_sentence_alignment()`.
    #[must_use]
    pub fn return_alignment(mut self, value: bool) -> Self {
        self.raw.return_alignment = value.into();
        self
    }

    /// `Markup`: of texts: tags stay, and what stands in them is translated; default DRAGOMAN_MARKUP_NONE.
    #[must_use]
    pub fn markup(mut self, value: Markup) -> Self {
        self.raw.markup = value as i32;
        self
    }

    /// Of texts: true: the model sees texts as they are, and nothing is put into its translations; default false.
    #[must_use]
    pub fn raw(mut self, value: bool) -> Self {
        self.raw.raw = value.into();
        self
    }

    /// Of texts: true: placeholders, addresses and names of programs are forced in the search, too, as terms are;
    /// default false.
    #[must_use]
    pub fn keep_spans(mut self, value: bool) -> Self {
        self.raw.keep_spans = value.into();
        self
    }

    /// Of texts: terms that translations must have; default: none.
    #[must_use]
    pub fn glossary(mut self, value: &Glossary) -> Self {
        self.glossary = Some(value.clone());
        self
    }

    /// Of texts: what was translated before, and what is translated now; default: none.
    #[must_use]
    pub fn memory(mut self, value: &TranslationMemory) -> Self {
        self.memory = Some(value.clone());
        self
    }

    /// Of texts: return how sure each sentence and word of a translation is; default false; see C's
    /// `dragoman_result_quality()`.
    #[must_use]
    pub fn return_quality(mut self, value: bool) -> Self {
        self.raw.return_quality = value.into();
        self
    }

    /// Of texts: with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
    /// (default): none.
    #[must_use]
    pub fn quality_marks(mut self, value: f32) -> Self {
        self.raw.quality_marks = value;
        self
    }

    /// Of texts: a sentence whose best translation has less quality comes back as it was given, marked unsure; 0
    /// (default): off.
    #[must_use]
    pub fn min_quality(mut self, value: f32) -> Self {
        self.raw.min_quality = value;
        self
    }

    /// Of texts: return which words of the source a translation reaches; the alignment comes with it; default false;
    /// see docs/coverage.md.
    #[must_use]
    pub fn return_coverage(mut self, value: bool) -> Self {
        self.raw.return_coverage = value.into();
        self
    }

    /// Of texts: a sentence whose translation leaves out more words in a row is translated again in parts, and marked
    /// uncovered where that does not mend it; return_coverage comes with it; 0 (default): off; see docs/coverage.md.
    #[must_use]
    pub fn max_uncovered_words(mut self, value: u32) -> Self {
        self.raw.max_uncovered_words = value;
        self
    }

    /// Target tokens that each translation begins with, one sequence for each input; default: none.
    #[must_use]
    pub fn prefixes(mut self, value: impl IntoIterator<Item = impl IntoIterator<Item = impl Into<String>>>) -> Self {
        self.prefixes = value.into_iter().map(|one| one.into_iter().map(Into::into).collect()).collect();
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_translate_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        let suppress_sequences = Sequences::of(&self.suppress_sequences);
        (raw.suppress_sequences, raw.suppress_sequence_count) = (pointer_of(&suppress_sequences), suppress_sequences.len());
        let end_tokens = Strings::of(&self.end_tokens);
        (raw.end_tokens, raw.end_token_count) = (pointer_of(&end_tokens), end_tokens.len());
        let watch = Watch::of(&self.progress);
        (raw.progress, raw.progress_user) = (watch.callback(), watch.user());
        raw.source_language = self.source_language.pointer("source_language")?;
        raw.target_language = self.target_language.pointer("target_language")?;
        raw.glossary = self.glossary.as_ref().map_or(null_mut(), |one| one.pointer()) as *const _;
        raw.memory = self.memory.as_ref().map_or(null_mut(), |one| one.pointer());
        let done = call(&raw);
        watch.resume();
        done
    }
}

/// How to score.
#[derive(Clone, Debug)]
pub struct ScoreOptions {
    raw: sys::dragoman_score_options,
    pub(crate) source_language: Text,
    pub(crate) target_language: Text,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for ScoreOptions {}
unsafe impl Sync for ScoreOptions {}

impl Default for ScoreOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_score_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_score_options_init_sized(&mut raw, size) };
        ScoreOptions {
            raw,
            source_language: Default::default(),
            target_language: Default::default(),
        }
    }
}

impl ScoreOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tokens; longer sources and targets are cut; 0: no limit; default 1024.
    #[must_use]
    pub fn max_input_length(mut self, value: u32) -> Self {
        self.raw.max_input_length = value;
        self
    }

    /// BCP 47, "de", or the model's code; default: unknown.
    #[must_use]
    pub fn source_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.source_language = Text::of(value.as_ref());
        self
    }

    /// In the same form; default: the source's own code, or the only one.
    #[must_use]
    pub fn target_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.target_language = Text::of(value.as_ref());
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_score_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.source_language = self.source_language.pointer("source_language")?;
        raw.target_language = self.target_language.pointer("target_language")?;
        call(&raw)
    }
}

/// The vectors to make.
#[derive(Clone, Debug)]
pub struct EmbedOptions {
    raw: sys::dragoman_embed_options,
    pub(crate) source_language: Text,
    pub(crate) target_language: Text,
    pub(crate) progress: Progress,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for EmbedOptions {}
unsafe impl Sync for EmbedOptions {}

impl Default for EmbedOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_embed_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_embed_options_init_sized(&mut raw, size) };
        EmbedOptions {
            raw,
            source_language: Default::default(),
            target_language: Default::default(),
            progress: Default::default(),
        }
    }
}

impl EmbedOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// `Pooling`.
    #[must_use]
    pub fn pooling(mut self, value: Pooling) -> Self {
        self.raw.pooling = value as i32;
        self
    }

    /// `Normalize`.
    #[must_use]
    pub fn normalize(mut self, value: Normalize) -> Self {
        self.raw.normalize = value as i32;
        self
    }

    /// Of a text, with those around it; 0 (default): as many as the model takes.
    #[must_use]
    pub fn max_tokens(mut self, value: u32) -> Self {
        self.raw.max_tokens = value;
        self
    }

    /// True: a longer text is cut; false (default): it is an error.
    #[must_use]
    pub fn truncate(mut self, value: bool) -> Self {
        self.raw.truncate = value.into();
        self
    }

    /// As in `TranslateOptions`, for models whose encoder gets it.
    #[must_use]
    pub fn source_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.source_language = Text::of(value.as_ref());
        self
    }

    /// For models whose encoder gets it.
    #[must_use]
    pub fn target_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.target_language = Text::of(value.as_ref());
        self
    }

    /// Counts texts, on the calling thread; default: none.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = crate::watch::Callback(Some(std::sync::Arc::new(value)));
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_embed_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        raw.source_language = self.source_language.pointer("source_language")?;
        raw.target_language = self.target_language.pointer("target_language")?;
        let watch = Watch::of(&self.progress);
        (raw.progress, raw.progress_user) = (watch.callback(), watch.user());
        let done = call(&raw);
        watch.resume();
        done
    }
}

/// How a job is run.
#[derive(Clone, Debug)]
pub struct JobOptions {
    raw: sys::dragoman_job_options,
    pub(crate) partial: bool,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for JobOptions {}
unsafe impl Sync for JobOptions {}

impl Default for JobOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_job_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_job_options_init_sized(&mut raw, size) };
        JobOptions {
            raw,
            partial: Default::default(),
        }
    }
}

impl JobOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Higher ones go first, equal ones share, short ones overtake; default 0.
    #[must_use]
    pub fn priority(mut self, value: i32) -> Self {
        self.raw.priority = value;
        self
    }

    /// True: inputs may follow, see C's `dragoman_job_feed_texts()`; default false.
    #[must_use]
    pub fn fed(mut self, value: bool) -> Self {
        self.raw.fed = value.into();
        self
    }

    /// Of streams: also the best translation so far of sentences at work; default false.
    #[must_use]
    pub fn partial(mut self, value: bool) -> Self {
        self.partial = value;
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_job_options) -> Result<R>) -> Result<R> {
        let raw = self.raw;
        call(&raw)
    }
}

/// How a model is converted.
#[derive(Clone, Debug)]
pub struct ConvertOptions {
    raw: sys::dragoman_convert_options,
    pub(crate) progress: Progress,
    pub(crate) alignment_text: Text,
    pub(crate) source_language: Text,
    pub(crate) target_language: Text,
    pub(crate) device: Option<Device>,
    pub(crate) quality_pairs: Text,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for ConvertOptions {}
unsafe impl Sync for ConvertOptions {}

impl Default for ConvertOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_convert_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_convert_options_init_sized(&mut raw, size) };
        ConvertOptions {
            raw,
            progress: Default::default(),
            alignment_text: Default::default(),
            source_language: Default::default(),
            target_language: Default::default(),
            device: Default::default(),
            quality_pairs: Default::default(),
        }
    }
}

impl ConvertOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// `WeightType`; default DRAGOMAN_WEIGHTS_KEEP.
    #[must_use]
    pub fn weight_type(mut self, value: WeightType) -> Self {
        self.raw.weight_type = value as i32;
        self
    }

    /// True: an old file of this name is replaced; default false: that is an error.
    #[must_use]
    pub fn replace(mut self, value: bool) -> Self {
        self.raw.replace = value.into();
        self
    }

    /// Default: none; bytes written, on the thread that asked.
    #[must_use]
    pub fn progress(mut self, value: impl Fn(usize, usize) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.progress = crate::watch::Callback(Some(std::sync::Arc::new(value)));
        self
    }

    /// A hundred sentences to translate, UTF-8: the file names the decoder's heads that align words best; default:
    /// those that the model names.
    #[must_use]
    pub fn alignment_text(mut self, value: impl AsRef<OsStr>) -> Self {
        self.alignment_text = Text::of(value.as_ref());
        self
    }

    /// Of both texts, as in `TranslateOptions`; default: unknown.
    #[must_use]
    pub fn source_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.source_language = Text::of(value.as_ref());
        self
    }

    /// Of both, as there; default: the only one.
    #[must_use]
    pub fn target_language(mut self, value: impl AsRef<OsStr>) -> Self {
        self.target_language = Text::of(value.as_ref());
        self
    }

    /// To translate these texts on; default: the default device.
    #[must_use]
    pub fn device(mut self, value: &Device) -> Self {
        self.device = Some(value.clone());
        self
    }

    /// 200 lines or more, UTF-8: a source, a tab, its translation by a person, and behind another tab the target
    /// language, if it is another one: the file has weights of quality estimates for this model (docs/quality.md);
    /// default: none.
    #[must_use]
    pub fn quality_pairs(mut self, value: impl AsRef<OsStr>) -> Self {
        self.quality_pairs = Text::of(value.as_ref());
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_convert_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        let watch = Watch::of(&self.progress);
        (raw.progress, raw.progress_user) = (watch.callback(), watch.user());
        raw.alignment_text = self.alignment_text.pointer("alignment_text")?;
        raw.source_language = self.source_language.pointer("source_language")?;
        raw.target_language = self.target_language.pointer("target_language")?;
        raw.device = self.device.as_ref().map_or(null_mut(), |one| one.pointer()) as *const _;
        raw.quality_pairs = self.quality_pairs.pointer("quality_pairs")?;
        let done = call(&raw);
        watch.resume();
        done
    }
}

/// The measurements to make.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    raw: sys::dragoman_bench_options,
    pub(crate) device: Option<DeviceOptions>,
}

// SAFETY: the pointers in `raw` are null; a call gets a copy with those to the other members.
unsafe impl Send for BenchOptions {}
unsafe impl Sync for BenchOptions {}

impl Default for BenchOptions {
    fn default() -> Self {
        let mut raw = sys::dragoman_bench_options::default();
        let size = raw.struct_size as usize;
        // SAFETY: the struct and its size, for which it cannot fail.
        unsafe { sys::dragoman_bench_options_init_sized(&mut raw, size) };
        BenchOptions {
            raw,
            device: Default::default(),
        }
    }
}

impl BenchOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Timed runs after one that warms up; default 5.
    #[must_use]
    pub fn repeat(mut self, value: u32) -> Self {
        self.raw.repeat = value;
        self
    }

    /// Inputs translated alone, taken in turn; default 32; 0: none.
    #[must_use]
    pub fn latency_samples(mut self, value: u32) -> Self {
        self.raw.latency_samples = value;
        self
    }

    /// Where there are no inputs: sentences of random words; default 32.
    #[must_use]
    pub fn synthetic_sentences(mut self, value: u32) -> Self {
        self.raw.synthetic_sentences = value;
        self
    }

    /// Their length; default 25.
    #[must_use]
    pub fn synthetic_tokens(mut self, value: u32) -> Self {
        self.raw.synthetic_tokens = value;
        self
    }

    /// Of the random words; default 1.
    #[must_use]
    pub fn seed(mut self, value: u32) -> Self {
        self.raw.seed = value;
        self
    }

    /// The best the device can do; default true.
    #[must_use]
    pub fn ceilings(mut self, value: bool) -> Self {
        self.raw.ceilings = value.into();
        self
    }

    /// The device's time by pass, where it has timestamps; default true.
    #[must_use]
    pub fn passes(mut self, value: bool) -> Self {
        self.raw.passes = value.into();
        self
    }

    /// Which device to open for it; default: the defaults.
    #[must_use]
    pub fn device(mut self, value: &DeviceOptions) -> Self {
        self.device = Some(value.clone());
        self
    }

    /// Calls with C's struct, which borrows from this one.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&sys::dragoman_bench_options) -> Result<R>) -> Result<R> {
        let mut raw = self.raw;
        match &self.device {
            Some(device) => device.with(|given| {
                raw.device = given;
                call(&raw)
            }),
            None => call(&raw),
        }
    }
}
