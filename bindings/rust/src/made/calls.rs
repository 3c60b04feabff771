// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use super::enums::*;
use super::infos::*;
use super::options::*;
use crate::error::*;
use crate::owned::*;
use crate::text::*;
use dragoman_sys as sys;
use std::ops::Range;
use std::time::Duration;

pub(crate) fn version() -> u32 {
    unsafe { sys::dragoman_version() }
}

pub(crate) fn version_string() -> &'static str {
    unsafe { borrowed(sys::dragoman_version_string()) }
}

pub(crate) fn has_feature(name: impl Into<Text>) -> Result<bool> {
    let name: Text = name.into();
    let name = name.pointer("name")?;
    Ok(unsafe { sys::dragoman_has_feature(name) != 0 })
}

pub(crate) fn feature_name(index: usize) -> Option<&'static str> {
    unsafe { text_or_none(sys::dragoman_feature_name(index)) }
}

pub(crate) fn device_count() -> Result<u32> {
    read(|out| unsafe { sys::dragoman_device_count(out) })
}

pub(crate) fn device_describe(index: u32) -> Result<DeviceInfo> {
    read(|out| unsafe { sys::dragoman_device_describe(index, out) }).map(|raw| DeviceInfo::of(&raw))
}

pub(crate) fn device_memory(index: u32) -> Result<DeviceMemory> {
    read(|out| unsafe { sys::dragoman_device_memory(index, out) }).map(|raw| DeviceMemory::of(&raw))
}

pub(crate) fn device_open(options: &DeviceOptions) -> Result<Owned<sys::dragoman_device>> {
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_device_open(options, out) })
    })
}

pub(crate) fn device_get_info(device: &Owned<sys::dragoman_device>) -> Result<DeviceInfo> {
    read(|out| unsafe { sys::dragoman_device_get_info(device.pointer(), out) }).map(|raw| DeviceInfo::of(&raw))
}

pub(crate) fn device_member_count(device: &Owned<sys::dragoman_device>) -> usize {
    unsafe { sys::dragoman_device_member_count(device.pointer()) }
}

pub(crate) fn device_member_info(device: &Owned<sys::dragoman_device>, index: usize) -> Result<DeviceInfo> {
    read(|out| unsafe { sys::dragoman_device_member_info(device.pointer(), index, out) }).map(|raw| DeviceInfo::of(&raw))
}

pub(crate) fn device_get_memory(device: &Owned<sys::dragoman_device>) -> Result<DeviceMemory> {
    read(|out| unsafe { sys::dragoman_device_get_memory(device.pointer(), out) }).map(|raw| DeviceMemory::of(&raw))
}

pub(crate) fn device_trim(device: &Owned<sys::dragoman_device>) -> Result<()> {
    check(unsafe { sys::dragoman_device_trim(device.pointer()) })
}

pub(crate) fn model_load(path: impl Into<Text>, options: &ModelOptions) -> Result<Owned<sys::dragoman_model>> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_model_load(path, options, out) })
    })
}

pub(crate) fn model_load_files(
    files: &[sys::dragoman_file],
    options: &ModelOptions,
) -> Result<Owned<sys::dragoman_model>> {
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_model_load_files(pointer_of(files), files.len() as _, options, out) })
    })
}

pub(crate) fn model_get_info(model: &Owned<sys::dragoman_model>) -> Result<ModelInfo> {
    read(|out| unsafe { sys::dragoman_model_get_info(model.pointer(), out) }).map(|raw| ModelInfo::of(&raw))
}

pub(crate) fn model_describe(path: impl Into<Text>) -> Result<ModelInfo> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    read(|out| unsafe { sys::dragoman_model_describe(path, out) }).map(|raw| ModelInfo::of(&raw))
}

pub(crate) fn model_describe_files(files: &[sys::dragoman_file]) -> Result<ModelInfo> {
    read(|out| unsafe { sys::dragoman_model_describe_files(pointer_of(files), files.len() as _, out) }).map(|raw| ModelInfo::of(&raw))
}

pub(crate) fn model_languages(
    model: &Owned<sys::dragoman_model>,
    side: Side,
) -> Result<Owned<sys::dragoman_language_list>> {
    Owned::made(|out| unsafe { sys::dragoman_model_languages(model.pointer(), side as i32, out) })
}

