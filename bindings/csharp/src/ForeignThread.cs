// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>
    /// The library's threads block all signals, and Mono stops threads for a collection with some: without this, a thread
    /// that called back once would never stop, and the collection would wait for it. .NET needs none of it.
    /// </summary>
    internal static class ForeignThread
    {
        const int Unblock = 1;                    // SIG_UNBLOCK of Linux
        const ulong Signals = 0xFFFFFFFE00000000  // the real-time ones
            | 1UL << (30 - 1) | 1UL << (24 - 1);  // SIGPWR, SIGXCPU

        static readonly bool needed = Type.GetType("Mono.Runtime") != null && File.Exists("/proc/self/status");
        [ThreadStatic] static bool entered;

        [DllImport("libc", EntryPoint = "pthread_sigmask")]
        static extern int SetMask(int how, ulong[] signals, IntPtr before);

        /// <summary>First thing of every callback that may run on a thread of the library.</summary>
        internal static void Enter()
        {
            if (!needed || entered) return;
            entered = true;
            var set = new ulong[16];  // a sigset_t has room for 1024
            set[0] = Signals;
            SetMask(Unblock, set, IntPtr.Zero);
        }
    }
}
