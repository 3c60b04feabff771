// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use std::marker::{PhantomData, PhantomPinned};
use std::mem;
use std::os::raw::{c_char, c_void};

/// Version of this header. A new minor version adds functions, fields at the end of structs, and enumerators; programs
/// that were built for an older one keep working. A change that breaks them gets a new major version and another
/// library name.
pub const DRAGOMAN_VERSION_MAJOR: i32 = 1;
/// counts additions
pub const DRAGOMAN_VERSION_MINOR: i32 = 0;
/// counts repairs; nothing to include or link changes
pub const DRAGOMAN_VERSION_PATCH: i32 = 0;
/// The version of this header as such a number.
pub const DRAGOMAN_VERSION: i32 = 10000;
/// Most bytes of a text or token; more is DRAGOMAN_INVALID_ARGUMENT, here and below.
pub const DRAGOMAN_MAX_TEXT_BYTES: usize = 268435456;
/// most inputs, or files, of a call
pub const DRAGOMAN_MAX_INPUTS: usize = 16777216;
/// most tokens of a sequence
pub const DRAGOMAN_MAX_TOKENS: usize = 16777216;
/// For attention_head: the mean of all heads.
pub const DRAGOMAN_ALL_HEADS: u32 = 4294967295;
/// For a count: as the model says, or the engine it was made for (docs/options.md). For other numbers: NAN.
pub const DRAGOMAN_MODEL_DEFAULT: u32 = 4294967295;
/// Bits for the `events` of dragoman_job_options. for text that grows word by word
pub const DRAGOMAN_EVENTS_PARTIAL: u32 = 1;
/// one for every sentence
pub const DRAGOMAN_EVENTS_SENTENCE: u32 = 2;
/// one for the job, last
pub const DRAGOMAN_EVENTS_END: u32 = 4;

/// The result of a call, on which a caller can act. The sentence for a person is dragoman_last_error().
pub type dragoman_status = i32;
/// the result is there, the message empty
pub const DRAGOMAN_OK: dragoman_status = 0;
/// an option, text or handle the caller passed
pub const DRAGOMAN_INVALID_ARGUMENT: dragoman_status = 1;
/// a model file that is broken or incomplete, or contradicts itself
pub const DRAGOMAN_BAD_MODEL: dragoman_status = 2;
/// a valid request that this library, model or device cannot fulfil
pub const DRAGOMAN_UNSUPPORTED: dragoman_status = 3;
/// host or device memory ran out, or the memory limit was reached
pub const DRAGOMAN_OUT_OF_MEMORY: dragoman_status = 4;
/// the device stopped answering; open it and load its models again
pub const DRAGOMAN_DEVICE_LOST: dragoman_status = 5;
/// no Vulkan loader, no driver, or no device that fits the request
pub const DRAGOMAN_NO_DEVICE: dragoman_status = 6;
/// a file that cannot be read or written
pub const DRAGOMAN_IO_ERROR: dragoman_status = 7;
/// the caller asked to stop
pub const DRAGOMAN_CANCELLED: dragoman_status = 8;
/// a fault of the library
pub const DRAGOMAN_INTERNAL: dragoman_status = 9;

/// Levels of a log line; a lower number is more urgent.
pub type dragoman_log_level = i32;
/// faults that no call can report, such as a callback that threw
pub const DRAGOMAN_LOG_ERROR: dragoman_log_level = 0;
/// something that was asked for is missing, such as the validation layer
pub const DRAGOMAN_LOG_WARNING: dragoman_log_level = 1;
/// a changed choice, such as fewer sentences at a time because memory is short
pub const DRAGOMAN_LOG_INFO: dragoman_log_level = 2;
/// the device, caches, tuning, and parts of a model's files that are not used
pub const DRAGOMAN_LOG_DEBUG: dragoman_log_level = 3;

/// Kinds of device, best first.
pub type dragoman_device_kind = i32;
/// a graphics card with memory of its own
pub const DRAGOMAN_DEVICE_DISCRETE: dragoman_device_kind = 0;
/// a GPU that shares the processor's memory
pub const DRAGOMAN_DEVICE_INTEGRATED: dragoman_device_kind = 1;
/// a part of a GPU, lent to a virtual machine
pub const DRAGOMAN_DEVICE_VIRTUAL: dragoman_device_kind = 2;
/// Vulkan in software, such as lavapipe
pub const DRAGOMAN_DEVICE_CPU: dragoman_device_kind = 3;
/// a kind that the driver does not name
pub const DRAGOMAN_DEVICE_OTHER: dragoman_device_kind = 4;

/// Whether the first load of a model on a GPU measures which kernels are fastest there. CPU devices measure nothing.
pub type dragoman_tune = i32;
/// as DRAGOMAN_AUTOTUNE in the environment says, otherwise mostly in the background
pub const DRAGOMAN_TUNE_AUTO: dragoman_tune = 0;
/// nothing is measured; what is known from before is used
pub const DRAGOMAN_TUNE_OFF: dragoman_tune = 1;
/// loading waits until all is measured, so it takes some seconds
pub const DRAGOMAN_TUNE_ON: dragoman_tune = 2;

/// The numbers a model computes with on the device.
pub type dragoman_compute_type = i32;
/// f16 on a GPU that has it, otherwise int8 for a model made for it, otherwise f32
pub const DRAGOMAN_COMPUTE_AUTO: dragoman_compute_type = 0;
/// the most exact, on every device
pub const DRAGOMAN_COMPUTE_F32: dragoman_compute_type = 1;
/// DRAGOMAN_UNSUPPORTED on a device without it
pub const DRAGOMAN_COMPUTE_F16: dragoman_compute_type = 2;
/// Matrix products of int8 numbers, the rest in f32. A model made for it has its own scales; the matrices of any other
/// are rounded while it is loaded, each row by its largest number, and so are the inputs of products.
pub const DRAGOMAN_COMPUTE_INT8: dragoman_compute_type = 3;
/// The same for every model, with the rest in f16; DRAGOMAN_UNSUPPORTED on a device without it
pub const DRAGOMAN_COMPUTE_INT8_FLOAT16: dragoman_compute_type = 4;

/// The side of a translation.
pub type dragoman_side = i32;
/// the text that is translated
pub const DRAGOMAN_SIDE_SOURCE: dragoman_side = 0;
/// the translation
pub const DRAGOMAN_SIDE_TARGET: dragoman_side = 1;

/// Facts about a sentence that a reader should know. Bits; later versions may add some.
pub type dragoman_sentence_flag = i32;
/// unchanged, for a reason below or because it says nothing
pub const DRAGOMAN_SENTENCE_COPIED: dragoman_sentence_flag = 1;
/// nothing to translate (source_language "auto")
pub const DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE: dragoman_sentence_flag = 2;
/// one that the model does not translate from (likewise)
pub const DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE: dragoman_sentence_flag = 4;
/// spans that the model cannot read, or should not, are unchanged
pub const DRAGOMAN_SENTENCE_CARRIED: dragoman_sentence_flag = 8;
/// the model repeated itself: translated in parts, or copied
pub const DRAGOMAN_SENTENCE_REPEATED: dragoman_sentence_flag = 16;
/// a number of it is missing in the translation
pub const DRAGOMAN_SENTENCE_NUMBERS: dragoman_sentence_flag = 32;
/// it looks like UTF-8 that was read as another encoding
pub const DRAGOMAN_SENTENCE_MOJIBAKE: dragoman_sentence_flag = 64;
/// the translation is that of a translation memory's segment
pub const DRAGOMAN_SENTENCE_FROM_MEMORY: dragoman_sentence_flag = 128;
/// copied, since its translation had less quality than min_quality
pub const DRAGOMAN_SENTENCE_UNSURE: dragoman_sentence_flag = 256;
/// its translation leaves out more words than max_uncovered_words
pub const DRAGOMAN_SENTENCE_UNCOVERED: dragoman_sentence_flag = 512;

/// The engine whose beam search is used. The engines differ in what ends it, which hypotheses compete and how they are
/// scored.
pub type dragoman_search = i32;
/// the search of the engine that the model's format belongs to
pub const DRAGOMAN_SEARCH_AUTO: dragoman_search = 0;
/// CTranslate2's, the only one with coverage_penalty and prefix_bias_beta
pub const DRAGOMAN_SEARCH_CTRANSLATE2: dragoman_search = 1;
/// Marian's, the only one with word_penalty
pub const DRAGOMAN_SEARCH_MARIAN: dragoman_search = 2;
/// the search of Hugging Face's transformers, the only one with early_stopping
pub const DRAGOMAN_SEARCH_HUGGINGFACE: dragoman_search = 3;

/// When a search of Hugging Face's ends, once as many hypotheses as beams have finished.
pub type dragoman_early_stopping = i32;
/// as the model says
pub const DRAGOMAN_EARLY_STOPPING_AUTO: dragoman_early_stopping = 0;
/// the best live beam scores worse than all of them
pub const DRAGOMAN_EARLY_STOPPING_OFF: dragoman_early_stopping = 1;
/// nothing else
pub const DRAGOMAN_EARLY_STOPPING_ON: dragoman_early_stopping = 2;
/// even at the longest length the best live beam would score worse
pub const DRAGOMAN_EARLY_STOPPING_NEVER: dragoman_early_stopping = 3;

/// Whether tokens are drawn by their probabilities, instead of the most probable ones taken.
pub type dragoman_sampling = i32;
/// as the model says
pub const DRAGOMAN_SAMPLING_AUTO: dragoman_sampling = 0;
/// beam search, or greedy search
pub const DRAGOMAN_SAMPLING_OFF: dragoman_sampling = 1;
/// drawn; beam_size is 1
pub const DRAGOMAN_SAMPLING_ON: dragoman_sampling = 2;

/// The markup of a text. Its tags stay as they are, and the text between them is translated (docs/markup.md).
pub type dragoman_markup = i32;
/// words only
pub const DRAGOMAN_MARKUP_NONE: dragoman_markup = 0;
/// a page or a part of one; what is broken is read as browsers do
pub const DRAGOMAN_MARKUP_HTML: dragoman_markup = 1;
/// a document; one that is not well-formed is an error
pub const DRAGOMAN_MARKUP_XML: dragoman_markup = 2;

/// The vectors that are made from an encoder's output.
pub type dragoman_pooling = i32;
/// as the model's files say, with the layers behind it; otherwise the mean
pub const DRAGOMAN_POOLING_MODEL: dragoman_pooling = 0;
/// one vector: the mean over all tokens, with those around the text
pub const DRAGOMAN_POOLING_MEAN: dragoman_pooling = 1;
/// one vector: that of the first token
pub const DRAGOMAN_POOLING_CLS: dragoman_pooling = 2;
/// one vector: BERT's pooler, tanh(W first + b)
pub const DRAGOMAN_POOLING_POOLER: dragoman_pooling = 3;
/// one vector for each token
pub const DRAGOMAN_POOLING_TOKENS: dragoman_pooling = 4;

/// Whether vectors are divided by their lengths.
pub type dragoman_normalize = i32;
/// as the model's files say; otherwise off
pub const DRAGOMAN_NORMALIZE_MODEL: dragoman_normalize = 0;
/// as the encoder gives them
pub const DRAGOMAN_NORMALIZE_OFF: dragoman_normalize = 1;
/// to a length of 1, so that the product of two is their cosine
pub const DRAGOMAN_NORMALIZE_ON: dragoman_normalize = 2;

