// SPDX-License-Identifier: Apache-2.0
/**
 * Machine translation with neural networks on any GPU that has Vulkan, or on the CPU.
 *
 * <pre>{@code
 * TranslateOptions english = TranslateOptions.builder().targetLanguage("en").build();
 * try (Translator translator = Translator.create(english)) {
 *   System.out.println(translator.translate("Wo ist der Bahnhof?").text());
 * }
 * }</pre>
 *
 * <p>{@link dev.dragoman.Model} loads models, {@link dev.dragoman.Translator} translates texts,
 * {@link dev.dragoman.Documents} documents, and {@link dev.dragoman.Models} finds published models.
 * Classes that hold something of the library are {@code AutoCloseable}, and any number of threads
 * may use them; what calls give otherwise are values that never change. Arguments are not null
 * where their description does not say so. What the library reports is a {@link
 * dev.dragoman.DragomanException} of the kind of its status.
 */
package dev.dragoman;
