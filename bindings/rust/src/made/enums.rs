// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use dragoman_sys as sys;

/// The result of a call, on which a caller can act. The sentence for a person is C's `dragoman_last_error()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Status {
    /// The result is there, the message empty.
    Ok = sys::DRAGOMAN_OK,
    /// An option, text or handle the caller passed.
    InvalidArgument = sys::DRAGOMAN_INVALID_ARGUMENT,
    /// A model file that is broken or incomplete, or contradicts itself.
    BadModel = sys::DRAGOMAN_BAD_MODEL,
    /// A valid request that this library, model or device cannot fulfil.
    Unsupported = sys::DRAGOMAN_UNSUPPORTED,
    /// Host or device memory ran out, or the memory limit was reached.
    OutOfMemory = sys::DRAGOMAN_OUT_OF_MEMORY,
    /// The device stopped answering; open it and load its models again.
    DeviceLost = sys::DRAGOMAN_DEVICE_LOST,
    /// No Vulkan loader, no driver, or no device that fits the request.
    NoDevice = sys::DRAGOMAN_NO_DEVICE,
    /// A file that cannot be read or written.
    IoError = sys::DRAGOMAN_IO_ERROR,
    /// The caller asked to stop.
    Cancelled = sys::DRAGOMAN_CANCELLED,
    /// A fault of the library.
    Internal = sys::DRAGOMAN_INTERNAL,
}

impl Status {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Status] = &[
        Status::Ok,
        Status::InvalidArgument,
        Status::BadModel,
        Status::Unsupported,
        Status::OutOfMemory,
        Status::DeviceLost,
        Status::NoDevice,
        Status::IoError,
        Status::Cancelled,
        Status::Internal,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::InvalidArgument => "invalid_argument",
            Status::BadModel => "bad_model",
            Status::Unsupported => "unsupported",
            Status::OutOfMemory => "out_of_memory",
            Status::DeviceLost => "device_lost",
            Status::NoDevice => "no_device",
            Status::IoError => "io_error",
            Status::Cancelled => "cancelled",
            Status::Internal => "internal",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Status::Internal)
    }
}

/// Its word.
impl std::fmt::Display for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Status {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("status", word, Self::ALL))
    }
}

/// What the library reports: a status that a program can act on, with its sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An option, text or handle the caller passed.
    InvalidArgument(String),
    /// A model file that is broken or incomplete, or contradicts itself.
    BadModel(String),
    /// A valid request that this library, model or device cannot fulfil.
    Unsupported(String),
    /// Host or device memory ran out, or the memory limit was reached.
    OutOfMemory(String),
    /// The device stopped answering; open it and load its models again.
    DeviceLost(String),
    /// No Vulkan loader, no driver, or no device that fits the request.
    NoDevice(String),
    /// A file that cannot be read or written.
    IoError(String),
    /// The caller asked to stop.
    Cancelled(String),
    /// A fault of the library.
    Internal(String),
}

impl Error {
    pub(crate) fn of(status: i32, message: String) -> Self {
        match Status::of(status) {
            Status::InvalidArgument => Error::InvalidArgument(message),
            Status::BadModel => Error::BadModel(message),
            Status::Unsupported => Error::Unsupported(message),
            Status::OutOfMemory => Error::OutOfMemory(message),
            Status::DeviceLost => Error::DeviceLost(message),
            Status::NoDevice => Error::NoDevice(message),
            Status::IoError => Error::IoError(message),
            Status::Cancelled => Error::Cancelled(message),
            _ => Error::Internal(message),
        }
    }

    /// Its status in C.
    pub fn status(&self) -> Status {
        match self {
            Error::InvalidArgument(_) => Status::InvalidArgument,
            Error::BadModel(_) => Status::BadModel,
            Error::Unsupported(_) => Status::Unsupported,
            Error::OutOfMemory(_) => Status::OutOfMemory,
            Error::DeviceLost(_) => Status::DeviceLost,
            Error::NoDevice(_) => Status::NoDevice,
            Error::IoError(_) => Status::IoError,
            Error::Cancelled(_) => Status::Cancelled,
            Error::Internal(_) => Status::Internal,
        }
    }

