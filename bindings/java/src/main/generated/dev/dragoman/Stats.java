// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/**
 * Counters of a translator since it was made or translatorResetStats() was called. Batches, steps, dispatches per step
 * and repeated sentences include other translators of the same model; submissions, waits, dispatches and memory include
 * everything on the device.
 */
public final class Stats {
    static final int SIZE = 120;
    private final long sentences;
    private final long sourceTokens;
    private final long targetTokens;
    private final long batches;
    private final long decoderSteps;
    private final long dispatchesPerStep;
    private final long paddingTokens;
    private final long submissions;
    private final long hostWaits;
    private final long dispatches;
    private final long memoryBytes;
    private final long memoryPeakBytes;
    private final long hostPeakBytes;
    private final long repeatedSentences;

    Stats(ByteBuffer raw) {
        sentences = raw.getLong(8);
        sourceTokens = raw.getLong(16);
        targetTokens = raw.getLong(24);
        batches = raw.getLong(32);
        decoderSteps = raw.getLong(40);
        dispatchesPerStep = raw.getLong(48);
        paddingTokens = raw.getLong(56);
        submissions = raw.getLong(64);
        hostWaits = raw.getLong(72);
        dispatches = raw.getLong(80);
        memoryBytes = raw.getLong(88);
        memoryPeakBytes = raw.getLong(96);
        hostPeakBytes = raw.getLong(104);
        repeatedSentences = raw.getLong(112);
    }

    /**
     * Sentences and inputs of tokens that went through the model.
     *
     * @return the value
     */
    public long sentences() {
        return sentences;
    }

    /**
     * Of these, after any cut.
     *
     * @return the value
     */
    public long sourceTokens() {
        return sourceTokens;
    }

    /**
     * Of their best hypotheses.
     *
     * @return the value
     */
    public long targetTokens() {
        return targetTokens;
    }

    /**
     * Times that the encoder ran for new sentences.
     *
     * @return the value
     */
    public long batches() {
        return batches;
    }

    /**
     * Replays of the recorded decoder step.
     *
     * @return the value
     */
    public long decoderSteps() {
        return decoderSteps;
    }

    /**
     * Of the last batch.
     *
     * @return the value
     */
    public long dispatchesPerStep() {
        return dispatchesPerStep;
    }

    /**
     * Computed for nothing; always 0, because batches need no padding.
     *
     * @return the value
     */
    public long paddingTokens() {
        return paddingTokens;
    }

    /**
     * Command submissions to the device.
     *
     * @return the value
     */
    public long submissions() {
        return submissions;
    }

    /**
     * Times the host waited for the device.
     *
     * @return the value
     */
    public long hostWaits() {
        return hostWaits;
    }

    /**
     * Compute dispatches.
     *
     * @return the value
     */
    public long dispatches() {
        return dispatches;
    }

    /**
     * Device memory held now by everything on the device.
     *
     * @return the value
     */
    public long memoryBytes() {
        return memoryBytes;
    }

    /**
     * The most it held at a time.
     *
     * @return the value
     */
    public long memoryPeakBytes() {
        return memoryPeakBytes;
    }

    /**
     * Most the process ever had resident; 0 where the system does not say.
     *
     * @return the value
     */
    public long hostPeakBytes() {
        return hostPeakBytes;
    }

    /**
     * Searched again in float32, because their numbers overflowed in float16.
     *
     * @return the value
     */
    public long repeatedSentences() {
        return repeatedSentences;
    }
}
