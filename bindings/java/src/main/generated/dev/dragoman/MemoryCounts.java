// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** What a memory has, and what it was asked since it was made. */
public final class MemoryCounts {
    static final int SIZE = 104;
    private final long entries;
    private final long bytes;
    private final long evicted;
    private final long fileEntries;
    private final long fileBytes;
    private final long hits;
    private final long fileHits;
    private final long misses;
    private final long segments;
    private final long exactMatches;
    private final long fuzzyMatches;
    private final long recorded;

    MemoryCounts(ByteBuffer raw) {
        entries = raw.getLong(8);
        bytes = raw.getLong(16);
        evicted = raw.getLong(24);
        fileEntries = raw.getLong(32);
        fileBytes = raw.getLong(40);
        hits = raw.getLong(48);
        fileHits = raw.getLong(56);
        misses = raw.getLong(64);
        segments = raw.getLong(72);
        exactMatches = raw.getLong(80);
        fuzzyMatches = raw.getLong(88);
        recorded = raw.getLong(96);
    }

    /**
     * Answers in memory.
     *
     * @return the value
     */
    public long entries() {
        return entries;
    }

    /**
     * That they take.
     *
     * @return the value
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Answers that went from memory for others.
     *
     * @return the value
     */
    public long evicted() {
        return evicted;
    }

    /**
     * Answers in the file.
     *
     * @return the value
     */
    public long fileEntries() {
        return fileEntries;
    }

    /**
     * That they take.
     *
     * @return the value
     */
    public long fileBytes() {
        return fileBytes;
    }

    /**
     * Sentences whose answer was in memory.
     *
     * @return the value
     */
    public long hits() {
        return hits;
    }

    /**
     * In the file only.
     *
     * @return the value
     */
    public long fileHits() {
        return fileHits;
    }

    /**
     * In neither.
     *
     * @return the value
     */
    public long misses() {
        return misses;
    }

    /**
     * Units of translation memories.
     *
     * @return the value
     */
    public long segments() {
        return segments;
    }

    /**
     * Sentences that one of them translated.
     *
     * @return the value
     */
    public long exactMatches() {
        return exactMatches;
    }

    /**
     * Sentences with segments that are like them.
     *
     * @return the value
     */
    public long fuzzyMatches() {
        return fuzzyMatches;
    }

    /**
     * Translations in the record.
     *
     * @return the value
     */
    public long recorded() {
        return recorded;
    }
}
