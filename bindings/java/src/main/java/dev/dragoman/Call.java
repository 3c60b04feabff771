// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.List;

/** What calls of a translator have in common, for one of them. */
final class Call implements AutoCloseable {
  final Block block = new Block();
  final Handle translator;
  final JobOptions jobOptions;
  private final TranslateOptions options;
  private final TranslateOptions defaults;

  Call(
      Handle translator,
      TranslateOptions options,
      TranslateOptions defaults,
      JobOptions jobOptions) {
    this.translator = translator;
    this.options = options;
    this.defaults = defaults;
    this.jobOptions = jobOptions;
  }

  Progress progress() {
    return options.progress() == null ? defaults.progress() : options.progress();
  }

  long options(Watch watch) {
    return options.write(block, defaults, watch).address;
  }

  /** One sequence for each input; 0 for none. */
  long prefixes(int count) {
    List<List<String>> prefixes = options.prefixes();
    Library.same("prefixes", prefixes == null ? count : prefixes.size(), count);
    return block.sequences("prefixes", prefixes);
  }

  @Override
  public void close() {
    block.close();
  }
}
