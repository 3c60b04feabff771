# SPDX-License-Identifier: Apache-2.0
"""The C interface: constants, enumerations, structs and functions of dragoman.h.
Written by tools/make_abi.py from capi/api.json."""
from __future__ import annotations

import ctypes
import enum

VERSION_MAJOR = 1
VERSION_MINOR = 0
VERSION_PATCH = 0
VERSION = 10000
MAX_TEXT_BYTES = 268435456
MAX_INPUTS = 16777216
MAX_TOKENS = 16777216
ALL_HEADS = 4294967295
MODEL_DEFAULT = 4294967295
EVENTS_PARTIAL = 1
EVENTS_SENTENCE = 2
EVENTS_END = 4


class Status(enum.IntEnum):
    OK = 0
    INVALID_ARGUMENT = 1
    BAD_MODEL = 2
    UNSUPPORTED = 3
    OUT_OF_MEMORY = 4
    DEVICE_LOST = 5
    NO_DEVICE = 6
    IO_ERROR = 7
    CANCELLED = 8
    INTERNAL = 9


class LogLevel(enum.IntEnum):
    ERROR = 0
    WARNING = 1
    INFO = 2
    DEBUG = 3


class DeviceKind(enum.IntEnum):
    DISCRETE = 0
    INTEGRATED = 1
    VIRTUAL = 2
    CPU = 3
    OTHER = 4


class Tune(enum.IntEnum):
    AUTO = 0
    OFF = 1
    ON = 2


class ComputeType(enum.IntEnum):
    AUTO = 0
    F32 = 1
    F16 = 2
    INT8 = 3
    INT8_FLOAT16 = 4


class Side(enum.IntEnum):
    SOURCE = 0
    TARGET = 1


class SentenceFlag(enum.IntEnum):
    COPIED = 1
    IN_TARGET_LANGUAGE = 2
    IN_OTHER_LANGUAGE = 4
    CARRIED = 8
    REPEATED = 16
    NUMBERS = 32
    MOJIBAKE = 64
    FROM_MEMORY = 128
    UNSURE = 256
    UNCOVERED = 512


class Search(enum.IntEnum):
    AUTO = 0
    CTRANSLATE2 = 1
    MARIAN = 2
    HUGGINGFACE = 3


class EarlyStopping(enum.IntEnum):
    AUTO = 0
    OFF = 1
    ON = 2
    NEVER = 3


class Sampling(enum.IntEnum):
    AUTO = 0
    OFF = 1
    ON = 2


class Markup(enum.IntEnum):
    NONE = 0
    HTML = 1
    XML = 2


class Pooling(enum.IntEnum):
    MODEL = 0
    MEAN = 1
    CLS = 2
    POOLER = 3
    TOKENS = 4


class Normalize(enum.IntEnum):
    MODEL = 0
    OFF = 1
    ON = 2


class EventKind(enum.IntEnum):
    PARTIAL = 0
    SENTENCE = 1
    END = 2


class JobState(enum.IntEnum):
    WAITING = 0
    RUNNING = 1
    DONE = 2
    FAILED = 3
    CANCELLED = 4


class WeightType(enum.IntEnum):
    KEEP = 0
    F32 = 1
    F16 = 2
    Q8 = 3
    Q4 = 4


class String(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
    ]


class Tokens(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.POINTER(String)),
        ("count", ctypes.c_size_t),
    ]


class Range(ctypes.Structure):
    _fields_ = [
        ("begin", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
    ]


class Ranges(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.POINTER(Range)),
        ("count", ctypes.c_size_t),
    ]


class Matrix(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.POINTER(ctypes.c_float)),
        ("rows", ctypes.c_size_t),
        ("cols", ctypes.c_size_t),
    ]


class DeviceInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("index", ctypes.c_uint32),
        ("kind", ctypes.c_int32),
        ("vendor_id", ctypes.c_uint32),
        ("device_id", ctypes.c_uint32),
        ("api_version", ctypes.c_uint32),
        ("driver_version", ctypes.c_uint32),
        ("subgroup_size", ctypes.c_uint32),
        ("f16", ctypes.c_int32),
        ("cooperative_matrix", ctypes.c_int32),
        ("integer_dot_product", ctypes.c_int32),
        ("unified_memory", ctypes.c_int32),
        ("memory_bytes", ctypes.c_uint64),
        ("max_buffer_bytes", ctypes.c_uint64),
        ("uuid", ctypes.c_uint8 * 16),
        ("name", ctypes.c_char * 256),
        ("driver", ctypes.c_char * 256),
    ]


class MemoryInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("measured", ctypes.c_int32),
        ("heap_bytes", ctypes.c_uint64),
        ("budget_bytes", ctypes.c_uint64),
        ("used_bytes", ctypes.c_uint64),
        ("held_bytes", ctypes.c_uint64),
        ("peak_bytes", ctypes.c_uint64),
        ("limit_bytes", ctypes.c_uint64),
    ]


class DeviceOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("validation", ctypes.c_int32),
        ("name", ctypes.c_char_p),
        ("cache_dir", ctypes.c_char_p),
        ("memory_limit_bytes", ctypes.c_uint64),
        ("trust_kernels", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("tune", ctypes.c_int32),
        ("reserved2", ctypes.c_uint32),
    ]


QueueLockFn = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class VulkanDevice(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("api_version", ctypes.c_uint32),
        ("get_instance_proc_addr", ctypes.c_void_p),
        ("instance", ctypes.c_void_p),
        ("physical_device", ctypes.c_void_p),
        ("device", ctypes.c_void_p),
        ("queue_family", ctypes.c_uint32),
        ("queue_index", ctypes.c_uint32),
        ("extensions", ctypes.POINTER(ctypes.c_void_p)),
        ("extension_count", ctypes.c_size_t),
        ("features", ctypes.c_void_p),
        ("lock", QueueLockFn),
        ("unlock", QueueLockFn),
        ("user", ctypes.c_void_p),
    ]


class ModelOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("compute_type", ctypes.c_int32),
        ("device", ctypes.c_void_p),
        ("more_models", ctypes.POINTER(String)),
        ("more_model_count", ctypes.c_size_t),
        ("weights", ctypes.POINTER(ctypes.c_float)),
        ("weight_count", ctypes.c_size_t),
        ("average_probabilities", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
    ]


ReadFn = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)


class File(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_uint64),
        ("read", ReadFn),
        ("user", ctypes.c_void_p),
    ]


class ModelInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("has_tokenizer", ctypes.c_int32),
        ("d_model", ctypes.c_uint32),
        ("heads", ctypes.c_uint32),
        ("encoder_layers", ctypes.c_uint32),
        ("decoder_layers", ctypes.c_uint32),
        ("encoder_ffn", ctypes.c_uint32),
        ("decoder_ffn", ctypes.c_uint32),
        ("source_vocabulary", ctypes.c_uint32),
        ("target_vocabulary", ctypes.c_uint32),
        ("parameters", ctypes.c_uint64),
        ("file_bytes", ctypes.c_uint64),
        ("device_bytes", ctypes.c_uint64),
        ("format", ctypes.c_char * 32),
        ("family", ctypes.c_char * 64),
        ("stored_types", ctypes.c_char * 128),
        ("compute_type", ctypes.c_char * 16),
        ("version", ctypes.c_char * 32),
        ("license", ctypes.c_char * 1024),
        ("path", ctypes.c_char * 1024),
        ("prompt", ctypes.c_char * 256),
        ("networks", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("max_source_tokens", ctypes.c_uint32),
        ("max_target_tokens", ctypes.c_uint32),
        ("lacks", ctypes.c_char * 256),
        ("compute_reason", ctypes.c_char * 64),
    ]


class Language(ctypes.Structure):
    _fields_ = [
        ("tag", ctypes.c_char_p),
        ("code", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
    ]


class MemoryOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("min_similarity", ctypes.c_float),
        ("cache_bytes", ctypes.c_uint64),
        ("path", ctypes.c_char_p),
        ("file_bytes", ctypes.c_uint64),
        ("max_matches", ctypes.c_uint32),
        ("record", ctypes.c_int32),
    ]


