// SPDX-License-Identifier: Apache-2.0
/**
 * Dragoman: translation on any GPU, through Vulkan. Names and rules are those of the C header, dragoman.h. Promises are
 * settled by work on other threads; what returns a value at once does not wait for a device.
 */

/** Version of the C library. */
export const version: string;

/** For `attentionHead`: the mean of all heads. */
export const ALL_HEADS: number;

/** Whether the library has "format.ctranslate2", "compute.float16", "jobs.partial" ...; false for unknown names. */
export function hasFeature(name: string): boolean;

/** The names of all features. */
export function features(): string[];

declare global {
    interface SymbolConstructor {
        /** What `await using` calls, where the program's TypeScript and Node know it. */
        readonly asyncDispose: unique symbol;
    }
}

// Errors

/** What the library reports. `message` is its sentence for a person, `code` the name of the status in C. */
export class DragomanError extends Error {
    constructor(message: string, code?: string);
    readonly code: string;
}
/** invalid_argument: an option, text or value that was passed. */
export class InvalidArgumentError extends DragomanError {}
/** bad_model: a model file that is broken, incomplete or contradicts itself. */
export class BadModelError extends DragomanError {}
/** unsupported: a sound request that this library, model or device cannot fulfil. */
export class UnsupportedError extends DragomanError {}
/** out_of_memory: host or device memory ran out, or the memory limit was reached. */
export class OutOfMemoryError extends DragomanError {}
/** device_lost: the device stopped answering; load the model again. */
export class DeviceLostError extends DragomanError {}
/** no_device: no Vulkan loader, no driver, or no device that fits the request. */
export class NoDeviceError extends DragomanError {}
/** io_error: a file that cannot be read or written. */
export class FileError extends DragomanError {}
/** cancelled: the translator was closed meanwhile. An aborted `signal` gives its own reason instead. */
export class CancelledError extends DragomanError {}
/** internal: a fault of the library. */
export class InternalError extends DragomanError {}
/** closed: a model or translator was used after close(). */
export class ClosedError extends DragomanError {}

// Devices

/** Facts about a device. */
export interface DeviceInfo {
    /** Place in the list, valid as the name of a Device. */
    index: number;
    name: string;
    driver: string;
    kind: "discrete" | "integrated" | "virtual" | "cpu" | "other";
    uuid: string;
    vendorId: number;
    deviceId: number;
    /** Of Vulkan, "1.3.230". */
    apiVersion: string;
    /** As the driver encodes it. */
    driverVersion: number;
    subgroupSize: number;
    f16: boolean;
    cooperativeMatrix: boolean;
    integerDotProduct: boolean;
    unifiedMemory: boolean;
    /** Of the largest device-local heap; of an integrated GPU, of all heaps together. */
    memoryBytes: number;
    maxBufferBytes: number;
}

/** All Vulkan devices. Rejects with NoDeviceError where there is no Vulkan loader. */
export function devices(): Promise<DeviceInfo[]>;

/** Memory of a device at one moment, in bytes. */
export interface Memory {
    /** The driver says budget and use; else they are the whole heap and 0. */
    measured: boolean;
    heapBytes: number;
    /** What this process may use of it now, beside other programs. */
    budgetBytes: number;
    usedBytes: number;
    /** By everything on an open device; 0 from deviceMemory(). */
    heldBytes: number;
    peakBytes: number;
    limitBytes: number;
}

export function deviceMemory(index: number): Promise<Memory>;

export interface DeviceOptions {
    /** An index, a UUID, or a part of a name. Default: DRAGOMAN_DEVICE from the environment, else the best one. */
    name?: string | number;
    /** A folder for compiled pipelines; "-": none. */
    cacheDir?: string;
    /** What everything on the device may hold; 0 (default): no limit. */
    memoryLimitBytes?: number;
    /** Run under the Vulkan validation layer where it is installed. */
    validation?: boolean;
    /** Use kernels without checking them on this device before. */
    trustKernels?: boolean;
    /**
     * Whether the first load of a model on a GPU measures which kernels are fastest. "on": loading waits for all of it;
     * "auto" (default): DRAGOMAN_AUTOTUNE from the environment, else most of it in the background.
     */
    tune?: "auto" | "off" | "on";
}

/** A device in use. Models that are loaded onto it share one memory budget and one queue of work. */
export class Device {
    private constructor();
    static open(options?: DeviceOptions): Promise<Device>;
    get info(): DeviceInfo;
    /** Its memory, and what everything on it holds. */
    get memory(): Memory;
    /**
     * Runs the kernels of the device on small inputs, compares with loops in double precision, and says which give wrong
     * results, for a bug report; docs/devices.md says what is in it. Takes seconds.
     */
    check(): Promise<{ right: number; wrong: number; skipped: number; [key: string]: unknown }>;
    /** Gives back device memory except models and what running calls use. */
    trim(): Promise<void>;
    /** Lets go of the device. Models on it keep what they need. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// Models

export interface ModelOptions {
    /**
     * A Device, or the name, index or UUID of one that is opened for this model alone. Absent, and none of its options
     * below: the device that all such models of the process share.
     */
    device?: Device | string | number;
    /** Default "auto": int8 for a model made for it, else f16 on a GPU that has it, f32 elsewhere. */
    computeType?: "auto" | "f32" | "f16" | "int8" | "int8_float16";
    /**
     * Paths of further models of the same vocabulary, which predict each token together with the one that is loaded (an
     * ensemble). Alignments are those of the first model.
     */
    moreModels?: readonly string[];
    /** One for each model, the first one's first. Default: those of its files, else 1 each. */
    weights?: readonly number[];
    /** Weighted probabilities are added up, not their logarithms. */
    averageProbabilities?: boolean;
    /** Of a device that is opened for this model, as the following ones: see DeviceOptions. */
    cacheDir?: string;
    memoryLimitBytes?: number;
    validation?: boolean;
    trustKernels?: boolean;
    tune?: "auto" | "off" | "on";
}

