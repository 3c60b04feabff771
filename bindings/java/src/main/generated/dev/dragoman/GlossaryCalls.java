// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.file.Path;
import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class GlossaryCalls extends Owner {
    GlossaryCalls(long address) {
        super("glossary", address, Library.C::dragoman_glossary_destroy);
    }

    /**
     * Reads a glossary of tab- or comma-separated values, or TBX, from a file. The languages, "de", say which terms of
     * TBX are meant; a table needs none. {@code sourceLanguage} null or "": none. {@code targetLanguage} null or "":
     * none.
     *
     * @param path the value
     * @param sourceLanguage the value
     * @param targetLanguage the value
     * @return the result
     */
    public static Glossary load(Path path, String sourceLanguage, String targetLanguage) {
        try (Block block = new Block()) {
            long pathAt = block.text("path", path);
            long sourceLanguageAt = block.text("sourceLanguage", sourceLanguage);
            long targetLanguageAt = block.text("targetLanguage", targetLanguage);
            return new Glossary(Library.made(null, out -> Library.C.dragoman_glossary_load(pathAt, sourceLanguageAt, targetLanguageAt, out)));
        }
    }

    /**
     * The same from the content of such a file.
     *
     * @param bytes the value
     * @param sourceLanguage the value
     * @param targetLanguage the value
     * @return the result
     */
    public static Glossary read(String bytes, String sourceLanguage, String targetLanguage) {
        try (Block block = new Block()) {
            long bytesAt = block.strings("bytes", List.of(bytes));
            long sourceLanguageAt = block.text("sourceLanguage", sourceLanguage);
            long targetLanguageAt = block.text("targetLanguage", targetLanguage);
            return new Glossary(Library.made(null, out -> Library.C.dragoman_glossary_read(bytesAt, sourceLanguageAt, targetLanguageAt, out)));
        }
    }

    /**
     * Number of entries; 0 for null.
     *
     * @return the result
     */
    public long count() {
        return with(at -> Library.C.dragoman_glossary_count(at));
    }
}