class MemoryCounts(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("entries", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("evicted", ctypes.c_uint64),
        ("file_entries", ctypes.c_uint64),
        ("file_bytes", ctypes.c_uint64),
        ("hits", ctypes.c_uint64),
        ("file_hits", ctypes.c_uint64),
        ("misses", ctypes.c_uint64),
        ("segments", ctypes.c_uint64),
        ("exact_matches", ctypes.c_uint64),
        ("fuzzy_matches", ctypes.c_uint64),
        ("recorded", ctypes.c_uint64),
        ("file_waiting", ctypes.c_uint64),
        ("file_lost", ctypes.c_uint64),
        ("file_failures", ctypes.c_uint64),
    ]


class Sentence(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("score", ctypes.c_float),
        ("source_begin", ctypes.c_size_t),
        ("source_end", ctypes.c_size_t),
        ("target_begin", ctypes.c_size_t),
        ("target_end", ctypes.c_size_t),
        ("source_token_begin", ctypes.c_size_t),
        ("source_token_end", ctypes.c_size_t),
        ("target_token_begin", ctypes.c_size_t),
        ("target_token_end", ctypes.c_size_t),
        ("language", ctypes.c_char_p),
        ("language_probability", ctypes.c_float),
        ("flags", ctypes.c_uint32),
        ("quality", ctypes.c_float),
        ("reserved", ctypes.c_uint32),
        ("coverage", ctypes.c_float),
        ("uncovered_words", ctypes.c_uint32),
        ("uncovered_begin", ctypes.c_size_t),
        ("uncovered_end", ctypes.c_size_t),
    ]


class Term(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("met", ctypes.c_int32),
        ("source_begin", ctypes.c_size_t),
        ("source_end", ctypes.c_size_t),
    ]


class Match(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("similarity", ctypes.c_float),
        ("source", String),
        ("target", String),
    ]


ProgressFn = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)


class TranslateOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("beam_size", ctypes.c_uint32),
        ("patience", ctypes.c_float),
        ("length_penalty", ctypes.c_float),
        ("coverage_penalty", ctypes.c_float),
        ("repetition_penalty", ctypes.c_float),
        ("no_repeat_ngram_size", ctypes.c_uint32),
        ("prefix_bias_beta", ctypes.c_float),
        ("max_input_length", ctypes.c_uint32),
        ("max_decoding_length", ctypes.c_uint32),
        ("min_decoding_length", ctypes.c_uint32),
        ("num_hypotheses", ctypes.c_uint32),
        ("min_alternative_expansion_prob", ctypes.c_float),
        ("disable_unk", ctypes.c_int32),
        ("return_end_token", ctypes.c_int32),
        ("return_scores", ctypes.c_int32),
        ("return_attention", ctypes.c_int32),
        ("return_alternatives", ctypes.c_int32),
        ("replace_unknowns", ctypes.c_int32),
        ("max_batch_tokens", ctypes.c_uint32),
        ("max_batch_size", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("suppress_sequences", ctypes.POINTER(Tokens)),
        ("suppress_sequence_count", ctypes.c_size_t),
        ("end_tokens", ctypes.POINTER(String)),
        ("end_token_count", ctypes.c_size_t),
        ("progress", ProgressFn),
        ("progress_user", ctypes.c_void_p),
        ("search", ctypes.c_int32),
        ("word_penalty", ctypes.c_float),
        ("max_length_factor", ctypes.c_float),
        ("early_stopping", ctypes.c_int32),
        ("source_language", ctypes.c_char_p),
        ("target_language", ctypes.c_char_p),
        ("split_sentences", ctypes.c_int32),
        ("join_lines", ctypes.c_int32),
        ("max_segment_tokens", ctypes.c_uint32),
        ("discard_tokens", ctypes.c_int32),
        ("attention_layer", ctypes.c_uint32),
        ("attention_head", ctypes.c_uint32),
        ("use_shortlist", ctypes.c_int32),
        ("reserved2", ctypes.c_uint32),
        ("sampling", ctypes.c_int32),
        ("temperature", ctypes.c_float),
        ("top_k", ctypes.c_uint32),
        ("top_p", ctypes.c_float),
        ("min_p", ctypes.c_float),
        ("seed", ctypes.c_uint32),
        ("return_alignment", ctypes.c_int32),
        ("markup", ctypes.c_int32),
        ("raw", ctypes.c_int32),
        ("keep_spans", ctypes.c_int32),
        ("glossary", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("return_quality", ctypes.c_int32),
        ("quality_marks", ctypes.c_float),
        ("min_quality", ctypes.c_float),
        ("return_coverage", ctypes.c_int32),
        ("max_uncovered_words", ctypes.c_uint32),
    ]


class Stats(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("sentences", ctypes.c_uint64),
        ("source_tokens", ctypes.c_uint64),
        ("target_tokens", ctypes.c_uint64),
        ("batches", ctypes.c_uint64),
        ("decoder_steps", ctypes.c_uint64),
        ("dispatches_per_step", ctypes.c_uint64),
        ("padding_tokens", ctypes.c_uint64),
        ("submissions", ctypes.c_uint64),
        ("host_waits", ctypes.c_uint64),
        ("dispatches", ctypes.c_uint64),
        ("memory_bytes", ctypes.c_uint64),
        ("memory_peak_bytes", ctypes.c_uint64),
        ("host_peak_bytes", ctypes.c_uint64),
        ("repeated_sentences", ctypes.c_uint64),
    ]


class ScoreOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("max_input_length", ctypes.c_uint32),
        ("source_language", ctypes.c_char_p),
        ("target_language", ctypes.c_char_p),
    ]