    /// The library's sentence for a person.
    pub fn message(&self) -> &str {
        match self {
            Error::InvalidArgument(message)
            | Error::BadModel(message)
            | Error::Unsupported(message)
            | Error::OutOfMemory(message)
            | Error::DeviceLost(message)
            | Error::NoDevice(message)
            | Error::IoError(message)
            | Error::Cancelled(message)
            | Error::Internal(message) => message,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind as Kind;
        let kind = match error {
            Error::InvalidArgument(_) => Kind::InvalidInput,
            Error::BadModel(_) => Kind::InvalidData,
            Error::Unsupported(_) => Kind::Unsupported,
            Error::OutOfMemory(_) => Kind::OutOfMemory,
            _ => Kind::Other,
        };
        std::io::Error::new(kind, error)
    }
}

/// For a word that is none of an enumeration's.
pub(crate) fn unknown_word<T: ToString>(name: &str, word: &str, all: &[T]) -> Error {
    let all = all.iter().map(T::to_string).collect::<Vec<_>>().join(", ");
    Error::InvalidArgument(format!("{name}: expected one of {all}, got {word:?}"))
}

/// Levels of a log line; a lower number is more urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum LogLevel {
    /// Faults that no call can report, such as a callback that threw.
    Error = sys::DRAGOMAN_LOG_ERROR,
    /// Something that was asked for is missing, such as the validation layer.
    Warning = sys::DRAGOMAN_LOG_WARNING,
    /// A changed choice, such as fewer sentences at a time because memory is short.
    Info = sys::DRAGOMAN_LOG_INFO,
    /// The device, caches, tuning, and parts of a model's files that are not used.
    Debug = sys::DRAGOMAN_LOG_DEBUG,
}

impl LogLevel {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [LogLevel] = &[
        LogLevel::Error,
        LogLevel::Warning,
        LogLevel::Info,
        LogLevel::Debug,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warning => "warning",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&LogLevel::Debug)
    }
}

/// Its word.
impl std::fmt::Display for LogLevel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for LogLevel {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("log_level", word, Self::ALL))
    }
}

/// Kinds of device, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum DeviceKind {
    /// A graphics card with memory of its own.
    Discrete = sys::DRAGOMAN_DEVICE_DISCRETE,
    /// A GPU that shares the processor's memory.
    Integrated = sys::DRAGOMAN_DEVICE_INTEGRATED,
    /// A part of a GPU, lent to a virtual machine.
    Virtual = sys::DRAGOMAN_DEVICE_VIRTUAL,
    /// Vulkan in software, such as lavapipe.
    Cpu = sys::DRAGOMAN_DEVICE_CPU,
    /// A kind that the driver does not name.
    Other = sys::DRAGOMAN_DEVICE_OTHER,
}

impl DeviceKind {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [DeviceKind] = &[
        DeviceKind::Discrete,
        DeviceKind::Integrated,
        DeviceKind::Virtual,
        DeviceKind::Cpu,
        DeviceKind::Other,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            DeviceKind::Discrete => "discrete",
            DeviceKind::Integrated => "integrated",
            DeviceKind::Virtual => "virtual",
            DeviceKind::Cpu => "cpu",
            DeviceKind::Other => "other",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&DeviceKind::Other)
    }
}

/// Its word.
impl std::fmt::Display for DeviceKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for DeviceKind {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("device_kind", word, Self::ALL))
    }
}

/// Whether the first load of a model on a GPU measures which kernels are fastest there. CPU devices measure nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Tune {
    /// As DRAGOMAN_AUTOTUNE in the environment says, otherwise mostly in the background.
    Auto = sys::DRAGOMAN_TUNE_AUTO,
    /// Nothing is measured; what is known from before is used.
    Off = sys::DRAGOMAN_TUNE_OFF,
    /// Loading waits until all is measured, so it takes some seconds.
    On = sys::DRAGOMAN_TUNE_ON,
}

impl Tune {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Tune] = &[
        Tune::Auto,
        Tune::Off,
        Tune::On,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Tune::Auto => "auto",
            Tune::Off => "off",
            Tune::On => "on",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Tune::On)
    }
}

/// Its word.
impl std::fmt::Display for Tune {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Tune {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("tune", word, Self::ALL))
    }
}

