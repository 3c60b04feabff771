// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.function.LongConsumer;

/** What owns a handle of C. */
abstract class Owner implements AutoCloseable {
  final Handle handle;

  Owner(String what, long address, LongConsumer destroy) {
    handle = new Handle(what, address, destroy);
  }

  /**
   * Lets go of it. Closing twice does nothing; calls that use it, and what was made of it, go on.
   */
  @Override
  public void close() {
    handle.close();
  }
}
