// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import android.content.Context
import android.content.pm.PackageManager
import android.util.Log
import dev.dragoman.Device
import dev.dragoman.DeviceOptions
import dev.dragoman.Dragoman
import dev.dragoman.JobOptions
import dev.dragoman.LogLevel
import dev.dragoman.Logger
import dev.dragoman.Model
import dev.dragoman.ModelOptions
import dev.dragoman.Side
import dev.dragoman.TranslateOptions
import dev.dragoman.Translator
import java.io.File
import java.util.concurrent.Executors

/** How far the engine is. */
sealed interface Loading {
    /** [part] of the model is out of the app's archive. */
    data class Unpacking(val part: Float) : Loading

    data object OpeningDevice : Loading

    data object ReadingModel : Loading

    class Ready(val device: String, val directions: List<Direction>) : Loading

    class Failed(val fault: Throwable) : Loading
}

/** The model on its device, for all of the process: a screen that is turned does not load it again. */
class Engine private constructor(private val context: Context) {
    private val worker = Executors.newSingleThreadExecutor()
    private val watchers = LinkedHashSet<(Loading) -> Unit>()
    private var loading: Loading = Loading.Unpacking(0f)
    private var logger: Logger? = null
    private var device: Device? = null
    private lateinit var translator: Translator

    /** Tells [watcher] how far it is, on the main thread, now and at each change. */
    fun watch(watcher: (Loading) -> Unit) {
        watchers.add(watcher)
        watcher(loading)
    }

    fun unwatch(watcher: (Loading) -> Unit) {
        watchers.remove(watcher)
    }

    fun load() {
        worker.execute {
            try {
                tell(open())
            } catch (fault: Throwable) { // a library that is missing is an Error
                close()
                tell(Loading.Failed(fault))
            }
        }
    }

    private fun open(): Loading {
        val folder = unpackModel()
        tell(Loading.OpeningDevice)
        logger = Logger.open(LogLevel.WARNING) { _, line -> Log.w("dragoman", line) }
        val opened = Device.open(DeviceOptions.builder().cacheDir(context.cacheDir.path).build())
        device = opened
        tell(Loading.ReadingModel)
        val model = Model.load(folder.toPath(), ModelOptions.builder().device(opened).build())
        translator = model.translator(TranslateOptions.builder().build())
        val all = directions(model.languages(Side.SOURCE).map { it.tag() }, model.languages(Side.TARGET).map { it.tag() })
        return Loading.Ready(opened.info().name(), all)
    }

    private fun unpackModel(): File {
        val any = PackageManager.PackageInfoFlags.of(0)
        val installed = context.packageManager.getPackageInfo(context.packageName, any).lastUpdateTime
        val names = context.assets.list(MODEL).orEmpty().toList()
        val folder = File(File(context.filesDir, "models"), "$MODEL-$installed")
        unpack(folder, names, { context.assets.open("$MODEL/$it") }) { tell(Loading.Unpacking(it)) }
        return folder
    }

    private fun close() {
        device?.close()
        logger?.close()
        device = null
        logger = null
    }

    private fun tell(now: Loading) = context.mainExecutor.execute {
        loading = now
        watchers.toList().forEach { it(now) }
    }

    /** Only when it is ready. */
    fun translate(text: String, direction: Direction, told: Told): Run {
        val run = Run(text, context.mainExecutor, told)
        worker.execute {
            try {
                translator.stream(listOf(text), options(direction), LIVE).subscribe(run)
            } catch (fault: Throwable) {
                run.onError(fault)
            }
        }
        return run
    }

    private fun options(direction: Direction) =
        TranslateOptions.builder().sourceLanguage(direction.from).targetLanguage(direction.to).build()

    /** Tells on the main thread which languages a text may be in, likeliest first. Only when it is ready. */
    fun detect(text: String, expected: List<String>, told: (List<String>) -> Unit) = worker.execute {
        val guesses = Dragoman.detectLanguages(listOf(text), expected)[0].map { it.tag() }
        context.mainExecutor.execute { told(guesses) }
    }

    /** Gives back what the device holds for translations. */
    fun trim() = worker.execute { device?.trim() }

    companion object {
        private const val MODEL = "en-de"
        private val LIVE = JobOptions.builder().partial(true).build()
        private var engine: Engine? = null

        /** That of the process; loads it when it is first asked for. On the main thread. */
        fun of(context: Context): Engine =
            engine ?: Engine(context.applicationContext).also {
                engine = it
                it.load()
            }
    }
}