class LanguageGuess(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("probability", ctypes.c_float),
        ("tag", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
    ]


class EmbedOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("pooling", ctypes.c_int32),
        ("normalize", ctypes.c_int32),
        ("max_tokens", ctypes.c_uint32),
        ("truncate", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("source_language", ctypes.c_char_p),
        ("target_language", ctypes.c_char_p),
        ("progress", ProgressFn),
        ("progress_user", ctypes.c_void_p),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("kind", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("score", ctypes.c_float),
        ("input", ctypes.c_size_t),
        ("sentence", ctypes.c_size_t),
        ("source", Range),
        ("text", String),
        ("tokens", Tokens),
        ("done", ctypes.c_size_t),
        ("total", ctypes.c_size_t),
        ("message", String),
    ]


EventFn = ctypes.CFUNCTYPE(None, ctypes.POINTER(Event), ctypes.c_void_p)


class JobOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("priority", ctypes.c_int32),
        ("on_event", EventFn),
        ("user", ctypes.c_void_p),
        ("events", ctypes.c_uint32),
        ("fed", ctypes.c_int32),
    ]


class JobInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("state", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("done", ctypes.c_size_t),
        ("total", ctypes.c_size_t),
    ]


class ConvertOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("weight_type", ctypes.c_int32),
        ("replace", ctypes.c_int32),
        ("reserved", ctypes.c_uint32),
        ("progress", ProgressFn),
        ("progress_user", ctypes.c_void_p),
        ("alignment_text", ctypes.c_char_p),
        ("source_language", ctypes.c_char_p),
        ("target_language", ctypes.c_char_p),
        ("device", ctypes.c_void_p),
        ("quality_pairs", ctypes.c_char_p),
    ]


class BenchOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("repeat", ctypes.c_uint32),
        ("latency_samples", ctypes.c_uint32),
        ("synthetic_sentences", ctypes.c_uint32),
        ("synthetic_tokens", ctypes.c_uint32),
        ("seed", ctypes.c_uint32),
        ("ceilings", ctypes.c_int32),
        ("passes", ctypes.c_int32),
        ("device", ctypes.POINTER(DeviceOptions)),
    ]


LogFn = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)


