// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Whose beam search. The engines differ in what ends it, which hypotheses compete and how they are scored. */
public enum Search implements Numbered {
    /** That of the engine the model's format belongs to. */
    AUTO(0),
    /** CTranslate2's, the only one with coveragePenalty and prefixBiasBeta. */
    CTRANSLATE2(1),
    /** Marian's, the only one with wordPenalty. */
    MARIAN(2),
    /** That of Hugging Face's transformers, the only one with earlyStopping. */
    HUGGINGFACE(3);

    private final int number;

    Search(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
