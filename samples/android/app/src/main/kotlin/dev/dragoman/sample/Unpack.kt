// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

import java.io.File
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream

/**
 * Makes [folder] with the files called [names], whole or not at all; leaves it alone where it is already there. What else
 * lies beside it, such as that of an older app, goes.
 */
fun unpack(folder: File, names: List<String>, open: (String) -> InputStream, progress: (Float) -> Unit) {
    if (folder.isDirectory) return
    if (names.isEmpty()) throw IOException("${folder.name}: the app came without its files")
    val beside = folder.absoluteFile.parentFile ?: throw IOException("$folder: expected a folder around it")
    beside.deleteRecursively()
    val part = File(beside, folder.name + ".part")
    if (!part.mkdirs()) throw IOException("$part: cannot be made")
    val total = names.sumOf { name -> open(name).use { it.available().toLong() } }
    var done = 0L
    for (name in names) {
        open(name).use { from ->
            File(part, name).outputStream().use { to ->
                copy(from, to) {
                    done += it
                    progress(if (total > 0) done.toFloat() / total else 1f)
                }
            }
        }
    }
    if (!part.renameTo(folder)) throw IOException("$part: cannot be called $folder")
}

private fun copy(from: InputStream, to: OutputStream, copied: (Int) -> Unit) {
    val buffer = ByteArray(1 shl 16)
    while (true) {
        val size = from.read(buffer)
        if (size < 0) return
        to.write(buffer, 0, size)
        copied(size)
    }
}
