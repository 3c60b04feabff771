// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import dev.dragoman.DragomanException
import dev.dragoman.Status
import java.util.concurrent.CompletionException

/** What happened, its name and its message. */
class Fault(val sentence: Int, val name: String, val message: String)

fun Throwable.described(): Fault = when (val fault = withoutWrapper()) {
    is DragomanException -> Fault(sentence(fault.status()), fault.status().name, fault.message.orEmpty())
    is LinkageError -> Fault(R.string.fault_library, fault.javaClass.simpleName, fault.message.orEmpty())
    else -> Fault(R.string.fault_other, fault.javaClass.simpleName, fault.message.orEmpty())
}

private fun Throwable.withoutWrapper(): Throwable =
    if (this is CompletionException || this is ExceptionInInitializerError) cause ?: this else this

private fun sentence(status: Status): Int = when (status) {
    Status.INVALID_ARGUMENT -> R.string.fault_invalid_argument
    Status.BAD_MODEL -> R.string.fault_bad_model
    Status.UNSUPPORTED -> R.string.fault_unsupported
    Status.OUT_OF_MEMORY -> R.string.fault_out_of_memory
    Status.DEVICE_LOST -> R.string.fault_device_lost
    Status.NO_DEVICE -> R.string.fault_no_device
    Status.IO_ERROR -> R.string.fault_io_error
    Status.CANCELLED -> R.string.fault_cancelled
    Status.INTERNAL, Status.OK -> R.string.fault_internal
}