/** A language of a model. Options take its tag as well as its code. */
export interface Language {
    /** As BCP 47 has it, "pt-BR"; "und" where the model's code is of no standard. */
    tag: string;
    /** As the model's files spell it, "deu_Latn". */
    code: string;
    /** In English; the code where there is none. */
    name: string;
}

/** What a model is. Texts are "" where its files say nothing. */
export interface ModelInfo {
    path: string;
    format: string;
    family: string;
    version: string;
    license: string;
    /** What stands around a text and begins its translation: "{from} TEXT </s> => </s> {to} TEXT </s>". */
    prompt: string;
    /** In the order of its files; none where they do not say. */
    sourceLanguages: Language[];
    targetLanguages: Language[];
    /** Takes and gives text; else only tokens. */
    hasTokenizer: boolean;
    dModel: number;
    heads: number;
    encoderLayers: number;
    decoderLayers: number;
    encoderFfn: number;
    decoderFfn: number;
    sourceVocabulary: number;
    targetVocabulary: number;
    parameters: number;
    fileBytes: number;
    /** Weights on the device; 0 from describe(). */
    deviceBytes: number;
    storedTypes: string;
    /** What it computes with; "" from describe(). */
    computeType: string;
    /** More than 1: an ensemble; widths and layers are those of the first one. */
    networks: number;
    /** Of a source, with those that the model wants around it; 0: any number. */
    maxSourceTokens: number;
    /** Of a translation, likewise. */
    maxTargetTokens: number;
    /** What the library offers and the model does not: "shortlist, names of languages". */
    lacks: string;
    /** Why that compute type: "asked for", "fastest on GPUs"; "" from describe(). */
    computeReason: string;
}

/** Describes a model from its files alone; needs no device. No path: the default model, see Model.load(). */
export function describe(path?: string | URL | null): Promise<ModelInfo>;

/** A file's bytes, or where they are. */
export type Content = Uint8Array | ArrayBuffer | URL | { arrayBuffer(): Promise<ArrayBuffer> };

export type Side = "source" | "target";

/** A model on a device. It never changes; any number of translators share it. */
export class Model {
    private constructor();
    /**
     * Reads a directory, a zip archive, or the published model of that name ("firefox:de-en"). No path: the model
     * DRAGOMAN_MODEL names in the environment, else the one that comes with the library (German-English and English-German).
     */
    static load(options?: ModelOptions): Promise<Model>;
    static load(path: string | URL | null | undefined, options?: ModelOptions & DownloadWanted): Promise<Model>;
    /** The files of a model's folder by their names there, or one that is a model by itself, such as a zip. */
    static fromFiles(files: Record<string, Content> | Map<string, Content> | Uint8Array,
                     options?: ModelOptions): Promise<Model>;
    get info(): ModelInfo;
    /** Those that it translates from; none where its files do not say. */
    get sourceLanguages(): Language[];
    /** Those that it translates to. */
    get targetLanguages(): Language[];
    /** The device it is on. */
    get device(): DeviceInfo;
    /** Of its device, and what everything on that holds. */
    get memory(): Memory;
    /** A translator with these options as its defaults. */
    translator(options?: TranslateOptions): Promise<Translator>;
    /** Cuts a text, as one sentence, into the model's tokens. No token is added. */
    tokenize(text: string, side?: Side): Promise<TokenList>;
    tokenize(texts: Iterable<string>, side?: Side): Promise<TokenList[]>;
    /** Whether its vocabulary of a side has a token; for one that it has not, the model takes its unknown token. */
    hasToken(token: string, side?: Side): boolean;
    /** Puts tokens together to a text. Tokens that control the model ("</s>") vanish. */
    detokenize(tokens: readonly string[], side?: Side): Promise<string>;
    detokenize(sequences: Iterable<readonly string[]>, side?: Side): Promise<string[]>;
    /** Vectors of texts, from the encoder; each text is one sequence, whatever sentences it has. */
    embed(text: string, options?: EmbedOptions): Promise<Float32Array>;
    embed(texts: Iterable<string>, options?: EmbedOptions): Promise<Float32Array[]>;
    /** A vector for each token that the encoder read. */
    embedTokens(text: string, options?: Omit<EmbedOptions, "pooling">): Promise<TokenVectors>;
    embedTokens(texts: Iterable<string>, options?: Omit<EmbedOptions, "pooling">): Promise<TokenVectors[]>;
    /** Lets go of the model. Translators made from it keep what they need. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface EmbedOptions {
    /** What the model's files say (default), else the mean over all tokens; the first token's vector; BERT's pooler. */
    pooling?: "model" | "mean" | "cls" | "pooler";
    /** To a length of 1; default as the model says. */
    normalize?: boolean;
    /** Of a text, with those around it; 0 (default): as many as the model takes. */
    maxTokens?: number;
    /** Cut a longer text, which is an error otherwise. */
    truncate?: boolean;
    /** For models whose encoder gets it. */
    sourceLanguage?: string;
    targetLanguage?: string;
}

