// SPDX-License-Identifier: Apache-2.0
package dev.dragoman.sample

/** From one language to another, as tags: "de". */
data class Direction(val from: String, val to: String) {
    fun turned() = Direction(to, from)
}

/** All directions between what a model reads and what it writes. */
fun directions(sources: List<String>, targets: List<String>): List<Direction> =
    sources.flatMap { from -> targets.filter { it != from }.map { Direction(from, it) } }

/** The direction for a text that is in one of [languages], likeliest first: [now] where it fits or none does. */
fun List<Direction>.suiting(languages: List<String>, now: Direction): Direction {
    for (language in languages) {
        if (now.from == language) return now
        val turned = now.turned()
        if (turned.from == language && turned in this) return turned
        firstOrNull { it.from == language }?.let { return it }
    }
    return now
}