/// The kind of an event.
pub type dragoman_event_kind = i32;
/// the best translation so far of a sentence at work; the next may differ
pub const DRAGOMAN_EVENT_PARTIAL: dragoman_event_kind = 0;
/// a sentence is translated
pub const DRAGOMAN_EVENT_SENTENCE: dragoman_event_kind = 1;
/// the job has ended: the last event
pub const DRAGOMAN_EVENT_END: dragoman_event_kind = 2;

/// The state of a job.
pub type dragoman_job_state = i32;
/// none of its sentences is at work yet
pub const DRAGOMAN_JOB_WAITING: dragoman_job_state = 0;
/// some of its sentences are at work or done
pub const DRAGOMAN_JOB_RUNNING: dragoman_job_state = 1;
/// ended with a result
pub const DRAGOMAN_JOB_DONE: dragoman_job_state = 2;
/// ended with an error
pub const DRAGOMAN_JOB_FAILED: dragoman_job_state = 3;
/// ended because somebody asked for it
pub const DRAGOMAN_JOB_CANCELLED: dragoman_job_state = 4;

/// How the matrices of a converted model are stored. Tensors that are not multiplied have 32 or 16 bits.
pub type dragoman_weight_type = i32;
/// as they are; int8 keeps its scales
pub const DRAGOMAN_WEIGHTS_KEEP: dragoman_weight_type = 0;
/// 32 bits, which hold any weight of a model
pub const DRAGOMAN_WEIGHTS_F32: dragoman_weight_type = 1;
/// 16 bits; DRAGOMAN_UNSUPPORTED for numbers beyond 65504
pub const DRAGOMAN_WEIGHTS_F16: dragoman_weight_type = 2;
/// 8.5 bits: blocks of 32 whole numbers with a scale
pub const DRAGOMAN_WEIGHTS_Q8: dragoman_weight_type = 3;
/// 5 bits: blocks of 32 with scale and offset
pub const DRAGOMAN_WEIGHTS_Q4: dragoman_weight_type = 4;

/// Receives one line, without a line feed and valid during the call. Runs on whichever thread logs; calls never
/// overlap. It must not call the library.
pub type dragoman_log_fn = Option<unsafe extern "C" fn(level: i32, line: *const c_char, user: *mut c_void)>;

/// Called around every use of an adopted device's queue, on any of the library's threads or the caller's.
pub type dragoman_queue_lock_fn = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Reads `size` bytes from `offset` of a file into `buffer`; never beyond the size that was given, and at most 16 MiB
/// at a time. Returns 0, or any other number if it cannot. Runs on the thread that loads, during the call. It must not
/// use the library.
pub type dragoman_read_fn = Option<unsafe extern "C" fn(
    offset: u64,
    buffer: *mut c_void,
    size: usize,
    user: *mut c_void,
) -> i32>;

/// Called now and then during a translation, on the thread that asked for it (for a job on the translator's own
/// thread), with the number of inputs done; for texts, with the number of different sentences in all of them. Return 0
/// to go on; anything else stops, and the call returns DRAGOMAN_CANCELLED. It must not use the translator.
pub type dragoman_progress_fn = Option<unsafe extern "C" fn(done: usize, total: usize, user: *mut c_void) -> i32>;

/// Receives events on a thread of the translator. Calls never overlap, and other jobs of the translator may have to
/// wait until a call returns. The callback may use the library, submit and cancel jobs, take the result of a job that
/// has ended and destroy handles. A function that would wait for the same translator returns DRAGOMAN_INVALID_ARGUMENT
/// there: dragoman_job_wait() and every function that translates, scores, reads or resets statistics or trims.
pub type dragoman_event_fn = Option<unsafe extern "C" fn(event: *const dragoman_event, user: *mut c_void)>;

