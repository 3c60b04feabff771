// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import org.junit.Assert.assertEquals
import org.junit.Test

class DirectionTest {
    private val both = directions(listOf("en", "de"), listOf("en", "de"))
    private val toGerman = Direction("en", "de")
    private val toEnglish = Direction("de", "en")

    @Test
    fun `no language is translated into itself`() {
        assertEquals(listOf(toGerman, toEnglish), both)
        assertEquals(listOf(toGerman), directions(listOf("en"), listOf("en", "de")))
    }

    @Test
    fun `the direction follows the likeliest language that the model reads`() {
        assertEquals(toEnglish, both.suiting(listOf("de", "en"), toGerman))
        assertEquals(toEnglish, both.suiting(listOf("nl", "de"), toGerman))
    }

    @Test
    fun `a direction that fits stays`() {
        val many = directions(listOf("en", "de", "fr"), listOf("de", "fr", "en"))
        assertEquals(Direction("en", "fr"), many.suiting(listOf("en"), Direction("en", "fr")))
        assertEquals(Direction("de", "en"), many.suiting(listOf("de"), Direction("en", "de")))
        assertEquals(Direction("fr", "de"), many.suiting(listOf("fr"), Direction("en", "de")))
    }

    @Test
    fun `where none fits the direction stays`() {
        assertEquals(toGerman, both.suiting(listOf("fr"), toGerman))
        assertEquals(toGerman, both.suiting(emptyList(), toGerman))
        assertEquals(toGerman, listOf(toGerman).suiting(listOf("de"), toGerman))
    }
}
