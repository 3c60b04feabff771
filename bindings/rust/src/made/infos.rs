// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use super::enums::*;
use crate::text::chars;
use dragoman_sys as sys;

/// Facts about a device. Flags are 0 or 1. Names that are too long are cut.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Place in the list, valid as a name in `DeviceOptions`.
    pub index: u32,
    /// `DeviceKind`.
    pub kind: DeviceKind,
    /// PCI.
    pub vendor_id: u32,
    /// PCI.
    pub device_id: u32,
    /// Vulkan: major \<\< 22 | minor \<\< 12 | patch.
    pub api_version: u32,
    /// As the driver encodes it.
    pub driver_version: u32,
    /// Invocations.
    pub subgroup_size: u32,
    /// 16-bit floats can be stored and computed with.
    pub f16: bool,
    /// VK_KHR_cooperative_matrix with f16 operands and f32 sums.
    pub cooperative_matrix: bool,
    /// VK_KHR_shader_integer_dot_product, which int8 models use.
    pub integer_dot_product: bool,
    /// The device's memory is the host's.
    pub unified_memory: bool,
    /// Largest device-local heap; of an integrated GPU, all heaps together.
    pub memory_bytes: u64,
    /// Largest buffer that a shader can see.
    pub max_buffer_bytes: u64,
    /// Stays the same after a restart; as hexadecimal digits a device name, too.
    pub uuid: [u8; 16],
    /// As the driver calls it.
    pub name: String,
    /// Name and version of the driver, for people.
    pub driver: String,
}

impl DeviceInfo {
    pub(crate) fn of(raw: &sys::dragoman_device_info) -> Self {
        DeviceInfo {
            index: raw.index,
            kind: DeviceKind::of(raw.kind),
            vendor_id: raw.vendor_id,
            device_id: raw.device_id,
            api_version: raw.api_version,
            driver_version: raw.driver_version,
            subgroup_size: raw.subgroup_size,
            f16: raw.f16 != 0,
            cooperative_matrix: raw.cooperative_matrix != 0,
            integer_dot_product: raw.integer_dot_product != 0,
            unified_memory: raw.unified_memory != 0,
            memory_bytes: raw.memory_bytes,
            max_buffer_bytes: raw.max_buffer_bytes,
            uuid: raw.uuid,
            name: chars(&raw.name),
            driver: chars(&raw.driver),
        }
    }
}

/// Memory of a device, in bytes, at the moment of the call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceMemory {
    /// 1: the driver tells budget and use; 0: it does not, so they are the whole heap and 0.
    pub measured: bool,
    /// Largest device-local heap; of an integrated GPU, all heaps together.
    pub heap_bytes: u64,
    /// Of it, how much this process may use now, besides other programs.
    pub budget_bytes: u64,
    /// Of it, how much this process uses, Dragoman or not.
    pub used_bytes: u64,
    /// Device memory that its models and their translations hold now.
    pub held_bytes: u64,
    /// Most they ever held.
    pub peak_bytes: u64,
    /// Memory_limit_bytes of `DeviceOptions`; 0: none.
    pub limit_bytes: u64,
}

impl DeviceMemory {
    pub(crate) fn of(raw: &sys::dragoman_memory_info) -> Self {
        DeviceMemory {
            measured: raw.measured != 0,
            heap_bytes: raw.heap_bytes,
            budget_bytes: raw.budget_bytes,
            used_bytes: raw.used_bytes,
            held_bytes: raw.held_bytes,
            peak_bytes: raw.peak_bytes,
            limit_bytes: raw.limit_bytes,
        }
    }
}

