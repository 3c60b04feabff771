// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import com.sun.jna.Callback;

/** Callbacks in the order of their kinds. */
final class JnaCallbacks {
    private interface Log extends Callback {
        void call(int level, long line, long user);
    }

    private interface Read extends Callback {
        int call(long offset, long buffer, long size, long user);
    }

    private interface Progress extends Callback {
        int call(long done, long total, long user);
    }

    private interface Event extends Callback {
        void call(long event, long user);
    }

    static final Callback[] ALL = {
        (Log) Callbacks::log,
        (Read) Callbacks::read,
        (Progress) Callbacks::progress,
        (Event) Callbacks::event
    };

    private JnaCallbacks() {}
}
