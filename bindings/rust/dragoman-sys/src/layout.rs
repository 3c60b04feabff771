// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
//! Sizes and offsets are C's.
use crate::*;
use std::mem::{align_of, size_of};

macro_rules! layout {
    ($struct:ty, $size:literal, $alignment:literal, $($field:ident = $offset:literal),*) => {{
        let value = <$struct>::default();
        let begin = std::ptr::addr_of!(value) as usize;
        let name = stringify!($struct);
        assert_eq!((size_of::<$struct>(), align_of::<$struct>()), ($size, $alignment), "{name}");
        $(let offset = std::ptr::addr_of!(value.$field) as usize - begin;
        assert_eq!(offset, $offset, "{name}.{}", stringify!($field));)*
    }};
}

#[test]
#[cfg(all(target_pointer_width = "64", not(windows)))]
fn as_in_lp64() {
    layout!(dragoman_string, 16, 8, data = 0, size = 8);
    layout!(dragoman_tokens, 16, 8, data = 0, count = 8);
    layout!(dragoman_range, 16, 8, begin = 0, end = 8);
    layout!(dragoman_ranges, 16, 8, data = 0, count = 8);
    layout!(dragoman_matrix, 24, 8, data = 0, rows = 8, cols = 16);
    layout!(dragoman_device_info, 592, 8, struct_size = 0, index = 4, kind = 8, vendor_id = 12, device_id = 16,
        api_version = 20, driver_version = 24, subgroup_size = 28, f16 = 32, cooperative_matrix = 36,
        integer_dot_product = 40, unified_memory = 44, memory_bytes = 48, max_buffer_bytes = 56, uuid = 64, name = 80,
        driver = 336);
    layout!(dragoman_memory_info, 56, 8, struct_size = 0, measured = 4, heap_bytes = 8, budget_bytes = 16, used_bytes
        = 24, held_bytes = 32, peak_bytes = 40, limit_bytes = 48);
    layout!(dragoman_device_options, 48, 8, struct_size = 0, validation = 4, name = 8, cache_dir = 16,
        memory_limit_bytes = 24, trust_kernels = 32, reserved = 36, tune = 40, reserved2 = 44);
    layout!(dragoman_vulkan_device, 96, 8, struct_size = 0, api_version = 4, get_instance_proc_addr = 8, instance =
        16, physical_device = 24, device = 32, queue_family = 40, queue_index = 44, extensions = 48, extension_count =
        56, features = 64, lock = 72, unlock = 80, user = 88);
    layout!(dragoman_model_options, 56, 8, struct_size = 0, compute_type = 4, device = 8, more_models = 16,
        more_model_count = 24, weights = 32, weight_count = 40, average_probabilities = 48, reserved = 52);
    layout!(dragoman_file, 40, 8, name = 0, data = 8, size = 16, read = 24, user = 32);
    layout!(dragoman_model_info, 2976, 8, struct_size = 0, has_tokenizer = 4, d_model = 8, heads = 12, encoder_layers
        = 16, decoder_layers = 20, encoder_ffn = 24, decoder_ffn = 28, source_vocabulary = 32, target_vocabulary = 36,
        parameters = 40, file_bytes = 48, device_bytes = 56, format = 64, family = 96, stored_types = 160,
        compute_type = 288, version = 304, license = 336, path = 1360, prompt = 2384, networks = 2640, reserved =
        2644, max_source_tokens = 2648, max_target_tokens = 2652, lacks = 2656, compute_reason = 2912);
    layout!(dragoman_language, 24, 8, tag = 0, code = 8, name = 16);
    layout!(dragoman_memory_options, 40, 8, struct_size = 0, min_similarity = 4, cache_bytes = 8, path = 16,
        file_bytes = 24, max_matches = 32, record = 36);
    layout!(dragoman_memory_counts, 128, 8, struct_size = 0, reserved = 4, entries = 8, bytes = 16, evicted = 24,
        file_entries = 32, file_bytes = 40, hits = 48, file_hits = 56, misses = 64, segments = 72, exact_matches = 80,
        fuzzy_matches = 88, recorded = 96, file_waiting = 104, file_lost = 112, file_failures = 120);
    layout!(dragoman_sentence, 120, 8, struct_size = 0, score = 4, source_begin = 8, source_end = 16, target_begin =
        24, target_end = 32, source_token_begin = 40, source_token_end = 48, target_token_begin = 56, target_token_end
        = 64, language = 72, language_probability = 80, flags = 84, quality = 88, reserved = 92, coverage = 96,
        uncovered_words = 100, uncovered_begin = 104, uncovered_end = 112);
    layout!(dragoman_term, 24, 8, struct_size = 0, met = 4, source_begin = 8, source_end = 16);
    layout!(dragoman_match, 40, 8, struct_size = 0, similarity = 4, source = 8, target = 24);
    layout!(dragoman_translate_options, 280, 8, struct_size = 0, beam_size = 4, patience = 8, length_penalty = 12,
        coverage_penalty = 16, repetition_penalty = 20, no_repeat_ngram_size = 24, prefix_bias_beta = 28,
        max_input_length = 32, max_decoding_length = 36, min_decoding_length = 40, num_hypotheses = 44,
        min_alternative_expansion_prob = 48, disable_unk = 52, return_end_token = 56, return_scores = 60,
        return_attention = 64, return_alternatives = 68, replace_unknowns = 72, max_batch_tokens = 76, max_batch_size
        = 80, reserved = 84, suppress_sequences = 88, suppress_sequence_count = 96, end_tokens = 104, end_token_count
        = 112, progress = 120, progress_user = 128, search = 136, word_penalty = 140, max_length_factor = 144,
        early_stopping = 148, source_language = 152, target_language = 160, split_sentences = 168, join_lines = 172,
        max_segment_tokens = 176, discard_tokens = 180, attention_layer = 184, attention_head = 188, use_shortlist =
        192, reserved2 = 196, sampling = 200, temperature = 204, top_k = 208, top_p = 212, min_p = 216, seed = 220,
        return_alignment = 224, markup = 228, raw = 232, keep_spans = 236, glossary = 240, memory = 248,
        return_quality = 256, quality_marks = 260, min_quality = 264, return_coverage = 268, max_uncovered_words =
        272);
    layout!(dragoman_stats, 120, 8, struct_size = 0, reserved = 4, sentences = 8, source_tokens = 16, target_tokens =
        24, batches = 32, decoder_steps = 40, dispatches_per_step = 48, padding_tokens = 56, submissions = 64,
        host_waits = 72, dispatches = 80, memory_bytes = 88, memory_peak_bytes = 96, host_peak_bytes = 104,
        repeated_sentences = 112);
    layout!(dragoman_score_options, 24, 8, struct_size = 0, max_input_length = 4, source_language = 8, target_language
        = 16);
    layout!(dragoman_language_guess, 24, 8, struct_size = 0, probability = 4, tag = 8, name = 16);
    layout!(dragoman_embed_options, 56, 8, struct_size = 0, pooling = 4, normalize = 8, max_tokens = 12, truncate =
        16, reserved = 20, source_language = 24, target_language = 32, progress = 40, progress_user = 48);
    layout!(dragoman_event, 112, 8, struct_size = 0, kind = 4, status = 8, score = 12, input = 16, sentence = 24,
        source = 32, text = 48, tokens = 64, done = 80, total = 88, message = 96);
    layout!(dragoman_job_options, 32, 8, struct_size = 0, priority = 4, on_event = 8, user = 16, events = 24, fed =
        28);
    layout!(dragoman_job_info, 32, 8, struct_size = 0, state = 4, status = 8, reserved = 12, done = 16, total = 24);
    layout!(dragoman_convert_options, 72, 8, struct_size = 0, weight_type = 4, replace = 8, reserved = 12, progress =
        16, progress_user = 24, alignment_text = 32, source_language = 40, target_language = 48, device = 56,
        quality_pairs = 64);
    layout!(dragoman_bench_options, 40, 8, struct_size = 0, repeat = 4, latency_samples = 8, synthetic_sentences = 12,
        synthetic_tokens = 16, seed = 20, ceilings = 24, passes = 28, device = 32);
    layout!(dragoman_document_options, 32, 8, struct_size = 0, format = 4, progress = 8, user = 16, resume = 24);
}

