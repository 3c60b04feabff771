// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.util.function.BiConsumer;

/** A receiver of the library's log lines, beside any others. */
public final class Logger extends Owner {
  private Logger(long address, long receiver) {
    super(
        "logger",
        address,
        at -> {
          C.dragoman_logger_destroy(at);
          Callbacks.remove(receiver);
        });
    Ending.LOGGERS.add(this);
  }

  /**
   * Sends lines to a receiver until the logger is closed. It must not use the library, and may be
   * called on any thread.
   *
   * @param level up to this one
   * @param receiver of lines without a line feed
   * @return the logger
   */
  public static Logger open(LogLevel level, BiConsumer<LogLevel, String> receiver) {
    long user = Callbacks.add(receiver);
    long callback = C.callback(CallbackKind.LOG);
    long made =
        Library.made(null, out -> C.dragoman_logger_create(callback, user, level.number(), out));
    return new Logger(made, user);
  }

  @Override
  public void close() {
    Ending.LOGGERS.remove(this);
    super.close();
  }
}
