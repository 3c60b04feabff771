// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.file.Path;
import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class TranslationMemoryCalls extends Owner {
    TranslationMemoryCalls(long address) {
        super("memory", address, Library.C::dragoman_memory_destroy);
    }

    /**
     * Makes a memory, for the option {@code memory} of calls and jobs. Several processes may use one file at the same
     * time.
     *
     * @param options the value
     * @return the result
     */
    public static TranslationMemory create(MemoryOptions options) {
        try (Block block = new Block()) {
            long optionsAt = options.write(block, null).address;
            return new TranslationMemory(Library.made(null, out -> Library.C.dragoman_memory_create(optionsAt, out)));
        }
    }

    /**
     * Reads a translation memory (TMX 1.4 or before) from a file of any size; its segments are found from now on.
     * {@code count} (null: not wanted) gets how many units were of use: of two languages at least. A file with an error
     * adds nothing.
     *
     * @param path the value
     * @return the result
     */
    public long loadTmx(Path path) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            return with(at -> Library.read(null, 8, out -> Library.C.dragoman_memory_load_tmx(at, pathAt, out), raw -> raw.getLong(0)));
        }
    }

    /**
     * The same from the content of such a file.
     *
     * @param bytes the value
     * @return the result
     */
    public long readTmx(String bytes) {
        try (Block block = new Block()) {
            long bytesAt = block.strings("bytes", List.of(bytes));
            return with(at -> Library.read(null, 8, out -> Library.C.dragoman_memory_read_tmx(at, bytesAt, out), raw -> raw.getLong(0)));
        }
    }

    /**
     * Adds a segment and its translation, of two languages (BCP 47).
     *
     * @param sourceLanguage the value
     * @param targetLanguage the value
     * @param source the value
     * @param target the value
     */
    public void add(String sourceLanguage, String targetLanguage, String source, String target) {
        try (Block block = new Block()) {
            long sourceLanguageAt = block.text("sourceLanguage", sourceLanguage);
            long targetLanguageAt = block.text("targetLanguage", targetLanguage);
            long sourceAt = block.strings("source", List.of(source));
            long targetAt = block.strings("target", List.of(target));
            with(at -> { Library.check(null, Library.C.dragoman_memory_add(at, sourceLanguageAt, targetLanguageAt, sourceAt, targetAt)); return null; });
        }
    }

    /**
     * Writes the translations that were recorded so far as TMX 1.4, one unit for each sentence, and replaces an old
     * file.
     *
     * @param path the value
     */
    public void writeTmx(Path path) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            with(at -> { Library.check(null, Library.C.dragoman_memory_write_tmx(at, pathAt)); return null; });
        }
    }

    /** Forgets everything: answers, in the file too, segments and the record. */
    public void clear() {
        with(at -> { Library.check(null, Library.C.dragoman_memory_clear(at)); return null; });
    }

    /**
     * Reads the counters.
     *
     * @return the result
     */
    public MemoryCounts stats() {
        return with(at -> Library.read(null, MemoryCounts.SIZE, out -> Library.C.dragoman_memory_stats(at, out), MemoryCounts::new));
    }
}
