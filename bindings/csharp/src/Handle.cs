// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>C's size_t.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct SizeT
    {
        UIntPtr value;

        public static implicit operator SizeT(int value) => new SizeT { value = (UIntPtr)checked((uint)value) };
        public static implicit operator long(SizeT size) => checked((long)(ulong)size.value);
        public static explicit operator int(SizeT size) => checked((int)(ulong)size.value);
    }

    /// <summary>A handle of the library, which ends once nobody uses it any more.</summary>
    internal abstract class Handle : SafeHandle
    {
        protected Handle(IntPtr pointer) : base(IntPtr.Zero, true)
        {
            SetHandle(pointer);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;
    }

    /// <summary>A handle in use: another thread that disposes it meanwhile does not end it.</summary>
    internal struct Held : IDisposable
    {
        readonly SafeHandle handle;

        internal Held(SafeHandle handle)
        {
            var held = false;
            handle.DangerousAddRef(ref held);
            this.handle = handle;
        }

        public void Dispose() => handle.DangerousRelease();

        /// <summary>What is read of a handle that stays meanwhile.</summary>
        internal static T[] List<T>(SafeHandle handle, int count, Func<int, T> each)
        {
            using (new Held(handle)) return Enumerable.Range(0, count).Select(each).ToArray();
        }

        public static implicit operator IntPtr(Held held) => held.handle.DangerousGetHandle();
    }
}