/// A further receiver of the process's log lines. There may be any number of them at a time.
#[repr(C)]
pub struct dragoman_logger {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A device in use. Models are loaded onto it. Everything on it shares one memory budget and one queue of work, in
/// which calls and jobs of equal priority get equal shares, whichever models they use. Any number of threads may use
/// it at the same time.
#[repr(C)]
pub struct dragoman_device {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Extensions and features that a VkDevice should be made with. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_wanted_device {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A model on a device: weights and vocabularies. Never changes; any number of threads and translators share it.
#[repr(C)]
pub struct dragoman_model {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Languages, in the order of the model's files. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_language_list {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Terms with what they become. Never changes; any number of threads and calls may use it.
#[repr(C)]
pub struct dragoman_glossary {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Answers of models, segments of translation memories (TMX), and on request a record of what is translated. Any
/// number of threads, calls, jobs and translators may use one at the same time.
#[repr(C)]
pub struct dragoman_memory {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Translations of the inputs of one call, in their order. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_result {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Translates with one model. Any number of threads may use it at the same time: calls and jobs share the device,
/// sentence by sentence, and short ones overtake long ones. Several translators of one model share the device in the
/// same way.
#[repr(C)]
pub struct dragoman_translator {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Scores of the pairs of one call, in their order. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_scores {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Languages that each of several texts may be in. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_detection {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Vectors of the texts of one call, in their order. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_vectors {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A translation that was submitted. Any number of threads may use it at the same time. It keeps its model alive.
#[repr(C)]
pub struct dragoman_job {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Ranges of a text, in its order. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_range_list {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A sequence of tokens for each of several texts. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_token_lists {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Several texts. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_text_list {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// The results of measuring or checking. Never changes; any number of threads may read it.
#[repr(C)]
pub struct dragoman_report {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// UTF-8 text: `size` bytes at `data`. NULL is allowed when the size is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_string {
    /// from the library: never NULL, and a zero byte follows the text
    pub data: *const c_char,
    /// in bytes, without that zero byte
    pub size: usize,
}

impl Default for dragoman_string {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// A sequence of tokens, spelled as in the model's vocabulary. NULL is allowed when the count is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_tokens {
    /// one string per token, each alive as long as this array
    pub data: *const dragoman_string,
    /// of tokens
    pub count: usize,
}

impl Default for dragoman_tokens {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// A part of a text, counted in bytes, never within a UTF-8 character.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_range {
    /// first byte, from 0
    pub begin: usize,
    /// the byte after the last one
    pub end: usize,
}

impl Default for dragoman_range {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// Ranges of one text, one for each of a sequence of tokens.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_ranges {
    /// `count` ranges; may be NULL where there are none
    pub data: *const dragoman_range,
    /// of ranges
    pub count: usize,
}

impl Default for dragoman_ranges {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// Row-major: element (row, col) is data\[row * cols + col\].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_matrix {
    /// rows * cols numbers without gaps; may be NULL where there are none
    pub data: *const f32,
    /// 0 for no matrix
    pub rows: usize,
    /// numbers in each row
    pub cols: usize,
}

impl Default for dragoman_matrix {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// Facts about a device. Flags are 0 or 1. Names that are too long are cut.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_device_info {
    /// bytes of this struct, set by dragoman_device_info_init()
    pub struct_size: u32,
    /// place in the list, valid as a name in dragoman_device_options
    pub index: u32,
    /// a dragoman_device_kind
    pub kind: i32,
    /// PCI
    pub vendor_id: u32,
    /// PCI
    pub device_id: u32,
    /// Vulkan: major \<\< 22 | minor \<\< 12 | patch
    pub api_version: u32,
    /// as the driver encodes it
    pub driver_version: u32,
    /// invocations
    pub subgroup_size: u32,
    /// 16-bit floats can be stored and computed with
    pub f16: i32,
    /// VK_KHR_cooperative_matrix with f16 operands and f32 sums
    pub cooperative_matrix: i32,
    /// VK_KHR_shader_integer_dot_product, which int8 models use
    pub integer_dot_product: i32,
    /// the device's memory is the host's
    pub unified_memory: i32,
    /// largest device-local heap; of an integrated GPU, all heaps together
    pub memory_bytes: u64,
    /// largest buffer that a shader can see
    pub max_buffer_bytes: u64,
    /// stays the same after a restart; as hexadecimal digits a device name, too
    pub uuid: [u8; 16],
    /// as the driver calls it
    pub name: [c_char; 256],
    /// name and version of the driver, for people
    pub driver: [c_char; 256],
}

impl Default for dragoman_device_info {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// Memory of a device, in bytes, at the moment of the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_memory_info {
    /// bytes of this struct, set by dragoman_memory_info_init()
    pub struct_size: u32,
    /// 1: the driver tells budget and use; 0: it does not, so they are the whole heap and 0
    pub measured: i32,
    /// largest device-local heap; of an integrated GPU, all heaps together
    pub heap_bytes: u64,
    /// of it, how much this process may use now, besides other programs
    pub budget_bytes: u64,
    /// of it, how much this process uses, Dragoman or not
    pub used_bytes: u64,
    /// device memory that its models and their translations hold now
    pub held_bytes: u64,
    /// most they ever held
    pub peak_bytes: u64,
    /// memory_limit_bytes of dragoman_device_options; 0: none
    pub limit_bytes: u64,
}

impl Default for dragoman_memory_info {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How a device is opened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_device_options {
    /// bytes of this struct, set by dragoman_device_options_init()
    pub struct_size: u32,
    /// 1: run under the Vulkan validation layer where it is installed; default 0
    pub validation: i32,
    /// Which device: a number is its index, 32 hexadecimal digits (dashes allowed) its UUID, anything else a part of
    /// its name in any case. NULL or "" (default): DRAGOMAN_DEVICE from the environment, else the best one, discrete
    /// before integrated before virtual before other GPUs before CPU. dragoman_device_adopt() ignores it. "all", every
    /// GPU (the best device where there is none), and lists such as "0,1" open several devices that work together
    /// behind one handle: each model is loaded on each of them, its sentences go to the device that will be free
    /// first, and those of a device that is lost go to the others. Embeddings of many texts are shared out in the same
    /// way.
    pub name: *const c_char,
    /// Folder for compiled pipelines. NULL or "" (default): DRAGOMAN_CACHE_DIR from the environment, else the user's
    /// cache folder. "-": none.
    pub cache_dir: *const c_char,
    /// Device memory that everything on it, or on each of several devices, may hold; 0 (default): no limit
    pub memory_limit_bytes: u64,
    /// 1: kernels are used without being checked on this device before (dragoman_device_check() checks all the same);
    /// default 0.
    pub trust_kernels: i32,
    /// 0
    pub reserved: u32,
    /// a dragoman_tune; default DRAGOMAN_TUNE_AUTO
    pub tune: i32,
    /// 0
    pub reserved2: u32,
}

impl Default for dragoman_device_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A VkDevice of the program's own. Handles are Vulkan's, as pointers. The program keeps them alive until every model
/// on the device is gone, and holds the same lock whenever it uses the queue itself.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_vulkan_device {
    /// bytes of this struct, set by dragoman_vulkan_device_init()
    pub struct_size: u32,
    /// apiVersion of the instance's VkApplicationInfo; at least Vulkan 1.2
    pub api_version: u32,
    /// PFN_vkGetInstanceProcAddr that made the instance; NULL: the system's loader
    pub get_instance_proc_addr: *mut c_void,
    /// VkInstance
    pub instance: *mut c_void,
    /// VkPhysicalDevice
    pub physical_device: *mut c_void,
    /// VkDevice
    pub device: *mut c_void,
    /// of a queue that can compute
    pub queue_family: u32,
    /// in the family
    pub queue_index: u32,
    /// names of those that the device was made with; NULL if there are none
    pub extensions: *const *const c_char,
    /// how many
    pub extension_count: usize,
    /// VkPhysicalDeviceFeatures2 and chain that the device was made with; read once
    pub features: *const c_void,
    /// NULL: the queue is the library's alone, and so must `unlock` be
    pub lock: dragoman_queue_lock_fn,
    /// called on the thread that `lock` was called on
    pub unlock: dragoman_queue_lock_fn,
    /// for lock and unlock
    pub user: *mut c_void,
}

impl Default for dragoman_vulkan_device {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How a model is loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_model_options {
    /// bytes of this struct, set by dragoman_model_options_init()
    pub struct_size: u32,
    /// a dragoman_compute_type; default DRAGOMAN_COMPUTE_AUTO
    pub compute_type: i32,
    /// NULL (default): the device that all such models of the process share
    pub device: *const dragoman_device,
    /// Paths of further models of the same vocabulary, which predict each token together with the one that is loaded
    /// (an ensemble); NULL (default): none. Alignments are those of the first model.
    pub more_models: *const dragoman_string,
    /// how many; 0 (default): none
    pub more_model_count: usize,
    /// one for each model, above 0; NULL (default): those of its files, or 1 each
    pub weights: *const f32,
    /// how many; 0 (default): none, otherwise 1 more than `more_models`
    pub weight_count: usize,
    /// 0 (default): an ensemble's weighted log-probabilities are added up, as Marian does; 1: weighted probabilities
    pub average_probabilities: i32,
    /// 0
    pub reserved: u32,
}

impl Default for dragoman_model_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A file that the caller has: in memory (`data`), or read by a callback (`data` NULL). An empty one may have neither.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_file {
    /// as in the model's folder, sub-folders with '/'; not NULL, not empty
    pub name: *const c_char,
    /// `size` bytes, only read during the call
    pub data: *const c_void,
    /// in bytes
    pub size: u64,
    /// used where `data` is NULL; each byte is asked for at most once
    pub read: dragoman_read_fn,
    /// for `read`
    pub user: *mut c_void,
}

impl Default for dragoman_file {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// Facts about a model.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_model_info {
    /// bytes of this struct, set by dragoman_model_info_init()
    pub struct_size: u32,
    /// 1: takes and gives text; 0: only tokens
    pub has_tokenizer: i32,
    /// width of the layers; of the states, where the model is recurrent
    pub d_model: u32,
    /// attention heads of a layer of the encoder, or of a decoder alone; 1: recurrent
    pub heads: u32,
    /// layers of the encoder; 0: a decoder alone, which continues texts
    pub encoder_layers: u32,
    /// layers of the decoder
    pub decoder_layers: u32,
    /// width of the encoder's feed-forward blocks; 0 where it has none
    pub encoder_ffn: u32,
    /// width of the decoder's; 0 where it has none
    pub decoder_ffn: u32,
    /// number of tokens that may go in; 0: those that may come out
    pub source_vocabulary: u32,
    /// number of tokens that may come out
    pub target_vocabulary: u32,
    /// numbers in all weights; those that several parts share count once
    pub parameters: u64,
    /// size on disk of all files of the model, or of its one file
    pub file_bytes: u64,
    /// weights on the device; 0 from dragoman_model_describe()
    pub device_bytes: u64,
    /// "ctranslate2"
    pub format: [c_char; 32],
    /// "TransformerSpec"
    pub family: [c_char; 64],
    /// types of the weights in the file, "int8, float32"
    pub stored_types: [c_char; 128],
    /// "float32", "float16", "int8" or "int8_float16"; "" from dragoman_model_describe()
    pub compute_type: [c_char; 16],
    /// of the model, as its files spell it
    pub version: [c_char; 32],
    /// beginning of the licence, or its name
    pub license: [c_char; 1024],
    /// where the model was found; "memory" or "memory/NAME" for the caller's files
    pub path: [c_char; 1024],
    /// The tokens around a text and at the start of its translation, for any pair of languages: "{from} TEXT \</s\>
    /// =\> \</s\> {to} TEXT \</s\>".
    pub prompt: [c_char; 256],
    /// more than 1: an ensemble; widths and layers are those of the first one
    pub networks: u32,
    /// 0
    pub reserved: u32,
    /// most tokens of a source, with those the model wants around it; 0: any number
    pub max_source_tokens: u32,
    /// most tokens of a translation, likewise
    pub max_target_tokens: u32,
    /// Features that the model does not support, with ", " between: "shortlist, names of languages"; "": nothing.
    pub lacks: [c_char; 256],
    /// Why that compute type: "asked for", "fastest on GPUs"; "" from dragoman_model_describe().
    pub compute_reason: [c_char; 64],
}

impl Default for dragoman_model_info {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A language of a model.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_language {
    /// BCP 47: "de", "pt-BR", "zh-Hant"; "und" for a code that belongs to no standard
    pub tag: *const c_char,
    /// as the model's files spell it, "\>\>de\<\<" without its marks, "deu_Latn"
    pub code: *const c_char,
    /// in English, "German"; the code where there is none
    pub name: *const c_char,
}

impl Default for dragoman_language {
    /// Zeros.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        unsafe { mem::zeroed() }
    }
}

/// Contents and limits of a memory. Flags are 0 (default) or 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_memory_options {
    /// bytes of this struct, set by dragoman_memory_options_init()
    pub struct_size: u32,
    /// of segments that are offered; more than 0, at most 1; default 0.75
    pub min_similarity: f32,
    /// most bytes of answers in memory; 0: none; default 67108864
    pub cache_bytes: u64,
    /// file of SQLite that keeps answers, made if there is none; NULL or "" (default): none
    pub path: *const c_char,
    /// most bytes of answers in it, about; default 1073741824
    pub file_bytes: u64,
    /// segments that are offered for a sentence; 0: none; default 3
    pub max_matches: u32,
    /// 1: keep translations for dragoman_memory_write_tmx(); default 0
    pub record: i32,
}

impl Default for dragoman_memory_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// The contents of a memory, and the questions it was asked since it was made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_memory_counts {
    /// bytes of this struct, set by dragoman_memory_counts_init()
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// answers in memory
    pub entries: u64,
    /// that they take
    pub bytes: u64,
    /// answers that went from memory for others
    pub evicted: u64,
    /// answers in the file
    pub file_entries: u64,
    /// that they take
    pub file_bytes: u64,
    /// sentences whose answer was in memory
    pub hits: u64,
    /// in the file only
    pub file_hits: u64,
    /// in neither
    pub misses: u64,
    /// units of translation memories
    pub segments: u64,
    /// sentences that one of them translated
    pub exact_matches: u64,
    /// sentences with segments that are like them
    pub fuzzy_matches: u64,
    /// translations in the record
    pub recorded: u64,
    /// answers that are not in the file yet; they count in file_entries
    pub file_waiting: u64,
    /// that never will be: too many waited for a file that took none
    pub file_lost: u64,
    /// times that the file could not be read or written: a full disk, a lock, damage. The first of them is a warning
    /// in the log; no translation fails
    pub file_failures: u64,
}

impl Default for dragoman_memory_counts {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A sentence of a text, or a part of one that was too long, and its translation: where they are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_sentence {
    /// bytes of this struct, set by dragoman_sentence_init()
    pub struct_size: u32,
    /// as dragoman_result_score()
    pub score: f32,
    /// bytes of the text that was given
    pub source_begin: usize,
    /// after its last byte there
    pub source_end: usize,
    /// bytes of the hypothesis's text
    pub target_begin: usize,
    /// after its last byte there
    pub target_end: usize,
    /// in dragoman_result_source_tokens()
    pub source_token_begin: usize,
    /// after its last token there
    pub source_token_end: usize,
    /// in dragoman_result_tokens()
    pub target_token_begin: usize,
    /// after its last token there
    pub target_token_end: usize,
    /// BCP 47, with source_language "auto"; otherwise "". Borrowed from the result
    pub language: *const c_char,
    /// of that language; 0 to 1
    pub language_probability: f32,
    /// dragoman_sentence_flag, added up
    pub flags: u32,
    /// as dragoman_result_quality()
    pub quality: f32,
    /// 0
    pub reserved: u32,
    /// Share of the source's words that the translation reaches, 0 to 1 (docs/coverage.md); 0 without return_coverage.
    pub coverage: f32,
    /// words of the longest run that it does not reach; 0: it reaches all
    pub uncovered_words: u32,
    /// that run's: bytes of the text that was given
    pub uncovered_begin: usize,
    /// after its last byte there
    pub uncovered_end: usize,
}

impl Default for dragoman_sentence {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A term of the glossary that a sentence has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_term {
    /// bytes of this struct, set by dragoman_term_init()
    pub struct_size: u32,
    /// 1: the translation has what it must become; 0: docs/terms.md says why not
    pub met: i32,
    /// bytes of the text, as dragoman_sentence::source_begin
    pub source_begin: usize,
    /// after its last byte there
    pub source_end: usize,
}

impl Default for dragoman_term {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A segment of a translation memory that is like a sentence, and what it became.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_match {
    /// bytes of this struct, set by dragoman_match_init()
    pub struct_size: u32,
    /// 1 - edits / number of words of the longer one; 1: equal, at most 1
    pub similarity: f32,
    /// the segment; borrowed from the result
    pub source: dragoman_string,
    /// its translation; likewise
    pub target: dragoman_string,
}

impl Default for dragoman_match {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How to decode. docs/options.md gives the formulas. Flags are 0 (default) or 1. "The model's": see above.
/// dragoman_translate_tokens() ignores options "of texts", and a decoder-only model splits and joins nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_translate_options {
    /// bytes of this struct, set by dragoman_translate_options_init()
    pub struct_size: u32,
    /// 1 (greedy) to 64; default the model's
    pub beam_size: u32,
    /// a search ends with round(beam_size * patience) hypotheses; default 1
    pub patience: f32,
    /// score = sum of log-probabilities / length ^ this; default the model's
    pub length_penalty: f32,
    /// weight of the reward for source tokens attended to; default 0
    pub coverage_penalty: f32,
    /// above 1: tokens that have occurred become less likely; default the model's
    pub repetition_penalty: f32,
    /// no sequence of this many tokens occurs twice; 0: off; default the model's
    pub no_repeat_ngram_size: u32,
    /// 0 (default): a target prefix is forced; up to 1: made more likely
    pub prefix_bias_beta: f32,
    /// source tokens; longer inputs are cut; 0: no limit; default 1024
    pub max_input_length: u32,
    /// target tokens, end token included; 1 to 4096; default the model's
    pub max_decoding_length: u32,
    /// fewest target tokens; default the model's
    pub min_decoding_length: u32,
    /// per input, at most round(beam_size * patience); default 1
    pub num_hypotheses: u32,
    /// with return_alternatives: the least probability of an alternative; default 0
    pub min_alternative_expansion_prob: f32,
    /// never produce the unknown token; default 0
    pub disable_unk: i32,
    /// keep the end token in the result; default 0
    pub return_end_token: i32,
    /// return scores; otherwise every score is 0; default 0
    pub return_scores: i32,
    /// return attention of target tokens to source tokens; default 0; see dragoman_result_attention()
    pub return_attention: i32,
    /// hypotheses that differ in the first token after the prefix; default 0
    pub return_alternatives: i32,
    /// an unknown token is replaced by the source token that gets most attention; default 0
    pub replace_unknowns: i32,
    /// source tokens per device batch; 0 (default): chosen from memory
    pub max_batch_tokens: u32,
    /// inputs per device batch; 0 (default): chosen
    pub max_batch_size: u32,
    /// 0
    pub reserved: u32,
    /// token sequences that must not be produced; none of them may be empty; NULL (default): none
    pub suppress_sequences: *const dragoman_tokens,
    /// how many; 0 (default): none
    pub suppress_sequence_count: usize,
    /// tokens that end a translation; NULL (default): the model's
    pub end_tokens: *const dragoman_string,
    /// how many; 0 (default): the model's
    pub end_token_count: usize,
    /// NULL (default): none
    pub progress: dragoman_progress_fn,
    /// for progress
    pub progress_user: *mut c_void,
    /// dragoman_search: which engine's beam search; "auto": that of the model's engine; default DRAGOMAN_SEARCH_AUTO
    pub search: i32,
    /// Marian's search: subtracted for each token; default the model's
    pub word_penalty: f32,
    /// most target tokens per source token; 0: any; default the model's
    pub max_length_factor: f32,
    /// dragoman_early_stopping: what ends Hugging Face's search; "auto": as the model says; default
    /// DRAGOMAN_EARLY_STOPPING_AUTO
    pub early_stopping: i32,
    /// of texts: BCP 47 ("de") or the model's code; "auto": found, sentence by sentence; NULL or "" (default): unknown
    pub source_language: *const c_char,
    /// of texts: BCP 47 ("en") or the model's code; NULL or "" (default): the text's own code, or the only one
    pub target_language: *const c_char,
    /// of texts: 0: each text is one sequence, which max_input_length cuts; default 1
    pub split_sentences: i32,
    /// of texts: 1: a line break is a space, a blank line ends a paragraph; default 0
    pub join_lines: i32,
    /// of texts: longer sentences are translated in parts; 0 (default): 128
    pub max_segment_tokens: u32,
    /// of texts: 1: no tokens in the result, which takes much less memory; default 0
    pub discard_tokens: i32,
    /// of the decoder, from 1; 0 (default): the layer the model names for alignment
    pub attention_layer: u32,
    /// from 1, or DRAGOMAN_ALL_HEADS; 0 (default): the mean of the heads the model names
    pub attention_head: u32,
    /// only tokens of the model's lexical shortlist may occur (Marian); default 0
    pub use_shortlist: i32,
    /// 0
    pub reserved2: u32,
    /// dragoman_sampling: draw tokens by their probabilities: num_hypotheses independent samples, no beams; "auto": as
    /// the model says; default DRAGOMAN_SAMPLING_AUTO
    pub sampling: i32,
    /// with sampling: divides the logits; default the model's
    pub temperature: f32,
    /// with sampling: only so many of the best tokens; 0: all; default the model's
    pub top_k: u32,
    /// with sampling: only the best with this probability together; 0 to 1; default the model's
    pub top_p: f32,
    /// with sampling: only this share of the best one's probability; 0 to 1; default the model's
    pub min_p: f32,
    /// with sampling: the same seed gives a sentence the same samples; default 0
    pub seed: u32,
    /// of texts: return which source words each word of a translation stands for; default 0; see
    /// dragoman_result_sentence_alignment()
    pub return_alignment: i32,
    /// dragoman_markup: of texts: tags stay, and what stands in them is translated; default DRAGOMAN_MARKUP_NONE
    pub markup: i32,
    /// of texts: 1: the model sees texts as they are, and nothing is put into its translations; default 0
    pub raw: i32,
    /// of texts: 1: placeholders, addresses and names of programs are forced in the search, too, as terms are; default
    /// 0
    pub keep_spans: i32,
    /// of texts: terms that translations must have; NULL (default): none
    pub glossary: *const dragoman_glossary,
    /// of texts: what was translated before, and what is translated now; NULL (default): none
    pub memory: *mut dragoman_memory,
    /// of texts: return how sure each sentence and word of a translation is; default 0; see dragoman_result_quality()
    pub return_quality: i32,
    /// of texts: with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
    /// (default): none
    pub quality_marks: f32,
    /// of texts: a sentence whose best translation has less quality comes back as it was given, marked unsure; 0
    /// (default): off
    pub min_quality: f32,
    /// of texts: return which words of the source a translation reaches; the alignment comes with it; default 0; see
    /// docs/coverage.md
    pub return_coverage: i32,
    /// of texts: a sentence whose translation leaves out more words in a row is translated again in parts, and marked
    /// uncovered where that does not mend it; return_coverage comes with it; 0 (default): off; see docs/coverage.md
    pub max_uncovered_words: u32,
}

impl Default for dragoman_translate_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// Counters of a translator since it was made or dragoman_translator_reset_stats() was called. Batches, steps,
/// dispatches per step and repeated sentences include other translators of the same model; submissions, waits,
/// dispatches and memory include everything on the device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_stats {
    /// bytes of this struct, set by dragoman_stats_init()
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// sentences and inputs of tokens that went through the model
    pub sentences: u64,
    /// of these, after any cut
    pub source_tokens: u64,
    /// of the best hypotheses
    pub target_tokens: u64,
    /// times that the encoder ran for new sentences
    pub batches: u64,
    /// replays of the recorded decoder step
    pub decoder_steps: u64,
    /// of the last batch
    pub dispatches_per_step: u64,
    /// computed for nothing; always 0, because batches need no padding
    pub padding_tokens: u64,
    /// command submissions to the device
    pub submissions: u64,
    /// times the host waited for the device
    pub host_waits: u64,
    /// compute dispatches
    pub dispatches: u64,
    /// device memory held now by everything on the device
    pub memory_bytes: u64,
    /// the most it held at a time
    pub memory_peak_bytes: u64,
    /// most the process ever had resident; 0 where the system does not say
    pub host_peak_bytes: u64,
    /// searched again in float32, because their numbers overflowed in float16
    pub repeated_sentences: u64,
}

impl Default for dragoman_stats {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How to score.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_score_options {
    /// bytes of this struct, set by dragoman_score_options_init()
    pub struct_size: u32,
    /// tokens; longer sources and targets are cut; 0: no limit; default 1024
    pub max_input_length: u32,
    /// BCP 47, "de", or the model's code; NULL or "" (default): unknown
    pub source_language: *const c_char,
    /// in the same form; NULL or "" (default): the source's own code, or the only one
    pub target_language: *const c_char,
}

impl Default for dragoman_score_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A language that a text may be in.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_language_guess {
    /// bytes of this struct, set by dragoman_language_guess_init()
    pub struct_size: u32,
    /// that all or most of the text is in this language; 0 to 1
    pub probability: f32,
    /// BCP 47: "de", "zh-Hant"; borrowed from the list
    pub tag: *const c_char,
    /// in English: "German"; borrowed from the list
    pub name: *const c_char,
}

impl Default for dragoman_language_guess {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// The vectors to make.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_embed_options {
    /// bytes of this struct, set by dragoman_embed_options_init()
    pub struct_size: u32,
    /// dragoman_pooling
    pub pooling: i32,
    /// dragoman_normalize
    pub normalize: i32,
    /// of a text, with those around it; 0 (default): as many as the model takes
    pub max_tokens: u32,
    /// 1: a longer text is cut; 0 (default): it is an error
    pub truncate: i32,
    /// 0
    pub reserved: u32,
    /// as in dragoman_translate_options, for models whose encoder gets it
    pub source_language: *const c_char,
    /// for models whose encoder gets it
    pub target_language: *const c_char,
    /// counts texts, on the calling thread; NULL (default): none
    pub progress: dragoman_progress_fn,
    /// for progress
    pub progress_user: *mut c_void,
}

impl Default for dragoman_embed_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// Something that happened to a job. Everything in it lives until the callback returns. Fields that do not belong to
/// the kind are 0. Sentences may come in any order. Every sentence of the result gets one DRAGOMAN_EVENT_SENTENCE,
/// even if a text has the same sentence twice, unless the job fails or is cancelled first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_event {
    /// of the library: fields beyond it are not there
    pub struct_size: u32,
    /// a dragoman_event_kind
    pub kind: i32,
    /// DRAGOMAN_EVENT_END: how the job ended, DRAGOMAN_OK: with a result
    pub status: i32,
    /// DRAGOMAN_EVENT_SENTENCE: as dragoman_result_score()
    pub score: f32,
    /// which of the job's inputs
    pub input: usize,
    /// which of its sentences, see dragoman_result_sentence(); 0 for an input of tokens
    pub sentence: usize,
    /// the sentence's place in the text that was submitted; 0 for an input of tokens
    pub source: dragoman_range,
    /// translation, of the best hypothesis; empty for a model without tokenizer
    pub text: dragoman_string,
    /// the same in tokens; none with discard_tokens
    pub tokens: dragoman_tokens,
    /// sentences, or inputs of tokens, translated so far; what occurs twice counts twice
    pub done: usize,
    /// how many there are; 0 while that is not known
    pub total: usize,
    /// DRAGOMAN_EVENT_END: what went wrong, empty for DRAGOMAN_OK
    pub message: dragoman_string,
}

impl Default for dragoman_event {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How a job is run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_job_options {
    /// bytes of this struct, set by dragoman_job_options_init()
    pub struct_size: u32,
    /// higher ones go first, equal ones share, short ones overtake; default 0
    pub priority: i32,
    /// NULL (default): no events
    pub on_event: dragoman_event_fn,
    /// for on_event
    pub user: *mut c_void,
    /// which kinds, DRAGOMAN_EVENTS_...; default: sentences and end
    pub events: u32,
    /// 1: inputs may follow, see dragoman_job_feed_texts(); default 0
    pub fed: i32,
}

impl Default for dragoman_job_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// A job at the moment of the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_job_info {
    /// bytes of this struct, set by dragoman_job_info_init()
    pub struct_size: u32,
    /// a dragoman_job_state
    pub state: i32,
    /// how it ended; DRAGOMAN_OK while it has not
    pub status: i32,
    /// 0
    pub reserved: u32,
    /// as in dragoman_event
    pub done: usize,
    /// 0 until the sentences are known
    pub total: usize,
}

impl Default for dragoman_job_info {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// How a model is converted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_convert_options {
    /// bytes of this struct, set by dragoman_convert_options_init()
    pub struct_size: u32,
    /// a dragoman_weight_type; default DRAGOMAN_WEIGHTS_KEEP
    pub weight_type: i32,
    /// 1: an old file of this name is replaced; default 0: that is an error
    pub replace: i32,
    /// 0
    pub reserved: u32,
    /// NULL (default): none; bytes written, on the thread that asked
    pub progress: dragoman_progress_fn,
    /// for progress
    pub progress_user: *mut c_void,
    /// a hundred sentences to translate, UTF-8: the file names the decoder's heads that align words best; NULL
    /// (default): those that the model names
    pub alignment_text: *const c_char,
    /// of both texts, as in dragoman_translate_options; NULL (default): unknown
    pub source_language: *const c_char,
    /// of both, as there; NULL (default): the only one
    pub target_language: *const c_char,
    /// to translate these texts on; NULL (default): the default device
    pub device: *const dragoman_device,
    /// 200 lines or more, UTF-8: a source, a tab, its translation by a person, and behind another tab the target
    /// language, if it is another one: the file has weights of quality estimates for this model (docs/quality.md);
    /// NULL (default): none
    pub quality_pairs: *const c_char,
}

impl Default for dragoman_convert_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

/// The measurements to make. Flags are 0 or 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct dragoman_bench_options {
    /// bytes of this struct, set by dragoman_bench_options_init()
    pub struct_size: u32,
    /// timed runs after one that warms up; default 5
    pub repeat: u32,
    /// inputs translated alone, taken in turn; default 32; 0: none
    pub latency_samples: u32,
    /// where there are no inputs: sentences of random words; default 32
    pub synthetic_sentences: u32,
    /// their length; default 25
    pub synthetic_tokens: u32,
    /// of the random words; default 1
    pub seed: u32,
    /// the best the device can do; default 1
    pub ceilings: i32,
    /// the device's time by pass, where it has timestamps; default 1
    pub passes: i32,
    /// which device to open for it; NULL (default): the defaults
    pub device: *const dragoman_device_options,
}

impl Default for dragoman_bench_options {
    /// Zeros, with `struct_size`.
    fn default() -> Self {
        // SAFETY: numbers, pointers and functions that may be absent: zeros are values.
        let mut value: Self = unsafe { mem::zeroed() };
        value.struct_size = mem::size_of::<Self>() as u32;
        value
    }
}

#[link(name = "dragoman")]
extern "C" {
    /// Version of the library that runs, comparable with DRAGOMAN_VERSION. Any thread.
    pub fn dragoman_version() -> u32;

    /// The same as text, "1.0.0". Static storage. Any thread.
    pub fn dragoman_version_string() -> *const c_char;

    /// Whether this library, as it was built and where it runs, has a feature: 1 or 0; 0 also for names it does not
    /// know and for NULL. "format.ctranslate2" and so on: models it reads, by the names in dragoman_model_info;
    /// "compute.float32", "compute.float16", "compute.int8", "compute.int8_float16": types it can compute with, given
    /// a device that can; "search.ctranslate2", "search.marian", "search.huggingface"; "jobs", "jobs.partial" (events
    /// of unfinished sentences); "vulkan": a Vulkan loader is installed. Any thread.
    pub fn dragoman_has_feature(name: *const c_char) -> i32;

    /// The name of feature `index`, from 0, among those that dragoman_has_feature() knows; NULL after the last. Static
    /// storage. Any thread.
    pub fn dragoman_feature_name(index: usize) -> *const c_char;

    /// "ok", "invalid_argument", ...; "unknown" for any other number. Static storage. Any thread.
    pub fn dragoman_status_name(status: i32) -> *const c_char;

    /// The message of the last failed call on this thread; "" after a call that succeeded. Never NULL. Valid until
    /// this thread calls any function that returns a dragoman_status.
    pub fn dragoman_last_error() -> *const c_char;

    /// Sends log lines up to `max_level` (a dragoman_log_level) to `callback` instead of stderr, for the whole
    /// process. So only the program should call it; a library or plug-in that uses Dragoman makes a dragoman_logger
    /// instead, which does not affect others. A NULL callback restores the default, errors and warnings to stderr
    /// (more with DRAGOMAN_LOG=info or debug in the environment), and ignores the other arguments. The callback that
    /// was set before no longer runs when this returns. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT for an unknown level.
    pub fn dragoman_set_log(callback: dragoman_log_fn, user: *mut c_void, max_level: i32) -> dragoman_status;

    /// Sends log lines up to `max_level` to `callback` as well. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_logger_create(
        callback: dragoman_log_fn,
        user: *mut c_void,
        max_level: i32,
        logger: *mut *mut dragoman_logger,
    ) -> dragoman_status;