#[test]
#[cfg(all(target_pointer_width = "64", windows))]
fn as_in_llp64() {
    layout!(dragoman_string, 16, 8, data = 0, size = 8);
    layout!(dragoman_tokens, 16, 8, data = 0, count = 8);
    layout!(dragoman_range, 16, 8, begin = 0, end = 8);
    layout!(dragoman_ranges, 16, 8, data = 0, count = 8);
    layout!(dragoman_matrix, 24, 8, data = 0, rows = 8, cols = 16);
    layout!(dragoman_device_info, 592, 8, struct_size = 0, index = 4, kind = 8, vendor_id = 12, device_id = 16,
        api_version = 20, driver_version = 24, subgroup_size = 28, f16 = 32, cooperative_matrix = 36,
        integer_dot_product = 40, unified_memory = 44, memory_bytes = 48, max_buffer_bytes = 56, uuid = 64, name = 80,
        driver = 336);
    layout!(dragoman_memory_info, 56, 8, struct_size = 0, measured = 4, heap_bytes = 8, budget_bytes = 16, used_bytes
        = 24, held_bytes = 32, peak_bytes = 40, limit_bytes = 48);
    layout!(dragoman_device_options, 48, 8, struct_size = 0, validation = 4, name = 8, cache_dir = 16,
        memory_limit_bytes = 24, trust_kernels = 32, reserved = 36, tune = 40, reserved2 = 44);
    layout!(dragoman_vulkan_device, 96, 8, struct_size = 0, api_version = 4, get_instance_proc_addr = 8, instance =
        16, physical_device = 24, device = 32, queue_family = 40, queue_index = 44, extensions = 48, extension_count =
        56, features = 64, lock = 72, unlock = 80, user = 88);
    layout!(dragoman_model_options, 56, 8, struct_size = 0, compute_type = 4, device = 8, more_models = 16,
        more_model_count = 24, weights = 32, weight_count = 40, average_probabilities = 48, reserved = 52);
    layout!(dragoman_file, 40, 8, name = 0, data = 8, size = 16, read = 24, user = 32);
    layout!(dragoman_model_info, 2976, 8, struct_size = 0, has_tokenizer = 4, d_model = 8, heads = 12, encoder_layers
        = 16, decoder_layers = 20, encoder_ffn = 24, decoder_ffn = 28, source_vocabulary = 32, target_vocabulary = 36,
        parameters = 40, file_bytes = 48, device_bytes = 56, format = 64, family = 96, stored_types = 160,
        compute_type = 288, version = 304, license = 336, path = 1360, prompt = 2384, networks = 2640, reserved =
        2644, max_source_tokens = 2648, max_target_tokens = 2652, lacks = 2656, compute_reason = 2912);
    layout!(dragoman_language, 24, 8, tag = 0, code = 8, name = 16);
    layout!(dragoman_memory_options, 40, 8, struct_size = 0, min_similarity = 4, cache_bytes = 8, path = 16,
        file_bytes = 24, max_matches = 32, record = 36);
    layout!(dragoman_memory_counts, 128, 8, struct_size = 0, reserved = 4, entries = 8, bytes = 16, evicted = 24,
        file_entries = 32, file_bytes = 40, hits = 48, file_hits = 56, misses = 64, segments = 72, exact_matches = 80,
        fuzzy_matches = 88, recorded = 96, file_waiting = 104, file_lost = 112, file_failures = 120);
    layout!(dragoman_sentence, 120, 8, struct_size = 0, score = 4, source_begin = 8, source_end = 16, target_begin =
        24, target_end = 32, source_token_begin = 40, source_token_end = 48, target_token_begin = 56, target_token_end
        = 64, language = 72, language_probability = 80, flags = 84, quality = 88, reserved = 92, coverage = 96,
        uncovered_words = 100, uncovered_begin = 104, uncovered_end = 112);
    layout!(dragoman_term, 24, 8, struct_size = 0, met = 4, source_begin = 8, source_end = 16);
    layout!(dragoman_match, 40, 8, struct_size = 0, similarity = 4, source = 8, target = 24);
    layout!(dragoman_translate_options, 280, 8, struct_size = 0, beam_size = 4, patience = 8, length_penalty = 12,
        coverage_penalty = 16, repetition_penalty = 20, no_repeat_ngram_size = 24, prefix_bias_beta = 28,
        max_input_length = 32, max_decoding_length = 36, min_decoding_length = 40, num_hypotheses = 44,
        min_alternative_expansion_prob = 48, disable_unk = 52, return_end_token = 56, return_scores = 60,
        return_attention = 64, return_alternatives = 68, replace_unknowns = 72, max_batch_tokens = 76, max_batch_size
        = 80, reserved = 84, suppress_sequences = 88, suppress_sequence_count = 96, end_tokens = 104, end_token_count
        = 112, progress = 120, progress_user = 128, search = 136, word_penalty = 140, max_length_factor = 144,
        early_stopping = 148, source_language = 152, target_language = 160, split_sentences = 168, join_lines = 172,
        max_segment_tokens = 176, discard_tokens = 180, attention_layer = 184, attention_head = 188, use_shortlist =
        192, reserved2 = 196, sampling = 200, temperature = 204, top_k = 208, top_p = 212, min_p = 216, seed = 220,
        return_alignment = 224, markup = 228, raw = 232, keep_spans = 236, glossary = 240, memory = 248,
        return_quality = 256, quality_marks = 260, min_quality = 264, return_coverage = 268, max_uncovered_words =
        272);
    layout!(dragoman_stats, 120, 8, struct_size = 0, reserved = 4, sentences = 8, source_tokens = 16, target_tokens =
        24, batches = 32, decoder_steps = 40, dispatches_per_step = 48, padding_tokens = 56, submissions = 64,
        host_waits = 72, dispatches = 80, memory_bytes = 88, memory_peak_bytes = 96, host_peak_bytes = 104,
        repeated_sentences = 112);
    layout!(dragoman_score_options, 24, 8, struct_size = 0, max_input_length = 4, source_language = 8, target_language
        = 16);
    layout!(dragoman_language_guess, 24, 8, struct_size = 0, probability = 4, tag = 8, name = 16);
    layout!(dragoman_embed_options, 56, 8, struct_size = 0, pooling = 4, normalize = 8, max_tokens = 12, truncate =
        16, reserved = 20, source_language = 24, target_language = 32, progress = 40, progress_user = 48);
    layout!(dragoman_event, 112, 8, struct_size = 0, kind = 4, status = 8, score = 12, input = 16, sentence = 24,
        source = 32, text = 48, tokens = 64, done = 80, total = 88, message = 96);
    layout!(dragoman_job_options, 32, 8, struct_size = 0, priority = 4, on_event = 8, user = 16, events = 24, fed =
        28);
    layout!(dragoman_job_info, 32, 8, struct_size = 0, state = 4, status = 8, reserved = 12, done = 16, total = 24);
    layout!(dragoman_convert_options, 72, 8, struct_size = 0, weight_type = 4, replace = 8, reserved = 12, progress =
        16, progress_user = 24, alignment_text = 32, source_language = 40, target_language = 48, device = 56,
        quality_pairs = 64);
    layout!(dragoman_bench_options, 40, 8, struct_size = 0, repeat = 4, latency_samples = 8, synthetic_sentences = 12,
        synthetic_tokens = 16, seed = 20, ceilings = 24, passes = 28, device = 32);
    layout!(dragoman_document_options, 32, 8, struct_size = 0, format = 4, progress = 8, user = 16, resume = 24);
}