export interface TokenVectors {
    /** With those around the text. */
    tokens: TokenList;
    /** A row for each of them. */
    vectors: Matrix;
}

// Texts

/** Places in a string, so that `text.slice(...span)` is it. */
export type Span = [begin: number, end: number];

/**
 * The tokens of a text, and the place that each of them stands for there. Ranges are in order and cover every character
 * that is not white space; a token that stands for nothing has an empty one.
 */
export type TokenList = string[] & { readonly ranges: Span[] };

/** A language that a text may be in. */
export interface LanguageGuess {
    /** BCP 47: "de", "zh-Hant". */
    tag: string;
    /** In English: "German". */
    name: string;
    /** That the text, or most of it, is in this language. */
    probability: number;
}

export interface ExpectedLanguages {
    expected?: string | Iterable<string>;
}

/**
 * The languages that a text, or each of many, may be in, at most three, the most probable first; none where it has no letters of a
 * known language. `expected`: languages that are likelier than others; at most 8 are heeded, none is excluded.
 */
export function detectLanguages(text: string, options?: ExpectedLanguages): Promise<LanguageGuess[]>;
export function detectLanguages(texts: Iterable<string>, options?: ExpectedLanguages): Promise<LanguageGuess[][]>;

/** Finds the sentences of a text, as translate() does. `joinLines`: a line break is a space. Needs no model. */
export function splitSentences(text: string, options?: { language?: string; joinLines?: boolean }): Span[];

// Translators

