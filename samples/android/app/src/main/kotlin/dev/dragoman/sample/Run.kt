// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import dev.dragoman.Event
import java.util.concurrent.Executor
import java.util.concurrent.Flow
import java.util.concurrent.atomic.AtomicBoolean

/** What becomes of a text, told on the main thread. */
interface Told {
    /** The translation so far, and how many of its sentences are done, if that is known. */
    fun grew(translation: String, done: Long, total: Long)

    fun finished(translation: String)

    fun failed(fault: Throwable)
}

/** A text that is being translated. Tells nothing more once it is cancelled. */
class Run(text: String, private val main: Executor, private val told: Told) : Flow.Subscriber<Event> {
    private val draft = Draft(text)
    private val waiting = AtomicBoolean()
    private var subscription: Flow.Subscription? = null

    @Volatile private var cancelled = false

    @Volatile private var done = 0L

    @Volatile private var total = 0L

    @Synchronized
    fun cancel() {
        cancelled = true
        subscription?.cancel()
    }

    @Synchronized
    override fun onSubscribe(given: Flow.Subscription) {
        subscription = given
        if (cancelled) given.cancel() else given.request(Long.MAX_VALUE)
    }

    /** Events may come faster than the screen is drawn: at most one of them waits for it. */
    override fun onNext(event: Event) {
        draft.put(event.sentence(), event.sourceSpan().begin(), event.sourceSpan().end(), event.text())
        done = event.done()
        total = event.total()
        if (waiting.compareAndSet(false, true)) {
            tell {
                waiting.set(false)
                told.grew(draft.text, done, total)
            }
        }
    }

    override fun onComplete() = tell { told.finished(draft.text) }

    override fun onError(fault: Throwable) = tell { told.failed(fault) }

    private fun tell(what: () -> Unit) = main.execute { if (!cancelled) what() }
}
