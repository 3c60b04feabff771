// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** From a job to a subscriber, as fast as that one asks. */
final class Pipe<T> implements Flow.Subscription {
  private final Flow.Subscriber<? super T> subscriber;
  private final Queue<T> items = new ConcurrentLinkedQueue<>();
  private final AtomicLong demand = new AtomicLong();
  private final AtomicInteger work = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private Runnable stop = () -> {};
  private volatile Throwable thrown;
  private volatile boolean ended;
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
  synchronized void onCancel(Runnable stop) {
    this.stop = stop;
    if (over) {
      stop.run();
    }
  }

  void offer(T item) {
    waiting.incrementAndGet();
    items.add(item);
    schedule();
  }

  /** No item follows; null: all went well. */
  void end(Throwable thrown) {
    this.thrown = thrown;
    ended = true;
    schedule();
  }

  /** Waits until fewer than so many items wait; false when no more are wanted. */
  synchronized boolean awaitRoom(long most) throws InterruptedException {
    while (!over && waiting.get() >= most) {
      wait();
    }
    return !over;
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      stopWork();
      items.clear();
      end(new IllegalArgumentException("request: " + count + ", expected at least 1"));
      return;
    }
    demand.accumulateAndGet(count, (old, more) -> old + more < 0 ? Long.MAX_VALUE : old + more);
    schedule();
  }

  @Override
  public synchronized void cancel() {
    over = true;
    stopWork();
    notifyAll();
  }

  private synchronized void stopWork() {
    stop.run();
  }

  private void schedule() {
    if (work.getAndIncrement() == 0) {
      Job.THREADS.execute(this::drain);
    }
  }

  private void drain() {
    int seen = work.get();
    do {
      try {
        give();
      } catch (Throwable raised) { // a subscriber must not
        cancel();
      }
      seen = work.addAndGet(-seen);
    } while (seen != 0);
  }

  private void give() {
    boolean last = ended; // before the items that came first
    while (!over && demand.get() > 0 && !items.isEmpty()) {
      demand.updateAndGet(left -> left == Long.MAX_VALUE ? left : left - 1);
      T item = items.remove();
      synchronized (this) {
        waiting.decrementAndGet();
        notifyAll();
      }
      subscriber.onNext(item);
    }
    if (!over && last && items.isEmpty()) {
      over = true;
      if (thrown == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(thrown);
      }
    }
  }
}
