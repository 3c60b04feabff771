// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Contents as an array of dragoman_file, for one call. */
final class Files implements Callbacks.ReadReceiver {
  private final Content content;
  private Throwable thrown;

  private Files(Content content) {
    this.content = content;
  }

  /** A call with such an array; throws what a content threw, or the exception of the status. */
  interface Call {
    int with(long files);
  }

  static void check(Map<String, Content> files, Call call) {
    Files[] all = new Files[files.size()];
    try (Block block = new Block()) {
      Area made = block.area(files.size() * (long) Offsets.FILE);
      int place = 0;
      for (Map.Entry<String, Content> file : files.entrySet()) {
        Files reader = new Files(file.getValue());
        long number = Callbacks.add(reader);
        block.atEnd(() -> Callbacks.remove(number));
        int at = place * Offsets.FILE;
        made.bytes.putLong(at + Offsets.FILE_NAME, block.text("name", file.getKey()));
        made.bytes.putLong(at + Offsets.FILE_SIZE, file.getValue().size());
        made.bytes.putLong(at + Offsets.FILE_READ, C.callback(Callbacks.Kind.READ));
        made.bytes.putLong(at + Offsets.FILE_USER, number);
        all[place++] = reader;
      }
      int status = call.with(made.address);
      for (Files reader : all) {
        if (status != 0 && reader.thrown != null) {
          Watch.<RuntimeException>raise(reader.thrown);
        }
      }
      Library.check(status);
    } catch (IOException unknownSize) {
      Watch.<RuntimeException>raise(unknownSize);
    }
  }

  @Override
  public boolean read(long offset, ByteBuffer into) {
    try {
      content.read(offset, into);
      return !into.hasRemaining();
    } catch (Throwable raised) {
      thrown = raised;
      return false;
    }
  }
}
