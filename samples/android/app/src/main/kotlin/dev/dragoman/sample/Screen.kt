// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import android.app.Activity
import android.text.Editable
import android.text.TextWatcher
import android.view.View
import android.widget.AdapterView
import android.widget.ArrayAdapter
import android.widget.Button
import android.widget.EditText
import android.widget.ProgressBar
import android.widget.Spinner
import android.widget.TextView
import java.util.Locale

/** The views of the activity. */
class Screen(private val activity: Activity) : TextWatcher, AdapterView.OnItemSelectedListener {
    val cancel: Button = activity.findViewById(R.id.cancel)
    val turn: Button = activity.findViewById(R.id.turn)
    val copy: Button = activity.findViewById(R.id.copy)
    val replace: Button = activity.findViewById(R.id.replace)
    private val sourceView: EditText = activity.findViewById(R.id.source)
    private val translationView: TextView = activity.findViewById(R.id.translation)
    private val directionView: Spinner = activity.findViewById(R.id.direction)
    private val progress: ProgressBar = activity.findViewById(R.id.progress)
    private val status: TextView = activity.findViewById(R.id.status)
    private var directions = emptyList<Direction>()
    private var shown = -1
    var onText: () -> Unit = {}
    var onDirection: () -> Unit = {}

    var source: String
        get() = sourceView.text.toString()
        set(value) = sourceView.setText(value)

    var translation: String
        get() = translationView.text.toString()
        set(value) {
            translationView.text = value
            copy.isEnabled = value.isNotEmpty()
            replace.isEnabled = value.isNotEmpty()
        }

    init {
        sourceView.addTextChangedListener(this)
        directionView.onItemSelectedListener = this
        translation = ""
    }

    /** One of those shown. */
    var direction: Direction
        get() = directions[directionView.selectedItemPosition]
        set(value) {
            shown = directions.indexOf(value)
            directionView.setSelection(shown)
        }

    fun show(all: List<Direction>) {
        directions = all
        val labels = all.map { activity.getString(R.string.direction, nameOf(it.from), nameOf(it.to)) }
        directionView.adapter = ArrayAdapter(activity, android.R.layout.simple_spinner_dropdown_item, labels)
        direction = all.suiting(listOf(Locale.getDefault().language), all.first())
    }

    private fun nameOf(language: String) = Locale.forLanguageTag(language).displayLanguage

    /** Something goes on; how far is known if [part] is not negative. */
    fun working(what: String, part: Float = -1f) {
        status.text = what
        progress.visibility = View.VISIBLE
        progress.isIndeterminate = part < 0
        progress.progress = (part * progress.max).toInt().coerceAtLeast(0)
    }

    /** Nothing goes on. */
    fun resting(what: String) {
        status.text = what
        progress.visibility = View.INVISIBLE
        cancel.isEnabled = false
    }

    override fun afterTextChanged(text: Editable) = onText()

    override fun beforeTextChanged(text: CharSequence, start: Int, count: Int, after: Int) = Unit

    override fun onTextChanged(text: CharSequence, start: Int, before: Int, count: Int) = Unit

    /** Also called for what the app itself selected. */
    override fun onItemSelected(parent: AdapterView<*>?, view: View?, position: Int, id: Long) {
        if (position == shown) return
        shown = position
        onDirection()
    }

    override fun onNothingSelected(parent: AdapterView<*>?) = Unit
}
