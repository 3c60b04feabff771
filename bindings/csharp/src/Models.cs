// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>
    /// Published models by their names: "firefox:de-en", "hf:facebook/nllb-200-distilled-600M". Finds what publishers
    /// offer and what is on this machine, and downloads. Needs libdragoman_models, a library beside libdragoman; where
    /// that is not there, everything here throws a DragomanException that says so, with Status.Unsupported, and all
    /// other classes work. Any number of threads may call.
    /// </summary>
    public static unsafe class Models
    {
        static readonly Native.dragoman_download_fn told = Told;

        /// <summary>The callback of options, with Call.User.</summary>
        internal static readonly IntPtr Watch = Marshal.GetFunctionPointerForDelegate(told);

        /// <summary>
        /// The models on this machine: those that were downloaded, and those in the caches of other programs (Hugging
        /// Face, llama.cpp, ollama, Argos, translateLocally, fxtranslate), which are only read.
        /// </summary>
        public static FoundModels List()
        {
            using (var call = Begin())
            {
                IntPtr found;
                Done(call, Native.dragoman_models_installed(out found));
                return new FoundModels(found);
            }
        }

        /// <summary>
        /// The models that registries offer for two languages, the best first; null stands for any language. Lists of
        /// registries that are older than a day are brought anew.
        /// </summary>
        /// <exception cref="DragomanException">What the library reports.</exception>
        /// <exception cref="OperationCanceledException">It was cancelled.</exception>
        public static FoundModels Search(string from, string to, ModelsOptions options = null,
                                         CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
            {
                IntPtr found;
                Done(call, Native.dragoman_models_search(call.Text(from, "from"), call.Text(to, "to"),
                                                         ModelsOptions.Make(call, options), out found));
                return new FoundModels(found);
            }
        }

        /// <summary>
        /// The models on this machine that lead from one language to another: one, two over a third, or none.
        /// </summary>
        public static FoundModels InstalledRoute(string from, string to)
        {
            using (var call = Begin())
            {
                IntPtr found;
                Done(call, Native.dragoman_models_installed_route(call.Text(from, "from"), call.Text(to, "to"),
                                                                  out found));
                return new FoundModels(found);
            }
        }

        /// <summary>
        /// The models to load for two languages, one, two over a third, or none: those on this machine where there are
        /// some, otherwise the best that registries offer, which are yet to be downloaded.
        /// </summary>
        public static FoundModels Route(string from, string to, ModelsOptions options = null,
                                        CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
            {
                IntPtr found;
                Done(call, Native.dragoman_models_route(call.Text(from, "from"), call.Text(to, "to"),
                                                        ModelsOptions.Make(call, options), out found));
                return new FoundModels(found);
            }
        }

        /// <summary>
        /// One model with its files: as it is on this machine, otherwise as its registry offers it.
        /// </summary>
        public static PublishedModel Show(string name, ModelsOptions options = null,
                                          CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
            {
                IntPtr found;
                Done(call, Native.dragoman_models_show(call.Text(name, "name"), ModelsOptions.Make(call, options),
                                                       out found));
                return new FoundModels(found)[0];
            }
        }

        /// <summary>
        /// Brings a model to this machine, unless it is there, and gives it as it is there. A download that was stopped
        /// in any way goes on where it was; files are checked by the registry's sizes and hashes.
        /// </summary>
        /// <exception cref="DragomanException">What the library reports.</exception>
        /// <exception cref="OperationCanceledException">It was cancelled.</exception>
        public static PublishedModel Download(string name, ModelsOptions options = null,
                                              CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
            {
                IntPtr found;
                Done(call, Native.dragoman_models_download(call.Text(name, "name"), ModelsOptions.Make(call, options),
                                                           out found));
                return new FoundModels(found)[0];
            }
        }

        /// <summary>The same in the background. Progress is told on the thread that downloads.</summary>
        public static Task<PublishedModel> DownloadAsync(string name, ModelsOptions options = null,
                                                         CancellationToken cancellationToken =
                                                             default(CancellationToken)) =>
            Task.Factory.StartNew(() => Download(name, options, cancellationToken), cancellationToken,
                                  TaskCreationOptions.LongRunning, TaskScheduler.Default);

        /// <summary>Downloads a model, unless it is on this machine, and loads it.</summary>
        public static Model Load(string name, ModelsOptions options = null, ModelOptions modelOptions = null,
                                 CancellationToken cancellationToken = default(CancellationToken)) =>
            Model.Load(Download(name, options, cancellationToken).Path, modelOptions);

        /// <summary>
        /// Reads the files of a downloaded model again and compares sizes and hashes; the exception names each file
        /// that differs, with Status.BadModel.
        /// </summary>
        public static void Verify(string name, ModelsOptions options = null,
                                  CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
                Done(call, Native.dragoman_models_verify(call.Text(name, "name"), ModelsOptions.Make(call, options)));
        }

        /// <summary>
        /// Keeps one file instead of the files of a downloaded model: a GGUF file that Model.Convert() made of it. The
        /// file is copied; what was downloaded goes when the copy is whole.
        /// </summary>
        public static void KeepFile(string name, string file, ModelsOptions options = null,
                                    CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = Begin(cancellationToken))
                Done(call, Native.dragoman_models_keep_file(call.Text(name, "name"), call.Text(file, "file"),
                                                            ModelsOptions.Make(call, options)));
        }

        /// <summary>Removes a downloaded model. What belongs to another program stays.</summary>
        public static void Remove(string name)
        {
            using (var call = Begin()) Done(call, Native.dragoman_models_remove(call.Text(name, "name")));
        }

        /// <summary>
        /// Removes parts of downloads that were not gone on with for so many days: how many bytes were removed.
        /// </summary>
        public static long Clean(double days)
        {
            using (var call = Begin())
            {
                ulong bytes;
                Done(call, Native.dragoman_models_clean(days, &bytes));
                return (long)bytes;
            }
        }

        /// <summary>
        /// The folder that downloaded models lie in, whether it is there or not; "": the system does not say.
        /// </summary>
        public static string Folder
        {
            get
            {
                using (Begin()) return Utf8.Read(Native.dragoman_models_folder());
            }
        }

        /// <summary>The registries that are known, those of the user's folder too.</summary>
        public static IReadOnlyList<Registry> Registries()
        {
            IntPtr found;
            using (var call = Begin()) Done(call, Native.dragoman_registries(out found));
            using (var list = new RegistryListHandle(found))
                return Held.List(list, list.Count(),
                                 place => new Registry(Native.dragoman_registry_list_get(found, place)));
        }

        static int Told(Native.dragoman_download* progress, IntPtr user)
        {
            var call = (Call)GCHandle.FromIntPtr(user).Target;
            return call.Tell(call.Downloads, new Download(progress));
        }

        /// <summary>Throws where the library is not there.</summary>
        static Call Begin(CancellationToken cancellationToken = default(CancellationToken))
        {
            try
            {
                Native.dragoman_models_error();
            }
            catch (DllNotFoundException error)
            {
                throw new DragomanException(Status.Unsupported,
                    "libdragoman_models was not found, which finds and downloads published models: a build of " +
                    $"Dragoman with -DDRAGOMAN_MODELS=ON installs it beside libdragoman ({error.Message})");
            }
            return new Call(cancellationToken);
        }

        static void Done(Call call, Status status) => call.Done(status, Native.dragoman_models_error());

        internal static void Check(Status status)
        {
            if (status != Status.Ok) throw new DragomanException(status, Utf8.Read(Native.dragoman_models_error()));
        }

        /// <summary>What has commas in C.</summary>
        internal static IReadOnlyList<string> Listed(byte* text) =>
            Utf8.Read(text).Split(new[] { ',' }, StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Models that were found, in their order.</summary>
    public sealed unsafe class FoundModels : IReadOnlyList<PublishedModel>
    {
        readonly IReadOnlyList<PublishedModel> models;

        /// <summary>
        /// What kept the list from being whole, a sentence each: a registry that cannot be reached, a folder that is no
        /// model.
        /// </summary>
        public IReadOnlyList<string> Problems { get; }

        /// <summary>One model, from 0.</summary>
        public PublishedModel this[int index] => models[index];

        /// <summary>How many there are.</summary>
        public int Count => models.Count;

        internal FoundModels(IntPtr found)
        {
            using (var list = new ModelListHandle(found))
            {
                models = Held.List(list, list.Count(), model => new PublishedModel(
                    Native.dragoman_model_list_get(found, model), count => Held.List(list, count, file =>
                        new PublishedFile(Native.dragoman_model_list_file(found, model, file)))));
                Problems = Utf8.Read(Native.dragoman_model_list_problems(found)).Split(
                    new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries);
            }
        }

        /// <summary>Each of them.</summary>
        public IEnumerator<PublishedModel> GetEnumerator() => models.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