    /// Ends the handle; its callback no longer runs when this returns. Any thread, but not from a log callback.
    pub fn dragoman_logger_destroy(logger: *mut dragoman_logger);

    /// Length in bytes of the longest well-formed UTF-8 prefix of a text: `size` when all of it is. `text` NULL: 0.
    /// Any thread.
    pub fn dragoman_utf8_prefix(text: *const c_char, size: usize) -> usize;

    /// Number of Vulkan devices; 0 where there is a Vulkan loader but no driver. Any thread.
    /// Statuses: DRAGOMAN_NO_DEVICE where there is no Vulkan loader.
    pub fn dragoman_device_count(count: *mut u32) -> dragoman_status;

    /// Describes device `index` \< count, in the order of the drivers. Asks the drivers anew at every call. Any
    /// thread.
    /// Statuses: DRAGOMAN_NO_DEVICE, also for an index that is too large.
    pub fn dragoman_device_describe(index: u32, info: *mut dragoman_device_info) -> dragoman_status;

    /// Memory of device `index` \< count. Asks the driver at every call. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE, also for an index that is too large.
    pub fn dragoman_device_memory(index: u32, info: *mut dragoman_memory_info) -> dragoman_status;

    /// Fills in size and defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_device_options_init_sized(
        options: *mut dragoman_device_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Opens a device. `options` NULL: the defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT,
    /// DRAGOMAN_NO_DEVICE, DRAGOMAN_UNSUPPORTED, DRAGOMAN_OUT_OF_MEMORY.
    pub fn dragoman_device_open(
        options: *const dragoman_device_options,
        device: *mut *mut dragoman_device,
    ) -> dragoman_status;

