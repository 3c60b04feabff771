// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>
    /// Mono and the library's threads. These block all signals, and Mono stops threads for a collection with some: a thread
    /// that called back once would never stop. And a program would not end before such a thread. .NET needs none of this.
    /// </summary>
    internal static class ForeignThread
    {
        const int Unblock = 1;                    // SIG_UNBLOCK of Linux
        const ulong Signals = 0xFFFFFFFE00000000  // the real-time ones
            | 1UL << (30 - 1) | 1UL << (24 - 1);  // SIGPWR, SIGXCPU

        static readonly bool needed = Type.GetType("Mono.Runtime") != null && File.Exists("/proc/self/status");
        static readonly List<WeakReference> owners = new List<WeakReference>();
        static bool registered;
        [ThreadStatic] static bool entered;

        [DllImport("libc", EntryPoint = "pthread_sigmask")]
        static extern int SetMask(int how, ulong[] signals, IntPtr before);

        /// <summary>First thing of every callback that may run on a thread of the library.</summary>
        internal static void Enter()
        {
            if (!needed || entered) return;
            entered = true;
            System.Threading.Thread.CurrentThread.IsBackground = true;
            var set = new ulong[16];  // a sigset_t has room for 1024
            set[0] = Signals;
            SetMask(Unblock, set, IntPtr.Zero);
        }

        /// <summary>A handle whose threads call back: it ends with the program.</summary>
        internal static void Own(SafeHandle owner)
        {
            if (!needed) return;
            lock (owners)
            {
                if (!registered) AppDomain.CurrentDomain.ProcessExit += (sender, given) => EndAll();
                registered = true;
                owners.RemoveAll(one => !one.IsAlive);
                if (!owners.Exists(one => ReferenceEquals(one.Target, owner))) owners.Add(new WeakReference(owner));
            }
        }

        static void EndAll()
        {
            foreach (var one in owners) (one.Target as SafeHandle)?.Dispose();
        }
    }
}
