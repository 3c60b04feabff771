// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.nio.ByteBuffer;

/** Memory outside of Java. */
final class Area {
  final long address;
  final ByteBuffer bytes;

  Area(long address, ByteBuffer bytes) {
    this.address = address;
    this.bytes = bytes;
  }

  /** Memory that is 0, aligned for any type, to be freed. */
  Area(int size) {
    address = Library.C.system().calloc(1, size);
    if (address == 0) {
      throw new OutOfMemoryException("no " + size + " bytes of memory");
    }
    bytes = Library.C.view(address, size);
  }
}
