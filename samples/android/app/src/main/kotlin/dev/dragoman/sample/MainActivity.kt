// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import android.app.Activity
import android.content.ClipData
import android.content.ClipboardManager
import android.content.Intent
import android.os.Bundle
import android.os.Handler
import android.os.Looper
import android.view.View

/** Translates what is typed, pasted or handed over by another app, and shows the translation as it is made. */
class MainActivity : Activity(), Told {
    private lateinit var screen: Screen
    private lateinit var engine: Engine
    private val later = Handler(Looper.getMainLooper())
    private val watcher = ::onLoading
    private var directions = emptyList<Direction>()
    private var run: Run? = null

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.main)
        screen = Screen(this)
        screen.onText = ::translateLater
        screen.onDirection = ::translate
        screen.cancel.setOnClickListener { stop(getString(R.string.cancelled)) }
        screen.turn.setOnClickListener { turn() }
        screen.copy.setOnClickListener { copy() }
        screen.replace.setOnClickListener { replace() }
        screen.replace.visibility = if (mayReplace()) View.VISIBLE else View.GONE
        if (state == null) handedOver()?.let { screen.source = it }
        engine = Engine.of(this)
        engine.watch(watcher)
    }

    override fun onDestroy() {
        engine.unwatch(watcher)
        later.removeCallbacksAndMessages(null)
        run?.cancel()
        super.onDestroy()
    }

    override fun onTrimMemory(level: Int) {
        super.onTrimMemory(level)
        engine.trim()
    }

    /** The text that another app selected or shared. */
    private fun handedOver(): String? = when (intent.action) {
        Intent.ACTION_PROCESS_TEXT -> intent.getCharSequenceExtra(Intent.EXTRA_PROCESS_TEXT)?.toString()
        Intent.ACTION_SEND -> intent.getCharSequenceExtra(Intent.EXTRA_TEXT)?.toString()
        else -> null
    }

    private fun mayReplace() = intent.action == Intent.ACTION_PROCESS_TEXT &&
        !intent.getBooleanExtra(Intent.EXTRA_PROCESS_TEXT_READONLY, false)

    private fun onLoading(loading: Loading) {
        when (loading) {
            is Loading.Unpacking -> screen.working(getString(R.string.unpacking), loading.part)
            is Loading.OpeningDevice -> screen.working(getString(R.string.opening_device))
            is Loading.ReadingModel -> screen.working(getString(R.string.reading_model))
            is Loading.Ready -> onReady(loading)
            is Loading.Failed -> failed(loading.fault)
        }
    }

    private fun onReady(ready: Loading.Ready) {
        directions = ready.directions
        screen.resting(getString(R.string.ready, ready.device))
        screen.show(directions)
        val text = screen.source
        if (text.isBlank()) return
        engine.detect(text, directions.map { it.from }.distinct()) { guesses ->
            if (!isDestroyed) {
                screen.direction = directions.suiting(guesses, screen.direction)
                translate()
            }
        }
    }

    private fun translateLater() {
        later.removeCallbacksAndMessages(null)
        later.postDelayed(::translate, PAUSE_MS)
    }

    private fun translate() {
        later.removeCallbacksAndMessages(null)
        if (directions.isEmpty()) return
        run?.cancel()
        run = null
        screen.translation = ""
        screen.resting("")
        val text = screen.source
        if (text.isBlank()) return
        screen.working(getString(R.string.translating))
        screen.cancel.isEnabled = true
        run = engine.translate(text, screen.direction, this)
    }

    override fun grew(translation: String, done: Long, total: Long) {
        screen.translation = translation
        if (total > 1) screen.working(getString(R.string.sentences, done, total), done.toFloat() / total)
    }

    override fun finished(translation: String) {
        screen.translation = translation
        stop("")
    }

    override fun failed(fault: Throwable) {
        val described = fault.described()
        stop(getString(R.string.fault, getString(described.sentence), described.name, described.message))
    }

    private fun stop(why: String) {
        later.removeCallbacksAndMessages(null)
        run?.cancel()
        run = null
        screen.resting(why)
    }

    /** The other direction, for the translation as text. */
    private fun turn() {
        val turned = screen.direction.turned()
        if (turned !in directions) return
        val text = screen.translation
        screen.direction = turned
        if (text.isNotBlank()) screen.source = text
        translate()
    }

    private fun copy() = getSystemService(ClipboardManager::class.java)
        .setPrimaryClip(ClipData.newPlainText(getString(R.string.translation), screen.translation))

    /** Puts the translation where the other app's selection was. */
    private fun replace() {
        setResult(RESULT_OK, Intent().putExtra(Intent.EXTRA_PROCESS_TEXT, screen.translation))
        finish()
    }

    private companion object {
        const val PAUSE_MS = 300L
    }
}
