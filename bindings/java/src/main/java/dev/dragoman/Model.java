// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import java.util.List;

/** A model on a device. It never changes; any number of threads and translators share it. */
public final class Model extends ModelCalls {
  Model(long address) {
    super(address);
  }

  /**
   * Loads the model that DRAGOMAN_MODEL names in the environment, else the one that comes with the
   * library: German-English and English-German.
   *
   * @return the model
   */
  public static Model load() {
    return load(null, ModelOptions.DEFAULTS);
  }

  /**
   * Makes a translator.
   *
   * @param defaults options for its calls
   * @return the translator
   */
  public Translator translator(TranslateOptions defaults) {
    return new Translator(translatorCreateHandle(), this, false, defaults);
  }

  /**
   * Cuts texts, each as one sentence, into the model's tokens. No token is added.
   *
   * @param texts the texts
   * @param side of a source or of a translation
   * @return the tokens of each
   */
  public List<TokenList> tokenize(List<String> texts, Side side) {
    try (TokenListsCalls lists = new TokenListsCalls(tokenizeHandle(side, texts))) {
      return Reading.list(
          lists.count(),
          place ->
              new TokenList(
                  lists.get(place), lists.ranges(place, new Places(texts.get((int) place)))));
    }
  }

  /**
   * Puts tokens together to texts. Tokens that control the model vanish.
   *
   * @param sequences the tokens of each text
   * @param side of a source or of a translation
   * @return the texts
   */
  public List<String> detokenize(List<List<String>> sequences, Side side) {
    try (TextListCalls texts = new TextListCalls(detokenizeHandle(side, sequences))) {
      return Reading.list(texts.count(), texts::get);
    }
  }

  /**
   * Vectors of texts, by the encoder; each text is one sequence, whatever sentences it has.
   *
   * @param texts the texts
   * @param options which vectors; with TOKENS as the pooling, one for each token
   * @return for each text its vectors, and the tokens that the encoder read
   */
  public List<TokenVectors> embed(List<String> texts, EmbedOptions options) {
    try (VectorsCalls vectors = new VectorsCalls(embedTextsHandle(texts, options))) {
      return Reading.list(
          vectors.count(),
          place -> new TokenVectors(vectors, place, new Places(texts.get((int) place))));
    }
  }
}
