// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class TranslatorCalls extends Owner {
    TranslatorCalls(long address) {
        super("translator", address, Library.C::dragoman_translator_destroy);
    }

    long translateTextsHandle(List<String> texts, TranslateOptions options) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long textsAt = block.strings("texts", texts);
            long prefixesAt = block.prefixes(options.prefixes(), texts.size());
            long optionsAt = options.write(block, watch).address;
            return with(at -> Library.made(watch, out -> Library.C.dragoman_translate_texts(at, textsAt, texts.size(), prefixesAt, optionsAt, out)));
        }
    }

    long translateTokensHandle(List<List<String>> sources, TranslateOptions options) {
        try (Block block = new Block(); Watch watch = new Watch(options.progress())) {
            long sourcesAt = block.sequences("sources", sources);
            long prefixesAt = block.prefixes(options.prefixes(), sources.size());
            long optionsAt = options.write(block, watch).address;
            return with(at -> Library.made(watch, out -> Library.C.dragoman_translate_tokens(at, sourcesAt, sources.size(), prefixesAt, optionsAt, out)));
        }
    }

    /**
     * Reads the counters.
     *
     * @return the result
     */
    public Stats stats() {
        return with(at -> Library.read(null, Stats.SIZE, out -> Library.C.dragoman_translator_stats(at, out), Stats::new));
    }

    /** Sets the counters to 0. */
    public void resetStats() {
        with(at -> { Library.check(null, Library.C.dragoman_translator_reset_stats(at)); return null; });
    }

    /** Gives back the device memory that the next call can take again, except what running calls and jobs use. */
    public void trim() {
        with(at -> { Library.check(null, Library.C.dragoman_translator_trim(at)); return null; });
    }

    long scoreTokensHandle(List<List<String>> sources, List<List<String>> targets, ScoreOptions options) {
        try (Block block = new Block()) {
            long sourcesAt = block.sequences("sources", sources);
            long targetsAt = block.sequences("targets", targets);
            Library.same("targets", targets.size(), sources.size());
            long optionsAt = options.write(block, null).address;
            return with(at -> Library.made(null, out -> Library.C.dragoman_score_tokens(at, sourcesAt, targetsAt, sources.size(), optionsAt, out)));
        }
    }

    long scoreTextsHandle(List<String> sources, List<String> targets, ScoreOptions options) {
        try (Block block = new Block()) {
            long sourcesAt = block.strings("sources", sources);
            long targetsAt = block.strings("targets", targets);
            Library.same("targets", targets.size(), sources.size());
            long optionsAt = options.write(block, null).address;
            return with(at -> Library.made(null, out -> Library.C.dragoman_score_texts(at, sourcesAt, targetsAt, sources.size(), optionsAt, out)));
        }
    }

    long submitTextsHandle(List<String> texts, TranslateOptions options, Job job) {
        try (Block block = new Block()) {
            long textsAt = block.strings("texts", texts);
            long prefixesAt = block.prefixes(options.prefixes(), texts.size());
            long optionsAt = options.write(block, null).address;
            long jobAt = job.write(block).address;
            return with(at -> Library.made(null, out -> Library.C.dragoman_submit_texts(at, textsAt, texts.size(), prefixesAt, optionsAt, jobAt, out)));
        }
    }

    long submitTokensHandle(List<List<String>> sources, TranslateOptions options, Job job) {
        try (Block block = new Block()) {
            long sourcesAt = block.sequences("sources", sources);
            long prefixesAt = block.prefixes(options.prefixes(), sources.size());
            long optionsAt = options.write(block, null).address;
            long jobAt = job.write(block).address;
            return with(at -> Library.made(null, out -> Library.C.dragoman_submit_tokens(at, sourcesAt, sources.size(), prefixesAt, optionsAt, jobAt, out)));
        }
    }
}
