// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;

/** The way into C: its functions, memory outside of Java, and the addresses of the callbacks. */
interface Backend extends Functions {
  /** The functions of C's own library. */
  SystemFunctions system();

  /** The functions of the library of documents, which is loaded when this is first called. */
  DocumentFunctions documents();

  /** The functions of the library of published models, likewise. */
  ModelsFunctions models();

  /** Memory outside of Java, in the machine's byte order. */
  ByteBuffer view(long address, long bytes);

  /** The address of a function of C that calls Callbacks, for the whole life of the process. */
  long callback(CallbackKind kind);

  /** What it is made of. */
  String name();
}