    /// Opens a VkDevice that the program made and keeps, and may go on using. Extensions and features that it was made
    /// without are not used; dragoman_vulkan_wanted() names those that help. `options` NULL: the defaults. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_NO_DEVICE, naming what it needs and the device lacks,
    /// DRAGOMAN_OUT_OF_MEMORY.
    pub fn dragoman_device_adopt(
        device: *const dragoman_vulkan_device,
        options: *const dragoman_device_options,
        adopted: *mut *mut dragoman_device,
    ) -> dragoman_status;

    /// Names the extensions and features with which a VkDevice works best here. Reads from `device` only the instance,
    /// its version and loader, and the physical device. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT,
    /// DRAGOMAN_NO_DEVICE.
    pub fn dragoman_vulkan_wanted(
        device: *const dragoman_vulkan_device,
        wanted: *mut *mut dragoman_wanted_device,
    ) -> dragoman_status;

    /// Number of extensions; 0 for NULL. Any thread.
    pub fn dragoman_wanted_extension_count(wanted: *const dragoman_wanted_device) -> usize;

    /// Their names, borrowed; NULL when there are none. Any thread.
    pub fn dragoman_wanted_extensions(wanted: *const dragoman_wanted_device) -> *const *const c_char;

    /// A VkPhysicalDeviceFeatures2 with its chain, borrowed, for the pNext of VkDeviceCreateInfo. Any thread.
    pub fn dragoman_wanted_features(wanted: *const dragoman_wanted_device) -> *const c_void;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_wanted_device_destroy(wanted: *mut dragoman_wanted_device);

    /// Ends the handle. Models on the device keep it, so the order of destruction does not matter. Any thread.
    pub fn dragoman_device_close(device: *mut dragoman_device);

    /// Describes an open device, of several the first. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_device_get_info(device: *const dragoman_device, info: *mut dragoman_device_info) -> dragoman_status;

    /// How many devices work together behind the handle: 1 or more; 0 for NULL. Any thread.
    pub fn dragoman_device_member_count(device: *const dragoman_device) -> usize;

    /// Describes device `index` \< count of those that work together. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_device_member_info(
        device: *const dragoman_device,
        index: usize,
        info: *mut dragoman_device_info,
    ) -> dragoman_status;

    /// Its memory, and what everything on it holds. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_device_get_memory(
        device: *const dragoman_device,
        info: *mut dragoman_memory_info,
    ) -> dragoman_status;

    /// Gives back device memory except models and what running calls and jobs use. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_device_trim(device: *mut dragoman_device) -> dragoman_status;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_options_init_sized(
        options: *mut dragoman_model_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Reads a model, a directory, a zip archive or a GGUF file, and puts its weights on a device. `path` NULL: the
    /// model DRAGOMAN_MODEL names in the environment, otherwise the one that comes with the library (German-English
    /// and English-German), found in share/dragoman/models near the library's file. `options` NULL: the defaults. Any
    /// thread.
    /// Here and wherever else a model's path is taken, also in DRAGOMAN_MODEL, it may be the name of a published model
    /// that is on this machine: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M", "argos:de_en". A file or
    /// folder of that very name goes first. Models are looked for in DRAGOMAN_MODELS_DIR or the user's data folder,
    /// where downloads are kept, then in the caches of Hugging Face, llama.cpp, fxtranslate, Argos Translate,
    /// translateLocally and ollama. Nothing is downloaded here: DRAGOMAN_IO_ERROR names the command that does it.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR, DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED,
    /// DRAGOMAN_OUT_OF_MEMORY, DRAGOMAN_NO_DEVICE, DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_model_load(
        path: *const c_char,
        options: *const dragoman_model_options,
        model: *mut *mut dragoman_model,
    ) -> dragoman_status;

    /// Loads a model from files that need not be in the file system: the files of its folder, with their names, or one
    /// file that is a model by itself, such as a zip archive. Nothing of the caller's is needed or called after the
    /// return. Files that the model needs and a callback reads are held in host memory until then. Any thread.
    /// Statuses: those of dragoman_model_load(); DRAGOMAN_IO_ERROR for a callback that fails.
    pub fn dragoman_model_load_files(
        files: *const dragoman_file,
        count: usize,
        options: *const dragoman_model_options,
        model: *mut *mut dragoman_model,
    ) -> dragoman_status;

    /// Ends the handle. Translators made from it keep what they need, so the order of destruction does not matter.
    pub fn dragoman_model_destroy(model: *mut dragoman_model);

    /// Describes a loaded model. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_get_info(model: *const dragoman_model, info: *mut dragoman_model_info) -> dragoman_status;

    /// Describes the model at `path` (NULL: the default model, see dragoman_model_load()) from its files alone; needs
    /// no device. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR, DRAGOMAN_BAD_MODEL, DRAGOMAN_UNSUPPORTED.
    pub fn dragoman_model_describe(path: *const c_char, info: *mut dragoman_model_info) -> dragoman_status;

    /// The same for files as in dragoman_model_load_files(). Any thread.
    pub fn dragoman_model_describe_files(
        files: *const dragoman_file,
        count: usize,
        info: *mut dragoman_model_info,
    ) -> dragoman_status;

    /// The languages that a model translates from (`side` DRAGOMAN_SIDE_SOURCE) or to; none if its files do not name
    /// them. source_language and target_language of dragoman_translate_options take any tag or code that means one of
    /// them. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_languages(
        model: *const dragoman_model,
        side: i32,
        languages: *mut *mut dragoman_language_list,
    ) -> dragoman_status;

