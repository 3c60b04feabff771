// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import java.io.ByteArrayInputStream
import java.io.File
import java.io.IOException
import java.io.InputStream
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class UnpackTest {
    @get:Rule val temporary = TemporaryFolder()
    private val models get() = File(temporary.root, "models")
    private val contents = mapOf("config.json" to ByteArray(10) { 1 }, "weights" to ByteArray(200_000) { it.toByte() })
    private var opened = 0

    private fun open(name: String): InputStream {
        ++opened
        return ByteArrayInputStream(contents.getValue(name))
    }

    @Test
    fun `all files arrive and progress ends at 1`() {
        val parts = mutableListOf<Float>()
        val folder = File(models, "en-de-1")
        unpack(folder, contents.keys.toList(), ::open, parts::add)
        for ((name, bytes) in contents) assertTrue(bytes.contentEquals(File(folder, name).readBytes()))
        assertEquals(parts.sorted(), parts)
        assertEquals(1f, parts.last())
        assertTrue(parts.size > 3)
    }

    @Test
    fun `it is done once, and an older one goes`() {
        unpack(File(models, "en-de-1"), contents.keys.toList(), ::open) {}
        val before = opened
        unpack(File(models, "en-de-1"), contents.keys.toList(), ::open) {}
        assertEquals(before, opened)
        unpack(File(models, "en-de-2"), contents.keys.toList(), ::open) {}
        assertEquals(listOf("en-de-2"), models.list().orEmpty().toList())
    }

    @Test
    fun `nothing is there after a failure`() {
        val folder = File(models, "en-de-1")
        var left = 3 // both sizes, one content
        val failing = { name: String -> if (left-- > 0) open(name) else throw IOException("full") }
        assertThrows(IOException::class.java) { unpack(folder, contents.keys.toList(), failing) {} }
        assertFalse(folder.exists())
        unpack(folder, contents.keys.toList(), ::open) {}
        assertTrue(folder.isDirectory)
    }
}
