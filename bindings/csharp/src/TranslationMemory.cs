// SPDX-License-Identifier: Apache-2.0
using System;

namespace Dragoman
{
    /// <summary>
    /// What was translated before, by models and by people, for the option Memory. Any number of threads, calls and
    /// translators may use it.
    /// </summary>
    public sealed class TranslationMemory : IDisposable
    {
        internal MemoryHandle Handle { get; }

        /// <summary>Makes a memory.</summary>
        public TranslationMemory(MemoryOptions options = null)
        {
            Handle = new MemoryHandle(Calls.MemoryCreate(options));
        }

        /// <summary>Writes what waits for the file, and ends the handle; calls and jobs that use it go on.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>Reads a translation memory (TMX) from a file; how many of its units are of use.</summary>
        public long LoadTmx(string path) => Calls.MemoryLoadTmx(Handle, path);

        /// <summary>The same from the content of such a file.</summary>
        public long ReadTmx(byte[] content) => Calls.MemoryReadTmx(Handle, content);

        /// <summary>Adds a segment and its translation, of two languages (BCP 47).</summary>
        public void Add(string sourceLanguage, string targetLanguage, string source, string target) =>
            Calls.MemoryAdd(Handle, sourceLanguage, targetLanguage, source, target);

        /// <summary>Writes the translations that were recorded so far as TMX, and replaces an old file.</summary>
        public void WriteTmx(string path) => Calls.MemoryWriteTmx(Handle, path);

        /// <summary>Forgets everything: answers, in the file too, segments and the record.</summary>
        public void Clear() => Handle.Clear();

        /// <summary>What it has, and what it was asked since it was made.</summary>
        public MemoryCounts Counts => Handle.Stats();
    }
}