/// The numbers a model computes with on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum ComputeType {
    /// F16 on a GPU that has it, otherwise int8 for a model made for it, otherwise f32.
    Auto = sys::DRAGOMAN_COMPUTE_AUTO,
    /// The most exact, on every device.
    F32 = sys::DRAGOMAN_COMPUTE_F32,
    /// DRAGOMAN_UNSUPPORTED on a device without it.
    F16 = sys::DRAGOMAN_COMPUTE_F16,
    /// Matrix products of int8 numbers, the rest in f32. A model made for it has its own scales; the matrices of any
    /// other are rounded while it is loaded, each row by its largest number, and so are the inputs of products.
    Int8 = sys::DRAGOMAN_COMPUTE_INT8,
    /// The same for every model, with the rest in f16; DRAGOMAN_UNSUPPORTED on a device without it.
    Int8Float16 = sys::DRAGOMAN_COMPUTE_INT8_FLOAT16,
}

impl ComputeType {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [ComputeType] = &[
        ComputeType::Auto,
        ComputeType::F32,
        ComputeType::F16,
        ComputeType::Int8,
        ComputeType::Int8Float16,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            ComputeType::Auto => "auto",
            ComputeType::F32 => "f32",
            ComputeType::F16 => "f16",
            ComputeType::Int8 => "int8",
            ComputeType::Int8Float16 => "int8_float16",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&ComputeType::Int8Float16)
    }
}

/// Its word.
impl std::fmt::Display for ComputeType {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for ComputeType {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("compute_type", word, Self::ALL))
    }
}

/// The side of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Side {
    /// The text that is translated.
    Source = sys::DRAGOMAN_SIDE_SOURCE,
    /// The translation.
    Target = sys::DRAGOMAN_SIDE_TARGET,
}

impl Side {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Side] = &[
        Side::Source,
        Side::Target,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Side::Source => "source",
            Side::Target => "target",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Side::Target)
    }
}

/// Its word.
impl std::fmt::Display for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Side {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("side", word, Self::ALL))
    }
}

/// Facts about a sentence that a reader should know. Bits; later versions may add some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum SentenceFlag {
    /// Unchanged, for a reason below or because it says nothing.
    Copied = sys::DRAGOMAN_SENTENCE_COPIED,
    /// Nothing to translate (source_language "auto").
    InTargetLanguage = sys::DRAGOMAN_SENTENCE_IN_TARGET_LANGUAGE,
    /// One that the model does not translate from (likewise).
    InOtherLanguage = sys::DRAGOMAN_SENTENCE_IN_OTHER_LANGUAGE,
    /// Spans that the model cannot read, or should not, are unchanged.
    Carried = sys::DRAGOMAN_SENTENCE_CARRIED,
    /// The model repeated itself: translated in parts, or copied.
    Repeated = sys::DRAGOMAN_SENTENCE_REPEATED,
    /// A number of it is missing in the translation.
    Numbers = sys::DRAGOMAN_SENTENCE_NUMBERS,
    /// It looks like UTF-8 that was read as another encoding.
    Mojibake = sys::DRAGOMAN_SENTENCE_MOJIBAKE,
    /// The translation is that of a translation memory's segment.
    FromMemory = sys::DRAGOMAN_SENTENCE_FROM_MEMORY,
    /// Copied, since its translation had less quality than min_quality.
    Unsure = sys::DRAGOMAN_SENTENCE_UNSURE,
    /// Its translation leaves out more words than max_uncovered_words.
    Uncovered = sys::DRAGOMAN_SENTENCE_UNCOVERED,
}

impl SentenceFlag {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [SentenceFlag] = &[
        SentenceFlag::Copied,
        SentenceFlag::InTargetLanguage,
        SentenceFlag::InOtherLanguage,
        SentenceFlag::Carried,
        SentenceFlag::Repeated,
        SentenceFlag::Numbers,
        SentenceFlag::Mojibake,
        SentenceFlag::FromMemory,
        SentenceFlag::Unsure,
        SentenceFlag::Uncovered,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            SentenceFlag::Copied => "copied",
            SentenceFlag::InTargetLanguage => "in_target_language",
            SentenceFlag::InOtherLanguage => "in_other_language",
            SentenceFlag::Carried => "carried",
            SentenceFlag::Repeated => "repeated",
            SentenceFlag::Numbers => "numbers",
            SentenceFlag::Mojibake => "mojibake",
            SentenceFlag::FromMemory => "from_memory",
            SentenceFlag::Unsure => "unsure",
            SentenceFlag::Uncovered => "uncovered",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&SentenceFlag::Uncovered)
    }
}

/// Its word.
impl std::fmt::Display for SentenceFlag {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for SentenceFlag {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("sentence_flag", word, Self::ALL))
    }
}

