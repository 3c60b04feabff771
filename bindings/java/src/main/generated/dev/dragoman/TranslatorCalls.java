// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class TranslatorCalls extends Owner {
    TranslatorCalls(long address) {
        super("translator", address, Library.C::dragoman_translator_destroy);
    }

    /**
     * Reads the counters.
     *
     * @return the result
     */
    public Stats stats() {
        return handle.with(at -> Library.read(Stats.SIZE, out -> Library.C.dragoman_translator_stats(at, out), Stats::new));
    }

    /** Sets the counters to 0. */
    public void resetStats() {
        handle.run(at -> Library.check(Library.C.dragoman_translator_reset_stats(at)));
    }

    /** Gives back the device memory that the next call can take again, except what running calls and jobs use. */
    public void trim() {
        handle.run(at -> Library.check(Library.C.dragoman_translator_trim(at)));
    }

    long scoreTokensHandle(List<List<String>> sources, List<List<String>> targets, ScoreOptions options) {
        try (Block block = new Block()) {
            long sourcesAt = block.sequences("sources", sources);
            long targetsAt = block.sequences("targets", targets);
            Library.same("targets", targets.size(), sources.size());
            long optionsAt = options.write(block).address;
            return handle.with(at -> Library.made(out -> Library.C.dragoman_score_tokens(at, sourcesAt, targetsAt, sources.size(), optionsAt, out)));
        }
    }

    long scoreTextsHandle(List<String> sources, List<String> targets, ScoreOptions options) {
        try (Block block = new Block()) {
            long sourcesAt = block.strings("sources", sources);
            long targetsAt = block.strings("targets", targets);
            Library.same("targets", targets.size(), sources.size());
            long optionsAt = options.write(block).address;
            return handle.with(at -> Library.made(out -> Library.C.dragoman_score_texts(at, sourcesAt, targetsAt, sources.size(), optionsAt, out)));
        }
    }
}
