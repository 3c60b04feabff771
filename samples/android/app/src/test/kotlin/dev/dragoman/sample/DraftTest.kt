// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import org.junit.Assert.assertEquals
import org.junit.Test

class DraftTest {
    private val source = "  One. Two.\n\nThree."
    private val draft = Draft(source)

    private fun put(number: Long, of: String, text: String) =
        draft.put(number, source.indexOf(of), source.indexOf(of) + of.length, text)

    @Test
    fun `a sentence grows and may change`() {
        assertEquals("", draft.text)
        put(0, "One.", "Ei")
        assertEquals("  Ei", draft.text)
        put(0, "One.", "Eins.")
        assertEquals("  Eins.", draft.text)
    }

    @Test
    fun `what is between sentences stays`() {
        put(0, "One.", "Eins.")
        put(1, "Two.", "Zwei.")
        put(2, "Three.", "Drei.")
        assertEquals("  Eins. Zwei.\n\nDrei.", draft.text)
    }

    @Test
    fun `sentences come in any order`() {
        put(2, "Three.", "Drei.")
        assertEquals(" … Drei.", draft.text)
        put(0, "One.", "Eins.")
        assertEquals("  Eins. … Drei.", draft.text)
        put(1, "Two.", "Zwei.")
        assertEquals("  Eins. Zwei.\n\nDrei.", draft.text)
    }
}
