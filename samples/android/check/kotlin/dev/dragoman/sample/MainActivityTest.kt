// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import android.app.Activity
import android.content.Intent
import android.os.Looper
import android.view.View
import android.widget.Button
import android.widget.EditText
import android.widget.Spinner
import android.widget.TextView
import dev.dragoman.DragomanException
import dev.dragoman.Model
import dev.dragoman.ModelOptions
import java.io.File
import java.time.Duration
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

/** The activity with the real library: what it shows is compared with the tool of this machine, see check.sh. */
@RunWith(RobolectricTestRunner::class)
class MainActivityTest {
    private val english = System.getProperty("english")!!
    private val german = System.getProperty("german")!!

    private fun open(intent: Intent = Intent(Intent.ACTION_MAIN)): MainActivity {
        val activity = Robolectric.buildActivity(MainActivity::class.java, intent).setup().get()
        val direction = activity.findViewById<Spinner>(R.id.direction)
        waitUntil("loaded") {
            check('\n' !in activity.text(R.id.status)) { activity.text(R.id.status) } // a fault
            direction.count > 0
        }
        return activity
    }

    private fun waitUntil(what: String, done: () -> Boolean) {
        val until = System.nanoTime() + Duration.ofMinutes(1).toNanos()
        while (!done()) {
            check(System.nanoTime() < until) { "waited in vain: $what" }
            Thread.sleep(1)
            shadowOf(Looper.getMainLooper()).idle()
        }
    }

    private fun Activity.text(id: Int) = findViewById<TextView>(id).text.toString()

    private fun Activity.works() = findViewById<Button>(R.id.cancel).isEnabled

    private fun Activity.type(text: String) {
        findViewById<EditText>(R.id.source).setText(text)
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofSeconds(1))
        assertTrue(works())
    }

    private fun Activity.chooseFromEnglish() {
        val spinner = findViewById<Spinner>(R.id.direction)
        spinner.setSelection((0 until spinner.count).first { "${spinner.getItemAtPosition(it)}".startsWith("English") })
        shadowOf(Looper.getMainLooper()).idle()
    }

    @Test
    fun `what is typed is translated, and shown as it is made`() {
        val activity = open()
        activity.chooseFromEnglish()
        activity.type(english)
        val seen = linkedSetOf<String>()
        waitUntil("translated") {
            seen.add(activity.text(R.id.translation))
            !activity.works()
        }
        assertEquals(System.getProperty("english.translated"), activity.text(R.id.translation))
        assertTrue("$seen", seen.size >= 3) // nothing, something, all of it
        assertEquals("", activity.text(R.id.status))
    }

    @Test
    fun `text selected in another app comes back translated from its language`() {
        val given = Intent(Intent.ACTION_PROCESS_TEXT).setType("text/plain").putExtra(Intent.EXTRA_PROCESS_TEXT, german)
        val activity = open(given)
        waitUntil("begun") { activity.works() }
        waitUntil("translated") { !activity.works() }
        assertEquals(System.getProperty("german.translated"), activity.text(R.id.translation))
        val replace = activity.findViewById<Button>(R.id.replace)
        assertEquals(View.VISIBLE, replace.visibility)
        replace.performClick()
        assertTrue(activity.isFinishing)
        assertEquals(Activity.RESULT_OK, shadowOf(activity).resultCode)
        val extra = shadowOf(activity).resultIntent.getCharSequenceExtra(Intent.EXTRA_PROCESS_TEXT)
        assertEquals(System.getProperty("german.translated"), extra.toString())
    }

    @Test
    fun `text that may not be replaced is only shown`() {
        val given = Intent(Intent.ACTION_PROCESS_TEXT).setType("text/plain").putExtra(Intent.EXTRA_PROCESS_TEXT, german)
            .putExtra(Intent.EXTRA_PROCESS_TEXT_READONLY, true)
        assertEquals(View.GONE, open(given).findViewById<View>(R.id.replace).visibility)
    }

    @Test
    fun `a long text is cancelled and the next one works`() {
        val activity = open()
        activity.chooseFromEnglish()
        activity.type("$english ".repeat(200))
        waitUntil("something") { activity.text(R.id.translation).isNotEmpty() }
        activity.findViewById<Button>(R.id.cancel).performClick()
        assertEquals("Cancelled", activity.text(R.id.status))
        assertFalse(activity.works())
        val left = activity.text(R.id.translation)
        Thread.sleep(1000)
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals(left, activity.text(R.id.translation))
        activity.type(english)
        waitUntil("translated") { !activity.works() }
        assertEquals(System.getProperty("english.translated"), activity.text(R.id.translation))
    }

    @Test
    fun `the other direction translates back`() {
        val activity = open()
        activity.chooseFromEnglish()
        activity.type(english)
        waitUntil("translated") { !activity.works() }
        activity.findViewById<Button>(R.id.turn).performClick()
        assertEquals(System.getProperty("english.translated"), activity.text(R.id.source))
        waitUntil("translated back") { !activity.works() }
        assertEquals(System.getProperty("english.back"), activity.text(R.id.translation))
    }

    @Test
    @Config(qualifiers = "de")
    fun `an error has its name, in the language of the system`() {
        val activity = open()
        val missing = File("/no/such/model").toPath()
        val fault = assertThrows(DragomanException::class.java) { Model.load(missing, ModelOptions.builder().build()) }
        activity.failed(fault)
        val lines = activity.text(R.id.status).lines()
        assertEquals("Eine Datei lässt sich nicht lesen oder schreiben.", lines[0])
        assertTrue(lines[1], lines[1].startsWith("IO_ERROR: ") && "/no/such/model" in lines[1])
        activity.failed(UnsatisfiedLinkError("nothing"))
        assertEquals("Die Bibliothek lässt sich nicht laden.\nUnsatisfiedLinkError: nothing", activity.text(R.id.status))
    }
}