pub(crate) fn model_describe_languages(
    path: impl Into<Text>,
    side: Side,
) -> Result<Owned<sys::dragoman_language_list>> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    Owned::made(|out| unsafe { sys::dragoman_model_describe_languages(path, side as i32, out) })
}

pub(crate) fn model_describe_languages_files(
    files: &[sys::dragoman_file],
    side: Side,
) -> Result<Owned<sys::dragoman_language_list>> {
    Owned::made(|out| unsafe { sys::dragoman_model_describe_languages_files(pointer_of(files), files.len() as _, side as i32, out) })
}

pub(crate) fn language_list_count(languages: &Owned<sys::dragoman_language_list>) -> usize {
    unsafe { sys::dragoman_language_list_count(languages.pointer()) }
}

pub(crate) fn language_list_data(languages: &Owned<sys::dragoman_language_list>) -> &[sys::dragoman_language] {
    unsafe { slice(sys::dragoman_language_list_data(languages.pointer()), sys::dragoman_language_list_count(languages.pointer())) }
}

pub(crate) fn model_device(model: &Owned<sys::dragoman_model>) -> Result<DeviceInfo> {
    read(|out| unsafe { sys::dragoman_model_device(model.pointer(), out) }).map(|raw| DeviceInfo::of(&raw))
}

pub(crate) fn model_memory(model: &Owned<sys::dragoman_model>) -> Result<DeviceMemory> {
    read(|out| unsafe { sys::dragoman_model_memory(model.pointer(), out) }).map(|raw| DeviceMemory::of(&raw))
}

pub(crate) fn glossary_load(
    path: impl Into<Text>,
    source_language: impl Into<Text>,
    target_language: impl Into<Text>,
) -> Result<Owned<sys::dragoman_glossary>> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    let source_language: Text = source_language.into();
    let source_language = source_language.pointer("source_language")?;
    let target_language: Text = target_language.into();
    let target_language = target_language.pointer("target_language")?;
    Owned::made(|out| unsafe { sys::dragoman_glossary_load(path, source_language, target_language, out) })
}

pub(crate) fn glossary_read(
    bytes: &str,
    source_language: impl Into<Text>,
    target_language: impl Into<Text>,
) -> Result<Owned<sys::dragoman_glossary>> {
    let source_language: Text = source_language.into();
    let source_language = source_language.pointer("source_language")?;
    let target_language: Text = target_language.into();
    let target_language = target_language.pointer("target_language")?;
    Owned::made(|out| unsafe { sys::dragoman_glossary_read(&view(bytes), source_language, target_language, out) })
}

pub(crate) fn glossary_count(glossary: &Owned<sys::dragoman_glossary>) -> usize {
    unsafe { sys::dragoman_glossary_count(glossary.pointer()) }
}

pub(crate) fn memory_create(options: &MemoryOptions) -> Result<Owned<sys::dragoman_memory>> {
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_memory_create(options, out) })
    })
}

pub(crate) fn memory_load_tmx(memory: &Owned<sys::dragoman_memory>, path: impl Into<Text>) -> Result<usize> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    read(|out| unsafe { sys::dragoman_memory_load_tmx(memory.pointer(), path, out) })
}

pub(crate) fn memory_read_tmx(memory: &Owned<sys::dragoman_memory>, bytes: &str) -> Result<usize> {
    read(|out| unsafe { sys::dragoman_memory_read_tmx(memory.pointer(), &view(bytes), out) })
}

pub(crate) fn memory_add(
    memory: &Owned<sys::dragoman_memory>,
    source_language: impl Into<Text>,
    target_language: impl Into<Text>,
    source: &str,
    target: &str,
) -> Result<()> {
    let source_language: Text = source_language.into();
    let source_language = source_language.pointer("source_language")?;
    let target_language: Text = target_language.into();
    let target_language = target_language.pointer("target_language")?;
    check(unsafe { sys::dragoman_memory_add(memory.pointer(), source_language, target_language, &view(source), &view(target)) })
}

