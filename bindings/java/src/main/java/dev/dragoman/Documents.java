// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.file.Path;

/** Translates documents of many formats (docs/documents.md). Formatting goes with its words. */
public final class Documents extends DocumentsCalls {
  private Documents() {}

  /**
   * Finds the format of a document, by its bytes where these tell, else by the end of its name.
   *
   * @param name null: none
   * @param content null: none
   * @return the format; UNKNOWN: neither tells
   */
  public static DocumentKind format(String name, byte[] content) {
    try (Block block = new Block()) {
      long text = block.text("name", name);
      byte[] bytes = content == null ? new byte[0] : content;
      int found =
          C.documents().dragoman_document_format(text, block.bytes(bytes).address, bytes.length);
      return Numbered.of(DocumentKind.values(), found);
    }
  }

  /**
   * Translates a file and writes another, whole or not at all.
   *
   * @param translator of any number of calls at the same time
   * @param path the file
   * @param outPath the other one, replaced if it is there
   * @param options how to translate
   * @param documentOptions how to read and write
   */
  public static void translate(
      Translator translator,
      Path path,
      Path outPath,
      TranslateOptions options,
      DocumentOptions documentOptions) {
    Work work =
        (block, at, how, more, out) ->
            C.documents()
                .dragoman_translate_document(
                    at, block.text("path", path), block.text("outPath", outPath), how, more);
    run(translator, options, documentOptions, work);
  }

  /**
   * Translates a document in memory.
   *
   * @param translator of any number of calls at the same time
   * @param name as a file would have it; null: its bytes tell the format
   * @param content the document
   * @param options how to translate
   * @param documentOptions how to read and write
   * @return the translated document
   */
  public static byte[] translate(
      Translator translator,
      String name,
      byte[] content,
      TranslateOptions options,
      DocumentOptions documentOptions) {
    Work work =
        (block, at, how, more, out) -> {
          long text = block.text("name", name);
          long bytes = block.bytes(content).address;
          return C.documents()
              .dragoman_translate_document_bytes(at, text, bytes, content.length, how, more, out);
        };
    long made = run(translator, options, documentOptions, work);
    try (Block block = new Block()) {
      block.atEnd(() -> C.documents().dragoman_document_destroy(made));
      Area bytes = block.area(Offsets.STRING);
      C.documents().dragoman_document_bytes(made, bytes.address);
      return Reading.bytes(bytes.bytes.getLong(0), bytes.bytes.getLong(Offsets.STRING_SIZE));
    }
  }

  private interface Work {
    int call(Block block, long translator, long options, long documentOptions, long out);
  }

  /** Returns what the work gives through a pointer. */
  private static long run(
      Translator translator, TranslateOptions options, DocumentOptions documentOptions, Work work) {
    try (Block block = new Block();
        Watch watch = new Watch(documentOptions.progress())) {
      long how = options.over(translator.defaults).write(block, null).address;
      long more = documentOptions.write(block, watch).address;
      Area out = block.area(8);
      return translator.with(
          at -> {
            int status = work.call(block, at, how, more, out.address);
            Library.check(watch, status, C.documents()::dragoman_document_error);
            return out.bytes.getLong(0);
          });
    }
  }
}