# name: (result, parameters)
FUNCTIONS = {
    "dragoman_version": (ctypes.c_uint32, []),
    "dragoman_version_string": (ctypes.c_char_p, []),
    "dragoman_has_feature": (ctypes.c_int32, [ctypes.c_char_p]),
    "dragoman_feature_name": (ctypes.c_char_p, [ctypes.c_size_t]),
    "dragoman_status_name": (ctypes.c_char_p, [ctypes.c_int32]),
    "dragoman_last_error": (ctypes.c_char_p, []),
    "dragoman_set_log": (ctypes.c_int32, [LogFn, ctypes.c_void_p, ctypes.c_int32]),
    "dragoman_logger_create": (ctypes.c_int32, [LogFn, ctypes.c_void_p, ctypes.c_int32,
                                                ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_logger_destroy": (None, [ctypes.c_void_p]),
    "dragoman_utf8_prefix": (ctypes.c_size_t, [ctypes.c_char_p, ctypes.c_size_t]),
    "dragoman_device_count": (ctypes.c_int32, [ctypes.POINTER(ctypes.c_uint32)]),
    "dragoman_device_describe": (ctypes.c_int32, [ctypes.c_uint32, ctypes.POINTER(DeviceInfo)]),
    "dragoman_device_memory": (ctypes.c_int32, [ctypes.c_uint32, ctypes.POINTER(MemoryInfo)]),
    "dragoman_device_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(DeviceOptions), ctypes.c_size_t]),
    "dragoman_device_open": (ctypes.c_int32, [ctypes.POINTER(DeviceOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_device_adopt": (ctypes.c_int32, [ctypes.POINTER(VulkanDevice), ctypes.POINTER(DeviceOptions),
                                               ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_vulkan_wanted": (ctypes.c_int32, [ctypes.POINTER(VulkanDevice), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_wanted_extension_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_wanted_extensions": (ctypes.POINTER(ctypes.c_char_p), [ctypes.c_void_p]),
    "dragoman_wanted_features": (ctypes.c_void_p, [ctypes.c_void_p]),
    "dragoman_wanted_device_destroy": (None, [ctypes.c_void_p]),
    "dragoman_device_close": (None, [ctypes.c_void_p]),
    "dragoman_device_get_info": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(DeviceInfo)]),
    "dragoman_device_member_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_device_member_info": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(DeviceInfo)]),
    "dragoman_device_get_memory": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(MemoryInfo)]),
    "dragoman_device_trim": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_model_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(ModelOptions), ctypes.c_size_t]),
    "dragoman_model_load": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ModelOptions),
                                             ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_model_load_files": (ctypes.c_int32, [ctypes.POINTER(File), ctypes.c_size_t,
                                                   ctypes.POINTER(ModelOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_model_destroy": (None, [ctypes.c_void_p]),
    "dragoman_model_get_info": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(ModelInfo)]),
    "dragoman_model_describe": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ModelInfo)]),
    "dragoman_model_describe_files": (ctypes.c_int32, [ctypes.POINTER(File), ctypes.c_size_t,
                                                       ctypes.POINTER(ModelInfo)]),
    "dragoman_model_languages": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_model_describe_languages": (ctypes.c_int32, [ctypes.c_char_p, ctypes.c_int32,
                                                           ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_model_describe_languages_files": (ctypes.c_int32, [ctypes.POINTER(File), ctypes.c_size_t,
                                                                 ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_model_describe_all": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ModelInfo),
                                                     ctypes.POINTER(ctypes.c_void_p),
                                                     ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_language_list_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_language_list_data": (ctypes.POINTER(Language), [ctypes.c_void_p]),
    "dragoman_language_list_destroy": (None, [ctypes.c_void_p]),
    "dragoman_model_device": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(DeviceInfo)]),
    "dragoman_model_memory": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(MemoryInfo)]),
    "dragoman_glossary_load": (ctypes.c_int32, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p,
                                                ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_glossary_read": (ctypes.c_int32, [ctypes.POINTER(String), ctypes.c_char_p, ctypes.c_char_p,
                                                ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_glossary_destroy": (None, [ctypes.c_void_p]),
    "dragoman_glossary_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_memory_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(MemoryOptions), ctypes.c_size_t]),
    "dragoman_memory_create": (ctypes.c_int32, [ctypes.POINTER(MemoryOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_memory_destroy": (None, [ctypes.c_void_p]),
    "dragoman_memory_load_tmx": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)]),
    "dragoman_memory_read_tmx": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String),
                                                  ctypes.POINTER(ctypes.c_size_t)]),
    "dragoman_memory_add": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p,
                                             ctypes.POINTER(String), ctypes.POINTER(String)]),
    "dragoman_memory_write_tmx": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_char_p]),
    "dragoman_memory_clear": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_memory_stats": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(MemoryCounts)]),
    "dragoman_result_destroy": (None, [ctypes.c_void_p]),
    "dragoman_result_first": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_result_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_result_hypothesis_count": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t]),
    "dragoman_result_source_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Tokens)]),
    "dragoman_result_source_ranges": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_result_text": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                              ctypes.POINTER(String)]),
    "dragoman_result_plain_source": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(String)]),
    "dragoman_result_plain_text": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                    ctypes.POINTER(String)]),
    "dragoman_result_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                ctypes.POINTER(Tokens)]),
    "dragoman_result_ranges": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                ctypes.POINTER(Ranges)]),
    "dragoman_result_score": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                               ctypes.POINTER(ctypes.c_float)]),
    "dragoman_result_quality": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                 ctypes.POINTER(ctypes.c_float)]),
    "dragoman_result_attention": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                   ctypes.POINTER(Matrix)]),
    "dragoman_result_sentence_count": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t]),
    "dragoman_result_sentence": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t,
                                                  ctypes.POINTER(Sentence)]),
    "dragoman_result_term_count": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                     ctypes.c_size_t]),
    "dragoman_result_term": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t,
                                              ctypes.c_size_t, ctypes.POINTER(Term)]),
    "dragoman_result_match_count": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]),
    "dragoman_result_match": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t,
                                               ctypes.POINTER(Match)]),
    "dragoman_result_sentence_attention": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                            ctypes.c_size_t, ctypes.POINTER(Matrix)]),
    "dragoman_result_source_words": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                      ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_result_target_words": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                      ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_result_word_quality": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                      ctypes.c_size_t, ctypes.POINTER(Matrix)]),
    "dragoman_result_sentence_alignment": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                            ctypes.c_size_t, ctypes.POINTER(Matrix)]),
    "dragoman_result_pharaoh": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                 ctypes.POINTER(String)]),
    "dragoman_translator_create": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_translator_create_route": (ctypes.c_int32, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t,
                                                          ctypes.c_char_p, ctypes.c_char_p,
                                                          ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_find_route": (ctypes.c_int32, [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_char_p,
                                             ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t),
                                             ctypes.POINTER(ctypes.c_size_t)]),
    "dragoman_translator_destroy": (None, [ctypes.c_void_p]),
    "dragoman_translate_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(TranslateOptions), ctypes.c_size_t]),
    "dragoman_translate_texts": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String), ctypes.c_size_t,
                                                  ctypes.POINTER(Tokens), ctypes.POINTER(TranslateOptions),
                                                  ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_translate_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Tokens), ctypes.c_size_t,
                                                   ctypes.POINTER(Tokens), ctypes.POINTER(TranslateOptions),
                                                   ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_translator_stats": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Stats)]),
    "dragoman_translator_reset_stats": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_translator_trim": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_score_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(ScoreOptions), ctypes.c_size_t]),
    "dragoman_score_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Tokens), ctypes.POINTER(Tokens),
                                               ctypes.c_size_t, ctypes.POINTER(ScoreOptions),
                                               ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_score_texts": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String), ctypes.POINTER(String),
                                              ctypes.c_size_t, ctypes.POINTER(ScoreOptions),
                                              ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_scores_destroy": (None, [ctypes.c_void_p]),
    "dragoman_scores_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_scores_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Tokens)]),
    "dragoman_scores_log_probs": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Matrix)]),
    "dragoman_scores_ranges": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_detect_languages": (ctypes.c_int32, [ctypes.POINTER(String), ctypes.c_size_t, ctypes.c_char_p,
                                                   ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_detection_destroy": (None, [ctypes.c_void_p]),
    "dragoman_detection_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_detection_guess_count": (ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_size_t]),
    "dragoman_detection_guess": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t,
                                                  ctypes.POINTER(LanguageGuess)]),
    "dragoman_embed_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(EmbedOptions), ctypes.c_size_t]),
    "dragoman_embed_texts": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String), ctypes.c_size_t,
                                              ctypes.POINTER(EmbedOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_vectors_destroy": (None, [ctypes.c_void_p]),
    "dragoman_vectors_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_vectors_width": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_vectors_get": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Matrix)]),
    "dragoman_vectors_all": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Matrix)]),
    "dragoman_vectors_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Tokens)]),
    "dragoman_vectors_ranges": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_job_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(JobOptions), ctypes.c_size_t]),
    "dragoman_submit_texts": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String), ctypes.c_size_t,
                                               ctypes.POINTER(Tokens), ctypes.POINTER(TranslateOptions),
                                               ctypes.POINTER(JobOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_submit_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Tokens), ctypes.c_size_t,
                                                ctypes.POINTER(Tokens), ctypes.POINTER(TranslateOptions),
                                                ctypes.POINTER(JobOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_job_feed_texts": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String), ctypes.c_size_t,
                                                 ctypes.POINTER(Tokens), ctypes.c_int64,
                                                 ctypes.POINTER(ctypes.c_size_t)]),
    "dragoman_job_feed_tokens": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(Tokens), ctypes.c_size_t,
                                                  ctypes.POINTER(Tokens), ctypes.c_int64,
                                                  ctypes.POINTER(ctypes.c_size_t)]),
    "dragoman_job_finish": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_job_next_result": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_job_destroy": (None, [ctypes.c_void_p]),
    "dragoman_job_poll": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(JobInfo)]),
    "dragoman_job_wait": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_int32)]),
    "dragoman_job_cancel": (ctypes.c_int32, [ctypes.c_void_p]),
    "dragoman_job_take_result": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_split_sentences": (ctypes.c_int32, [ctypes.POINTER(String), ctypes.c_char_p, ctypes.c_int32,
                                                  ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_range_list_destroy": (None, [ctypes.c_void_p]),
    "dragoman_range_list_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_range_list_data": (ctypes.POINTER(Range), [ctypes.c_void_p]),
    "dragoman_tokenize": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(String), ctypes.c_size_t,
                                           ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_token_lists_destroy": (None, [ctypes.c_void_p]),
    "dragoman_token_lists_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_token_lists_get": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Tokens)]),
    "dragoman_token_lists_ranges": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Ranges)]),
    "dragoman_model_has_token": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p,
                                                  ctypes.POINTER(ctypes.c_int32)]),
    "dragoman_detokenize": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_int32, ctypes.POINTER(Tokens), ctypes.c_size_t,
                                             ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_text_list_destroy": (None, [ctypes.c_void_p]),
    "dragoman_text_list_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "dragoman_text_list_get": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(String)]),
    "dragoman_translation_key": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(TranslateOptions), ctypes.c_int32,
                                                  ctypes.POINTER(String), ctypes.POINTER(String),
                                                  ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_keep_answers": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(String), ctypes.c_uint64,
                                               ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_convert_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(ConvertOptions), ctypes.c_size_t]),
    "dragoman_model_convert": (ctypes.c_int32, [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ConvertOptions)]),
    "dragoman_bench_options_init_sized": (ctypes.c_int32, [ctypes.POINTER(BenchOptions), ctypes.c_size_t]),
    "dragoman_bench_texts": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ModelOptions), ctypes.POINTER(String),
                                              ctypes.c_size_t, ctypes.POINTER(TranslateOptions),
                                              ctypes.POINTER(BenchOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_bench_tokens": (ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ModelOptions), ctypes.POINTER(Tokens),
                                               ctypes.c_size_t, ctypes.POINTER(TranslateOptions),
                                               ctypes.POINTER(BenchOptions), ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_device_check": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]),
    "dragoman_report_destroy": (None, [ctypes.c_void_p]),
    "dragoman_report_json": (ctypes.c_int32, [ctypes.c_void_p, ctypes.POINTER(String)]),
}
