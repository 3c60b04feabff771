// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_tables.py from capi/api.json.
// clang-format off
#include "fields.h"

namespace addon {

template <>
Fields fields<dragoman_device_info>() {
    static constexpr const char* kind_words[] = {"discrete", "integrated", "virtual", "cpu", "other"};
    static const Field all[] = {
        {"index", Field::Kind::u32, offsetof(dragoman_device_info, index)},
        {"kind", Field::Kind::word, offsetof(dragoman_device_info, kind), kind_words},
        {"vendorId", Field::Kind::u32, offsetof(dragoman_device_info, vendor_id)},
        {"deviceId", Field::Kind::u32, offsetof(dragoman_device_info, device_id)},
        {"driverVersion", Field::Kind::u32, offsetof(dragoman_device_info, driver_version)},
        {"subgroupSize", Field::Kind::u32, offsetof(dragoman_device_info, subgroup_size)},
        {"f16", Field::Kind::flag, offsetof(dragoman_device_info, f16)},
        {"cooperativeMatrix", Field::Kind::flag, offsetof(dragoman_device_info, cooperative_matrix)},
        {"integerDotProduct", Field::Kind::flag, offsetof(dragoman_device_info, integer_dot_product)},
        {"unifiedMemory", Field::Kind::flag, offsetof(dragoman_device_info, unified_memory)},
        {"memoryBytes", Field::Kind::u64, offsetof(dragoman_device_info, memory_bytes)},
        {"maxBufferBytes", Field::Kind::u64, offsetof(dragoman_device_info, max_buffer_bytes)},
        {"name", Field::Kind::chars, offsetof(dragoman_device_info, name)},
        {"driver", Field::Kind::chars, offsetof(dragoman_device_info, driver)},
    };
    return all;
}

template <>
Fields fields<dragoman_memory_info>() {
    static const Field all[] = {
        {"measured", Field::Kind::flag, offsetof(dragoman_memory_info, measured)},
        {"heapBytes", Field::Kind::u64, offsetof(dragoman_memory_info, heap_bytes)},
        {"budgetBytes", Field::Kind::u64, offsetof(dragoman_memory_info, budget_bytes)},
        {"usedBytes", Field::Kind::u64, offsetof(dragoman_memory_info, used_bytes)},
        {"heldBytes", Field::Kind::u64, offsetof(dragoman_memory_info, held_bytes)},
        {"peakBytes", Field::Kind::u64, offsetof(dragoman_memory_info, peak_bytes)},
        {"limitBytes", Field::Kind::u64, offsetof(dragoman_memory_info, limit_bytes)},
    };
    return all;
}

template <>
Fields fields<dragoman_device_options>() {
    static const Field all[] = {
        {"validation", Field::Kind::flag, offsetof(dragoman_device_options, validation)},
        {"name", Field::Kind::text, offsetof(dragoman_device_options, name)},
        {"cacheDir", Field::Kind::text, offsetof(dragoman_device_options, cache_dir)},
        {"memoryLimitBytes", Field::Kind::u64, offsetof(dragoman_device_options, memory_limit_bytes)},
        {"trustKernels", Field::Kind::flag, offsetof(dragoman_device_options, trust_kernels)},
        {"tune", Field::Kind::i32, offsetof(dragoman_device_options, tune)},
    };
    return all;
}

template <>
Fields fields<dragoman_model_options>() {
    static const Field all[] = {
        {"computeType", Field::Kind::i32, offsetof(dragoman_model_options, compute_type)},
        {"averageProbabilities", Field::Kind::flag, offsetof(dragoman_model_options, average_probabilities)},
    };
    return all;
}

template <>
Fields fields<dragoman_model_info>() {
    static const Field all[] = {
        {"hasTokenizer", Field::Kind::flag, offsetof(dragoman_model_info, has_tokenizer)},
        {"dModel", Field::Kind::u32, offsetof(dragoman_model_info, d_model)},
        {"heads", Field::Kind::u32, offsetof(dragoman_model_info, heads)},
        {"encoderLayers", Field::Kind::u32, offsetof(dragoman_model_info, encoder_layers)},
        {"decoderLayers", Field::Kind::u32, offsetof(dragoman_model_info, decoder_layers)},
        {"encoderFfn", Field::Kind::u32, offsetof(dragoman_model_info, encoder_ffn)},
        {"decoderFfn", Field::Kind::u32, offsetof(dragoman_model_info, decoder_ffn)},
        {"sourceVocabulary", Field::Kind::u32, offsetof(dragoman_model_info, source_vocabulary)},
        {"targetVocabulary", Field::Kind::u32, offsetof(dragoman_model_info, target_vocabulary)},
        {"parameters", Field::Kind::u64, offsetof(dragoman_model_info, parameters)},
        {"fileBytes", Field::Kind::u64, offsetof(dragoman_model_info, file_bytes)},
        {"deviceBytes", Field::Kind::u64, offsetof(dragoman_model_info, device_bytes)},
        {"format", Field::Kind::chars, offsetof(dragoman_model_info, format)},
        {"family", Field::Kind::chars, offsetof(dragoman_model_info, family)},
        {"storedTypes", Field::Kind::chars, offsetof(dragoman_model_info, stored_types)},
        {"computeType", Field::Kind::chars, offsetof(dragoman_model_info, compute_type)},
        {"version", Field::Kind::chars, offsetof(dragoman_model_info, version)},
        {"license", Field::Kind::chars, offsetof(dragoman_model_info, license)},
        {"path", Field::Kind::chars, offsetof(dragoman_model_info, path)},
        {"prompt", Field::Kind::chars, offsetof(dragoman_model_info, prompt)},
        {"networks", Field::Kind::u32, offsetof(dragoman_model_info, networks)},
        {"maxSourceTokens", Field::Kind::u32, offsetof(dragoman_model_info, max_source_tokens)},
        {"maxTargetTokens", Field::Kind::u32, offsetof(dragoman_model_info, max_target_tokens)},
        {"lacks", Field::Kind::chars, offsetof(dragoman_model_info, lacks)},
        {"computeReason", Field::Kind::chars, offsetof(dragoman_model_info, compute_reason)},
    };
    return all;
}

template <>
Fields fields<dragoman_memory_options>() {
    static const Field all[] = {
        {"minSimilarity", Field::Kind::f32, offsetof(dragoman_memory_options, min_similarity)},
        {"cacheBytes", Field::Kind::u64, offsetof(dragoman_memory_options, cache_bytes)},
        {"path", Field::Kind::text, offsetof(dragoman_memory_options, path)},
        {"fileBytes", Field::Kind::u64, offsetof(dragoman_memory_options, file_bytes)},
        {"maxMatches", Field::Kind::u32, offsetof(dragoman_memory_options, max_matches)},
        {"record", Field::Kind::flag, offsetof(dragoman_memory_options, record)},
    };
    return all;
}

template <>
Fields fields<dragoman_memory_counts>() {
    static const Field all[] = {
        {"entries", Field::Kind::u64, offsetof(dragoman_memory_counts, entries)},
        {"bytes", Field::Kind::u64, offsetof(dragoman_memory_counts, bytes)},
        {"evicted", Field::Kind::u64, offsetof(dragoman_memory_counts, evicted)},
        {"fileEntries", Field::Kind::u64, offsetof(dragoman_memory_counts, file_entries)},
        {"fileBytes", Field::Kind::u64, offsetof(dragoman_memory_counts, file_bytes)},
        {"hits", Field::Kind::u64, offsetof(dragoman_memory_counts, hits)},
        {"fileHits", Field::Kind::u64, offsetof(dragoman_memory_counts, file_hits)},
        {"misses", Field::Kind::u64, offsetof(dragoman_memory_counts, misses)},
        {"segments", Field::Kind::u64, offsetof(dragoman_memory_counts, segments)},
        {"exactMatches", Field::Kind::u64, offsetof(dragoman_memory_counts, exact_matches)},
        {"fuzzyMatches", Field::Kind::u64, offsetof(dragoman_memory_counts, fuzzy_matches)},
        {"recorded", Field::Kind::u64, offsetof(dragoman_memory_counts, recorded)},
        {"fileWaiting", Field::Kind::u64, offsetof(dragoman_memory_counts, file_waiting)},
        {"fileLost", Field::Kind::u64, offsetof(dragoman_memory_counts, file_lost)},
        {"fileFailures", Field::Kind::u64, offsetof(dragoman_memory_counts, file_failures)},
    };
    return all;
}

template <>
Fields fields<dragoman_translate_options>() {
    static const Field all[] = {
        {"beamSize", Field::Kind::u32, offsetof(dragoman_translate_options, beam_size)},
        {"patience", Field::Kind::f32, offsetof(dragoman_translate_options, patience)},
        {"lengthPenalty", Field::Kind::f32, offsetof(dragoman_translate_options, length_penalty)},
        {"coveragePenalty", Field::Kind::f32, offsetof(dragoman_translate_options, coverage_penalty)},
        {"repetitionPenalty", Field::Kind::f32, offsetof(dragoman_translate_options, repetition_penalty)},
        {"noRepeatNgramSize", Field::Kind::u32, offsetof(dragoman_translate_options, no_repeat_ngram_size)},
        {"prefixBiasBeta", Field::Kind::f32, offsetof(dragoman_translate_options, prefix_bias_beta)},
        {"maxInputLength", Field::Kind::u32, offsetof(dragoman_translate_options, max_input_length)},
        {"maxDecodingLength", Field::Kind::u32, offsetof(dragoman_translate_options, max_decoding_length)},
        {"minDecodingLength", Field::Kind::u32, offsetof(dragoman_translate_options, min_decoding_length)},
        {"numHypotheses", Field::Kind::u32, offsetof(dragoman_translate_options, num_hypotheses)},
        {"minAlternativeExpansionProb", Field::Kind::f32, offsetof(dragoman_translate_options,
         min_alternative_expansion_prob)},
        {"disableUnk", Field::Kind::flag, offsetof(dragoman_translate_options, disable_unk)},
        {"returnEndToken", Field::Kind::flag, offsetof(dragoman_translate_options, return_end_token)},
        {"returnScores", Field::Kind::flag, offsetof(dragoman_translate_options, return_scores)},
        {"returnAttention", Field::Kind::flag, offsetof(dragoman_translate_options, return_attention)},
        {"returnAlternatives", Field::Kind::flag, offsetof(dragoman_translate_options, return_alternatives)},
        {"replaceUnknowns", Field::Kind::flag, offsetof(dragoman_translate_options, replace_unknowns)},
        {"maxBatchTokens", Field::Kind::u32, offsetof(dragoman_translate_options, max_batch_tokens)},
        {"maxBatchSize", Field::Kind::u32, offsetof(dragoman_translate_options, max_batch_size)},
        {"search", Field::Kind::i32, offsetof(dragoman_translate_options, search)},
        {"wordPenalty", Field::Kind::f32, offsetof(dragoman_translate_options, word_penalty)},
        {"maxLengthFactor", Field::Kind::f32, offsetof(dragoman_translate_options, max_length_factor)},
        {"earlyStopping", Field::Kind::i32, offsetof(dragoman_translate_options, early_stopping)},
        {"sourceLanguage", Field::Kind::text, offsetof(dragoman_translate_options, source_language)},
        {"targetLanguage", Field::Kind::text, offsetof(dragoman_translate_options, target_language)},
        {"splitSentences", Field::Kind::flag, offsetof(dragoman_translate_options, split_sentences)},
        {"joinLines", Field::Kind::flag, offsetof(dragoman_translate_options, join_lines)},
        {"maxSegmentTokens", Field::Kind::u32, offsetof(dragoman_translate_options, max_segment_tokens)},
        {"discardTokens", Field::Kind::flag, offsetof(dragoman_translate_options, discard_tokens)},
        {"attentionLayer", Field::Kind::u32, offsetof(dragoman_translate_options, attention_layer)},
        {"attentionHead", Field::Kind::u32, offsetof(dragoman_translate_options, attention_head)},
        {"useShortlist", Field::Kind::flag, offsetof(dragoman_translate_options, use_shortlist)},
        {"sampling", Field::Kind::i32, offsetof(dragoman_translate_options, sampling)},
        {"temperature", Field::Kind::f32, offsetof(dragoman_translate_options, temperature)},
        {"topK", Field::Kind::u32, offsetof(dragoman_translate_options, top_k)},
        {"topP", Field::Kind::f32, offsetof(dragoman_translate_options, top_p)},
        {"minP", Field::Kind::f32, offsetof(dragoman_translate_options, min_p)},
        {"seed", Field::Kind::u32, offsetof(dragoman_translate_options, seed)},
        {"returnAlignment", Field::Kind::flag, offsetof(dragoman_translate_options, return_alignment)},
        {"markup", Field::Kind::i32, offsetof(dragoman_translate_options, markup)},
        {"raw", Field::Kind::flag, offsetof(dragoman_translate_options, raw)},
        {"keepSpans", Field::Kind::flag, offsetof(dragoman_translate_options, keep_spans)},
        {"returnQuality", Field::Kind::flag, offsetof(dragoman_translate_options, return_quality)},
        {"qualityMarks", Field::Kind::f32, offsetof(dragoman_translate_options, quality_marks)},
        {"minQuality", Field::Kind::f32, offsetof(dragoman_translate_options, min_quality)},
        {"returnCoverage", Field::Kind::flag, offsetof(dragoman_translate_options, return_coverage)},
        {"maxUncoveredWords", Field::Kind::u32, offsetof(dragoman_translate_options, max_uncovered_words)},
    };
    return all;
}

template <>
Fields fields<dragoman_stats>() {
    static const Field all[] = {
        {"sentences", Field::Kind::u64, offsetof(dragoman_stats, sentences)},
        {"sourceTokens", Field::Kind::u64, offsetof(dragoman_stats, source_tokens)},
        {"targetTokens", Field::Kind::u64, offsetof(dragoman_stats, target_tokens)},
        {"batches", Field::Kind::u64, offsetof(dragoman_stats, batches)},
        {"decoderSteps", Field::Kind::u64, offsetof(dragoman_stats, decoder_steps)},
        {"dispatchesPerStep", Field::Kind::u64, offsetof(dragoman_stats, dispatches_per_step)},
        {"paddingTokens", Field::Kind::u64, offsetof(dragoman_stats, padding_tokens)},
        {"submissions", Field::Kind::u64, offsetof(dragoman_stats, submissions)},
        {"hostWaits", Field::Kind::u64, offsetof(dragoman_stats, host_waits)},
        {"dispatches", Field::Kind::u64, offsetof(dragoman_stats, dispatches)},
        {"memoryBytes", Field::Kind::u64, offsetof(dragoman_stats, memory_bytes)},
        {"memoryPeakBytes", Field::Kind::u64, offsetof(dragoman_stats, memory_peak_bytes)},
        {"hostPeakBytes", Field::Kind::u64, offsetof(dragoman_stats, host_peak_bytes)},
        {"repeatedSentences", Field::Kind::u64, offsetof(dragoman_stats, repeated_sentences)},
    };
    return all;
}

template <>
Fields fields<dragoman_score_options>() {
    static const Field all[] = {
        {"maxInputLength", Field::Kind::u32, offsetof(dragoman_score_options, max_input_length)},
        {"sourceLanguage", Field::Kind::text, offsetof(dragoman_score_options, source_language)},
        {"targetLanguage", Field::Kind::text, offsetof(dragoman_score_options, target_language)},
    };
    return all;
}

template <>
Fields fields<dragoman_embed_options>() {
    static const Field all[] = {
        {"pooling", Field::Kind::i32, offsetof(dragoman_embed_options, pooling)},
        {"normalize", Field::Kind::i32, offsetof(dragoman_embed_options, normalize)},
        {"maxTokens", Field::Kind::u32, offsetof(dragoman_embed_options, max_tokens)},
        {"truncate", Field::Kind::flag, offsetof(dragoman_embed_options, truncate)},
        {"sourceLanguage", Field::Kind::text, offsetof(dragoman_embed_options, source_language)},
        {"targetLanguage", Field::Kind::text, offsetof(dragoman_embed_options, target_language)},
    };
    return all;
}

template <>
Fields fields<dragoman_job_options>() {
    static const Field all[] = {
        {"priority", Field::Kind::i32, offsetof(dragoman_job_options, priority)},
        {"events", Field::Kind::u32, offsetof(dragoman_job_options, events)},
        {"fed", Field::Kind::flag, offsetof(dragoman_job_options, fed)},
    };
    return all;
}

template <>
Fields fields<dragoman_job_info>() {
    static constexpr const char* state_words[] = {"waiting", "running", "done", "failed", "cancelled"};
    static constexpr const char* status_words[] = {"ok", "invalid_argument", "bad_model", "unsupported",
                                                   "out_of_memory", "device_lost", "no_device", "io_error", "cancelled",
                                                   "internal"};
    static const Field all[] = {
        {"state", Field::Kind::word, offsetof(dragoman_job_info, state), state_words},
        {"status", Field::Kind::word, offsetof(dragoman_job_info, status), status_words},
        {"done", Field::Kind::size, offsetof(dragoman_job_info, done)},
        {"total", Field::Kind::size, offsetof(dragoman_job_info, total)},
    };
    return all;
}

template <>
Fields fields<dragoman_convert_options>() {
    static const Field all[] = {
        {"weightType", Field::Kind::i32, offsetof(dragoman_convert_options, weight_type)},
        {"replace", Field::Kind::flag, offsetof(dragoman_convert_options, replace)},
        {"alignmentText", Field::Kind::text, offsetof(dragoman_convert_options, alignment_text)},
        {"sourceLanguage", Field::Kind::text, offsetof(dragoman_convert_options, source_language)},
        {"targetLanguage", Field::Kind::text, offsetof(dragoman_convert_options, target_language)},
        {"qualityPairs", Field::Kind::text, offsetof(dragoman_convert_options, quality_pairs)},
    };
    return all;
}

template <>
Fields fields<dragoman_bench_options>() {
    static const Field all[] = {
        {"repeat", Field::Kind::u32, offsetof(dragoman_bench_options, repeat)},
        {"latencySamples", Field::Kind::u32, offsetof(dragoman_bench_options, latency_samples)},
        {"syntheticSentences", Field::Kind::u32, offsetof(dragoman_bench_options, synthetic_sentences)},
        {"syntheticTokens", Field::Kind::u32, offsetof(dragoman_bench_options, synthetic_tokens)},
        {"seed", Field::Kind::u32, offsetof(dragoman_bench_options, seed)},
        {"ceilings", Field::Kind::flag, offsetof(dragoman_bench_options, ceilings)},
        {"passes", Field::Kind::flag, offsetof(dragoman_bench_options, passes)},
    };
    return all;
}

}  // namespace addon