    /// The same of the model at `path` (NULL: the default model) from its files alone; needs no device. Any thread.
    /// Statuses: those of dragoman_model_describe().
    pub fn dragoman_model_describe_languages(
        path: *const c_char,
        side: i32,
        languages: *mut *mut dragoman_language_list,
    ) -> dragoman_status;

    /// The same for files as in dragoman_model_load_files(). Any thread.
    pub fn dragoman_model_describe_languages_files(
        files: *const dragoman_file,
        count: usize,
        side: i32,
        languages: *mut *mut dragoman_language_list,
    ) -> dragoman_status;

    /// What dragoman_model_describe() and dragoman_model_describe_languages() of both sides tell, while the files are
    /// read once. Any thread. Statuses: those of dragoman_model_describe().
    pub fn dragoman_model_describe_all(
        path: *const c_char,
        info: *mut dragoman_model_info,
        sources: *mut *mut dragoman_language_list,
        targets: *mut *mut dragoman_language_list,
    ) -> dragoman_status;

    /// Number of languages; 0 for NULL. Any thread.
    pub fn dragoman_language_list_count(languages: *const dragoman_language_list) -> usize;

    /// All languages, borrowed; NULL when there are none. Any thread.
    pub fn dragoman_language_list_data(languages: *const dragoman_language_list) -> *const dragoman_language;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_language_list_destroy(languages: *mut dragoman_language_list);

    /// Describes the device a model is on. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_device(model: *const dragoman_model, info: *mut dragoman_device_info) -> dragoman_status;

    /// Memory of that device, and what everything on it holds, other models included. Any thread. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_memory(model: *const dragoman_model, info: *mut dragoman_memory_info) -> dragoman_status;

    /// Reads a glossary of tab- or comma-separated values, or TBX, from a file. The languages, "de", say which terms
    /// of TBX are meant; a table needs none. `source_language` NULL or "": none. `target_language` NULL or "": none.
    /// Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (what is wrong in it, naming the line), DRAGOMAN_IO_ERROR.
    pub fn dragoman_glossary_load(
        path: *const c_char,
        source_language: *const c_char,
        target_language: *const c_char,
        glossary: *mut *mut dragoman_glossary,
    ) -> dragoman_status;

    /// The same from the content of such a file. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_glossary_read(
        bytes: *const dragoman_string,
        source_language: *const c_char,
        target_language: *const c_char,
        glossary: *mut *mut dragoman_glossary,
    ) -> dragoman_status;

    /// Ends the handle; calls and jobs that use it go on. Any thread.
    pub fn dragoman_glossary_destroy(glossary: *mut dragoman_glossary);

    /// Number of entries; 0 for NULL. Any thread.
    pub fn dragoman_glossary_count(glossary: *const dragoman_glossary) -> usize;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_memory_options_init_sized(
        options: *mut dragoman_memory_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Makes a memory, for the option `memory` of calls and jobs. `options` NULL: the defaults. Several processes may
    /// use one file at the same time. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR (a file that is no memory, or damaged, or cannot be
    /// written).
    pub fn dragoman_memory_create(
        options: *const dragoman_memory_options,
        memory: *mut *mut dragoman_memory,
    ) -> dragoman_status;

    /// Ends the handle and writes what waits for the file; calls and jobs that use it go on. Any thread.
    pub fn dragoman_memory_destroy(memory: *mut dragoman_memory);

    /// Reads a translation memory (TMX 1.4 or before) from a file of any size; its segments are found from now on.
    /// `count` (NULL: not wanted) gets how many units were of use: of two languages at least. A file with an error
    /// adds nothing. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (what is wrong in it, naming the line),
    /// DRAGOMAN_IO_ERROR.
    pub fn dragoman_memory_load_tmx(
        memory: *mut dragoman_memory,
        path: *const c_char,
        count: *mut usize,
    ) -> dragoman_status;

    /// The same from the content of such a file. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_memory_read_tmx(
        memory: *mut dragoman_memory,
        bytes: *const dragoman_string,
        count: *mut usize,
    ) -> dragoman_status;

    /// Adds a segment and its translation, of two languages (BCP 47). Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT
    /// (also blank texts and equal languages).
    pub fn dragoman_memory_add(
        memory: *mut dragoman_memory,
        source_language: *const c_char,
        target_language: *const c_char,
        source: *const dragoman_string,
        target: *const dragoman_string,
    ) -> dragoman_status;

    /// Writes the translations that were recorded so far as TMX 1.4, one unit for each sentence, and replaces an old
    /// file. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (a memory that records nothing), DRAGOMAN_IO_ERROR.
    pub fn dragoman_memory_write_tmx(memory: *const dragoman_memory, path: *const c_char) -> dragoman_status;

    /// Forgets everything: answers, in the file too, segments and the record. Any thread. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR.
    pub fn dragoman_memory_clear(memory: *mut dragoman_memory) -> dragoman_status;

    /// Reads the counters. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR.
    pub fn dragoman_memory_stats(
        memory: *const dragoman_memory,
        counts: *mut dragoman_memory_counts,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it.
    pub fn dragoman_result_destroy(result: *mut dragoman_result);

    /// The number in the call or job of the first input here: 0, except after dragoman_job_next_result().
    pub fn dragoman_result_first(result: *const dragoman_result) -> usize;

    /// Number of inputs; 0 for NULL.
    pub fn dragoman_result_count(result: *const dragoman_result) -> usize;

    /// Number of hypotheses for an input, at least 1; 0 for NULL or an input out of range.
    pub fn dragoman_result_hypothesis_count(result: *const dragoman_result, input: usize) -> usize;

    /// The source tokens of an input, of all its sentences, before any cut. Statuses: DRAGOMAN_INVALID_ARGUMENT (out
    /// of range).
    pub fn dragoman_result_source_tokens(
        result: *const dragoman_result,
        input: usize,
        tokens: *mut dragoman_tokens,
    ) -> dragoman_status;

    /// For each of these tokens, the bytes of the given text that it stands for; a token that stands for nothing there
    /// has an empty range. Ranges are in order, on character boundaries, and those of a sentence cover each of its
    /// characters that is not white space. None for an input of tokens and with discard_tokens. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_source_ranges(
        result: *const dragoman_result,
        input: usize,
        ranges: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// The text of a hypothesis, 0 being the best. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range),
    /// DRAGOMAN_UNSUPPORTED for a model without tokenizer.
    pub fn dragoman_result_text(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        text: *mut dragoman_string,
    ) -> dragoman_status;

    /// The texts of a document of markup without its tags: what the ranges of source tokens, sentences and words are
    /// places in. Empty unless the option `markup` was set; they are then places in the text that was given. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_plain_source(
        result: *const dragoman_result,
        input: usize,
        text: *mut dragoman_string,
    ) -> dragoman_status;

    /// The translations without the tags of the hypothesis's text, to which the ranges of target tokens, sentences and
    /// words are places in. Empty unless the option `markup` was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
    /// range).
    pub fn dragoman_result_plain_text(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        text: *mut dragoman_string,
    ) -> dragoman_status;

    /// The target tokens of a hypothesis, of all its sentences. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_tokens(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        tokens: *mut dragoman_tokens,
    ) -> dragoman_status;

    /// The bytes of the hypothesis's text that each of these tokens stands for, as dragoman_result_source_ranges().
    /// None for a model without tokenizer and with discard_tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_ranges(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        ranges: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// Sum of natural log-probabilities, normalised as length_penalty and coverage_penalty say; 0 unless return_scores
    /// was set. For a text of several sentences, the mean of theirs, weighted by target tokens. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_score(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        score: *mut f32,
    ) -> dragoman_status;

    /// How good a translation probably is, 0 to 1: the chrF that a reference would give it, as estimated from what the
    /// search knew (docs/quality.md); 0 unless return_quality or quality_marks was set. For a text of several
    /// sentences, the mean of theirs, weighted by words. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_quality(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        quality: *mut f32,
    ) -> dragoman_status;

    /// Cross attention of a hypothesis: a row per target token (end token included where it was reached and
    /// return_end_token set), a column per source token; columns of source tokens that were cut are 0. No rows and
    /// columns unless return_attention was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range),
    /// DRAGOMAN_UNSUPPORTED for a text of several sentences, which have dragoman_result_sentence_attention().
    pub fn dragoman_result_attention(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        attention: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// Number of sentences of a text, the same for all hypotheses; 0 for tokens, a blank text, NULL or out of range.
    pub fn dragoman_result_sentence_count(result: *const dragoman_result, input: usize) -> usize;

    /// Describes a sentence, in the order of the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_sentence(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        info: *mut dragoman_sentence,
    ) -> dragoman_status;

    /// Number of terms of the options' glossary that a sentence has; 0 for NULL or out of range.
    pub fn dragoman_result_term_count(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
    ) -> usize;

    /// One of them, in the order of the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_term(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        index: usize,
        term: *mut dragoman_term,
    ) -> dragoman_status;

    /// Number of segments of the options' memory that are like a sentence of a text, and are not its translation in
    /// the result; 0 for NULL or out of range.
    pub fn dragoman_result_match_count(result: *const dragoman_result, input: usize, sentence: usize) -> usize;

    /// One of them, the most similar first. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_match(
        result: *const dragoman_result,
        input: usize,
        sentence: usize,
        index: usize,
        r#match: *mut dragoman_match,
    ) -> dragoman_status;

    /// Attention within a sentence, as dragoman_result_attention(). Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
    /// range).
    pub fn dragoman_result_sentence_attention(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        attention: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// Words of a sentence of a text, in bytes of the text that was given: letters and digits with what joins them
    /// inside, in scripts without spaces the words that a dictionary has, and marks. None unless return_alignment was
    /// set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_source_words(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        words: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// The words of a sentence's translation likewise, in bytes of the hypothesis's text; with return_quality, too.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_target_words(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        words: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// How probable it is that each of these words is right, 0 to 1: a row with a column for each. What was carried
    /// over from the source has 1. No rows and columns unless return_quality or quality_marks was set. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_word_quality(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        quality: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// The source words for each word of a sentence's translation: a row per target word, a column per source word;
    /// the weights of a row add up to 1, or are all 0 where nothing is known. No rows and columns unless
    /// return_alignment was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_sentence_alignment(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        sentence: usize,
        alignment: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// The alignment of a text in Pharaoh's format, "0-0 1-2": numbers of a source word and of a target word, counted
    /// from 0 over all sentences; for each target word the source word with the largest weight, and others with 0.4 or
    /// more. Empty unless return_alignment was set. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_result_pharaoh(
        result: *const dragoman_result,
        input: usize,
        hypothesis: usize,
        links: *mut dragoman_string,
    ) -> dragoman_status;

    /// Makes a translator. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED,
    /// DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_translator_create(
        model: *const dragoman_model,
        translator: *mut *mut dragoman_translator,
    ) -> dragoman_status;

