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

  /** To be freed. */
  Area(int size) {
    address = Library.C.allocate(size);
    bytes = Library.C.view(address, size);
  }
}
