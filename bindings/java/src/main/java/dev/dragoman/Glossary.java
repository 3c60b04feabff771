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
    terms.forEach(
        (term, becomes) -> lines.append(" " + checked(term) + "\t" + checked(becomes) + "\n"));
    return read(lines.toString(), null, null);
  }

  private static String checked(String text) {
    if (text.matches("(?s).*[\t\r\n].*"))
      throw new InvalidArgumentException("terms: a tab or line break in " + text);
    return text;
  }
}
