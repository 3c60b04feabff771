// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.file.Path;
import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
abstract class LibraryCalls {
    LibraryCalls() {}

    /**
     * Version of the library that runs, comparable with DRAGOMAN_VERSION.
     *
     * @return the result
     */
    public static int version() {
        return Library.C.dragoman_version();
    }

    /**
     * The same as text, "1.0.0". Static storage.
     *
     * @return the result
     */
    public static String versionString() {
        return Reading.cText(Library.C.dragoman_version_string());
    }

    /**
     * Whether this library, as it was built and where it runs, has a feature: 1 or 0; 0 also for names it does not know
     * and for null. "format.ctranslate2" and so on: models it reads, by the names in modelInfo; "compute.float32",
     * "compute.float16", "compute.int8": types it can compute with, given a device and model that can;
     * "search.ctranslate2", "search.marian", "search.huggingface"; "jobs", "jobs.partial" (events of unfinished
     * sentences); "vulkan": a Vulkan loader is installed.
     *
     * @param name the value
     * @return the result
     */
    public static boolean hasFeature(String name) {
        try (Block block = new Block()) {
            long nameAt = block.text("name", name);
            return Library.C.dragoman_has_feature(nameAt) != 0;
        }
    }

    /**
     * The name of feature {@code index}, from 0, among those that hasFeature() knows; null after the last. Static
     * storage.
     *
     * @param index the value
     * @return the result
     */
    public static String featureName(long index) {
        return Reading.cText(Library.C.dragoman_feature_name(index));
    }

    static long translatorCreateRouteHandle(List<Model> models, String sourceLanguage, String targetLanguage) {
        try (Block block = new Block()) {
            long modelsAt = block.handles(models);
            long sourceLanguageAt = block.text("sourceLanguage", sourceLanguage);
            long targetLanguageAt = block.text("targetLanguage", targetLanguage);
            return Library.made(null, out -> Library.C.dragoman_translator_create_route(modelsAt, models.size(), sourceLanguageAt, targetLanguageAt, out));
        }
    }

    static long detectLanguagesHandle(List<String> texts, String expected) {
        try (Block block = new Block()) {
            long textsAt = block.strings("texts", texts);
            long expectedAt = block.text("expected", expected);
            return Library.made(null, out -> Library.C.dragoman_detect_languages(textsAt, texts.size(), expectedAt, out));
        }
    }

    static long splitSentencesHandle(String text, String language, boolean joinLines) {
        try (Block block = new Block()) {
            long textAt = block.strings("text", List.of(text));
            long languageAt = block.text("language", language);
            return Library.made(null, out -> Library.C.dragoman_split_sentences(textAt, languageAt, joinLines ? 1 : 0, out));
        }
    }

    /**
     * Loads the model at {@code path}, translates {@code count} texts again and again and measures throughput, latency
     * and memory, and the device's time by pass beside the best it can do. Other work on the device or the machine
     * shows in the numbers. The inputs are the sentences of the texts, prepared once with {@code options} as
     * translateTexts() does it: each different one once, without those that are only copied. {@code count} 0: random
     * words. {@code modelOptions} must name no device: bench_options has one. The three.
     *
     * @param path the value
     * @param modelOptions the value
     * @param texts the value
     * @param options the value
     * @param benchOptions the value
     * @return the result
     */
    public static String benchTexts(Path path, ModelOptions modelOptions, List<String> texts, TranslateOptions options, BenchOptions benchOptions) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long pathAt = block.text("path", path);
            long modelOptionsAt = modelOptions.write(block, null).address;
            long textsAt = block.strings("texts", texts);
            long optionsAt = options.write(block, watch).address;
            long benchOptionsAt = benchOptions.write(block, null).address;
            return Reading.report(Library.made(watch, out -> Library.C.dragoman_bench_texts(pathAt, modelOptionsAt, textsAt, texts.size(), optionsAt, benchOptionsAt, out)));
        }
    }

    /**
     * The same with sequences of source tokens, see translateTokens().
     *
     * @param path the value
     * @param modelOptions the value
     * @param sources the value
     * @param options the value
     * @param benchOptions the value
     * @return the result
     */
    public static String benchTokens(Path path, ModelOptions modelOptions, List<List<String>> sources, TranslateOptions options, BenchOptions benchOptions) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long pathAt = block.text("path", path);
            long modelOptionsAt = modelOptions.write(block, null).address;
            long sourcesAt = block.sequences("sources", sources);
            long optionsAt = options.write(block, watch).address;
            long benchOptionsAt = benchOptions.write(block, null).address;
            return Reading.report(Library.made(watch, out -> Library.C.dragoman_bench_tokens(pathAt, modelOptionsAt, sourcesAt, sources.size(), optionsAt, benchOptionsAt, out)));
        }
    }
}
