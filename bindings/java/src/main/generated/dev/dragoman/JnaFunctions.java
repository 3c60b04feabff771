// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Bound by com.sun.jna.Native.register(). */
class JnaFunctions implements Functions {
    @Override
    public native int dragoman_version();
    @Override
    public native long dragoman_version_string();
    @Override
    public native int dragoman_has_feature(long name);
    @Override
    public native long dragoman_feature_name(long index);
    @Override
    public native long dragoman_status_name(int status);
    @Override
    public native long dragoman_last_error();
    @Override
    public native int dragoman_set_log(long callback, long user, int maxLevel);
    @Override
    public native int dragoman_logger_create(long callback, long user, int maxLevel, long logger);
    @Override
    public native void dragoman_logger_destroy(long logger);
    @Override
    public native long dragoman_utf8_prefix(long text, long size);
    @Override
    public native int dragoman_device_count(long count);
    @Override
    public native int dragoman_device_describe(int index, long info);
    @Override
    public native int dragoman_device_memory(int index, long info);
    @Override
    public native int dragoman_device_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_device_open(long options, long device);
    @Override
    public native int dragoman_device_adopt(long device, long options, long adopted);
    @Override
    public native int dragoman_vulkan_wanted(long device, long wanted);
    @Override
    public native long dragoman_wanted_extension_count(long wanted);
    @Override
    public native long dragoman_wanted_extensions(long wanted);
    @Override
    public native long dragoman_wanted_features(long wanted);
    @Override
    public native void dragoman_wanted_device_destroy(long wanted);
    @Override
    public native void dragoman_device_close(long device);
    @Override
    public native int dragoman_device_get_info(long device, long info);
    @Override
    public native int dragoman_device_get_memory(long device, long info);
    @Override
    public native int dragoman_device_trim(long device);
    @Override
    public native int dragoman_model_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_model_load(long path, long options, long model);
    @Override
    public native int dragoman_model_load_files(long files, long count, long options, long model);
    @Override
    public native void dragoman_model_destroy(long model);
    @Override
    public native int dragoman_model_get_info(long model, long info);
    @Override
    public native int dragoman_model_describe(long path, long info);
    @Override
    public native int dragoman_model_describe_files(long files, long count, long info);
    @Override
    public native int dragoman_model_languages(long model, int side, long languages);
    @Override
    public native int dragoman_model_describe_languages(long path, int side, long languages);
    @Override
    public native int dragoman_model_describe_languages_files(long files, long count, int side, long languages);
    @Override
    public native long dragoman_language_list_count(long languages);
    @Override
    public native long dragoman_language_list_data(long languages);
    @Override
    public native void dragoman_language_list_destroy(long languages);
    @Override
    public native int dragoman_model_device(long model, long info);
    @Override
    public native int dragoman_model_memory(long model, long info);
    @Override
    public native int dragoman_glossary_load(long path, long sourceLanguage, long targetLanguage, long glossary);
    @Override
    public native int dragoman_glossary_read(long bytes, long sourceLanguage, long targetLanguage, long glossary);
    @Override
    public native void dragoman_glossary_destroy(long glossary);
    @Override
    public native long dragoman_glossary_count(long glossary);
    @Override
    public native int dragoman_memory_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_memory_create(long options, long memory);
    @Override
    public native void dragoman_memory_destroy(long memory);
    @Override
    public native int dragoman_memory_load_tmx(long memory, long path, long count);
    @Override
    public native int dragoman_memory_read_tmx(long memory, long bytes, long count);
    @Override
    public native int dragoman_memory_add(long memory, long sourceLanguage, long targetLanguage, long source,
            long target);
    @Override
    public native int dragoman_memory_write_tmx(long memory, long path);
    @Override
    public native int dragoman_memory_clear(long memory);
    @Override
    public native int dragoman_memory_stats(long memory, long counts);
    @Override
    public native void dragoman_result_destroy(long result);
    @Override
    public native long dragoman_result_first(long result);
    @Override
    public native long dragoman_result_count(long result);
    @Override
    public native long dragoman_result_hypothesis_count(long result, long input);
    @Override
    public native int dragoman_result_source_tokens(long result, long input, long tokens);
    @Override
    public native int dragoman_result_source_ranges(long result, long input, long ranges);
    @Override
    public native int dragoman_result_text(long result, long input, long hypothesis, long text);
    @Override
    public native int dragoman_result_plain_source(long result, long input, long text);
    @Override
    public native int dragoman_result_plain_text(long result, long input, long hypothesis, long text);
    @Override
    public native int dragoman_result_tokens(long result, long input, long hypothesis, long tokens);
    @Override
    public native int dragoman_result_ranges(long result, long input, long hypothesis, long ranges);
    @Override
    public native int dragoman_result_score(long result, long input, long hypothesis, long score);
    @Override
    public native int dragoman_result_quality(long result, long input, long hypothesis, long quality);
    @Override
    public native int dragoman_result_attention(long result, long input, long hypothesis, long attention);
    @Override
    public native long dragoman_result_sentence_count(long result, long input);
    @Override
    public native int dragoman_result_sentence(long result, long input, long hypothesis, long sentence, long info);
    @Override
    public native long dragoman_result_term_count(long result, long input, long hypothesis, long sentence);
    @Override
    public native int dragoman_result_term(long result, long input, long hypothesis, long sentence, long index,
            long term);
    @Override
    public native long dragoman_result_match_count(long result, long input, long sentence);
    @Override
    public native int dragoman_result_match(long result, long input, long sentence, long index, long match);
    @Override
    public native int dragoman_result_sentence_attention(long result, long input, long hypothesis, long sentence,
            long attention);
    @Override
    public native int dragoman_result_source_words(long result, long input, long hypothesis, long sentence,
            long words);
    @Override
    public native int dragoman_result_target_words(long result, long input, long hypothesis, long sentence,
            long words);
    @Override
    public native int dragoman_result_word_quality(long result, long input, long hypothesis, long sentence,
            long quality);
    @Override
    public native int dragoman_result_sentence_alignment(long result, long input, long hypothesis, long sentence,
            long alignment);
    @Override
    public native int dragoman_result_pharaoh(long result, long input, long hypothesis, long links);
    @Override
    public native int dragoman_translator_create(long model, long translator);
    @Override
    public native int dragoman_translator_create_route(long models, long count, long sourceLanguage,
            long targetLanguage, long translator);
    @Override
    public native int dragoman_find_route(long models, long count, long sourceLanguage, long targetLanguage,
            long path, long length);
    @Override
    public native void dragoman_translator_destroy(long translator);
    @Override
    public native int dragoman_translate_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_translate_texts(long translator, long texts, long count, long prefixes,
            long options, long result);
    @Override
    public native int dragoman_translate_tokens(long translator, long sources, long count, long prefixes,
            long options, long result);
    @Override
    public native int dragoman_translator_stats(long translator, long stats);
    @Override
    public native int dragoman_translator_reset_stats(long translator);
    @Override
    public native int dragoman_translator_trim(long translator);
    @Override
    public native int dragoman_score_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_score_tokens(long translator, long sources, long targets, long count, long options,
            long scores);
    @Override
    public native int dragoman_score_texts(long translator, long sources, long targets, long count, long options,
            long scores);
    @Override
    public native void dragoman_scores_destroy(long scores);
    @Override
    public native long dragoman_scores_count(long scores);
    @Override
    public native int dragoman_scores_tokens(long scores, long pair, long tokens);
    @Override
    public native int dragoman_scores_log_probs(long scores, long pair, long logProbs);
    @Override
    public native int dragoman_scores_ranges(long scores, long pair, long ranges);
    @Override
    public native int dragoman_detect_languages(long texts, long count, long expected, long languages);
    @Override
    public native void dragoman_detection_destroy(long languages);
    @Override
    public native long dragoman_detection_count(long languages);
    @Override
    public native long dragoman_detection_guess_count(long languages, long text);
    @Override
    public native int dragoman_detection_guess(long languages, long text, long index, long guess);
    @Override
    public native int dragoman_embed_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_embed_texts(long model, long texts, long count, long options, long vectors);
    @Override
    public native void dragoman_vectors_destroy(long vectors);
    @Override
    public native long dragoman_vectors_count(long vectors);
    @Override
    public native long dragoman_vectors_width(long vectors);
    @Override
    public native int dragoman_vectors_get(long vectors, long text, long rows);
    @Override
    public native int dragoman_vectors_all(long vectors, long rows);
    @Override
    public native int dragoman_vectors_tokens(long vectors, long text, long tokens);
    @Override
    public native int dragoman_vectors_ranges(long vectors, long text, long ranges);
    @Override
    public native int dragoman_job_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_submit_texts(long translator, long texts, long count, long prefixes, long options,
            long jobOptions, long job);
    @Override
    public native int dragoman_submit_tokens(long translator, long sources, long count, long prefixes,
            long options, long jobOptions, long job);
    @Override
    public native int dragoman_job_feed_texts(long job, long texts, long count, long prefixes, long timeoutMs,
            long taken);
    @Override
    public native int dragoman_job_feed_tokens(long job, long sources, long count, long prefixes, long timeoutMs,
            long taken);
    @Override
    public native int dragoman_job_finish(long job);
    @Override
    public native int dragoman_job_next_result(long job, long timeoutMs, long result);
    @Override
    public native void dragoman_job_destroy(long job);
    @Override
    public native int dragoman_job_poll(long job, long info);
    @Override
    public native int dragoman_job_wait(long job, long timeoutMs, long ended);
    @Override
    public native int dragoman_job_cancel(long job);
    @Override
    public native int dragoman_job_take_result(long job, long result);
    @Override
    public native int dragoman_split_sentences(long text, long language, int joinLines, long ranges);
    @Override
    public native void dragoman_range_list_destroy(long ranges);
    @Override
    public native long dragoman_range_list_count(long ranges);
    @Override
    public native long dragoman_range_list_data(long ranges);
    @Override
    public native int dragoman_tokenize(long model, int side, long texts, long count, long tokens);
    @Override
    public native void dragoman_token_lists_destroy(long tokens);
    @Override
    public native long dragoman_token_lists_count(long tokens);
    @Override
    public native int dragoman_token_lists_get(long tokens, long index, long sequence);
    @Override
    public native int dragoman_token_lists_ranges(long tokens, long index, long ranges);
    @Override
    public native int dragoman_detokenize(long model, int side, long sequences, long count, long texts);
    @Override
    public native void dragoman_text_list_destroy(long texts);
    @Override
    public native long dragoman_text_list_count(long texts);
    @Override
    public native int dragoman_text_list_get(long texts, long index, long text);
    @Override
    public native int dragoman_convert_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_model_convert(long path, long outPath, long options);
    @Override
    public native int dragoman_bench_options_init_sized(long options, long structSize);
    @Override
    public native int dragoman_bench_texts(long path, long modelOptions, long texts, long count, long options,
            long benchOptions, long report);
    @Override
    public native int dragoman_bench_tokens(long path, long modelOptions, long sources, long count, long options,
            long benchOptions, long report);
    @Override
    public native int dragoman_device_check(long device, long report);
    @Override
    public native void dragoman_report_destroy(long report);
    @Override
    public native int dragoman_report_json(long report, long json);
}