pub(crate) fn memory_write_tmx(memory: &Owned<sys::dragoman_memory>, path: impl Into<Text>) -> Result<()> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    check(unsafe { sys::dragoman_memory_write_tmx(memory.pointer(), path) })
}

pub(crate) fn memory_clear(memory: &Owned<sys::dragoman_memory>) -> Result<()> {
    check(unsafe { sys::dragoman_memory_clear(memory.pointer()) })
}

pub(crate) fn memory_stats(memory: &Owned<sys::dragoman_memory>) -> Result<MemoryCounts> {
    read(|out| unsafe { sys::dragoman_memory_stats(memory.pointer(), out) }).map(|raw| MemoryCounts::of(&raw))
}

pub(crate) fn result_first(result: &Owned<sys::dragoman_result>) -> usize {
    unsafe { sys::dragoman_result_first(result.pointer()) }
}

pub(crate) fn result_count(result: &Owned<sys::dragoman_result>) -> usize {
    unsafe { sys::dragoman_result_count(result.pointer()) }
}

pub(crate) fn result_hypothesis_count(result: &Owned<sys::dragoman_result>, input: usize) -> usize {
    unsafe { sys::dragoman_result_hypothesis_count(result.pointer(), input) }
}

pub(crate) fn result_source_tokens(result: &Owned<sys::dragoman_result>, input: usize) -> Result<Vec<&str>> {
    read(|out| unsafe { sys::dragoman_result_source_tokens(result.pointer(), input, out) }).map(|raw| unsafe { crate::text::tokens(raw) })
}

pub(crate) fn result_source_ranges(result: &Owned<sys::dragoman_result>, input: usize) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_result_source_ranges(result.pointer(), input, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn result_text(result: &Owned<sys::dragoman_result>, input: usize, hypothesis: usize) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_result_text(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { string(raw) })
}

pub(crate) fn result_plain_source(result: &Owned<sys::dragoman_result>, input: usize) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_result_plain_source(result.pointer(), input, out) }).map(|raw| unsafe { string(raw) })
}

pub(crate) fn result_plain_text(result: &Owned<sys::dragoman_result>, input: usize, hypothesis: usize) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_result_plain_text(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { string(raw) })
}

