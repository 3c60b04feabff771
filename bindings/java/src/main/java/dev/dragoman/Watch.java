// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a call calls back. Stops the call when its thread is interrupted, a callback throws, or Java
 * ends.
 */
final class Watch implements AutoCloseable {
  private final Thread thread = Thread.currentThread();
  private final Progress progress;
  final long number;
  Predicate<Download> downloads; // told of those; null: nobody
  private volatile Throwable thrown;

  Watch(Progress progress) {
    this.progress = progress;
    Ending.check();
    Ending.WATCHES.add(this);
    number = Callbacks.add(this);
  }

  /** Does what a caller wrote; false if that throws. */
  private boolean succeeds(Action action) {
    try {
      action.run();
      return true;
    } catch (Throwable raised) {
      thrown = raised;
      return false;
    }
  }

  boolean progress(long done, long total) {
    return goesOn(progress == null ? () -> {} : () -> progress.onProgress(done, total));
  }

  /** The same of another kind of callback. */
  boolean goesOn(Action told) {
    return !Ending.begun && !thread.isInterrupted() && succeeds(told);
  }

  /** An array of dragoman_file. */
  long files(Block block, Map<String, Content> files) {
    Area made = block.area(files.size() * (long) Offsets.FILE);
    int at = 0;
    for (Map.Entry<String, Content> each : files.entrySet()) {
      File file = new File(each.getValue());
      succeeds(() -> file.size = file.content.size());
      rethrow();
      long user = Callbacks.add(file);
      block.atEnd(() -> Callbacks.remove(user));
      made.bytes.putLong(at + Offsets.FILE_NAME, block.text("name", each.getKey()));
      made.bytes.putLong(at + Offsets.FILE_SIZE, file.size);
      made.bytes.putLong(at + Offsets.FILE_READ, Library.C.callback(CallbackKind.READ));
      made.bytes.putLong(at + Offsets.FILE_USER, user);
      at += Offsets.FILE;
    }
    return made.address;
  }

  /** Throws what a callback threw. */
  void rethrow() {
    if (thrown != null) {
      Watch.<RuntimeException>raise(thrown);
    }
  }

  @SuppressWarnings("unchecked")
  static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void close() {
    Callbacks.remove(number);
    Ending.WATCHES.remove(this);
  }

  /** What a caller wrote. */
  interface Action {
    void run() throws IOException;
  }

  /** A file that the call reads. */
  final class File {
    private final Content content;
    private long size;

    private File(Content content) {
      this.content = content;
    }

    boolean read(long offset, ByteBuffer into) {
      return succeeds(() -> content.read(offset, into)) && !into.hasRemaining();
    }
  }
}