    /// Makes a translator from one language to another over `count` models, which are on one device: the way with the
    /// fewest of them, of these the one whose models have most parameters together. Each model takes what the one
    /// before it made of a sentence, while that goes on with other sentences. Languages are as in
    /// dragoman_translate_options; the options of calls may leave them out. Results have the last model's tokens and
    /// ranges, the first one's source tokens, attention over these (through the texts between), and the sum of the
    /// scores; n-best lists are made of those of all models. The translator takes texts without prefixes, scores
    /// nothing and tells no partial results. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also where no way leads there, naming the languages that can be reached,
    /// and models on different devices), DRAGOMAN_UNSUPPORTED, DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_translator_create_route(
        models: *const *const dragoman_model,
        count: usize,
        source_language: *const c_char,
        target_language: *const c_char,
        translator: *mut *mut dragoman_translator,
    ) -> dragoman_status;

    /// Finds that way from the models' files alone, without a device: `path` (room for `count` numbers) gets the
    /// places of the models on the way, in its order, and `length` how many there are. Any thread.
    /// Statuses: those of dragoman_model_describe() and dragoman_translator_create_route().
    pub fn dragoman_find_route(
        models: *const *const c_char,
        count: usize,
        source_language: *const c_char,
        target_language: *const c_char,
        path: *mut usize,
        length: *mut usize,
    ) -> dragoman_status;

    /// Ends the handle and gives its memory back. Jobs that have not ended are cancelled, and this waits for their
    /// end. Results and the handles of jobs live on. Any thread; called from a callback it does not wait, and the
    /// memory is freed later.
    pub fn dragoman_translator_destroy(translator: *mut dragoman_translator);

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_translate_options_init_sized(
        options: *mut dragoman_translate_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Translates `count` texts of any length, sentence by sentence. What is between sentences (white space, line
    /// breaks, list bullets) is copied; so is a sentence of nothing but unknown tokens. An empty text gives an empty
    /// translation. A text may begin with one of the model's language codes, "\>\>de\<\<", which overrides
    /// target_language. Hypothesis i of a text is made of the i-th hypotheses of its sentences. `prefixes` holds one
    /// sequence of target tokens for each text, for its first sentence (see prefix_bias_beta); NULL: none. `options`
    /// NULL: the defaults. Batches of any size give the same translations. Any thread. A model that is a decoder alone
    /// (dragoman_model_info::encoder_layers is 0) continues each text instead: the whole of it, as it is, is what the
    /// result goes on from, and not repeated there. It refuses languages and attention, texts of more tokens than it
    /// has positions for, and cuts none.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming input and byte offset), DRAGOMAN_UNSUPPORTED
    /// for a model without tokenizer, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
    pub fn dragoman_translate_texts(
        translator: *mut dragoman_translator,
        texts: *const dragoman_string,
        count: usize,
        prefixes: *const dragoman_tokens,
        options: *const dragoman_translate_options,
        result: *mut *mut dragoman_result,
    ) -> dragoman_status;

    /// Translates `count` sequences of source tokens as they stand: the caller gives them in the form in which the
    /// model was trained. A token outside the vocabulary counts as the unknown token. The rest is as in
    /// dragoman_translate_texts(). Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
    pub fn dragoman_translate_tokens(
        translator: *mut dragoman_translator,
        sources: *const dragoman_tokens,
        count: usize,
        prefixes: *const dragoman_tokens,
        options: *const dragoman_translate_options,
        result: *mut *mut dragoman_result,
    ) -> dragoman_status;

    /// Reads the counters. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_translator_stats(
        translator: *const dragoman_translator,
        stats: *mut dragoman_stats,
    ) -> dragoman_status;

    /// Sets the counters to 0. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_translator_reset_stats(translator: *mut dragoman_translator) -> dragoman_status;

    /// Gives back the device memory that the next call can take again, except what running calls and jobs use. Any
    /// thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_translator_trim(translator: *mut dragoman_translator) -> dragoman_status;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_score_options_init_sized(
        options: *mut dragoman_score_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// The log-probability of each target token, and of the end token, given its source. `options` NULL: the defaults.
    /// For a decoder alone a source is what stands before the target, and may be empty. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_score_tokens(
        translator: *mut dragoman_translator,
        sources: *const dragoman_tokens,
        targets: *const dragoman_tokens,
        count: usize,
        options: *const dragoman_score_options,
        scores: *mut *mut dragoman_scores,
    ) -> dragoman_status;

    /// The same of texts. Each side goes to the model as one sequence, with what the model wants around it in those
    /// languages; a source may begin with a language code ("\>\>de\<\<"), as in dragoman_translate_texts(). Of the
    /// target, its own tokens and the end token are scored, not the language's. `options` NULL: the defaults. Any
    /// thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8 and a language that the model does not have),
    /// DRAGOMAN_UNSUPPORTED (a model without tokenizer), DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_score_texts(
        translator: *mut dragoman_translator,
        sources: *const dragoman_string,
        targets: *const dragoman_string,
        count: usize,
        options: *const dragoman_score_options,
        scores: *mut *mut dragoman_scores,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it.
    pub fn dragoman_scores_destroy(scores: *mut dragoman_scores);

    /// Number of pairs; 0 for NULL.
    pub fn dragoman_scores_count(scores: *const dragoman_scores) -> usize;

    /// The tokens that were scored, end token last. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_scores_tokens(
        scores: *const dragoman_scores,
        pair: usize,
        tokens: *mut dragoman_tokens,
    ) -> dragoman_status;

