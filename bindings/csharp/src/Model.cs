// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>
    /// A model on a device: weights and vocabularies. It never changes; any number of threads and translators share it.
    /// </summary>
    public sealed unsafe partial class Model : IDisposable
    {
        internal ModelHandle Handle { get; }

        Model(IntPtr pointer)
        {
            Handle = new ModelHandle(pointer);
        }

        /// <summary>
        /// Reads a model, a directory, a zip archive or a GGUF file, and puts its weights on a device.
        /// </summary>
        /// <param name="path">null: the model that DRAGOMAN_MODEL names in the environment, else the one that comes
        /// with the library.</param>
        /// <param name="options">null: the defaults.</param>
        public static Model Load(string path = null, ModelOptions options = null) =>
            new Model(Calls.ModelLoad(path, options));

        /// <summary>
        /// The same on a thread that may wait. The token stops what has not begun: loading itself has no end before its
        /// time.
        /// </summary>
        public static Task<Model> LoadAsync(string path = null, ModelOptions options = null,
                                            CancellationToken cancellationToken = default(CancellationToken)) =>
            Task.Run(() => Load(path, options), cancellationToken);

        /// <summary>Loads a model from files that need not be in the file system.</summary>
        public static Model LoadFiles(IEnumerable<ModelFile> files, ModelOptions options = null) =>
            new Model(Calls.ModelLoadFiles(files.ToArray(), options));

        /// <summary>Ends the handle; translators keep what they need.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>What a model is, from its files alone, without a device; null: the default model.</summary>
        public static ModelInfo Describe(string path = null) => Calls.ModelDescribe(path);

        /// <summary>The same for files as in LoadFiles().</summary>
        public static ModelInfo DescribeFiles(IEnumerable<ModelFile> files) =>
            Calls.ModelDescribeFiles(files.ToArray());

        /// <summary>What it is.</summary>
        public ModelInfo Info => Handle.GetInfo();

        /// <summary>The languages of one of its sides, in the order of its files.</summary>
        public IReadOnlyList<Language> Languages(Side side) => Read(Calls.ModelLanguages(Handle, side));

        /// <summary>The same from the model's files alone, without a device; null: the default model.</summary>
        public static IReadOnlyList<Language> DescribeLanguages(string path, Side side) =>
            Read(Calls.ModelDescribeLanguages(path, side));

        static IReadOnlyList<Language> Read(IntPtr pointer)
        {
            using (var list = new LanguageListHandle(pointer))
            {
                var data = Native.dragoman_language_list_data(pointer);
                return Held.List(list, list.Count(), place => new Language(
                    Utf8.Read(data[place].tag), Utf8.Read(data[place].name), Utf8.Read(data[place].code), 1));
            }
        }

        /// <summary>What both of these say, while the files are read once; null: the default model.</summary>
        public static ModelDescription DescribeAll(string path = null)
        {
            IntPtr sources, targets;
            var info = new Native.dragoman_model_info { struct_size = (uint)sizeof(Native.dragoman_model_info) };
            using (var call = new Call())
                call.Done(Native.dragoman_model_describe_all(call.Text(path, "path"), &info, out sources, out targets));
            return new ModelDescription(new ModelInfo(&info), Read(sources), Read(targets));
        }

        /// <summary>The device that it is on.</summary>
        public DeviceInfo Device => Handle.Device();

        /// <summary>Memory of that device, and what everything on it holds.</summary>
        public DeviceMemory Memory => Handle.Memory();

        /// <summary>Cuts each text, as one sentence, into the model's tokens.</summary>
        public IReadOnlyList<TokenizedText> Tokenize(IReadOnlyList<string> texts, Side side = Side.Source)
        {
            using (var list = new TokenListsHandle(Calls.Tokenize(Handle, side, texts)))
                return texts.Select((text, place) => new TokenizedText(
                    list.Get(place), new Places(text).Ranges(list.Ranges(place)))).ToArray();
        }

        /// <summary>Whether its vocabulary of a side has a token; for others it takes its unknown token.</summary>
        public bool HasToken(string token, Side side = Side.Target) => Calls.ModelHasToken(Handle, side, token);

        /// <summary>Joins each sequence of tokens into a text; tokens that control the model are left out.</summary>
        public IReadOnlyList<string> Detokenize(IReadOnlyList<IReadOnlyList<string>> sequences, Side side = Side.Target)
        {
            using (var list = new TextListHandle(Calls.Detokenize(Handle, side, sequences)))
                return Held.List(list, list.Count(), place => list.Get(place));
        }

        /// <summary>
        /// Vectors of texts, by the encoder. One row for each text, or with Pooling.Tokens one for each token.
        /// </summary>
        public IReadOnlyList<Embedding> Embed(IReadOnlyList<string> texts, EmbedOptions options = null,
                                              CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var vectors = new VectorsHandle(Calls.EmbedTexts(Handle, texts, options, cancellationToken)))
                return texts.Select((text, place) => new Embedding(vectors, place, text)).ToArray();
        }

        /// <summary>
        /// Writes a model (of any format; null: the default one) as one GGUF file with everything it needs.
        /// </summary>
        public static void Convert(string path, string outPath, ConvertOptions options = null,
                                   CancellationToken cancellationToken = default(CancellationToken)) =>
            Calls.ModelConvert(path, outPath, options, cancellationToken);
    }
}
