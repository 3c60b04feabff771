// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;

namespace Dragoman
{
    /// <summary>Terms with what they become, for the option Glossary. Any number of threads and calls may use
    /// it.</summary>
    public sealed class Glossary : IDisposable
    {
        internal GlossaryHandle Handle { get; }

        Glossary(IntPtr pointer)
        {
            Handle = new GlossaryHandle(pointer);
        }

        /// <summary>
        /// Reads tab- or comma-separated values, or TBX, from a file. The languages say which terms of TBX are meant.
        /// </summary>
        public static Glossary Load(string path, string sourceLanguage = null, string targetLanguage = null)
        {
            if (path == null) throw new ArgumentNullException(nameof(path));
            return new Glossary(Calls.GlossaryLoad(path, sourceLanguage, targetLanguage));
        }

        /// <summary>The same from the content of such a file.</summary>
        public static Glossary Read(string content, string sourceLanguage = null, string targetLanguage = null) =>
            new Glossary(Calls.GlossaryRead(content, sourceLanguage, targetLanguage));

        /// <summary>A glossary of these terms; several forms of a translation have "|" between them.</summary>
        public static Glossary Of(IEnumerable<KeyValuePair<string, string>> terms) =>
            // Then no term is a header or the beginning of TBX; nor, behind a blank, which is cut, a note.
            Read("source\ttarget\n" + string.Concat(terms.Select(term => $" {Checked(term.Key)}\t{Checked(term.Value)}\n")));

        static string Checked(string text)
        {
            if (text.IndexOfAny(new[] { '\t', '\r', '\n' }) < 0) return text;
            throw new DragomanException(Status.InvalidArgument, $"terms: a tab or a line break in \"{text}\"");
        }

        /// <summary>Number of entries.</summary>
        public int Count => Handle.Count();

        /// <summary>Ends the handle; calls and jobs that use it go on.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
