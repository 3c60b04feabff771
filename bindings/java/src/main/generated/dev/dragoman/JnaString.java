// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

import com.sun.jna.Structure;

/** A dragoman_string that C returns. JNA sees public classes alone. */
public class JnaString {
    private JnaString() {}

    /** By value. */
    @Structure.FieldOrder({"data", "size"})
    public static final class ByValue extends Structure implements Structure.ByValue {
        /** From the library: never null, and a zero byte follows the text. */
        public long data;

        /** In bytes, without that zero byte. */
        public long size;

        /** For JNA. */
        public ByValue() {}

        void copyTo(long address) {
            Library.C.view(address, Offsets.STRING).putLong(0, data).putLong(8, size);
        }
    }
}
