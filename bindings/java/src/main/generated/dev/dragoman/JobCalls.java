// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import java.util.List;

/** Functions of C whose declarations say all that is to be known. */
class JobCalls extends Owner {
    JobCalls(long address) {
        super("job", address, Library.C::dragoman_job_destroy);
    }

    long feedTexts(List<String> texts, List<List<String>> prefixes, long timeoutMs) {
        try (Block block = new Block()) {
            long textsAt = block.strings("texts", texts);
            long prefixesAt = block.prefixes(prefixes, texts.size());
            return with(at -> Library.read(null, 8, out -> Library.C.dragoman_job_feed_texts(at, textsAt, texts.size(), prefixesAt, timeoutMs, out), raw -> raw.getLong(0)));
        }
    }

    long feedTokens(List<List<String>> sources, List<List<String>> prefixes, long timeoutMs) {
        try (Block block = new Block()) {
            long sourcesAt = block.sequences("sources", sources);
            long prefixesAt = block.prefixes(prefixes, sources.size());
            return with(at -> Library.read(null, 8, out -> Library.C.dragoman_job_feed_tokens(at, sourcesAt, sources.size(), prefixesAt, timeoutMs, out), raw -> raw.getLong(0)));
        }
    }

    void finish() {
        with(at -> { Library.check(null, Library.C.dragoman_job_finish(at)); return null; });
    }

    long nextResultHandle(long timeoutMs) {
        return with(at -> Library.made(null, out -> Library.C.dragoman_job_next_result(at, timeoutMs, out)));
    }

    JobInfo poll() {
        return with(at -> Library.read(null, JobInfo.SIZE, out -> Library.C.dragoman_job_poll(at, out), JobInfo::new));
    }

    void cancel() {
        with(at -> { Library.check(null, Library.C.dragoman_job_cancel(at)); return null; });
    }

    long takeResultHandle() {
        return with(at -> Library.made(null, out -> Library.C.dragoman_job_take_result(at, out)));
    }
}
