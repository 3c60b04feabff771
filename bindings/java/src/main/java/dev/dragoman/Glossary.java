// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.Map;

/** Terms with what they become, for the option glossary. Any number of threads may use it. */
public final class Glossary extends GlossaryCalls {
  Glossary(long address) {
    super(address);
  }

  /**
   * Of terms and what they become.
   *
   * @param terms pairs; "a|b": either
   * @return the glossary
   */
  public static Glossary of(Map<String, String> terms) {
    StringBuilder lines = new StringBuilder();
    terms.forEach((term, becomes) -> lines.append(term + "\t" + becomes + "\n"));
    return read(lines.toString(), null, null);
  }
}
