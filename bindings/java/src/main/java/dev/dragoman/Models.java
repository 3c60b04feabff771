// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static dev.dragoman.Library.C;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Published models by their names: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M". Finds
 * what publishers offer and what is on this machine, and downloads. Needs libdragoman_models, a
 * library beside libdragoman; where that is not there, everything here throws an {@link
 * UnsupportedException} that says so, and all other classes work.
 *
 * <p>Calls that may wait for the network end with a {@link CancelledException} when their thread is
 * interrupted. Any number of threads may call.
 */
public final class Models {
  private Models() {}

  /**
   * The models on this machine: those that were downloaded, and those in the caches of other
   * programs (Hugging Face, llama.cpp, ollama, Argos, translateLocally, fxtranslate), which are
   * only read.
   *
   * @return the models
   */
  public static Found list() {
    return found(
        ModelsOptions.DEFAULTS, (models, block, how, out) -> models.dragoman_models_installed(out));
  }

  /**
   * The models that registries offer for two languages, the best first. Lists of registries that
   * are older than a day are brought anew.
   *
   * @param from a language, such as "de"; null: any
   * @param to likewise
   * @return the models, and which registries could not be asked
   */
  public static Found search(String from, String to) {
    return search(from, to, ModelsOptions.DEFAULTS);
  }

  /**
   * The models that registries offer for two languages, the best first. Lists of registries that
   * are older than a day are brought anew.
   *
   * @param from a language, such as "de"; null: any
   * @param to likewise
   * @param options how to ask, and whom
   * @return the models, and which registries could not be asked
   */
  public static Found search(String from, String to, ModelsOptions options) {
    return found(
        options,
        (models, block, how, out) ->
            models.dragoman_models_search(
                block.text("from", from), block.text("to", to), how, out));
  }

  /**
   * The models on this machine that lead from one language to another.
   *
   * @param from a language, such as "de"
   * @param to another one
   * @return one model, two over a third language, or none
   */
  public static Found installedRoute(String from, String to) {
    return found(
        ModelsOptions.DEFAULTS,
        (models, block, how, out) ->
            models.dragoman_models_installed_route(
                block.text("from", from), block.text("to", to), out));
  }

  /**
   * The models to load for two languages: those on this machine where there are some, otherwise the
   * best that registries offer, which are yet to be downloaded.
   *
   * @param from a language, such as "de"
   * @param to another one
   * @return one model, two over a third language, or none
   */
  public static Found route(String from, String to) {
    return route(from, to, ModelsOptions.DEFAULTS);
  }

  /**
   * The models to load for two languages: those on this machine where there are some, otherwise the
   * best that registries offer, which are yet to be downloaded.
   *
   * @param from a language, such as "de"
   * @param to another one
   * @param options how to ask, and whom
   * @return one model, two over a third language, or none
   */
  public static Found route(String from, String to, ModelsOptions options) {
    return found(
        options,
        (models, block, how, out) ->
            models.dragoman_models_route(block.text("from", from), block.text("to", to), how, out));
  }

  /**
   * One model with its files: as it is on this machine, otherwise as its registry offers it.
   *
   * @param name such as "firefox:de-en"
   * @return the model
   */
  public static PublishedModel show(String name) {
    return show(name, ModelsOptions.DEFAULTS);
  }

  /**
   * One model with its files: as it is on this machine, otherwise as its registry offers it.
   *
   * @param name such as "firefox:de-en"
   * @param options how to ask
   * @return the model
   */
  public static PublishedModel show(String name, ModelsOptions options) {
    return found(
            options,
            (models, block, how, out) ->
                models.dragoman_models_show(block.text("name", name), how, out))
        .get(0);
  }

  /**
   * Brings a model to this machine, unless it is there. A download that was stopped in any way goes
   * on where it was; files are checked by the registry's sizes and hashes.
   *
   * @param name such as "firefox:de-en"
   * @return the model as it is on this machine
   */
  public static PublishedModel download(String name) {
    return download(name, ModelsOptions.DEFAULTS);
  }

  /**
   * Brings a model to this machine, unless it is there. A download that was stopped in any way goes
   * on where it was; files are checked by the registry's sizes and hashes.
   *
   * @param name such as "firefox:de-en"
   * @param options how to download; its progress may stop it, which throws a {@link
   *     CancelledException}
   * @return the model as it is on this machine
   */
  public static PublishedModel download(String name, ModelsOptions options) {
    return found(
            options,
            (models, block, how, out) ->
                models.dragoman_models_download(block.text("name", name), how, out))
        .get(0);
  }

  /**
   * Downloads a model, unless it is on this machine, and loads it.
   *
   * @param name such as "firefox:de-en"
   * @return the model
   */
  public static Model load(String name) {
    return load(name, ModelsOptions.DEFAULTS, ModelOptions.DEFAULTS);
  }

  /**
   * Downloads a model, unless it is on this machine, and loads it.
   *
   * @param name such as "firefox:de-en"
   * @param options how to download
   * @param modelOptions how to load
   * @return the model
   */
  public static Model load(String name, ModelsOptions options, ModelOptions modelOptions) {
    return Model.load(Path.of(download(name, options).path()), modelOptions);
  }

