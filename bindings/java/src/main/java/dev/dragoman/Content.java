// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file that a model is loaded from, wherever it is. */
public interface Content {
  /**
   * How long it is.
   *
   * @return the number of bytes
   * @throws IOException if that is not to be known
   */
  long size() throws IOException;

  /**
   * Reads a part, on the thread that loads. It must not use the library.
   *
   * @param offset where the part begins
   * @param into to be filled
   * @throws IOException if it cannot be read; the call that loads throws it
   */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Bytes in memory.
   *
   * @param bytes the content
   * @return the same as a file
   */
  static Content of(byte[] bytes) {
    return new Content() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public void read(long offset, ByteBuffer into) {
        into.put(bytes, (int) offset, into.remaining());
      }
    };
  }

  /**
   * A file that is open for reading, such as a part of an Android package.
   *
   * @param channel left open
   * @return the file
   */
  static Content of(FileChannel channel) {
    return new Content() {
      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        for (long at = offset; into.hasRemaining(); ) {
          int count = channel.read(into, at);
          if (count < 0) {
            throw new EOFException("the file ends at " + at);
          }
          at += count;
        }
      }
    };
  }
}
