// SPDX-License-Identifier: Apache-2.0
using System;

namespace Dragoman
{
    /// <summary>
    /// What was translated before, by models and by people, for the option Memory. Any number of threads, calls and
    /// translators may use it.
    /// </summary>
    public sealed unsafe class TranslationMemory : IDisposable
    {
        internal MemoryHandle Handle { get; }

        /// <summary>Makes a memory.</summary>
        public TranslationMemory(MemoryOptions options = null)
        {
            IntPtr found;
            using (var call = new Call())
                call.Done(Native.dragoman_memory_create(MemoryOptions.Make(call, options), out found));
            Handle = new MemoryHandle(found);
        }

        /// <summary>Writes what waits for the file, and ends the handle; calls and jobs that use it go on.</summary>
        public void Dispose() => Handle.Dispose();

        /// <summary>Reads a translation memory (TMX) from a file; how many of its units are of use.</summary>
        public long LoadTmx(string path)
        {
            SizeT count;
            using (var call = new Call())
                call.Done(Native.dragoman_memory_load_tmx(call.Hold(Handle), call.Text(path, "path"), out count));
            return count;
        }

        /// <summary>The same from the content of such a file.</summary>
        public long ReadTmx(byte[] content)
        {
            SizeT count;
            using (var call = new Call())
                call.Done(Native.dragoman_memory_read_tmx(call.Hold(Handle), call.Bytes(content), out count));
            return count;
        }

        /// <summary>Adds a segment and its translation, of two languages (BCP 47).</summary>
        public void Add(string sourceLanguage, string targetLanguage, string source, string target)
        {
            using (var call = new Call())
                call.Done(Native.dragoman_memory_add(
                    call.Hold(Handle), call.Text(sourceLanguage, "source_language"),
                    call.Text(targetLanguage, "target_language"), call.String(source, "source"),
                    call.String(target, "target")));
        }

        /// <summary>Writes the translations that were recorded so far as TMX, and replaces an old file.</summary>
        public void WriteTmx(string path)
        {
            using (var call = new Call())
                call.Done(Native.dragoman_memory_write_tmx(call.Hold(Handle), call.Text(path, "path")));
        }

        /// <summary>Forgets everything: answers, in the file too, segments and the record.</summary>
        public void Clear() => Handle.Clear();

        /// <summary>What it has, and what it was asked since it was made.</summary>
        public MemoryCounts Counts => Handle.Stats();
    }
}