/// Facts about a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelInfo {
    /// 1: takes and gives text; 0: only tokens.
    pub has_tokenizer: bool,
    /// Width of the layers; of the states, where the model is recurrent.
    pub d_model: u32,
    /// Attention heads of a layer of the encoder, or of a decoder alone; 1: recurrent.
    pub heads: u32,
    /// Layers of the encoder; 0: a decoder alone, which continues texts.
    pub encoder_layers: u32,
    /// Layers of the decoder.
    pub decoder_layers: u32,
    /// Width of the encoder's feed-forward blocks; 0 where it has none.
    pub encoder_ffn: u32,
    /// Width of the decoder's; 0 where it has none.
    pub decoder_ffn: u32,
    /// Number of tokens that may go in; 0: those that may come out.
    pub source_vocabulary: u32,
    /// Number of tokens that may come out.
    pub target_vocabulary: u32,
    /// Numbers in all weights; those that several parts share count once.
    pub parameters: u64,
    /// Size on disk of all files of the model, or of its one file.
    pub file_bytes: u64,
    /// Weights on the device; 0 from C's `dragoman_model_describe()`.
    pub device_bytes: u64,
    /// "ctranslate2".
    pub format: String,
    /// "TransformerSpec".
    pub family: String,
    /// Types of the weights in the file, "int8, float32".
    pub stored_types: String,
    /// "float32", "float16", "int8" or "int8_float16"; "" from C's `dragoman_model_describe()`.
    pub compute_type: String,
    /// Of the model, as its files spell it.
    pub version: String,
    /// Beginning of the licence, or its name.
    pub license: String,
    /// Where the model was found; "memory" or "memory/NAME" for the caller's files.
    pub path: String,
    /// The tokens around a text and at the start of its translation, for any pair of languages: "{from} TEXT \</s\>
    /// =\> \</s\> {to} TEXT \</s\>".
    pub prompt: String,
    /// More than 1: an ensemble; widths and layers are those of the first one.
    pub networks: u32,
    /// Most tokens of a source, with those the model wants around it; 0: any number.
    pub max_source_tokens: u32,
    /// Most tokens of a translation, likewise.
    pub max_target_tokens: u32,
    /// Features that the model does not support, with ", " between: "shortlist, names of languages"; "": nothing.
    pub lacks: String,
    /// Why that compute type: "asked for", "fastest on GPUs"; "" from C's `dragoman_model_describe()`.
    pub compute_reason: String,
}

impl ModelInfo {
    pub(crate) fn of(raw: &sys::dragoman_model_info) -> Self {
        ModelInfo {
            has_tokenizer: raw.has_tokenizer != 0,
            d_model: raw.d_model,
            heads: raw.heads,
            encoder_layers: raw.encoder_layers,
            decoder_layers: raw.decoder_layers,
            encoder_ffn: raw.encoder_ffn,
            decoder_ffn: raw.decoder_ffn,
            source_vocabulary: raw.source_vocabulary,
            target_vocabulary: raw.target_vocabulary,
            parameters: raw.parameters,
            file_bytes: raw.file_bytes,
            device_bytes: raw.device_bytes,
            format: chars(&raw.format),
            family: chars(&raw.family),
            stored_types: chars(&raw.stored_types),
            compute_type: chars(&raw.compute_type),
            version: chars(&raw.version),
            license: chars(&raw.license),
            path: chars(&raw.path),
            prompt: chars(&raw.prompt),
            networks: raw.networks,
            max_source_tokens: raw.max_source_tokens,
            max_target_tokens: raw.max_target_tokens,
            lacks: chars(&raw.lacks),
            compute_reason: chars(&raw.compute_reason),
        }
    }
}

