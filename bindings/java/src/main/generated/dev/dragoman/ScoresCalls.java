// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class ScoresCalls extends Owner {
    ScoresCalls(long address) {
        super("scores", address, Library.C::dragoman_scores_destroy);
    }

    long count() {
        return with(at -> Library.C.dragoman_scores_count(at));
    }

    List<String> tokens(long pair) {
        return with(at -> Library.read(null, Offsets.TOKENS, out -> Library.C.dragoman_scores_tokens(at, pair, out), Reading::tokens));
    }

    Matrix logProbs(long pair) {
        return with(at -> Library.read(null, Offsets.MATRIX, out -> Library.C.dragoman_scores_log_probs(at, pair, out), Reading::matrix));
    }

    List<Span> ranges(long pair, Places places) {
        return with(at -> Library.read(null, Offsets.RANGES, out -> Library.C.dragoman_scores_ranges(at, pair, out), raw -> Reading.spans(raw, places)));
    }
}