pub(crate) fn result_tokens(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
) -> Result<Vec<&str>> {
    read(|out| unsafe { sys::dragoman_result_tokens(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { crate::text::tokens(raw) })
}

pub(crate) fn result_ranges(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_result_ranges(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn result_score(result: &Owned<sys::dragoman_result>, input: usize, hypothesis: usize) -> Result<f32> {
    read(|out| unsafe { sys::dragoman_result_score(result.pointer(), input, hypothesis, out) })
}

pub(crate) fn result_quality(result: &Owned<sys::dragoman_result>, input: usize, hypothesis: usize) -> Result<f32> {
    read(|out| unsafe { sys::dragoman_result_quality(result.pointer(), input, hypothesis, out) })
}

pub(crate) fn result_attention(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_result_attention(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn result_sentence_count(result: &Owned<sys::dragoman_result>, input: usize) -> usize {
    unsafe { sys::dragoman_result_sentence_count(result.pointer(), input) }
}

pub(crate) fn result_sentence(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<sys::dragoman_sentence> {
    read(|out| unsafe { sys::dragoman_result_sentence(result.pointer(), input, hypothesis, sentence, out) })
}

pub(crate) fn result_term_count(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> usize {
    unsafe { sys::dragoman_result_term_count(result.pointer(), input, hypothesis, sentence) }
}

pub(crate) fn result_term(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
    index: usize,
) -> Result<sys::dragoman_term> {
    read(|out| unsafe { sys::dragoman_result_term(result.pointer(), input, hypothesis, sentence, index, out) })
}

pub(crate) fn result_match_count(result: &Owned<sys::dragoman_result>, input: usize, sentence: usize) -> usize {
    unsafe { sys::dragoman_result_match_count(result.pointer(), input, sentence) }
}

pub(crate) fn result_match(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    sentence: usize,
    index: usize,
) -> Result<sys::dragoman_match> {
    read(|out| unsafe { sys::dragoman_result_match(result.pointer(), input, sentence, index, out) })
}

pub(crate) fn result_sentence_attention(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_result_sentence_attention(result.pointer(), input, hypothesis, sentence, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn result_source_words(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_result_source_words(result.pointer(), input, hypothesis, sentence, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn result_target_words(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_result_target_words(result.pointer(), input, hypothesis, sentence, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn result_word_quality(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_result_word_quality(result.pointer(), input, hypothesis, sentence, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn result_sentence_alignment(
    result: &Owned<sys::dragoman_result>,
    input: usize,
    hypothesis: usize,
    sentence: usize,
) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_result_sentence_alignment(result.pointer(), input, hypothesis, sentence, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn result_pharaoh(result: &Owned<sys::dragoman_result>, input: usize, hypothesis: usize) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_result_pharaoh(result.pointer(), input, hypothesis, out) }).map(|raw| unsafe { string(raw) })
}

pub(crate) fn translator_create(model: &Owned<sys::dragoman_model>) -> Result<Owned<sys::dragoman_translator>> {
    Owned::made(|out| unsafe { sys::dragoman_translator_create(model.pointer(), out) })
}

pub(crate) fn translator_create_route(
    models: &[&Owned<sys::dragoman_model>],
    source_language: impl Into<Text>,
    target_language: impl Into<Text>,
) -> Result<Owned<sys::dragoman_translator>> {
    let models: Vec<_> = models.iter().map(|one| one.pointer() as *const _).collect();
    let source_language: Text = source_language.into();
    let source_language = source_language.pointer("source_language")?;
    let target_language: Text = target_language.into();
    let target_language = target_language.pointer("target_language")?;
    Owned::made(|out| unsafe { sys::dragoman_translator_create_route(pointer_of(&models), models.len() as _, source_language, target_language, out) })
}

pub(crate) fn translate_texts(
    translator: &Owned<sys::dragoman_translator>,
    texts: &Strings,
    prefixes: &Sequences,
    options: &TranslateOptions,
) -> Result<Owned<sys::dragoman_result>> {
    if !prefixes.is_empty() {
        same_length("prefixes", texts.len(), prefixes.len())?;
    }
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_translate_texts(translator.pointer(), pointer_of(texts), texts.len() as _, pointer_of(prefixes), options, out) })
    })
}

pub(crate) fn translate_tokens(
    translator: &Owned<sys::dragoman_translator>,
    sources: &Sequences,
    prefixes: &Sequences,
    options: &TranslateOptions,
) -> Result<Owned<sys::dragoman_result>> {
    if !prefixes.is_empty() {
        same_length("prefixes", sources.len(), prefixes.len())?;
    }
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_translate_tokens(translator.pointer(), pointer_of(sources), sources.len() as _, pointer_of(prefixes), options, out) })
    })
}

pub(crate) fn translator_stats(translator: &Owned<sys::dragoman_translator>) -> Result<Stats> {
    read(|out| unsafe { sys::dragoman_translator_stats(translator.pointer(), out) }).map(|raw| Stats::of(&raw))
}

pub(crate) fn translator_reset_stats(translator: &Owned<sys::dragoman_translator>) -> Result<()> {
    check(unsafe { sys::dragoman_translator_reset_stats(translator.pointer()) })
}

pub(crate) fn translator_trim(translator: &Owned<sys::dragoman_translator>) -> Result<()> {
    check(unsafe { sys::dragoman_translator_trim(translator.pointer()) })
}

pub(crate) fn score_tokens(
    translator: &Owned<sys::dragoman_translator>,
    sources: &Sequences,
    targets: &Sequences,
    options: &ScoreOptions,
) -> Result<Owned<sys::dragoman_scores>> {
    same_length("targets", sources.len(), targets.len())?;
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_score_tokens(translator.pointer(), pointer_of(sources), pointer_of(targets), sources.len() as _, options, out) })
    })
}

pub(crate) fn score_texts(
    translator: &Owned<sys::dragoman_translator>,
    sources: &Strings,
    targets: &Strings,
    options: &ScoreOptions,
) -> Result<Owned<sys::dragoman_scores>> {
    same_length("targets", sources.len(), targets.len())?;
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_score_texts(translator.pointer(), pointer_of(sources), pointer_of(targets), sources.len() as _, options, out) })
    })
}

