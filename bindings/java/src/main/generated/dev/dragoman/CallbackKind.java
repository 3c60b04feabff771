// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** What C calls back; the methods of Callbacks have these names. */
enum CallbackKind {
    LOG,
    READ,
    PROGRESS,
    EVENT
}