/// The engine whose beam search is used. The engines differ in what ends it, which hypotheses compete and how they are
/// scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Search {
    /// The search of the engine that the model's format belongs to.
    Auto = sys::DRAGOMAN_SEARCH_AUTO,
    /// CTranslate2's, the only one with coverage_penalty and prefix_bias_beta.
    Ctranslate2 = sys::DRAGOMAN_SEARCH_CTRANSLATE2,
    /// Marian's, the only one with word_penalty.
    Marian = sys::DRAGOMAN_SEARCH_MARIAN,
    /// The search of Hugging Face's transformers, the only one with early_stopping.
    Huggingface = sys::DRAGOMAN_SEARCH_HUGGINGFACE,
}

impl Search {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Search] = &[
        Search::Auto,
        Search::Ctranslate2,
        Search::Marian,
        Search::Huggingface,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Search::Auto => "auto",
            Search::Ctranslate2 => "ctranslate2",
            Search::Marian => "marian",
            Search::Huggingface => "huggingface",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Search::Huggingface)
    }
}

/// Its word.
impl std::fmt::Display for Search {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Search {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("search", word, Self::ALL))
    }
}

/// When a search of Hugging Face's ends, once as many hypotheses as beams have finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum EarlyStopping {
    /// As the model says.
    Auto = sys::DRAGOMAN_EARLY_STOPPING_AUTO,
    /// The best live beam scores worse than all of them.
    Off = sys::DRAGOMAN_EARLY_STOPPING_OFF,
    /// Nothing else.
    On = sys::DRAGOMAN_EARLY_STOPPING_ON,
    /// Even at the longest length the best live beam would score worse.
    Never = sys::DRAGOMAN_EARLY_STOPPING_NEVER,
}

impl EarlyStopping {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [EarlyStopping] = &[
        EarlyStopping::Auto,
        EarlyStopping::Off,
        EarlyStopping::On,
        EarlyStopping::Never,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            EarlyStopping::Auto => "auto",
            EarlyStopping::Off => "off",
            EarlyStopping::On => "on",
            EarlyStopping::Never => "never",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&EarlyStopping::Never)
    }
}

/// Its word.
impl std::fmt::Display for EarlyStopping {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for EarlyStopping {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("early_stopping", word, Self::ALL))
    }
}

/// Whether tokens are drawn by their probabilities, instead of the most probable ones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Sampling {
    /// As the model says.
    Auto = sys::DRAGOMAN_SAMPLING_AUTO,
    /// Beam search, or greedy search.
    Off = sys::DRAGOMAN_SAMPLING_OFF,
    /// Drawn; beam_size is 1.
    On = sys::DRAGOMAN_SAMPLING_ON,
}

impl Sampling {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Sampling] = &[
        Sampling::Auto,
        Sampling::Off,
        Sampling::On,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Sampling::Auto => "auto",
            Sampling::Off => "off",
            Sampling::On => "on",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Sampling::On)
    }
}

/// Its word.
impl std::fmt::Display for Sampling {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Sampling {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("sampling", word, Self::ALL))
    }
}

/// The markup of a text. Its tags stay as they are, and the text between them is translated (docs/markup.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Markup {
    /// Words only.
    None = sys::DRAGOMAN_MARKUP_NONE,
    /// A page or a part of one; what is broken is read as browsers do.
    Html = sys::DRAGOMAN_MARKUP_HTML,
    /// A document; one that is not well-formed is an error.
    Xml = sys::DRAGOMAN_MARKUP_XML,
}

impl Markup {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Markup] = &[
        Markup::None,
        Markup::Html,
        Markup::Xml,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Markup::None => "none",
            Markup::Html => "html",
            Markup::Xml => "xml",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Markup::Xml)
    }
}

/// Its word.
impl std::fmt::Display for Markup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Markup {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("markup", word, Self::ALL))
    }
}

/// The vectors that are made from an encoder's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Pooling {
    /// As the model's files say, with the layers behind it; otherwise the mean.
    Model = sys::DRAGOMAN_POOLING_MODEL,
    /// One vector: the mean over all tokens, with those around the text.
    Mean = sys::DRAGOMAN_POOLING_MEAN,
    /// One vector: that of the first token.
    Cls = sys::DRAGOMAN_POOLING_CLS,
    /// One vector: BERT's pooler, tanh(W first + b).
    Pooler = sys::DRAGOMAN_POOLING_POOLER,
    /// One vector for each token.
    Tokens = sys::DRAGOMAN_POOLING_TOKENS,
}

