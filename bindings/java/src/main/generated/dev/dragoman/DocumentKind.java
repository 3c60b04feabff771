// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Formats of documents. */
public enum DocumentKind implements Numbered {
    /** Found from the name and the bytes. */
    UNKNOWN(0),
    /** Plain text, "text". */
    TEXT(1),
    /** "html". */
    HTML(2),
    /** "xhtml". */
    XHTML(3),
    /** SubRip, "srt". */
    SRT(4),
    /** WebVTT, "vtt". */
    VTT(5),
    /** "markdown". */
    MARKDOWN(6),
    /** Word, "docx". */
    DOCX(7),
    /** PowerPoint, "pptx". */
    PPTX(8),
    /** Excel, "xlsx". */
    XLSX(9),
    /** OpenDocument text, "odt". */
    ODT(10),
    /** OpenDocument spreadsheet, "ods". */
    ODS(11),
    /** OpenDocument presentation, "odp". */
    ODP(12),
    /** "epub". */
    EPUB(13),
    /** Gettext, "po". */
    PO(14),
    /** XLIFF 1.2 and 2, "xliff". */
    XLIFF(15),
    /** Translation memory, "tmx". */
    TMX(16),
    /** String values, "json". */
    JSON(17),
    /** Flutter's JSON, "arb". */
    ARB(18),
    /** Strings.xml, "android". */
    ANDROID(19),
    /** Apple's .strings, "strings". */
    STRINGS(20);

    private final int number;

    DocumentKind(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
