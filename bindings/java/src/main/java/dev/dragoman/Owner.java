// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Owns a handle of C. Many threads may use it while one closes it: the last one that does ends it.
 */
abstract class Owner implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  final State state;
  private final Cleaner.Cleanable net;

  Owner(String what, long address, LongConsumer destroy) {
    state = new State(what, address, destroy);
    net = CLEANER.register(this, state);
  }

  <T> T with(LongFunction<T> use) {
    long address = state.enter();
    try {
      return use.apply(address);
    } finally {
      state.leave();
    }
  }

  /**
   * Lets go of it. Closing twice does nothing; calls that use it, and what was made of it, go on.
   */
  @Override
  public void close() {
    net.clean();
  }

  /** Whoever enters keeps the handle until leaving. */
  static final class State implements Runnable {
    private final String what;
    private final long address;
    private final LongConsumer destroy;
    private int users = 1; // until it is closed
    private boolean closed;

    State(String what, long address, LongConsumer destroy) {
      this.what = what;
      this.address = address;
      this.destroy = destroy;
    }

    synchronized long enter() {
      if (closed) {
        throw new IllegalStateException("this " + what + " is closed");
      }
      ++users;
      return address;
    }

    void leave() {
      boolean last;
      synchronized (this) {
        last = --users == 0;
      }
      if (last) {
        destroy.accept(address);
      }
    }

    @Override
    public void run() {
      synchronized (this) {
        closed = true;
      }
      leave(); // a Cleanable runs once
    }
  }
}
