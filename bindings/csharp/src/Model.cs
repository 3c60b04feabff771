// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

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
        public static Model Load(string path = null, ModelOptions options = null)
        {
            IntPtr found;
            using (var call = new Call())
                call.Done(Native.dragoman_model_load(
                    call.Text(path, "path"), ModelOptions.Make(call, options), out found));
            return new Model(found);
        }

        /// <summary>Loads a model from files that need not be in the file system.</summary>
        public static Model LoadFiles(IEnumerable<ModelFile> files, ModelOptions options = null)
        {
            IntPtr found;
            using (var given = new ModelFiles(files))
                given.Call.Done(Native.dragoman_model_load_files(
                    given.Data, given.Count, ModelOptions.Make(given.Call, options), out found));
            return new Model(found);
        }

        /// <summary>Ends the handle; translators keep what they need.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>What a model is, from its files alone, without a device; null: the default model.</summary>
        public static ModelInfo Describe(string path = null)
        {
            var raw = Empty();
            using (var call = new Call()) call.Done(Native.dragoman_model_describe(call.Text(path, "path"), &raw));
            return new ModelInfo(&raw);
        }

        /// <summary>The same for files as in LoadFiles().</summary>
        public static ModelInfo DescribeFiles(IEnumerable<ModelFile> files)
        {
            var raw = Empty();
            using (var given = new ModelFiles(files))
                given.Call.Done(Native.dragoman_model_describe_files(given.Data, given.Count, &raw));
            return new ModelInfo(&raw);
        }

        static Native.dragoman_model_info Empty() =>
            new Native.dragoman_model_info { struct_size = (uint)sizeof(Native.dragoman_model_info) };

        /// <summary>What it is.</summary>
        public ModelInfo Info => Handle.GetInfo();

        /// <summary>The languages of one of its sides, in the order of its files.</summary>
        public IReadOnlyList<Language> Languages(Side side)
        {
            IntPtr found;
            using (var held = new Held(Handle)) Call.Check(Native.dragoman_model_languages(held, (int)side, out found));
            return Read(found);
        }

        /// <summary>The same from the model's files alone, without a device; null: the default model.</summary>
        public static IReadOnlyList<Language> DescribeLanguages(string path, Side side)
        {
            IntPtr found;
            using (var call = new Call())
                call.Done(Native.dragoman_model_describe_languages(call.Text(path, "path"), (int)side, out found));
            return Read(found);
        }

        static IReadOnlyList<Language> Read(IntPtr pointer)
        {
            using (var list = new LanguageListHandle(pointer))
            {
                var data = Native.dragoman_language_list_data(pointer);
                var found = new Language[list.Count()];
                for (var place = 0; place < found.Length; ++place)
                    found[place] = new Language(Utf8.Read(data[place].tag), Utf8.Read(data[place].name),
                                                Utf8.Read(data[place].code), 1);
                return found;
            }
        }

        /// <summary>The device that it is on.</summary>
        public DeviceInfo Device => Handle.Device();

        /// <summary>Memory of that device, and what everything on it holds.</summary>
        public DeviceMemory Memory => Handle.Memory();

        /// <summary>Cuts each text, as one sentence, into the model's tokens.</summary>
        public IReadOnlyList<TokenizedText> Tokenize(IReadOnlyList<string> texts, Side side = Side.Source)
        {
            IntPtr pointer;
            using (var call = new Call())
                call.Done(Native.dragoman_tokenize(
                    call.Hold(Handle), (int)side, call.Strings(texts, "texts"), texts.Count, out pointer));
            using (var list = new TokenListsHandle(pointer))
                return texts.Select((text, place) => new TokenizedText(
                    list.Get(place), new Places(text).Ranges(list.Ranges(place)))).ToArray();
        }

        /// <summary>Joins each sequence of tokens into a text; tokens that control the model are left out.</summary>
        public IReadOnlyList<string> Detokenize(IReadOnlyList<IReadOnlyList<string>> sequences, Side side = Side.Target)
        {
            IntPtr pointer;
            using (var call = new Call())
                call.Done(Native.dragoman_detokenize(
                    call.Hold(Handle), (int)side, call.Sequences(sequences, "sequences"), sequences.Count,
                    out pointer));
            using (var list = new TextListHandle(pointer))
                return Enumerable.Range(0, list.Count()).Select(place => list.Get(place)).ToArray();
        }

        /// <summary>
        /// Vectors of texts, by the encoder. One row for each text, or with Pooling.Tokens one for each token.
        /// </summary>
        public IReadOnlyList<Embedding> Embed(IReadOnlyList<string> texts, EmbedOptions options = null,
                                              CancellationToken cancel = default(CancellationToken))
        {
            IntPtr pointer;
            using (var call = new Call(cancel))
                call.Done(Native.dragoman_embed_texts(call.Hold(Handle), call.Strings(texts, "texts"), texts.Count,
                                                      EmbedOptions.Make(call, options), out pointer));
            using (var vectors = new VectorsHandle(pointer))
                return texts.Select((text, place) => new Embedding(vectors, place, text)).ToArray();
        }

        /// <summary>
        /// Writes a model (of any format; null: the default one) as one GGUF file with everything it needs.
        /// </summary>
        public static void Convert(string path, string outPath, ConvertOptions options = null,
                                   CancellationToken cancel = default(CancellationToken))
        {
            using (var call = new Call(cancel))
                call.Done(Native.dragoman_model_convert(
                    call.Text(path, "path"), call.Text(outPath, "out_path"), ConvertOptions.Make(call, options)));
        }
    }

    /// <summary>Vectors of a text.</summary>
    public sealed class Embedding
    {
        /// <summary>One row, or one for each token.</summary>
        public Matrix Vectors { get; }
        /// <summary>The tokens that the encoder read, with those around the text.</summary>
        public string[] Tokens { get; }
        /// <summary>The part of the text that each token stands for.</summary>
        public TextRange[] Ranges { get; }

        internal Embedding(VectorsHandle vectors, int place, string text)
        {
            Vectors = vectors.Get(place);
            Tokens = vectors.Tokens(place);
            Ranges = new Places(text).Ranges(vectors.Ranges(place));
        }
    }
}