/** Terms with what they become, for the option `glossary`. */
export class Glossary {
    private constructor();
    /** A file of tab- or comma-separated values, or TBX, for which the languages are needed (docs/terms.md). */
    static load(path: string | URL, languages?: { sourceLanguage?: string; targetLanguage?: string }): Promise<Glossary>;
    /** The same from the content of such a file. */
    static read(content: string, languages?: { sourceLanguage?: string; targetLanguage?: string }): Promise<Glossary>;
    /** Of pairs of a term and what it becomes; "a|b": either. */
    static of(terms: Iterable<readonly [string, string]>): Promise<Glossary>;
    get size(): number;
    /** Lets go of it. Calls that use it go on. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** What a memory keeps. Absent: the library's default. */
export interface MemoryOptions {
    /** File of SQLite that keeps answers, made if there is none. */
    path?: string | URL;
    /** Most bytes of answers in memory; default 64 MiB. */
    cacheBytes?: number;
    /** Most bytes of answers in the file; default 1 GiB. */
    fileBytes?: number;
    /** Of segments that are offered; more than 0, at most 1; default 0.75. */
    minSimilarity?: number;
    /** Segments that are offered for a sentence; default 3. */
    maxMatches?: number;
    /** Keep translations for writeTmx(). */
    record?: boolean;
}

/** What a memory has, and what it was asked since it was made. */
export interface MemoryCounts {
    readonly entries: number;
    readonly bytes: number;
    readonly evicted: number;
    readonly fileEntries: number;
    readonly fileBytes: number;
    readonly hits: number;
    readonly fileHits: number;
    readonly misses: number;
    readonly segments: number;
    readonly exactMatches: number;
    readonly fuzzyMatches: number;
    readonly recorded: number;
    /** Answers that are not in the file yet; that never will be; times that it could not be read or written. */
    readonly fileWaiting: number;
    readonly fileLost: number;
    readonly fileFailures: number;
}

/** Answers of models and segments of translation memories, for the option `memory` (docs/translation_memory.md). */
export class TranslationMemory {
    private constructor();
    static create(options?: MemoryOptions): Promise<TranslationMemory>;
    /** Reads a translation memory; the number of its units that are of use. */
    loadTmx(path: string | URL): Promise<number>;
    /** The same from the content of such a file. */
    readTmx(content: string): Promise<number>;
    /** Adds a segment and its translation. */
    add(sourceLanguage: string, targetLanguage: string, source: string, target: string): void;
    /** Writes what was recorded. */
    writeTmx(path: string | URL): Promise<void>;
    /** Forgets everything, in the file, too. */
    clear(): Promise<void>;
    get counts(): MemoryCounts;
    /** Lets go of it. Calls that use it go on. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** A glossary, the path of its file, or terms and what they become. */
export type GlossaryLike = Glossary | string | URL | ReadonlyMap<string, string> | Readonly<Record<string, string>>;
/** A memory, or the path of its file. */
export type MemoryLike = TranslationMemory | string | URL;

/** Short names of options. */
export interface ShortOptions {
    /** Short for targetLanguage. */
    to?: string;
    /** Short for sourceLanguage. */
    from?: string;
}

/** How to decode. Absent: the library's default, which for many is what the model says; docs/options.md has more. */
export interface TranslateOptions extends ShortOptions {
    // options: fields (made of capi/options.json by capi/tools/make_options.py)
    /** 1 (greedy) to 64; default the model's. */
    beamSize?: number;
    /** A search ends with round(beamSize * patience) hypotheses; default 1. */
    patience?: number;
    /** score = sum of log-probabilities / length ^ this; default the model's. */
    lengthPenalty?: number;
    /** Weight of the reward for source tokens attended to; default 0. */
    coveragePenalty?: number;
    /** Above 1: tokens that have occurred become less likely; default the model's. */
    repetitionPenalty?: number;
    /** No sequence of this many tokens occurs twice; 0: off; default the model's. */
    noRepeatNgramSize?: number;
    /** 0 (default): a target prefix is forced; up to 1: made more likely. */
    prefixBiasBeta?: number;
    /** Source tokens; longer inputs are cut; 0: no limit; default 1024. */
    maxInputLength?: number;
    /** Target tokens, end token included; 1 to 4096; default the model's. */
    maxDecodingLength?: number;
    /** Fewest target tokens; default the model's. */
    minDecodingLength?: number;
    /** Per input, at most round(beamSize * patience); default 1. */
    numHypotheses?: number;
    /** With returnAlternatives: the least probability of an alternative; default 0. */
    minAlternativeExpansionProb?: number;
    /** Never produce the unknown token; default false. */
    disableUnk?: boolean;
    /** Keep the end token in the result; default false. */
    returnEndToken?: boolean;
    /** Return scores; otherwise every score is 0; default false. */
    returnScores?: boolean;
    /** Return attention of target tokens to source tokens; default false. */
    returnAttention?: boolean;
    /** Hypotheses that differ in the first token after the prefix; default false. */
    returnAlternatives?: boolean;
    /** An unknown token is replaced by the source token that gets most attention; default false. */
    replaceUnknowns?: boolean;
    /** Source tokens per device batch; 0 (default): chosen from memory. */
    maxBatchTokens?: number;
    /** Inputs per device batch; 0 (default): chosen. */
    maxBatchSize?: number;
    /** Token sequences that must not be produced; none of them may be empty; default none. */
    suppressSequences?: string[][];
    /** Tokens that end a translation; default the model's. */
    endTokens?: string[];
    /** Which engine's beam search; "auto": that of the model's engine; default "auto". */
    search?: "auto" | "ctranslate2" | "marian" | "huggingface";
    /** Marian's search: subtracted for each token; default the model's. */
    wordPenalty?: number;
    /** Most target tokens per source token; 0: any; default the model's. */
    maxLengthFactor?: number;
    /** What ends Hugging Face's search; "auto": as the model says; default "auto". */
    earlyStopping?: "auto" | "off" | "on" | "never";
    /** Of texts: BCP 47 ("de") or the model's code; "auto": found, sentence by sentence; default unknown. */
    sourceLanguage?: string;
    /** Of texts: BCP 47 ("en") or the model's code; default the text's own code, or the only one. */
    targetLanguage?: string;
    /** Of texts: false: each text is one sequence, which maxInputLength cuts; default true. */
    splitSentences?: boolean;
    /** Of texts: true: a line break is a space, a blank line ends a paragraph; default false. */
    joinLines?: boolean;
    /** Of texts: longer sentences are translated in parts; 0 (default): 128. */
    maxSegmentTokens?: number;
    /** Of texts: true: no tokens in the result, which takes much less memory; default false. */
    discardTokens?: boolean;
    /** Of the decoder, from 1; 0 (default): the layer the model names for alignment. */
    attentionLayer?: number;
    /** From 1, or ALL_HEADS; 0 (default): the mean of the heads the model names. */
    attentionHead?: number;
    /** Only tokens of the model's lexical shortlist may occur (Marian); default false. */
    useShortlist?: boolean;
    /**
     * Draw tokens by their probabilities: numHypotheses independent samples, no beams; "auto": as the model says;
     * default "auto".
     */
    sampling?: "auto" | "off" | "on";
    /** With sampling: divides the logits; default the model's. */
    temperature?: number;
    /** With sampling: only so many of the best tokens; 0: all; default the model's. */
    topK?: number;
    /** With sampling: only the best with this probability together; 0 to 1; default the model's. */
    topP?: number;
    /** With sampling: only this share of the best one's probability; 0 to 1; default the model's. */
    minP?: number;
    /** With sampling: the same seed gives a sentence the same samples; default 0. */
    seed?: number;
    /** Of texts: return which source words each word of a translation stands for; default false. */
    returnAlignment?: boolean;
    /** Of texts: tags stay, and what stands in them is translated; default "none". */
    markup?: "none" | "html" | "xml";
    /** Of texts: true: the model sees texts as they are, and nothing is put into its translations; default false. */
    raw?: boolean;
    /**
     * Of texts: true: placeholders, addresses and names of programs are forced in the search, too, as terms are;
     * default false.
     */
    keepSpans?: boolean;
    /** Of texts: terms that translations must have; default none. */
    glossary?: GlossaryLike;
    /** Of texts: what was translated before, and what is translated now; default none. */
    memory?: MemoryLike;
    /** Of texts: return how sure each sentence and word of a translation is; default false. */
    returnQuality?: boolean;
    /**
     * Of texts: with markup HTML: words whose score is lower stand in a span element of the class dragoman-unsure; 0
     * (default): none.
     */
    qualityMarks?: number;
    /**
     * Of texts: a sentence whose best translation has less quality comes back as it was given, marked unsure; 0
     * (default): off.
     */
    minQuality?: number;
    /** Of texts: return which words of the source a translation reaches; the alignment comes with it; default false. */
    returnCoverage?: boolean;
    /**
     * Of texts: a sentence whose translation leaves out more words in a row is translated again in parts, and marked
     * uncovered where that does not mend it; returnCoverage comes with it; 0 (default): off.
     */
    maxUncoveredWords?: number;
    // end of options
}

export interface CallOptions extends TranslateOptions {
    /** Stops the translation; the promise is rejected with the signal's reason. */
    signal?: AbortSignal;
    /** Higher ones are worked on first, equal ones share the device; default 0. */
    priority?: number;
}

export interface BatchCallOptions extends CallOptions {
    /** Target tokens each translation begins with, one sequence for each input. */
    prefixes?: string[][];
    /** Called as sentences are done. An exception in it stops the translation and rejects the promise. */
    onProgress?: (done: number, total: number) => void;
}

/** A text alone, or with the target tokens that its translation begins with. */
export type TextOrPair = string | readonly [text: string, prefix?: readonly string[] | null];

export interface AheadOptions {
    /** At most so many texts are read ahead of the translations that have come; default 256. At most a few MB. */
    ahead?: number;
}

/** Row-major: element (row, col) is data[row * cols + col]. */
export interface Matrix {
    data: Float32Array;
    rows: number;
    cols: number;
}

/** Words of a sentence and of its translation, and how much they belong together. */
export interface WordAlignment {
    /** Words in the text that was given; none unless `returnAlignment` was set. */
    sourceSpans: Span[];
    /** Words in the hypothesis's text. */
    targetSpans: Span[];
    /** Rows are target words, columns source words. The weights of a row add up to 1. */
    weights: Matrix;
}

/** A sentence of a text, or a part of one that was too long, and its translation. */
export class Sentence {
    private constructor();
    /** In the text that was given. */
    readonly sourceSpan: Span;
    /** In the hypothesis's text. */
    readonly targetSpan: Span;
    readonly sourceTokenSpan: Span;
    readonly targetTokenSpan: Span;
    readonly score: number;
    /** How good its translation probably is, 0 to 1; 0 unless `returnQuality` was set. */
    readonly quality: number;
    /** Share of its words that the translation reaches, 0 to 1; 0 unless `returnCoverage` was set. */
    readonly coverage: number;
    /** How many words the longest run has that the translation does not reach, and where it is in the text that was given. */
    readonly uncoveredWords: number;
    readonly uncoveredSpan: Span;
    /** Its words in the hypothesis's text, and how probable it is that each is right, 0 to 1. */
    get wordQuality(): { span: Span; score: number }[];
    /** BCP 47, with sourceLanguage "auto". */
    readonly language: string | undefined;
    /** Of that language; 0 to 1. */
    readonly languageProbability: number;
    /** What a reader should know of it. */
    /** Terms of the glossary that it has: where, and whether the translation has what they must become. */
    get terms(): { sourceSpan: Span; met: boolean }[];
    readonly flags: ("copied" | "inTargetLanguage" | "inOtherLanguage" | "carried" | "repeated" | "numbers" |
        "mojibake" | "fromMemory" | "unsure" | "uncovered")[];
    /** Segments of the memory that are like it, the most similar first. */
    get matches(): { source: string; target: string; similarity: number }[];
    get source(): string;
    get text(): string;
    get sourceTokens(): string[];
    get tokens(): string[];
    /** What each source token stands for, in the text that was given. */
    get sourceRanges(): Span[];
    /** What each token stands for, in the hypothesis's text. */
    get ranges(): Span[];
    /** Rows are target tokens, columns source tokens; none unless `returnAttention` was set. */
    get attention(): Matrix;
    get alignment(): WordAlignment;
    /** The translation, as of toJSON(). */
    toString(): string;
    toJSON(): string;
}

/**
 * One translation of an input. Template strings, JSON and console.log() show its text; of a model without tokenizer its
 * tokens, with spaces between.
 */
export class Hypothesis {
    protected constructor();
    /** The text that was given; "" for tokens. */
    readonly source: string;
    /** Throws UnsupportedError for a model without tokenizer. */
    get text(): string;
    /** What all spans of sources are places in: `source`; with `markup` its texts without tags. */
    get plainSource(): string;
    /** What all spans of translations are places in: `text`; with `markup` the translations without tags. */
    get plainText(): string;
    get tokens(): string[];
    get sourceTokens(): string[];
    /** What of `text` each token stands for, in order; none without a tokenizer and with `discardTokens`. */
    get ranges(): Span[];
    /** What of `source` each source token stands for, likewise; none for an input of tokens. */
    get sourceRanges(): Span[];
    /** Of several sentences their mean, weighted by target tokens. 0 unless `returnScores` was set. */
    get score(): number;
    /** How good it probably is, 0 to 1; of several sentences their mean, weighted by words. 0 unless `returnQuality` was set. */
    get quality(): number;
    /** Throws UnsupportedError for a text of several sentences; each of those has its own. */
    get attention(): Matrix;
    /** The alignment of the text in Pharaoh's format, "0-0 1-2": source word and target word, counted over all sentences. */
    get pharaoh(): string;
    get sentences(): Sentence[];
    toString(): string;
    toJSON(): string;
}

/** The translation of one input: its best hypothesis, and the list of all of them, best first. */
export class Translation extends Hypothesis {
    private constructor();
    get hypotheses(): Hypothesis[];
}

/** What has become of a sentence while its text is being translated. Sentences may come in any order. */
export interface StreamEvent {
    /** "sentence": it is translated; "partial": the best translation so far, and the next may differ. */
    kind: "partial" | "sentence";
    /** Which of the texts. */
    input: number;
    /** Which of its sentences. */
    sentence: number;
    source: string;
    sourceSpan: Span;
    text: string;
    /** So much of the text is as it was in the event before of this sentence: text is before.slice(0, kept) + delta. */
    kept: number;
    /**
     * What follows that, which is new. Where `kept` is less than the length of what was there, the search has found another
     * beginning better.
     */
    delta: string;
    tokens: string[];
    score: number;
    /** Sentences translated so far, of so many; `total` is 0 while that is not known. */
    done: number;
    total: number;
}

export interface Score {
    /** The tokens that were scored, end token last. */
    tokens: string[];
    /** The natural log-probability of each of them. */
    logProbs: Float32Array;
    /** Of a text: the place in it that each token stands for, as of `TokenList`; the end's is empty. */
    ranges: Span[];
}

/** Counters of a translator since it was made or resetStats() was called. */
export interface Stats {
    sentences: number;
    sourceTokens: number;
    targetTokens: number;
    batches: number;
    decoderSteps: number;
    dispatchesPerStep: number;
    paddingTokens: number;
    submissions: number;
    hostWaits: number;
    dispatches: number;
    memoryBytes: number;
    memoryPeakBytes: number;
    hostPeakBytes: number;
    /** Searched again in float32, because their numbers overflowed in float16. */
    repeatedSentences: number;
}

export interface ScoreTextsOptions extends ShortOptions {
    maxInputLength?: number;
    sourceLanguage?: string | null;
    targetLanguage?: string | null;
}

/** Translates with one model. Sentences of calls at the same time run together. */
export class Translator {
    private constructor();
    /**
     * `model`: a Model, the path of one, the name of a published one, or nothing for the default model. The others are
     * defaults of the calls.
     */
    static create(options?: TranslateOptions & DownloadWanted & { model?: Model | string | URL | null }):
        Promise<Translator>;
    /**
     * From sourceLanguage to targetLanguage via models of one device: the way with the fewest. Each model takes
     * what the one before it made of a sentence. For texts without prefixes.
     */
    static create(options: TranslateOptions & { route: Model[] }):
        Promise<Translator>;
    get model(): Model;
    /** Whether close() was called. */
    get closed(): boolean;
    /** Translates texts of any length, sentence by sentence. What is between sentences is copied. */
    translate(text: string,
              options?: Omit<BatchCallOptions, "prefixes"> & { prefixes?: string[] }): Promise<Translation>;
    translate(texts: Iterable<string>, options?: BatchCallOptions): Promise<Translation[]>;
    /** Translates sequences of source tokens as they stand, as the model was trained on them. */
    translateTokens(sources: Iterable<string[]>, options?: BatchCallOptions): Promise<Translation[]>;
    /**
     * Translates any iterable, however long, in bounded memory; yields in its order, each as soon as it is done. An
     * exception of the iterable, and one because of a text, comes out of here once the translations of all texts before
     * have. Leaving the loop stops what is left; an iterator that is only dropped does not keep the program alive.
     */
    translateAll(texts: string | Iterable<TextOrPair> | AsyncIterable<TextOrPair>, options?: CallOptions & AheadOptions & {
        /** Called with the number of texts done as they are. */
        onProgress?: (done: number) => void;
    }): AsyncGenerator<Translation, void, void>;
    /** Gives each sentence when it is translated. `partial`: also the best translation so far, token by token. */
    stream(texts: string | string[], options?: CallOptions & {
        partial?: boolean;
        prefixes?: string[] | string[][];
    }): AsyncGenerator<StreamEvent, void, void>;
    /** The same of any other iterable, read as translateAll() does it. */
    stream(texts: Iterable<TextOrPair> | AsyncIterable<TextOrPair>, options?: CallOptions & AheadOptions & {
        partial?: boolean;
    }): AsyncGenerator<StreamEvent, void, void>;
    /** The log-probability of each target token, and of the end token, given its source. */
    score(sources: Iterable<string[]>, targets: Iterable<string[]>,
          options?: { maxInputLength?: number }): Promise<Score[]>;
    /** The same of texts, each side as one sequence, in the languages of the options. */
    scoreTexts(source: string, target: string, options?: ScoreTextsOptions): Promise<Score>;
    scoreTexts(sources: Iterable<string>, targets: Iterable<string>, options?: ScoreTextsOptions): Promise<Score[]>;
    stats(): Promise<Stats>;
    resetStats(): Promise<void>;
    /** Gives back device memory that the next call can take again. */
    trim(): Promise<void>;
    /** Stops what is running and gives the memory back; translations live on. */
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

// A translator that all calls share

/**
 * Translates with a translator that all such calls share: translate("Good morning.", { to: "de" }). `model`: the path of
 * one; absent: the default model. Options are those of Translator.translate().
 */
export function translate(text: string, options?: Omit<BatchCallOptions, "prefixes"> & {
    prefixes?: string[];
    model?: string | URL | null;
}): Promise<Translation>;
export function translate(texts: Iterable<string>, options?: BatchCallOptions & {
    model?: string | URL | null;
}): Promise<Translation[]>;
/** That translator. It is made when it is first asked for; one that was closed is made anew. */
export function defaultTranslator(model?: string | URL | null): Promise<Translator>;

// Documents

/** In what a document is; docs/documents.md has a table. */
export type DocumentFormat =
    | "text" | "html" | "xhtml" | "srt" | "vtt" | "ass" | "markdown" | "docx" | "pptx" | "xlsx" | "odt" | "ods" | "odp"
    | "epub" | "po" | "xliff" | "tmx" | "json" | "arb" | "android" | "strings";

export interface DocumentOptions {
    /** Absent: found from the name and the bytes. */
    format?: DocumentFormat;
    /** A file that keeps translations until the document is written; the same call goes on from there. */
    resume?: string | URL;
    /** Called now and then. What it throws stops the translation and rejects the promise. */
    onProgress?: (done: number, total: number) => void;
    signal?: AbortSignal;
}

/** By the bytes of a document where these tell, else by the end of its name; null: neither tells. */
export function documentFormat(name?: string | URL, content?: Uint8Array): DocumentFormat | null;
/**
 * Translates a document and writes it, whole or not at all. Rejects with InvalidArgumentError (also for a broken one),
 * UnsupportedError (no known format), FileError.
 */
export function translateDocument(translator: Translator, path: string | URL, outPath: string | URL,
                                  options?: TranslateOptions & DocumentOptions): Promise<void>;
/** The same from memory to memory; `name`, as a file would have it, helps to find the format. */
export function translateDocumentBytes(translator: Translator, content: Uint8Array,
                                       options?: TranslateOptions & DocumentOptions & { name?: string | URL },
                                       ): Promise<Uint8Array>;

// Published models

/** How far a download is. */
export interface DownloadProgress {
    /** "firefox:de-en"; "": the list of a registry. */
    model: string;
    file: string;
    /** A sentence for people, such as why it waits and how long; "": none. */
    note: string;
    /** Of all files of the model, with what was there before. */
    doneBytes: number;
    /** 0: not known. */
    totalBytes: number;
}

/** How registries are asked. */
export interface RegistryOptions {
    /** No network; default false, or true where DRAGOMAN_OFFLINE is set. */
    offline?: boolean;
    /** Asks for lists even where those that are kept are younger than a day. */
    refresh?: boolean;
    /** Downloads, or shows as it is offered, what is on this machine, too. */
    again?: boolean;
    /** Files that come side by side, 1 to 16; default 4. */
    parallel?: number;
    /** Their ids; absent: all. */
    registries?: string | Iterable<string>;
    /** Of the device that is to hold a model, as devices() has it: models whose files are larger come last; absent: not known. */
    memoryBytes?: number;
    /** Called a few times a second. What it throws stops the call and rejects the promise; the next download goes on. */
    onProgress?: (progress: DownloadProgress) => void;
    signal?: AbortSignal;
}

/** Of Model.load() and Translator.create(). */
export interface DownloadWanted {
    /** A published model that is not on this machine is downloaded before; an object: in this way. */
    download?: boolean | RegistryOptions;
}

/** A file of a published model. */
export interface PublishedFile {
    /** In the model's folder, with "/". */
    name: string;
    /** Where it comes from; "": a member of an archive. */
    url: string;
    /** Of the file on this machine, or of what is downloaded; "": the registry has none. */
    sha256: string;
    /** On this machine, "published": the registry's hash fitted; "first use": it has none; "converted q8": made here, see
        keepFile(). */
    proof: string;
    /** 0: not known. */
    bytes: number;
}

/** A published model. "" and 0 stand for what is not known. */
export interface PublishedModel {
    /** "firefox:de-en" */
    name: string;
    title: string;
    /** Languages, BCP 47; none: the model says it when it is loaded. */
    from: string[];
    to: string[];
    publisher: string;
    license: string;
    version: string;
    architecture: string;
    /** As the registry has it, in this metric: "comet22", "chrf", "bleu". */
    quality: number;
    metric: string;
    /** On this machine, at `path`. */
    installed: boolean;
    path: string;
    /** "dragoman", or the program in whose cache it is; "": not on this machine. */
    owner: string;
    /** What the registry wants said before a download. */
    notice: string;
    /** Where its licence has to be accepted first. */
    gate: string;
    /** On this machine, otherwise to download. */
    bytes: number;
    files: PublishedFile[];
}

/** Models, and what kept the list from being whole: a registry that cannot be reached, a folder that is no model. */
export type PublishedModels = PublishedModel[] & { readonly problems: string[] };

/** A registry of models. */
export interface Registry {
    /** "firefox", what names begin with. */
    id: string;
    title: string;
    homepage: string;
    /** Of its models, unless one has its own. */
    license: string;
    notice: string;
    /** "": it has no list. */
    listUrl: string;
    /** The variable that names another host. */
    mirror: string;
    /** The file that describes it, or "built in". */
    file: string;
    /** When the list on this machine was fetched: "2026-11-26T10:00:00Z"; "": none is here. */
    listTime: string;
}

/**
 * Published models by their names (docs/models.md). All of these need libdragoman_models, which a second addon links; where
 * it is absent, they reject with UnsupportedError.
 */
export interface Models {
    /** The models on this machine, also those in the caches of other programs, which are only read. */
    list(): Promise<PublishedModels>;
    /** What registries offer for two languages, the best first; null or absent: any language. */
    search(from?: string | null, to?: string | null, options?: RegistryOptions): Promise<PublishedModels>;
    /** What to load for two languages: on this machine, otherwise the best that is offered; one, two over a pivot, or none. */
    route(from: string, to: string, options?: RegistryOptions): Promise<PublishedModels>;
    /** The models on this machine that lead from one language to another. */
    installedRoute(from: string, to: string): Promise<PublishedModels>;
    /** As it is on this machine, otherwise as its registry offers it. */
    show(name: string, options?: RegistryOptions): Promise<PublishedModel>;
    /** Brings a model to this machine, if it is not there. A download that was stopped in any way goes on. */
    download(name: string, options?: RegistryOptions): Promise<PublishedModel>;
    /** Reads the files again. Rejects with BadModelError, whose message names each file that differs. */
    verify(name: string, options?: RegistryOptions): Promise<void>;
    /** Keeps a GGUF file, which convert() made of it, instead of the files of a downloaded model. */
    keepFile(name: string, file: string | URL, options?: RegistryOptions): Promise<void>;
    /** Removes a downloaded model. */
    remove(name: string): Promise<void>;
    /** Removes parts of downloads that were not gone on with for so many days; how many bytes they had. */
    clean(days: number): Promise<number>;
    /** The registries, those of the user's folder too. */
    registries(): Promise<Registry[]>;
    /** Where downloaded models lie; "": the system does not say. */
    folder(): string;
}

export const models: Models;

// Converting and measuring

export interface ConvertOptions {
    /**
     * How matrices are stored: as they are (default), in 32 or 16 bits, or in blocks of 32 numbers of 8 or 4 bits. What
     * a type cannot hold rejects with UnsupportedError.
     */
    weightType?: "keep" | "f32" | "f16" | "q8" | "q4";
    /** An old file of this name is replaced; default false: that is a FileError. */
    replace?: boolean;
    /** A hundred sentences, which are translated: the file names the heads that align their words best. */
    alignmentText?: string;
    /**
     * 200 lines or more: a source, a tab, its translation by a person, and behind another tab the target language, if it
     * is another one: the file has weights of quality estimates for this model.
     */
    qualityPairs?: string;
    /** Of these sentences; see TranslateOptions. */
    sourceLanguage?: string;
    targetLanguage?: string;
}

/**
 * Writes a model of any format as one GGUF file with everything it needs, whole or not at all; needs no device, unless there are texts to translate.
 * `path` null or undefined: the default model. `signal` stops it.
 */
export function convert(path: string | URL | null | undefined, outPath: string | URL,
                        options?: ConvertOptions & { signal?: AbortSignal }): Promise<void>;

export interface BenchOptions {
    /** Timed runs, after one to warm up; default 5. */
    repeat?: number;
    /** Inputs translated alone, taken in turn; default 32; 0: none. */
    latencySamples?: number;
    /** Where there are no inputs: sentences of random words; default 32. */
    syntheticSentences?: number;
    /** Their length; default 25. */
    syntheticTokens?: number;
    /** Of the random words; default 1. */
    seed?: number;
    /** Measure the device's ceilings; default true. */
    ceilings?: boolean;
    /** Measure the device's time by pass, where it has timestamps; default true. */
    passes?: boolean;
}

/** What docs/bench.md describes. */
export type Report = Record<string, any>;

type BenchCallOptions = BenchOptions & Omit<ModelOptions, "device"> & Omit<TranslateOptions, "seed"> & {
    /** The seed of sampling; `seed` is that of the random words. */
    samplingSeed?: number;
    /** The name, index or UUID of a device, which is opened for the measurement. */
    device?: string | number;
    /** A path; absent: the default model. */
    model?: string | URL | null;
    signal?: AbortSignal;
};

/**
 * Loads a model, translates the texts again and again and measures: throughput, latency, memory, the device's time by
 * pass beside its ceilings. Texts are cut into sentences first, each different one once. Without texts:
 * random words. Other work on the device or the machine shows.
 */
export function bench(texts?: Iterable<string> | null, options?: BenchCallOptions): Promise<Report>;
/** The same with sequences of source tokens. */
export function benchTokens(sources: Iterable<string[]>, options?: BenchCallOptions): Promise<Report>;
