// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/** From a job to a subscriber, as fast as that one asks. */
final class Pipe<T> implements Flow.Subscription {
  private final Flow.Subscriber<? super T> subscriber;
  private final Queue<T> items = new ArrayDeque<>();
  private volatile Runnable stop = () -> {};
  private Throwable thrown;
  private long demand;
  private boolean running;
  private boolean ended;
  private volatile boolean over;

  private Pipe(Flow.Subscriber<? super T> subscriber) {
    this.subscriber = subscriber;
  }

  /** Starts anew for each subscriber. */
  static <T> Flow.Publisher<T> publisher(Consumer<Pipe<T>> start) {
    return subscriber -> {
      Pipe<T> pipe = new Pipe<>(Objects.requireNonNull(subscriber, "subscriber"));
      subscriber.onSubscribe(pipe);
      try {
        if (!pipe.over) {
          start.accept(pipe);
        }
      } catch (Throwable thrown) {
        pipe.end(thrown);
      }
    };
  }

  /** What stops the work when the subscriber wants no more. */
  void onCancel(Runnable stop) {
    this.stop = stop;
    if (over) {
      stop.run();
    }
  }

  synchronized void offer(T item) {
    items.add(item);
    schedule();
  }

  /** No item follows; null: all went well. */
  synchronized void end(Throwable thrown) {
    this.thrown = this.thrown == null ? thrown : this.thrown;
    ended = true;
    schedule();
  }

  /** Waits until fewer than so many items wait; false when no more are wanted. */
  synchronized boolean awaitRoom(long most) throws InterruptedException {
    while (!over && items.size() >= most) {
      wait();
    }
    return !over;
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      synchronized (this) {
        items.clear();
        end(new IllegalArgumentException("request: " + count + ", expected at least 1"));
      }
      stop.run(); // without the lock, which its last event may need
      return;
    }
    synchronized (this) {
      demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      schedule();
    }
  }

  @Override
  public void cancel() {
    synchronized (this) {
      over = true;
      notifyAll();
    }
    stop.run();
  }

  private void schedule() {
    if (!running) {
      running = true;
      Job.THREADS.execute(this::drain);
    }
  }

  private void drain() {
    try {
      for (Runnable step; (step = next()) != null; ) {
        step.run();
      }
    } catch (Throwable raised) { // a subscriber must not
      cancel();
    }
  }

  /** What the subscriber is told next; null: nothing for now. */
  private synchronized Runnable next() {
    if (!over && demand > 0 && !items.isEmpty()) {
      demand -= demand == Long.MAX_VALUE ? 0 : 1;
      T item = items.remove();
      notifyAll();
      return () -> subscriber.onNext(item);
    }
    if (!over && ended && items.isEmpty()) {
      over = true;
      return thrown == null ? subscriber::onComplete : () -> subscriber.onError(thrown);
    }
    running = false;
    return null;
  }
}
