// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>A file of a model: in memory, or a stream that can seek.</summary>
    public sealed class ModelFile
    {
        internal readonly string Name;
        internal readonly byte[] Content;
        internal readonly Stream Stream;

        /// <summary>A file in memory, with its name in the model's folder.</summary>
        public ModelFile(string name, byte[] content)
        {
            Name = name;
            Content = content;
        }

        /// <summary>A file that is read from a stream while the model is loaded.</summary>
        public ModelFile(string name, Stream stream)
        {
            Name = name;
            Stream = stream;
        }
    }

    /// <summary>Files for a call.</summary>
    internal sealed unsafe class ModelFiles : IDisposable
    {
        static readonly Native.dragoman_read_fn read = Read;
        readonly List<GCHandle> kept = new List<GCHandle>();
        internal readonly Call Call = new Call();
        internal readonly Native.dragoman_file* Data;
        internal readonly int Count;

        internal ModelFiles(IEnumerable<ModelFile> files)
        {
            var given = files.ToArray();
            Count = given.Length;
            Data = (Native.dragoman_file*)Call.Take(sizeof(Native.dragoman_file) * (long)Count);
            try
            {
                for (var place = 0; place < Count; ++place) Add(given[place], Data + place);
            }
            catch
            {
                Dispose();
                throw;
            }
        }

        void Add(ModelFile file, Native.dragoman_file* raw)
        {
            raw->name = Call.Text(file.Name, "name");
            if (file.Content != null)
            {
                raw->data = (void*)Keep(GCHandle.Alloc(file.Content, GCHandleType.Pinned)).AddrOfPinnedObject();
                raw->size = (ulong)file.Content.Length;
                return;
            }
            raw->size = (ulong)file.Stream.Length;
            raw->read = Marshal.GetFunctionPointerForDelegate(read);
            raw->user = GCHandle.ToIntPtr(Keep(GCHandle.Alloc(file.Stream)));
        }

        GCHandle Keep(GCHandle handle)
        {
            kept.Add(handle);
            return handle;
        }

        static int Read(ulong offset, void* buffer, SizeT size, IntPtr user)
        {
            try
            {
                var stream = (Stream)GCHandle.FromIntPtr(user).Target;
                var bytes = new byte[(int)size];
                stream.Seek((long)offset, SeekOrigin.Begin);
                for (var done = 0; done < bytes.Length;)
                {
                    var more = stream.Read(bytes, done, bytes.Length - done);
                    if (more == 0) return 1;
                    done += more;
                }
                Marshal.Copy(bytes, 0, (IntPtr)buffer, bytes.Length);
                return 0;
            }
            catch (Exception)  // the library says which file it was
            {
                return 1;
            }
        }

        public void Dispose()
        {
            foreach (var one in kept) one.Free();
            Call.Dispose();
        }
    }
}