    /// One row: the natural log-probability of each of those tokens. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
    /// range).
    pub fn dragoman_scores_log_probs(
        scores: *const dragoman_scores,
        pair: usize,
        log_probs: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// The bytes of a target text that each of its tokens stands for, as dragoman_result_source_ranges(); the end
    /// token has an empty range. None for dragoman_score_tokens(). Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_scores_ranges(
        scores: *const dragoman_scores,
        pair: usize,
        ranges: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// Finds the languages of `count` texts. `expected` names languages that are likelier than others, "en,de" (at
    /// most 8 are used); NULL or "": none. It excludes no language. Needs no model and no device. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming text and byte offset, and an unknown language).
    pub fn dragoman_detect_languages(
        texts: *const dragoman_string,
        count: usize,
        expected: *const c_char,
        languages: *mut *mut dragoman_detection,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_detection_destroy(languages: *mut dragoman_detection);

    /// Number of texts; 0 for NULL. Any thread.
    pub fn dragoman_detection_count(languages: *const dragoman_detection) -> usize;

    /// Languages that a text may be in, at most 3; 0 without letters of a known language, for NULL or out of range.
    pub fn dragoman_detection_guess_count(languages: *const dragoman_detection, text: usize) -> usize;

    /// One of them, the most probable first. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_detection_guess(
        languages: *const dragoman_detection,
        text: usize,
        index: usize,
        guess: *mut dragoman_language_guess,
    ) -> dragoman_status;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_embed_options_init_sized(
        options: *mut dragoman_embed_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Vectors of `count` texts, by the encoder of a model that translates or by one alone. Each text is one sequence:
    /// it is not split into sentences. An empty text has the vector of what stands around it. `options` NULL: the
    /// defaults. Runs between translations on the same device, batch by batch. Any thread, any number at the same
    /// time.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming text and byte offset, and a text of too many
    /// tokens), DRAGOMAN_UNSUPPORTED for a model without tokenizer, an ensemble, and a pooler that the model lacks,
    /// DRAGOMAN_DEVICE_LOST, DRAGOMAN_CANCELLED.
    pub fn dragoman_embed_texts(
        model: *const dragoman_model,
        texts: *const dragoman_string,
        count: usize,
        options: *const dragoman_embed_options,
        vectors: *mut *mut dragoman_vectors,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it.
    pub fn dragoman_vectors_destroy(vectors: *mut dragoman_vectors);

    /// Number of texts; 0 for NULL.
    pub fn dragoman_vectors_count(vectors: *const dragoman_vectors) -> usize;

    /// Numbers in each vector; 0 for NULL.
    pub fn dragoman_vectors_width(vectors: *const dragoman_vectors) -> usize;

    /// The vectors of a text: one row, or with DRAGOMAN_POOLING_TOKENS one for each token. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_vectors_get(
        vectors: *const dragoman_vectors,
        text: usize,
        rows: *mut dragoman_matrix,
    ) -> dragoman_status;

    /// The vectors of all texts, one after the other. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_vectors_all(vectors: *const dragoman_vectors, rows: *mut dragoman_matrix) -> dragoman_status;

    /// The tokens that the encoder read, with those around the text. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
    /// range).
    pub fn dragoman_vectors_tokens(
        vectors: *const dragoman_vectors,
        text: usize,
        tokens: *mut dragoman_tokens,
    ) -> dragoman_status;

    /// For each of these tokens, the bytes of the given text that it stands for; those around the text have empty
    /// ranges.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_vectors_ranges(
        vectors: *const dragoman_vectors,
        text: usize,
        ranges: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// Fills in size and defaults. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_job_options_init_sized(options: *mut dragoman_job_options, struct_size: usize) -> dragoman_status;

    /// Like dragoman_translate_texts(), but returns at once; the texts are copied. `job_options` NULL: the defaults.
    /// Options and texts are checked before it returns. The event callback may run before it returns, too. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED; any other error is the job's.
    pub fn dragoman_submit_texts(
        translator: *mut dragoman_translator,
        texts: *const dragoman_string,
        count: usize,
        prefixes: *const dragoman_tokens,
        options: *const dragoman_translate_options,
        job_options: *const dragoman_job_options,
        job: *mut *mut dragoman_job,
    ) -> dragoman_status;

    /// Like dragoman_translate_tokens(), but returns at once; the rest is as in dragoman_submit_texts().
    pub fn dragoman_submit_tokens(
        translator: *mut dragoman_translator,
        sources: *const dragoman_tokens,
        count: usize,
        prefixes: *const dragoman_tokens,
        options: *const dragoman_translate_options,
        job_options: *const dragoman_job_options,
        job: *mut *mut dragoman_job,
    ) -> dragoman_status;

    /// Gives further texts to a job that was submitted with `fed` (and with any number of inputs, or none). The job
    /// copies as many of the first ones as it has room for; `taken` says how many. Waits until there is room for one
    /// or `timeout_ms` milliseconds have passed; below 0: without limit. A job keeps a few megabytes of inputs, and as
    /// much of results that nobody has taken, so its memory does not grow with its inputs. A program with one thread
    /// passes 0 as the timeout, and when fewer texts were taken than given, it takes results with
    /// dragoman_job_next_result(). A job that has ended takes none. Texts that are not taken are not looked at: a
    /// fault in one is told when it is given again. `prefixes` as in dragoman_translate_texts(). Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, also for a job that is not fed or finished, or where it would wait in a
    /// callback of the same translator.
    pub fn dragoman_job_feed_texts(
        job: *mut dragoman_job,
        texts: *const dragoman_string,
        count: usize,
        prefixes: *const dragoman_tokens,
        timeout_ms: i64,
        taken: *mut usize,
    ) -> dragoman_status;

    /// The same for a job of dragoman_submit_tokens().
    pub fn dragoman_job_feed_tokens(
        job: *mut dragoman_job,
        sources: *const dragoman_tokens,
        count: usize,
        prefixes: *const dragoman_tokens,
        timeout_ms: i64,
        taken: *mut usize,
    ) -> dragoman_status;

    /// Says that a job that is fed gets no more. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_job_finish(job: *mut dragoman_job) -> dragoman_status;

    /// Hands over the results of a job that is fed: those that are ready and have not been handed over, in the order
    /// of the inputs (dragoman_result_first() is the input of the first one). Waits for one, or until `timeout_ms`
    /// milliseconds have passed; below 0: without limit. `result` NULL: the time has passed, or the job has ended and
    /// everything was handed over. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, also where it would wait in a callback of the same translator; after the
    /// last result, what ended the job: DRAGOMAN_CANCELLED and those of dragoman_translate_texts(), with their
    /// message. Where memory runs out while results are handed over, the next call hands them over.
    pub fn dragoman_job_next_result(
        job: *mut dragoman_job,
        timeout_ms: i64,
        result: *mut *mut dragoman_result,
    ) -> dragoman_status;

    /// Ends the handle. A job that has not ended is cancelled. When this returns, no event or progress callback of the
    /// job runs any more; but called from a callback, it does not wait for others that are running. Any thread.
    pub fn dragoman_job_destroy(job: *mut dragoman_job);

    /// The state of a job so far; does not wait. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_job_poll(job: *const dragoman_job, info: *mut dragoman_job_info) -> dragoman_status;

    /// Waits until a job has ended or `timeout_ms` milliseconds have passed; below 0: without limit. `ended` gets 1 or
    /// 0; NULL: the caller does not want to know. When the job has ended, its last event is over, too. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, also in a callback of the same translator; how the job ended is in
    /// dragoman_job_poll() and dragoman_job_take_result().
    pub fn dragoman_job_wait(job: *const dragoman_job, timeout_ms: i64, ended: *mut i32) -> dragoman_status;

    /// Asks a job to stop soon; has no effect on a job that has ended. Does not wait. Any thread. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_job_cancel(job: *mut dragoman_job) -> dragoman_status;

    /// Waits until a job has ended and hands its result over, once. Any thread; in a callback of the same translator
    /// only for a job that has ended.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, also when it has been taken before or the job is fed; DRAGOMAN_CANCELLED;
    /// those of dragoman_translate_texts(), with their message. Where memory runs out while it is handed over, the
    /// next call hands it over.
    pub fn dragoman_job_take_result(job: *mut dragoman_job, result: *mut *mut dragoman_result) -> dragoman_status;

    /// Finds the sentences of a text, as dragoman_translate_texts() does, without the white space and list bullets
    /// between them. `language` is that of the text, "de"; NULL or "": unknown. `join_lines` 1: a line break is a
    /// space and a blank line ends a paragraph; 0: every line break ends a sentence. Needs no model. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8, naming the byte offset).
    pub fn dragoman_split_sentences(
        text: *const dragoman_string,
        language: *const c_char,
        join_lines: i32,
        ranges: *mut *mut dragoman_range_list,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_range_list_destroy(ranges: *mut dragoman_range_list);

    /// Number of ranges; 0 for NULL. Any thread.
    pub fn dragoman_range_list_count(ranges: *const dragoman_range_list) -> usize;

    /// All ranges, borrowed; NULL when there are none. Any thread.
    pub fn dragoman_range_list_data(ranges: *const dragoman_range_list) -> *const dragoman_range;

    /// Cuts each text, as one sentence, into the model's tokens: for DRAGOMAN_SIDE_SOURCE as
    /// dragoman_translate_texts() does, keeping a language code in front ("\>\>de\<\<") as a token; for
    /// DRAGOMAN_SIDE_TARGET in the form of prefixes and of the targets of dragoman_score_tokens(). A model without an
    /// encoder and one without a decoder get the text itself, with its line breaks and spaces, as when a text is
    /// continued or becomes a vector; for the others it is normalised before. No token is added. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also invalid UTF-8), DRAGOMAN_UNSUPPORTED for a model without tokenizer.
    pub fn dragoman_tokenize(
        model: *const dragoman_model,
        side: i32,
        texts: *const dragoman_string,
        count: usize,
        tokens: *mut *mut dragoman_token_lists,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_token_lists_destroy(tokens: *mut dragoman_token_lists);

    /// Number of sequences; 0 for NULL. Any thread.
    pub fn dragoman_token_lists_count(tokens: *const dragoman_token_lists) -> usize;

    /// The tokens of a text, borrowed. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_token_lists_get(
        tokens: *const dragoman_token_lists,
        index: usize,
        sequence: *mut dragoman_tokens,
    ) -> dragoman_status;

    /// The bytes of a text that each of its tokens stands for, borrowed. Ranges are in order, on character boundaries,
    /// and cover every character that is not white space. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of
    /// range).
    pub fn dragoman_token_lists_ranges(
        tokens: *const dragoman_token_lists,
        index: usize,
        ranges: *mut dragoman_ranges,
    ) -> dragoman_status;

    /// Whether the model's vocabulary of a side has a token: `*known` is 1, or 0. Where a source or a prefix has one
    /// that is not in it, the model takes its unknown token. Any model, any thread. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_model_has_token(
        model: *const dragoman_model,
        side: i32,
        token: *const c_char,
        known: *mut i32,
    ) -> dragoman_status;

    /// Joins each sequence of tokens into a text. Tokens that control the model ("\</s\>") are left out. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_UNSUPPORTED for a model without tokenizer.
    pub fn dragoman_detokenize(
        model: *const dragoman_model,
        side: i32,
        sequences: *const dragoman_tokens,
        count: usize,
        texts: *mut *mut dragoman_text_list,
    ) -> dragoman_status;

    /// Ends the handle and everything borrowed from it. Any thread.
    pub fn dragoman_text_list_destroy(texts: *mut dragoman_text_list);

    /// Number of texts; 0 for NULL. Any thread.
    pub fn dragoman_text_list_count(texts: *const dragoman_text_list) -> usize;

    /// A text, borrowed. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT (out of range).
    pub fn dragoman_text_list_get(
        texts: *const dragoman_text_list,
        index: usize,
        text: *mut dragoman_string,
    ) -> dragoman_status;

    /// What translations with these options depend on, for a program that keeps some of them to go on later:
    /// fingerprints of model, glossary and segments of a memory, the device, every option that changes what a call
    /// returns, and the library's version. `key` gets one text, of lines with a name, a tab and a value. `tokens` 1:
    /// of dragoman_translate_tokens(), 0: of texts. `own` (NULL: none) has further lines of that form, of what the
    /// program's results depend on besides. `kept` (NULL: none) is a key from before: if it differs, the message of
    /// the error says in what. `options` NULL: the defaults. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also for another key), DRAGOMAN_UNSUPPORTED.
    pub fn dragoman_translation_key(
        translator: *const dragoman_translator,
        options: *const dragoman_translate_options,
        tokens: i32,
        own: *const dragoman_string,
        kept: *const dragoman_string,
        key: *mut *mut dragoman_text_list,
    ) -> dragoman_status;

    /// Makes a memory, for the option `memory` of calls and jobs, that keeps their answers in a file that only grows:
    /// each is in it as soon as it is there, so that whatever ends the program loses none, and a later program that
    /// names the file goes on with them. Translations that are drawn (dragoman_sampling) are drawn again. `key` is of
    /// dragoman_translation_key(); a file with another one is refused, and the message says what differs. `base`
    /// (NULL: none) is a memory whose answers, segments and record are used, too. A file of more than `most_bytes`
    /// begins anew, for what is translated then (0: it never does): for programs that need the latest answers only.
    /// All of them are in memory, too. When everything is done, the program removes the file. Any thread; a file is
    /// for one program at a time.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT (also for another key), DRAGOMAN_IO_ERROR.
    pub fn dragoman_keep_answers(
        path: *const c_char,
        key: *const dragoman_string,
        most_bytes: u64,
        base: *mut dragoman_memory,
        memory: *mut *mut dragoman_memory,
    ) -> dragoman_status;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_convert_options_init_sized(
        options: *mut dragoman_convert_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Writes the model at `path` (of any format; NULL: the default model, see dragoman_model_load()) as one GGUF file
    /// with everything it needs, vocabularies and tokenizer too (docs/gguf.md). The file appears only when it is
    /// complete. Needs no device, unless there are texts to translate. `options` NULL: the defaults. Any thread.
    /// Statuses: DRAGOMAN_INVALID_ARGUMENT, DRAGOMAN_IO_ERROR (also for a file that exists), DRAGOMAN_BAD_MODEL,
    /// DRAGOMAN_UNSUPPORTED (a weight that the type cannot hold), DRAGOMAN_CANCELLED.
    pub fn dragoman_model_convert(
        path: *const c_char,
        out_path: *const c_char,
        options: *const dragoman_convert_options,
    ) -> dragoman_status;

    /// Fills in size and defaults. Statuses: DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_bench_options_init_sized(
        options: *mut dragoman_bench_options,
        struct_size: usize,
    ) -> dragoman_status;

    /// Loads the model at `path`, translates `count` texts again and again and measures throughput, latency and
    /// memory, and the device's time by pass against the best it can do. Other work on the device or the machine shows
    /// in the numbers. The inputs are the sentences of the texts, prepared once with `options` as
    /// dragoman_translate_texts() does it: each different one once, without those that are only copied. `count` 0:
    /// random words. `model_options` must name no device: bench_options has one. The three options NULL: the defaults.
    /// Any thread.
    /// Statuses: those of dragoman_model_load() and dragoman_translate_texts(); DRAGOMAN_UNSUPPORTED also for texts in
    /// which there is nothing to translate.
    pub fn dragoman_bench_texts(
        path: *const c_char,
        model_options: *const dragoman_model_options,
        texts: *const dragoman_string,
        count: usize,
        options: *const dragoman_translate_options,
        bench_options: *const dragoman_bench_options,
        report: *mut *mut dragoman_report,
    ) -> dragoman_status;

    /// The same with sequences of source tokens, see dragoman_translate_tokens().
    pub fn dragoman_bench_tokens(
        path: *const c_char,
        model_options: *const dragoman_model_options,
        sources: *const dragoman_tokens,
        count: usize,
        options: *const dragoman_translate_options,
        bench_options: *const dragoman_bench_options,
        report: *mut *mut dragoman_report,
    ) -> dragoman_status;

    /// Runs every kernel that models of usual shapes use on a device on small inputs, compares with loops in double
    /// precision, and says which give wrong results, for a bug report. The library does the same with every kernel
    /// before it uses it for the first time, and takes another one in place of one that is wrong; the results are kept
    /// next to the compiled pipelines, and replaced by this call. It takes seconds where no pipelines are kept. Of
    /// several devices that work together each is checked, one after the other; the report of the first one has the
    /// others' in "others". Models on the device may be at work. Any thread. Statuses: DRAGOMAN_INVALID_ARGUMENT,
    /// DRAGOMAN_DEVICE_LOST.
    pub fn dragoman_device_check(device: *const dragoman_device, report: *mut *mut dragoman_report) -> dragoman_status;

    /// Ends the handle and everything borrowed from it.
    pub fn dragoman_report_destroy(report: *mut dragoman_report);

    /// The report as a JSON object; docs/bench.md and docs/devices.md say what is in it. Statuses:
    /// DRAGOMAN_INVALID_ARGUMENT.
    pub fn dragoman_report_json(report: *const dragoman_report, json: *mut dragoman_string) -> dragoman_status;
}