  /**
   * Reads the files of a downloaded model again and compares sizes and hashes.
   *
   * @param name such as "firefox:de-en"
   * @throws BadModelException if files differ; its message names each of them
   */
  public static void verify(String name) {
    verify(name, ModelsOptions.DEFAULTS);
  }

  /**
   * Reads the files of a downloaded model again and compares sizes and hashes.
   *
   * @param name such as "firefox:de-en"
   * @param options whom to tell how far it is
   * @throws BadModelException if files differ; its message names each of them
   */
  public static void verify(String name, ModelsOptions options) {
    run(
        options,
        (models, block, how, out) -> models.dragoman_models_verify(block.text("name", name), how));
  }

  /**
   * Keeps one file instead of the files of a downloaded model. The file is copied; what was
   * downloaded goes when the copy is whole.
   *
   * @param name such as "firefox:de-en"
   * @param file a GGUF file that {@link Model#convert} made of it
   * @param options whom to tell how far it is
   */
  public static void keepFile(String name, Path file, ModelsOptions options) {
    run(
        options,
        (models, block, how, out) ->
            models.dragoman_models_keep_file(
                block.text("name", name), block.text("file", file), how));
  }

  /**
   * Removes a downloaded model. What belongs to another program stays.
   *
   * @param name such as "firefox:de-en"
   */
  public static void remove(String name) {
    run(
        ModelsOptions.DEFAULTS,
        (models, block, how, out) -> models.dragoman_models_remove(block.text("name", name)));
  }

  /**
   * Removes parts of downloads that nobody went on with.
   *
   * @param days for so long
   * @return how many bytes were removed
   */
  public static long clean(double days) {
    return run(
        ModelsOptions.DEFAULTS,
        (models, block, how, out) -> models.dragoman_models_clean(days, out));
  }

  /**
   * The folder that downloaded models lie in, whether it is there or not.
   *
   * @return its path; empty: the system does not say
   */
  public static String folder() {
    return Reading.cText(C.models().dragoman_models_folder());
  }

  /**
   * The registries that are known, those of the user's folder too.
   *
   * @return the registries
   */
  public static List<Registry> registries() {
    long list =
        run(ModelsOptions.DEFAULTS, (models, block, how, out) -> models.dragoman_registries(out));
    try {
      return Reading.list(
          C.models().dragoman_registry_list_count(list),
          place ->
              new Registry(
                  C.view(C.models().dragoman_registry_list_get(list, place), Registry.SIZE)));
    } finally {
      C.models().dragoman_registry_list_destroy(list);
    }
  }

  /** Models that were found, which never change. */
  public static final class Found extends AbstractList<PublishedModel> {
    private final List<PublishedModel> models;
    private final List<String> problems;

    Found(long list) {
      models = Reading.list(C.models().dragoman_model_list_count(list), place -> read(list, place));
      problems =
          Reading.cText(C.models().dragoman_model_list_problems(list))
              .lines()
              .collect(Collectors.toUnmodifiableList());
    }

    private static PublishedModel read(long list, long place) {
      ByteBuffer raw = C.view(C.models().dragoman_model_list_get(list, place), PublishedModel.SIZE);
      return new PublishedModel(
          raw, files -> Reading.list(files, file -> readFile(list, place, file)));
    }

    private static PublishedFile readFile(long list, long place, long file) {
      long found = C.models().dragoman_model_list_file(list, place, file);
      return new PublishedFile(C.view(found, PublishedFile.SIZE));
    }

    @Override
    public PublishedModel get(int place) {
      return models.get(place);
    }

    @Override
    public int size() {
      return models.size();
    }

    /**
     * What kept the list from being whole: a registry that cannot be reached, a folder that is no
     * model.
     *
     * @return a sentence for each
     */
    public List<String> problems() {
      return problems;
    }
  }

  private interface Call {
    int call(ModelsFunctions models, Block block, long options, long out);
  }

  /** Returns what the call gives through a pointer. */
  private static long run(ModelsOptions options, Call call) {
    ModelsFunctions models = C.models();
    try (Block block = new Block();
        Watch watch = new Watch(null)) {
      watch.downloads = options.progress();
      long how = options.write(block, watch).address;
      Area out = block.area(8);
      check(watch, call.call(models, block, how, out.address));
      return out.bytes.getLong(0);
    }
  }

  private static Found found(ModelsOptions options, Call call) {
    long list = run(options, call);
    try {
      return new Found(list);
    } finally {
      C.models().dragoman_model_list_destroy(list);
    }
  }

  /** As that of the library; 0 if it returns. */
  static int check(Watch watch, int status) {
    Library.check(watch, status, C.models()::dragoman_models_error);
    return status;
  }

  /** Whether a call whose download is so far goes on. */
  static boolean told(Watch watch, long at) {
    boolean[] goesOn = {true};
    Download progress = new Download(C.view(at, Download.SIZE));
    return watch.goesOn(() -> goesOn[0] = watch.downloads == null || watch.downloads.test(progress))
        && goesOn[0];
  }

  /** What has commas in C. */
  static List<String> listed(long address) {
    String text = Reading.cText(address);
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  static UnsupportedException absent(List<String> faults) {
    return new UnsupportedException(
        "libdragoman_models was not found, which finds and downloads published models: a build of"
            + " Dragoman with -DDRAGOMAN_MODELS=ON installs it beside libdragoman, whose file"
            + " DRAGOMAN_LIBRARY names: "
            + faults);
  }
}
