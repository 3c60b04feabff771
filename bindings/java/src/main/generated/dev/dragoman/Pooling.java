// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Which vectors an encoder's output gives. */
public enum Pooling implements Numbered {
    /** What the model's files say, with the layers they put behind it; else the mean. */
    MODEL(0),
    /** One vector: the mean over all tokens, with those around the text. */
    MEAN(1),
    /** One vector: that of the first token. */
    CLS(2),
    /** One vector: BERT's pooler, tanh(W first + b). */
    POOLER(3),
    /** One vector for each token. */
    TOKENS(4);

    private final int number;

    Pooling(int number) {
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }
}
