// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace Dragoman
{
    /// <summary>What a call of the library gets: memory, handles and callbacks that live until it is
    /// disposed.</summary>
    internal sealed unsafe class Call : IDisposable
    {
        const int Block = 2048;
        static readonly Native.dragoman_progress_fn report = Report;
        static readonly UTF8Encoding strict = new UTF8Encoding(false, true);

        /// <summary>The callback of options, with User.</summary>
        internal static readonly IntPtr Watch = Marshal.GetFunctionPointerForDelegate(report);

        readonly CancellationToken cancel;
        readonly bool submits;
        byte* next;
        long left;
        List<IntPtr> blocks;
        List<SafeHandle> held;
        List<GCHandle> kept;
        IntPtr user;
        Exception thrown;

        /// <summary>What a file's stream threw, whose name the library says.</summary>
        internal Exception Cause;

        internal IProgress<WorkDone> Progress;
        internal IProgress<Download> Downloads;

        internal Call(CancellationToken cancel = default(CancellationToken), bool submits = false)
        {
            cancel.ThrowIfCancellationRequested();
            this.cancel = cancel;
            this.submits = submits;
        }

        /// <summary>Whether the library has to call back; a job tells its progress in events.</summary>
        internal bool Watched => !submits && (Progress != null || Downloads != null || cancel.CanBeCanceled);

        internal IntPtr User
        {
            get
            {
                if (user == IntPtr.Zero) user = GCHandle.ToIntPtr(Keep(this));
                return user;
            }
        }

        static int Report(SizeT done, SizeT total, IntPtr user)
        {
            var call = (Call)GCHandle.FromIntPtr(user).Target;
            return call.Tell(call.Progress, new WorkDone(done, total));
        }

        /// <summary>Tells somebody, or null; what the callback of the library gives back.</summary>
        internal int Tell<T>(IProgress<T> progress, T value)
        {
            try
            {
                progress?.Report(value);
            }
            catch (Exception error)  // comes out of the call
            {
                thrown = error;
            }
            return thrown != null || cancel.IsCancellationRequested ? 1 : 0;
        }

        internal static void Check(Status status)
        {
            if (status != Status.Ok) throw new DragomanException(status, Utf8.Read(Native.dragoman_last_error()));
        }

        /// <summary>As Check(), with what callbacks threw and what the caller cancelled.</summary>
        internal void Done(Status status) => Done(status, Native.dragoman_last_error());

        /// <summary>The same of a library with errors of its own.</summary>
        internal void Done(Status status, byte* error)
        {
            if (status == Status.Ok) return;
            if (thrown != null) ExceptionDispatchInfo.Capture(thrown).Throw();
            if (status == Status.Cancelled) cancel.ThrowIfCancellationRequested();
            throw new DragomanException(status, Utf8.Read(error), Cause);
        }

        internal static DragomanException Invalid(string message) =>
            new DragomanException(Status.InvalidArgument, message);

        internal static void Same(string name, int count, int inputs)
        {
            if (count != inputs) throw Invalid($"{name}: {count} for {inputs} inputs");
        }

        internal static uint Unsigned(long value, string name)
        {
            if (value < 0 || value > uint.MaxValue)
                throw Invalid($"{name}: expected 0 to {uint.MaxValue}, got {value}");
            return (uint)value;
        }

        internal static ulong Large(long value, string name)
        {
            if (value < 0) throw Invalid($"{name}: expected 0 or more, got {value}");
            return (ulong)value;
        }

        /// <summary>Memory of zeros.</summary>
        internal byte* Take(long size)
        {
            size = (size + 7) & ~7L;
            if (size > left)
            {
                left = Math.Max(size, Block);
                next = (byte*)Marshal.AllocHGlobal((IntPtr)left);
                if (blocks == null) blocks = new List<IntPtr>();
                blocks.Add((IntPtr)next);
            }
            var taken = next;
            for (var word = (long*)taken; word < taken + size; ++word) *word = 0;
            next += size;
            left -= size;
            return taken;
        }

        static string Named(string name, int place) => place < 0 ? name : $"{name}[{place}]";

        Native.dragoman_string Encode(string text, string name, int place = -1)
        {
            if (text == null) throw new ArgumentNullException(Named(name, place));
            var found = new Native.dragoman_string();
            try
            {
                var size = strict.GetByteCount(text);
                found.data = Take(size + 1);
                found.size = size;
                fixed (char* chars = text)
                {
                    if (size > 0) strict.GetBytes(chars, text.Length, found.data, size);
                }
            }
            catch (EncoderFallbackException error)
            {
                throw Invalid($"{Named(name, place)}: a lone surrogate at {error.Index}");
            }
            return found;
        }

        /// <summary>A text that ends with a zero byte; null for null.</summary>
        internal byte* Text(string text, string name)
        {
            if (text == null) return null;
            if (text.IndexOf('\0') >= 0) throw Invalid($"{name}: a zero byte at {text.IndexOf('\0')}");
            return Encode(text, name).data;
        }

        internal Native.dragoman_string* String(string text, string name)
        {
            var found = (Native.dragoman_string*)Take(sizeof(Native.dragoman_string));
            *found = Encode(text, name);
            return found;
        }

        internal Native.dragoman_string* Bytes(byte[] bytes)
        {
            var found = (Native.dragoman_string*)Take(sizeof(Native.dragoman_string));
            found->data = Copy(bytes);
            found->size = bytes.Length;
            return found;
        }

        internal byte* Copy(byte[] bytes)
        {
            var found = Take(bytes.Length + 1);
            Marshal.Copy(bytes, 0, (IntPtr)found, bytes.Length);
            return found;
        }

        internal Native.dragoman_string* Strings(IReadOnlyList<string> texts, string name)
        {
            var found = (Native.dragoman_string*)Take(sizeof(Native.dragoman_string) * (long)texts.Count);
            for (var place = 0; place < texts.Count; ++place)
                found[place] = Encode(texts[place], name, place);
            return found;
        }

        internal Native.dragoman_tokens* Sequences(IReadOnlyList<IReadOnlyList<string>> sequences, string name)
        {
            var found = (Native.dragoman_tokens*)Take(sizeof(Native.dragoman_tokens) * (long)sequences.Count);
            for (var place = 0; place < sequences.Count; ++place)
            {
                found[place].data = Strings(sequences[place], name);
                found[place].count = sequences[place].Count;
            }
            return found;
        }

        internal float* Floats(IReadOnlyList<float> numbers)
        {
            var found = (float*)Take(sizeof(float) * (long)numbers.Count);
            for (var place = 0; place < numbers.Count; ++place) found[place] = numbers[place];
            return found;
        }

        /// <summary>A handle that stays for the call.</summary>
        internal IntPtr Hold(SafeHandle handle)
        {
            var added = false;
            handle.DangerousAddRef(ref added);
            if (held == null) held = new List<SafeHandle>();
            held.Add(handle);
            return handle.DangerousGetHandle();
        }

        internal IntPtr* Models(IReadOnlyList<Model> models)
        {
            var found = (IntPtr*)Take(sizeof(IntPtr) * (long)models.Count);
            for (var place = 0; place < models.Count; ++place) found[place] = Hold(models[place].Handle);
            return found;
        }

        internal Native.dragoman_file* Files(IReadOnlyList<ModelFile> files)
        {
            var found = (Native.dragoman_file*)Take(sizeof(Native.dragoman_file) * (long)files.Count);
            for (var place = 0; place < files.Count; ++place) files[place].Write(this, found + place);
            return found;
        }

        /// <summary>An object that the library knows by a number, for the call.</summary>
        internal GCHandle Keep(object target, GCHandleType type = GCHandleType.Normal)
        {
            if (kept == null) kept = new List<GCHandle>();
            kept.Add(GCHandle.Alloc(target, type));
            return kept[kept.Count - 1];
        }

        public void Dispose()
        {
            if (held != null) foreach (var handle in held) handle.DangerousRelease();
            if (blocks != null) foreach (var block in blocks) Marshal.FreeHGlobal(block);
            if (kept != null) foreach (var one in kept) one.Free();
        }
    }
}
