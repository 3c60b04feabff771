// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import java.util.TreeMap

/** A translation while it is made: sentences come in any order, and each grows. */
class Draft(private val source: String) {
    private class Sentence(val begin: Int, val end: Int, val text: String)

    private val sentences = TreeMap<Long, Sentence>()

    /** The translation so far of the sentence at [begin] to [end] of the source. */
    @Synchronized
    fun put(number: Long, begin: Int, end: Int, text: String) {
        sentences[number] = Sentence(begin, end, text)
    }

    /** With what is between sentences in the source; "…" where some are still missing. */
    @get:Synchronized
    val text: String
        get() {
            val out = StringBuilder()
            var number = 0L
            var at = 0
            for ((its, sentence) in sentences) {
                if (its == number) out.append(source, at, sentence.begin) else out.append(" … ")
                out.append(sentence.text)
                number = its + 1
                at = sentence.end
            }
            return out.toString()
        }
}