impl Pooling {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Pooling] = &[
        Pooling::Model,
        Pooling::Mean,
        Pooling::Cls,
        Pooling::Pooler,
        Pooling::Tokens,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Pooling::Model => "model",
            Pooling::Mean => "mean",
            Pooling::Cls => "cls",
            Pooling::Pooler => "pooler",
            Pooling::Tokens => "tokens",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Pooling::Tokens)
    }
}

/// Its word.
impl std::fmt::Display for Pooling {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Pooling {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("pooling", word, Self::ALL))
    }
}

/// Whether vectors are divided by their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Normalize {
    /// As the model's files say; otherwise off.
    Model = sys::DRAGOMAN_NORMALIZE_MODEL,
    /// As the encoder gives them.
    Off = sys::DRAGOMAN_NORMALIZE_OFF,
    /// To a length of 1, so that the product of two is their cosine.
    On = sys::DRAGOMAN_NORMALIZE_ON,
}

impl Normalize {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [Normalize] = &[
        Normalize::Model,
        Normalize::Off,
        Normalize::On,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Normalize::Model => "model",
            Normalize::Off => "off",
            Normalize::On => "on",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&Normalize::On)
    }
}

/// Its word.
impl std::fmt::Display for Normalize {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for Normalize {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("normalize", word, Self::ALL))
    }
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum EventKind {
    /// The best translation so far of a sentence at work; the next may differ.
    Partial = sys::DRAGOMAN_EVENT_PARTIAL,
    /// A sentence is translated.
    Sentence = sys::DRAGOMAN_EVENT_SENTENCE,
    /// The job has ended: the last event.
    End = sys::DRAGOMAN_EVENT_END,
}

impl EventKind {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [EventKind] = &[
        EventKind::Partial,
        EventKind::Sentence,
        EventKind::End,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            EventKind::Partial => "partial",
            EventKind::Sentence => "sentence",
            EventKind::End => "end",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&EventKind::End)
    }
}

/// Its word.
impl std::fmt::Display for EventKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for EventKind {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("event_kind", word, Self::ALL))
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum JobState {
    /// None of its sentences is at work yet.
    Waiting = sys::DRAGOMAN_JOB_WAITING,
    /// Some of its sentences are at work or done.
    Running = sys::DRAGOMAN_JOB_RUNNING,
    /// Ended with a result.
    Done = sys::DRAGOMAN_JOB_DONE,
    /// Ended with an error.
    Failed = sys::DRAGOMAN_JOB_FAILED,
    /// Ended because somebody asked for it.
    Cancelled = sys::DRAGOMAN_JOB_CANCELLED,
}

impl JobState {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [JobState] = &[
        JobState::Waiting,
        JobState::Running,
        JobState::Done,
        JobState::Failed,
        JobState::Cancelled,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&JobState::Cancelled)
    }
}

/// Its word.
impl std::fmt::Display for JobState {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for JobState {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("job_state", word, Self::ALL))
    }
}

/// How the matrices of a converted model are stored. Tensors that are not multiplied have 32 or 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum WeightType {
    /// As they are; int8 keeps its scales.
    Keep = sys::DRAGOMAN_WEIGHTS_KEEP,
    /// 32 bits, which hold any weight of a model.
    F32 = sys::DRAGOMAN_WEIGHTS_F32,
    /// 16 bits; DRAGOMAN_UNSUPPORTED for numbers beyond 65504.
    F16 = sys::DRAGOMAN_WEIGHTS_F16,
    /// 8.5 bits: blocks of 32 whole numbers with a scale.
    Q8 = sys::DRAGOMAN_WEIGHTS_Q8,
    /// 5 bits: blocks of 32 with scale and offset.
    Q4 = sys::DRAGOMAN_WEIGHTS_Q4,
}

impl WeightType {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [WeightType] = &[
        WeightType::Keep,
        WeightType::F32,
        WeightType::F16,
        WeightType::Q8,
        WeightType::Q4,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            WeightType::Keep => "keep",
            WeightType::F32 => "f32",
            WeightType::F16 => "f16",
            WeightType::Q8 => "q8",
            WeightType::Q4 => "q4",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&WeightType::Q4)
    }
}

/// Its word.
impl std::fmt::Display for WeightType {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for WeightType {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("weight_type", word, Self::ALL))
    }
}
