// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class ReportCalls extends Owner {
    ReportCalls(long address) {
        super("report", address, Library.C::dragoman_report_destroy);
    }

    String json() {
        return with(at -> Library.read(null, Offsets.STRING, out -> Library.C.dragoman_report_json(at, out), Reading::string));
    }
}
