// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Functions of C whose declarations say all that is to be known. */
class ModelCalls extends Owner {
    ModelCalls(long address) {
        super("model", address, Library.C::dragoman_model_destroy);
    }

    /**
     * Reads a model, a directory, a zip archive or a GGUF file, and puts its weights on a device. {@code path} null:
     * the model DRAGOMAN_MODEL names in the environment, else the one that comes with the library (German-English and
     * English-German), found in share/dragoman/models near the library's file.
     *
     * @param path the value
     * @param options the value
     * @return the result
     */
    public static Model load(Path path, ModelOptions options) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            long optionsAt = options.write(block, null).address;
            return new Model(Library.made(null, out -> Library.C.dragoman_model_load(pathAt, optionsAt, out)));
        }
    }

    /**
     * Loads a model from files that need not be in the file system: the files of its folder, with their names, or one
     * file that is a model by itself, such as a zip archive. Nothing of the caller's is needed or called after the
     * return. Files that the model needs and a callback reads are held in host memory until then.
     *
     * @param files the value
     * @param options the value
     * @return the result
     */
    public static Model fromFiles(Map<String, Content> files, ModelOptions options) {
        try (Block block = new Block(); Watch watch = new Watch(null)) {
            long filesAt = watch.files(block, files);
            long optionsAt = options.write(block, null).address;
            return new Model(Library.made(watch, out -> Library.C.dragoman_model_load_files(filesAt, files.size(), optionsAt, out)));
        }
    }

    /**
     * Describes a loaded model.
     *
     * @return the result
     */
    public ModelInfo info() {
        return with(at -> Library.read(null, ModelInfo.SIZE, out -> Library.C.dragoman_model_get_info(at, out), ModelInfo::new));
    }

    /**
     * Describes the model at {@code path} (null: the default model, see modelLoad()) from its files alone; needs no
     * device.
     *
     * @param path the value
     * @return the result
     */
    public static ModelInfo describe(Path path) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            return Library.read(null, ModelInfo.SIZE, out -> Library.C.dragoman_model_describe(pathAt, out), ModelInfo::new);
        }
    }

    /**
     * The same for files as in modelLoadFiles().
     *
     * @param files the value
     * @return the result
     */
    public static ModelInfo describeFiles(Map<String, Content> files) {
        try (Block block = new Block(); Watch watch = new Watch(null)) {
            long filesAt = watch.files(block, files);
            return Library.read(watch, ModelInfo.SIZE, out -> Library.C.dragoman_model_describe_files(filesAt, files.size(), out), ModelInfo::new);
        }
    }

    /**
     * The languages that a model translates from ({@code side} SIDE_SOURCE) or to; none if its files do not name them.
     * sourceLanguage and targetLanguage of translateOptions take any tag or code that means one of them.
     *
     * @param side the value
     * @return the result
     */
    public List<Language> languages(Side side) {
        return with(at -> Reading.languages(Library.made(null, out -> Library.C.dragoman_model_languages(at, side.number(), out))));
    }

    /**
     * The same of the model at {@code path} (null: the default model) from its files alone; needs no device.
     *
     * @param path the value
     * @param side the value
     * @return the result
     */
    public static List<Language> describeLanguages(Path path, Side side) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            return Reading.languages(Library.made(null, out -> Library.C.dragoman_model_describe_languages(pathAt, side.number(), out)));
        }
    }

    /**
     * The same for files as in modelLoadFiles().
     *
     * @param files the value
     * @param side the value
     * @return the result
     */
    public static List<Language> describeLanguagesFiles(Map<String, Content> files, Side side) {
        try (Block block = new Block(); Watch watch = new Watch(null)) {
            long filesAt = watch.files(block, files);
            return Reading.languages(Library.made(watch, out -> Library.C.dragoman_model_describe_languages_files(filesAt, files.size(), side.number(), out)));
        }
    }

    /**
     * Describes the device a model is on.
     *
     * @return the result
     */
    public DeviceInfo device() {
        return with(at -> Library.read(null, DeviceInfo.SIZE, out -> Library.C.dragoman_model_device(at, out), DeviceInfo::new));
    }

    /**
     * Memory of that device, and what everything on it holds, other models included.
     *
     * @return the result
     */
    public MemoryInfo memory() {
        return with(at -> Library.read(null, MemoryInfo.SIZE, out -> Library.C.dragoman_model_memory(at, out), MemoryInfo::new));
    }

    long translatorCreateHandle() {
        return with(at -> Library.made(null, out -> Library.C.dragoman_translator_create(at, out)));
    }

    long embedTextsHandle(List<String> texts, EmbedOptions options) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long textsAt = block.strings("texts", texts);
            long optionsAt = options.write(block, watch).address;
            return with(at -> Library.made(watch, out -> Library.C.dragoman_embed_texts(at, textsAt, texts.size(), optionsAt, out)));
        }
    }

    long tokenizeHandle(Side side, List<String> texts) {
        try (Block block = new Block()) {
            long textsAt = block.strings("texts", texts);
            return with(at -> Library.made(null, out -> Library.C.dragoman_tokenize(at, side.number(), textsAt, texts.size(), out)));
        }
    }

    long detokenizeHandle(Side side, List<List<String>> sequences) {
        try (Block block = new Block()) {
            long sequencesAt = block.sequences("sequences", sequences);
            return with(at -> Library.made(null, out -> Library.C.dragoman_detokenize(at, side.number(), sequencesAt, sequences.size(), out)));
        }
    }

    /**
     * Writes the model at {@code path} (of any format; null: the default model, see modelLoad()) as one GGUF file with
     * everything it needs, vocabularies and tokenizer too (docs/gguf.md). The file appears only when it is complete.
     * Needs no device, unless there are texts to translate.
     *
     * @param path the value
     * @param outPath the value
     * @param options the value
     */
    public static void convert(Path path, Path outPath, ConvertOptions options) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long pathAt = block.text("path", path);
            long outPathAt = block.text("outPath", outPath);
            long optionsAt = options.write(block, watch).address;
            Library.check(watch, Library.C.dragoman_model_convert(pathAt, outPathAt, optionsAt));
        }
    }
}
