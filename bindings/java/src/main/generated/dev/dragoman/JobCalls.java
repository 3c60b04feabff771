// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class JobCalls extends Owner {
    JobCalls(long address) {
        super("job", address, Library.C::dragoman_job_destroy);
    }

    void finish() {
        handle.run(at -> Library.check(Library.C.dragoman_job_finish(at)));
    }

    long nextResultHandle(long timeoutMs) {
        return handle.with(at -> Library.made(out -> Library.C.dragoman_job_next_result(at, timeoutMs, out)));
    }

    JobInfo poll() {
        return handle.with(at -> Library.read(JobInfo.SIZE, out -> Library.C.dragoman_job_poll(at, out), JobInfo::new));
    }

    void cancel() {
        handle.run(at -> Library.check(Library.C.dragoman_job_cancel(at)));
    }

    long takeResultHandle() {
        return handle.with(at -> Library.made(out -> Library.C.dragoman_job_take_result(at, out)));
    }
}
