// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;

/** The way into C: its functions, memory outside of Java, and the addresses of the callbacks. */
interface Backend extends Functions {
  /** Memory that is 0, aligned for any type; to be given back with free(). */
  long allocate(long bytes);

  void free(long address);

  /** That memory, in the machine's byte order. */
  ByteBuffer view(long address, int bytes);

  byte[] bytes(long address, int size);

  /** The text up to its zero byte. */
  String string(long address);

  /** The address of a function of C that calls Callbacks, for the whole life of the process. */
  long callback(Callbacks.Kind kind);

  /** The functions of the library of documents, which is loaded when this is first called. */
  DocumentFunctions documents();

  /** What it is made of. */
  String name();
}