/// The contents of a memory, and the questions it was asked since it was made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryCounts {
    /// Answers in memory.
    pub entries: u64,
    /// That they take.
    pub bytes: u64,
    /// Answers that went from memory for others.
    pub evicted: u64,
    /// Answers in the file.
    pub file_entries: u64,
    /// That they take.
    pub file_bytes: u64,
    /// Sentences whose answer was in memory.
    pub hits: u64,
    /// In the file only.
    pub file_hits: u64,
    /// In neither.
    pub misses: u64,
    /// Units of translation memories.
    pub segments: u64,
    /// Sentences that one of them translated.
    pub exact_matches: u64,
    /// Sentences with segments that are like them.
    pub fuzzy_matches: u64,
    /// Translations in the record.
    pub recorded: u64,
    /// Answers that are not in the file yet; they count in file_entries.
    pub file_waiting: u64,
    /// That never will be: too many waited for a file that took none.
    pub file_lost: u64,
    /// Times that the file could not be read or written: a full disk, a lock, damage. The first of them is a warning
    /// in the log; no translation fails.
    pub file_failures: u64,
}

impl MemoryCounts {
    pub(crate) fn of(raw: &sys::dragoman_memory_counts) -> Self {
        MemoryCounts {
            entries: raw.entries,
            bytes: raw.bytes,
            evicted: raw.evicted,
            file_entries: raw.file_entries,
            file_bytes: raw.file_bytes,
            hits: raw.hits,
            file_hits: raw.file_hits,
            misses: raw.misses,
            segments: raw.segments,
            exact_matches: raw.exact_matches,
            fuzzy_matches: raw.fuzzy_matches,
            recorded: raw.recorded,
            file_waiting: raw.file_waiting,
            file_lost: raw.file_lost,
            file_failures: raw.file_failures,
        }
    }
}

/// Counters of a translator since it was made or C's `dragoman_translator_reset_stats()` was called. Batches, steps,
/// dispatches per step and repeated sentences include other translators of the same model; submissions, waits,
/// dispatches and memory include everything on the device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Sentences and inputs of tokens that went through the model.
    pub sentences: u64,
    /// Of these, after any cut.
    pub source_tokens: u64,
    /// Of the best hypotheses.
    pub target_tokens: u64,
    /// Times that the encoder ran for new sentences.
    pub batches: u64,
    /// Replays of the recorded decoder step.
    pub decoder_steps: u64,
    /// Of the last batch.
    pub dispatches_per_step: u64,
    /// Computed for nothing; always 0, because batches need no padding.
    pub padding_tokens: u64,
    /// Command submissions to the device.
    pub submissions: u64,
    /// Times the host waited for the device.
    pub host_waits: u64,
    /// Compute dispatches.
    pub dispatches: u64,
    /// Device memory held now by everything on the device.
    pub memory_bytes: u64,
    /// The most it held at a time.
    pub memory_peak_bytes: u64,
    /// Most the process ever had resident; 0 where the system does not say.
    pub host_peak_bytes: u64,
    /// Searched again in float32, because their numbers overflowed in float16.
    pub repeated_sentences: u64,
}

impl Stats {
    pub(crate) fn of(raw: &sys::dragoman_stats) -> Self {
        Stats {
            sentences: raw.sentences,
            source_tokens: raw.source_tokens,
            target_tokens: raw.target_tokens,
            batches: raw.batches,
            decoder_steps: raw.decoder_steps,
            dispatches_per_step: raw.dispatches_per_step,
            padding_tokens: raw.padding_tokens,
            submissions: raw.submissions,
            host_waits: raw.host_waits,
            dispatches: raw.dispatches,
            memory_bytes: raw.memory_bytes,
            memory_peak_bytes: raw.memory_peak_bytes,
            host_peak_bytes: raw.host_peak_bytes,
            repeated_sentences: raw.repeated_sentences,
        }
    }
}

/// A job at the moment of the call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JobInfo {
    /// `JobState`.
    pub state: JobState,
    /// How it ended; DRAGOMAN_OK while it has not.
    pub status: Status,
    /// As in `Event`.
    pub done: usize,
    /// 0 until the sentences are known.
    pub total: usize,
}

impl JobInfo {
    pub(crate) fn of(raw: &sys::dragoman_job_info) -> Self {
        JobInfo {
            state: JobState::of(raw.state),
            status: Status::of(raw.status),
            done: raw.done,
            total: raw.total,
        }
    }
}