pub(crate) fn scores_count(scores: &Owned<sys::dragoman_scores>) -> usize {
    unsafe { sys::dragoman_scores_count(scores.pointer()) }
}

pub(crate) fn scores_tokens(scores: &Owned<sys::dragoman_scores>, pair: usize) -> Result<Vec<&str>> {
    read(|out| unsafe { sys::dragoman_scores_tokens(scores.pointer(), pair, out) }).map(|raw| unsafe { crate::text::tokens(raw) })
}

pub(crate) fn scores_log_probs(scores: &Owned<sys::dragoman_scores>, pair: usize) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_scores_log_probs(scores.pointer(), pair, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn scores_ranges(scores: &Owned<sys::dragoman_scores>, pair: usize) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_scores_ranges(scores.pointer(), pair, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn detect_languages(texts: &Strings, expected: impl Into<Text>) -> Result<Owned<sys::dragoman_detection>> {
    let expected: Text = expected.into();
    let expected = expected.pointer("expected")?;
    Owned::made(|out| unsafe { sys::dragoman_detect_languages(pointer_of(texts), texts.len() as _, expected, out) })
}

pub(crate) fn detection_count(languages: &Owned<sys::dragoman_detection>) -> usize {
    unsafe { sys::dragoman_detection_count(languages.pointer()) }
}

pub(crate) fn detection_guess_count(languages: &Owned<sys::dragoman_detection>, text: usize) -> usize {
    unsafe { sys::dragoman_detection_guess_count(languages.pointer(), text) }
}

pub(crate) fn detection_guess(
    languages: &Owned<sys::dragoman_detection>,
    text: usize,
    index: usize,
) -> Result<sys::dragoman_language_guess> {
    read(|out| unsafe { sys::dragoman_detection_guess(languages.pointer(), text, index, out) })
}

pub(crate) fn embed_texts(
    model: &Owned<sys::dragoman_model>,
    texts: &Strings,
    options: &EmbedOptions,
) -> Result<Owned<sys::dragoman_vectors>> {
    options.with(|options| {
        Owned::made(|out| unsafe { sys::dragoman_embed_texts(model.pointer(), pointer_of(texts), texts.len() as _, options, out) })
    })
}

pub(crate) fn vectors_count(vectors: &Owned<sys::dragoman_vectors>) -> usize {
    unsafe { sys::dragoman_vectors_count(vectors.pointer()) }
}

pub(crate) fn vectors_width(vectors: &Owned<sys::dragoman_vectors>) -> usize {
    unsafe { sys::dragoman_vectors_width(vectors.pointer()) }
}

pub(crate) fn vectors_get(vectors: &Owned<sys::dragoman_vectors>, text: usize) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_vectors_get(vectors.pointer(), text, out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn vectors_all(vectors: &Owned<sys::dragoman_vectors>) -> Result<Matrix<'_>> {
    read(|out| unsafe { sys::dragoman_vectors_all(vectors.pointer(), out) }).map(|raw| unsafe { Matrix::of(raw) })
}

pub(crate) fn vectors_tokens(vectors: &Owned<sys::dragoman_vectors>, text: usize) -> Result<Vec<&str>> {
    read(|out| unsafe { sys::dragoman_vectors_tokens(vectors.pointer(), text, out) }).map(|raw| unsafe { crate::text::tokens(raw) })
}

pub(crate) fn vectors_ranges(vectors: &Owned<sys::dragoman_vectors>, text: usize) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_vectors_ranges(vectors.pointer(), text, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn submit_texts(
    translator: &Owned<sys::dragoman_translator>,
    texts: &Strings,
    prefixes: &Sequences,
    options: &TranslateOptions,
    job_options: &sys::dragoman_job_options,
) -> Result<Owned<sys::dragoman_job>> {
    if !prefixes.is_empty() {
        same_length("prefixes", texts.len(), prefixes.len())?;
    }
    options.with(|options| {
        let mut options = *options;
        options.progress = None; // the events say it
        let options = &options;
        Owned::made(|out| unsafe { sys::dragoman_submit_texts(translator.pointer(), pointer_of(texts), texts.len() as _, pointer_of(prefixes), options, job_options, out) })
    })
}

pub(crate) fn submit_tokens(
    translator: &Owned<sys::dragoman_translator>,
    sources: &Sequences,
    prefixes: &Sequences,
    options: &TranslateOptions,
    job_options: &sys::dragoman_job_options,
) -> Result<Owned<sys::dragoman_job>> {
    if !prefixes.is_empty() {
        same_length("prefixes", sources.len(), prefixes.len())?;
    }
    options.with(|options| {
        let mut options = *options;
        options.progress = None; // the events say it
        let options = &options;
        Owned::made(|out| unsafe { sys::dragoman_submit_tokens(translator.pointer(), pointer_of(sources), sources.len() as _, pointer_of(prefixes), options, job_options, out) })
    })
}

pub(crate) fn job_feed_texts(
    job: &Owned<sys::dragoman_job>,
    texts: &Strings,
    prefixes: &Sequences,
    timeout_ms: Option<Duration>,
) -> Result<usize> {
    if !prefixes.is_empty() {
        same_length("prefixes", texts.len(), prefixes.len())?;
    }
    read(|out| unsafe { sys::dragoman_job_feed_texts(job.pointer(), pointer_of(texts), texts.len() as _, pointer_of(prefixes), milliseconds(timeout_ms), out) })
}

pub(crate) fn job_feed_tokens(
    job: &Owned<sys::dragoman_job>,
    sources: &Sequences,
    prefixes: &Sequences,
    timeout_ms: Option<Duration>,
) -> Result<usize> {
    if !prefixes.is_empty() {
        same_length("prefixes", sources.len(), prefixes.len())?;
    }
    read(|out| unsafe { sys::dragoman_job_feed_tokens(job.pointer(), pointer_of(sources), sources.len() as _, pointer_of(prefixes), milliseconds(timeout_ms), out) })
}

pub(crate) fn job_finish(job: &Owned<sys::dragoman_job>) -> Result<()> {
    check(unsafe { sys::dragoman_job_finish(job.pointer()) })
}

pub(crate) fn job_next_result(
    job: &Owned<sys::dragoman_job>,
    timeout_ms: Option<Duration>,
) -> Result<Option<Owned<sys::dragoman_result>>> {
    Owned::maybe(|out| unsafe { sys::dragoman_job_next_result(job.pointer(), milliseconds(timeout_ms), out) })
}

pub(crate) fn job_poll(job: &Owned<sys::dragoman_job>) -> Result<JobInfo> {
    read(|out| unsafe { sys::dragoman_job_poll(job.pointer(), out) }).map(|raw| JobInfo::of(&raw))
}

pub(crate) fn job_wait(job: &Owned<sys::dragoman_job>, timeout_ms: Option<Duration>) -> Result<i32> {
    read(|out| unsafe { sys::dragoman_job_wait(job.pointer(), milliseconds(timeout_ms), out) })
}

pub(crate) fn job_cancel(job: &Owned<sys::dragoman_job>) -> Result<()> {
    check(unsafe { sys::dragoman_job_cancel(job.pointer()) })
}

pub(crate) fn job_take_result(job: &Owned<sys::dragoman_job>) -> Result<Owned<sys::dragoman_result>> {
    Owned::made(|out| unsafe { sys::dragoman_job_take_result(job.pointer(), out) })
}

pub(crate) fn split_sentences(
    text: &str,
    language: impl Into<Text>,
    join_lines: bool,
) -> Result<Owned<sys::dragoman_range_list>> {
    let language: Text = language.into();
    let language = language.pointer("language")?;
    Owned::made(|out| unsafe { sys::dragoman_split_sentences(&view(text), language, join_lines.into(), out) })
}

pub(crate) fn range_list_count(ranges: &Owned<sys::dragoman_range_list>) -> usize {
    unsafe { sys::dragoman_range_list_count(ranges.pointer()) }
}

pub(crate) fn range_list_data(ranges: &Owned<sys::dragoman_range_list>) -> &[sys::dragoman_range] {
    unsafe { slice(sys::dragoman_range_list_data(ranges.pointer()), sys::dragoman_range_list_count(ranges.pointer())) }
}

pub(crate) fn tokenize(
    model: &Owned<sys::dragoman_model>,
    side: Side,
    texts: &Strings,
) -> Result<Owned<sys::dragoman_token_lists>> {
    Owned::made(|out| unsafe { sys::dragoman_tokenize(model.pointer(), side as i32, pointer_of(texts), texts.len() as _, out) })
}

pub(crate) fn token_lists_count(tokens: &Owned<sys::dragoman_token_lists>) -> usize {
    unsafe { sys::dragoman_token_lists_count(tokens.pointer()) }
}

pub(crate) fn token_lists_get(tokens: &Owned<sys::dragoman_token_lists>, index: usize) -> Result<Vec<&str>> {
    read(|out| unsafe { sys::dragoman_token_lists_get(tokens.pointer(), index, out) }).map(|raw| unsafe { crate::text::tokens(raw) })
}

pub(crate) fn token_lists_ranges(tokens: &Owned<sys::dragoman_token_lists>, index: usize) -> Result<Vec<Range<usize>>> {
    read(|out| unsafe { sys::dragoman_token_lists_ranges(tokens.pointer(), index, out) }).map(|raw| unsafe { spans(raw) })
}

pub(crate) fn model_has_token(model: &Owned<sys::dragoman_model>, side: Side, token: impl Into<Text>) -> Result<i32> {
    let token: Text = token.into();
    let token = token.pointer("token")?;
    read(|out| unsafe { sys::dragoman_model_has_token(model.pointer(), side as i32, token, out) })
}

pub(crate) fn detokenize(
    model: &Owned<sys::dragoman_model>,
    side: Side,
    sequences: &Sequences,
) -> Result<Owned<sys::dragoman_text_list>> {
    Owned::made(|out| unsafe { sys::dragoman_detokenize(model.pointer(), side as i32, pointer_of(sequences), sequences.len() as _, out) })
}

pub(crate) fn text_list_count(texts: &Owned<sys::dragoman_text_list>) -> usize {
    unsafe { sys::dragoman_text_list_count(texts.pointer()) }
}

pub(crate) fn text_list_get(texts: &Owned<sys::dragoman_text_list>, index: usize) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_text_list_get(texts.pointer(), index, out) }).map(|raw| unsafe { string(raw) })
}

