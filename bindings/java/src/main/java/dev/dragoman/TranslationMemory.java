// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

/**
 * Answers of models and segments of translation memories, for the option memory
 * (docs/translation_memory.md). Any number of threads may use it.
 */
public final class TranslationMemory extends TranslationMemoryCalls {
  TranslationMemory(long address) {
    super(address);
  }
}
