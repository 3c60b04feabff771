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
    // Then no term is a header or the beginning of TBX; nor, behind a blank, which is cut, a note.
    StringBuilder lines = new StringBuilder("source\ttarget\n");
    terms.forEach((term, becomes) -> lines.append(" " + term + "\t" + becomes + "\n"));
    if (lines.chars().filter(each -> "\t\r\n".indexOf(each) >= 0).count() != 2 * terms.size() + 2)
      throw new InvalidArgumentException("terms: a tab or a line break in " + terms);
    return read(lines.toString(), null, null);
  }
}