pub(crate) fn model_convert(path: impl Into<Text>, out_path: impl Into<Text>, options: &ConvertOptions) -> Result<()> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    let out_path: Text = out_path.into();
    let out_path = out_path.pointer("out_path")?;
    options.with(|options| {
        check(unsafe { sys::dragoman_model_convert(path, out_path, options) })
    })
}

pub(crate) fn bench_texts(
    path: impl Into<Text>,
    model_options: &ModelOptions,
    texts: &Strings,
    options: &TranslateOptions,
    bench_options: &BenchOptions,
) -> Result<Owned<sys::dragoman_report>> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    model_options.with(|model_options| {
        options.with(|options| {
            bench_options.with(|bench_options| {
                Owned::made(|out| unsafe { sys::dragoman_bench_texts(path, model_options, pointer_of(texts), texts.len() as _, options, bench_options, out) })
            })
        })
    })
}

pub(crate) fn bench_tokens(
    path: impl Into<Text>,
    model_options: &ModelOptions,
    sources: &Sequences,
    options: &TranslateOptions,
    bench_options: &BenchOptions,
) -> Result<Owned<sys::dragoman_report>> {
    let path: Text = path.into();
    let path = path.pointer("path")?;
    model_options.with(|model_options| {
        options.with(|options| {
            bench_options.with(|bench_options| {
                Owned::made(|out| unsafe { sys::dragoman_bench_tokens(path, model_options, pointer_of(sources), sources.len() as _, options, bench_options, out) })
            })
        })
    })
}

pub(crate) fn device_check(device: &Owned<sys::dragoman_device>) -> Result<Owned<sys::dragoman_report>> {
    Owned::made(|out| unsafe { sys::dragoman_device_check(device.pointer(), out) })
}

pub(crate) fn report_json(report: &Owned<sys::dragoman_report>) -> Result<&str> {
    read(|out| unsafe { sys::dragoman_report_json(report.pointer(), out) }).map(|raw| unsafe { string(raw) })
}
