// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>A file of a model: in memory, or a stream that can seek.</summary>
    public sealed unsafe class ModelFile
    {
        /// <summary>A stream during a call.</summary>
        sealed class Reading
        {
            internal Stream Stream;
            internal Call Call;
        }

        static readonly Native.dragoman_read_fn read = Read;
        static readonly IntPtr reader = Marshal.GetFunctionPointerForDelegate(read);
        readonly string name;
        readonly byte[] content;
        readonly Stream stream;

        /// <summary>A file in memory, with its name in the model's folder.</summary>
        public ModelFile(string name, byte[] content)
        {
            this.name = name;
            this.content = content;
        }

        /// <summary>
        /// A file that is read from a stream while the model is loaded. What the stream throws is the InnerException of
        /// that of the call.
        /// </summary>
        public ModelFile(string name, Stream stream)
        {
            this.name = name;
            this.stream = stream;
        }

        internal void Write(Call call, Native.dragoman_file* raw)
        {
            raw->name = call.Text(name, "name");
            raw->size = (ulong)(content?.Length ?? stream.Length);
            if (content != null)
            {
                raw->data = (void*)call.Keep(content, GCHandleType.Pinned).AddrOfPinnedObject();
                return;
            }
            raw->read = reader;
            raw->user = GCHandle.ToIntPtr(call.Keep(new Reading { Stream = stream, Call = call }));
        }

        static int Read(ulong offset, void* buffer, SizeT size, IntPtr user)
        {
            var reading = (Reading)GCHandle.FromIntPtr(user).Target;
            try
            {
                var stream = reading.Stream;
                var bytes = new byte[(int)size];
                stream.Seek((long)offset, SeekOrigin.Begin);
                for (var done = 0; done < bytes.Length;)
                {
                    var more = stream.Read(bytes, done, bytes.Length - done);
                    if (more == 0) throw new EndOfStreamException($"the stream ends at {stream.Position}");
                    done += more;
                }
                Marshal.Copy(bytes, 0, (IntPtr)buffer, bytes.Length);
                return 0;
            }
            catch (Exception error)
            {
                reading.Call.Cause = reading.Call.Cause ?? error;
                return 1;
            }
        }
    }
}
