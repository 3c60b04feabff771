// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.nio.ByteBuffer;
import java.util.function.Function;

/** Functions of C whose declarations say all that is to be known. */
class DetectionCalls extends Owner {
    DetectionCalls(long address) {
        super("detection", address, Library.C::dragoman_detection_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_detection_count(at));
    }

    long guessCount(long text) {
        return with(at -> Library.C.dragoman_detection_guess_count(at, text));
    }

    <T> T guess(long text, long index, Function<ByteBuffer, T> read) {
        return with(at -> Library.read(null, Offsets.LANGUAGE_GUESS, out -> Library.C.dragoman_detection_guess(at, text, index, out), read));
    }
}
