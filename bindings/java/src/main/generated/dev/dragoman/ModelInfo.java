// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;

/** What a model is. */
public final class ModelInfo {
    static final int SIZE = 2976;
    private final boolean hasTokenizer;
    private final long dModel;
    private final long heads;
    private final long encoderLayers;
    private final long decoderLayers;
    private final long encoderFfn;
    private final long decoderFfn;
    private final long sourceVocabulary;
    private final long targetVocabulary;
    private final long parameters;
    private final long fileBytes;
    private final long deviceBytes;
    private final String format;
    private final String family;
    private final String storedTypes;
    private final String computeType;
    private final String version;
    private final String license;
    private final String path;
    private final String prompt;
    private final long networks;
    private final long maxSourceTokens;
    private final long maxTargetTokens;
    private final String lacks;
    private final String computeReason;

    ModelInfo(ByteBuffer raw) {
        hasTokenizer = raw.getInt(4) != 0;
        dModel = Integer.toUnsignedLong(raw.getInt(8));
        heads = Integer.toUnsignedLong(raw.getInt(12));
        encoderLayers = Integer.toUnsignedLong(raw.getInt(16));
        decoderLayers = Integer.toUnsignedLong(raw.getInt(20));
        encoderFfn = Integer.toUnsignedLong(raw.getInt(24));
        decoderFfn = Integer.toUnsignedLong(raw.getInt(28));
        sourceVocabulary = Integer.toUnsignedLong(raw.getInt(32));
        targetVocabulary = Integer.toUnsignedLong(raw.getInt(36));
        parameters = raw.getLong(40);
        fileBytes = raw.getLong(48);
        deviceBytes = raw.getLong(56);
        format = Reading.chars(raw, 64);
        family = Reading.chars(raw, 96);
        storedTypes = Reading.chars(raw, 160);
        computeType = Reading.chars(raw, 288);
        version = Reading.chars(raw, 304);
        license = Reading.chars(raw, 336);
        path = Reading.chars(raw, 1360);
        prompt = Reading.chars(raw, 2384);
        networks = Integer.toUnsignedLong(raw.getInt(2640));
        maxSourceTokens = Integer.toUnsignedLong(raw.getInt(2648));
        maxTargetTokens = Integer.toUnsignedLong(raw.getInt(2652));
        lacks = Reading.chars(raw, 2656);
        computeReason = Reading.chars(raw, 2912);
    }

    /**
     * 1: takes and gives text; 0: only tokens.
     *
     * @return the value
     */
    public boolean hasTokenizer() {
        return hasTokenizer;
    }

    /**
     * Width of the layers; of the states, where the model is recurrent.
     *
     * @return the value
     */
    public long dModel() {
        return dModel;
    }

    /**
     * Attention heads of a layer of the encoder, or of a decoder alone; 1: recurrent.
     *
     * @return the value
     */
    public long heads() {
        return heads;
    }

    /**
     * Layers of the encoder; 0: a decoder alone, which continues texts.
     *
     * @return the value
     */
    public long encoderLayers() {
        return encoderLayers;
    }

    /**
     * Layers of the decoder.
     *
     * @return the value
     */
    public long decoderLayers() {
        return decoderLayers;
    }

    /**
     * Width of the encoder's feed-forward blocks; 0 where it has none.
     *
     * @return the value
     */
    public long encoderFfn() {
        return encoderFfn;
    }

    /**
     * Width of the decoder's; 0 where it has none.
     *
     * @return the value
     */
    public long decoderFfn() {
        return decoderFfn;
    }

    /**
     * Number of tokens that may go in; 0: those that may come out.
     *
     * @return the value
     */
    public long sourceVocabulary() {
        return sourceVocabulary;
    }

    /**
     * Number of tokens that may come out.
     *
     * @return the value
     */
    public long targetVocabulary() {
        return targetVocabulary;
    }

    /**
     * Numbers in all weights; those that several parts share count once.
     *
     * @return the value
     */
    public long parameters() {
        return parameters;
    }

    /**
     * Size on disk of all files of the model, or of its one file.
     *
     * @return the value
     */
    public long fileBytes() {
        return fileBytes;
    }

    /**
     * Weights on the device; 0 from modelDescribe().
     *
     * @return the value
     */
    public long deviceBytes() {
        return deviceBytes;
    }

    /**
     * "ctranslate2".
     *
     * @return the value
     */
    public String format() {
        return format;
    }

    /**
     * "TransformerSpec".
     *
     * @return the value
     */
    public String family() {
        return family;
    }

    /**
     * Types of the weights in the file, "int8, float32".
     *
     * @return the value
     */
    public String storedTypes() {
        return storedTypes;
    }

    /**
     * "float32", "float16" or "int8"; "" from modelDescribe().
     *
     * @return the value
     */
    public String computeType() {
        return computeType;
    }

    /**
     * Of the model, as its files spell it.
     *
     * @return the value
     */
    public String version() {
        return version;
    }

    /**
     * Beginning of the licence, or its name.
     *
     * @return the value
     */
    public String license() {
        return license;
    }

    /**
     * Where the model was found; "memory" or "memory/NAME" for the caller's files.
     *
     * @return the value
     */
    public String path() {
        return path;
    }

    /**
     * What stands around a text and begins its translation, for any pair of languages: "{from} TEXT &lt;/s&gt; =&gt;
     * &lt;/s&gt; {to} TEXT &lt;/s&gt;".
     *
     * @return the value
     */
    public String prompt() {
        return prompt;
    }

    /**
     * More than 1: an ensemble; widths and layers are those of the first one.
     *
     * @return the value
     */
    public long networks() {
        return networks;
    }

    /**
     * Most tokens of a source, with those the model wants around it; 0: any number.
     *
     * @return the value
     */
    public long maxSourceTokens() {
        return maxSourceTokens;
    }

    /**
     * Most tokens of a translation, likewise.
     *
     * @return the value
     */
    public long maxTargetTokens() {
        return maxTargetTokens;
    }

    /**
     * What the library offers and the model does not, with ", " between: "shortlist, int8 products"; "": nothing.
     *
     * @return the value
     */
    public String lacks() {
        return lacks;
    }

    /**
     * Why that compute type: "asked for", "fastest on GPUs"; "" from modelDescribe().
     *
     * @return the value
     */
    public String computeReason() {
        return computeReason;
    }
}
