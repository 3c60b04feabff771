// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>Documents of many formats, with their formatting.</summary>
    public static unsafe class Documents
    {
        /// <summary>Which format a document has, by its bytes or its name; null is allowed for either.</summary>
        public static DocumentFormat FormatOf(string name, byte[] content = null)
        {
            using (var call = new Call())
                fixed (byte* bytes = content)
                    return (DocumentFormat)Native.dragoman_document_format(call.Text(name, "name"), bytes,
                                                                          content?.Length ?? 0);
        }

        /// <summary>
        /// Translates a file and writes another one, which is there whole or not at all; an old file is replaced.
        /// </summary>
        public static void Translate(Translator translator, string path, string outPath,
                                     TranslateOptions options = null, DocumentOptions documentOptions = null,
                                     CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var call = new Call(cancellationToken))
            {
                call.Done(Native.dragoman_translate_document(
                    call.Hold(translator.Handle), call.Text(path, "path"), call.Text(outPath, "out_path"),
                    TranslateOptionsOf(call, translator, options), DocumentOptions.Make(call, documentOptions)),
                    Native.dragoman_document_error());
            }
        }

        /// <summary>The same from memory, with a name from which the format is found, or null.</summary>
        public static byte[] Translate(Translator translator, byte[] content, string name = null,
                                       TranslateOptions options = null, DocumentOptions documentOptions = null,
                                       CancellationToken cancellationToken = default(CancellationToken))
        {
            IntPtr found;
            using (var call = new Call(cancellationToken))
                fixed (byte* bytes = content)
                    call.Done(Native.dragoman_translate_document_bytes(
                        call.Hold(translator.Handle), call.Text(name, "name"), bytes, content.Length,
                        TranslateOptionsOf(call, translator, options), DocumentOptions.Make(call, documentOptions),
                        out found), Native.dragoman_document_error());
            using (var document = new DocumentHandle(found))
            {
                var text = Native.dragoman_document_bytes(found);
                var copy = new byte[(int)text.size];
                if (copy.Length > 0) Marshal.Copy((IntPtr)text.data, copy, 0, copy.Length);
                return copy;
            }
        }

        /// <summary>
        /// The same from stream to stream: the document is read to its end, then its translation written.
        /// </summary>
        public static void Translate(Translator translator, Stream content, Stream translation, string name = null,
                                     TranslateOptions options = null, DocumentOptions documentOptions = null,
                                     CancellationToken cancellationToken = default(CancellationToken))
        {
            var copy = new MemoryStream();
            content.CopyTo(copy);
            var found = Translate(translator, copy.ToArray(), name, options, documentOptions, cancellationToken);
            translation.Write(found, 0, found.Length);
        }

        /// <summary>A file to another one, on a thread that may wait.</summary>
        public static Task TranslateAsync(Translator translator, string path, string outPath,
                                          TranslateOptions options = null, DocumentOptions documentOptions = null,
                                          CancellationToken cancellationToken = default(CancellationToken)) =>
            Task.Factory.StartNew(
                () => Translate(translator, path, outPath, options, documentOptions, cancellationToken),
                cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        /// <summary>Options without the callback of texts: the document has its own.</summary>
        static Native.dragoman_translate_options* TranslateOptionsOf(Call call, Translator translator,
                                                                     TranslateOptions options)
        {
            var raw = TranslateOptions.Make(call, translator.Defaults, options);
            raw->progress = IntPtr.Zero;
            call.Progress = null;
            return raw;
        }
    }
}
