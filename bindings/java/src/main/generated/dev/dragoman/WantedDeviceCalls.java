// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Functions of C whose declarations say all that is to be known. */
class WantedDeviceCalls extends Owner {
    WantedDeviceCalls(long address) {
        super("wanted device", address, Library.C::dragoman_wanted_device_destroy);
    }

    long wantedExtensionCount() {
        return with(at -> Library.C.dragoman_wanted_extension_count(at));
    }

    String wantedExtensions() {
        return with(at -> Reading.cText(Library.C.dragoman_wanted_extensions(at)));
    }

    long wantedFeatures() {
        return with(at -> Library.C.dragoman_wanted_features(at));
    }
}
