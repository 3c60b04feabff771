// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;

namespace Dragoman
{
    /// <summary>
    /// Mono and the library's threads. These block all signals, and Mono stops threads for a collection with some: a
    /// thread that called back once would never stop. And a program would not end before such a thread. .NET needs
    /// none of this.
    /// </summary>
    internal static class ForeignThread
    {
        const int Unblock = 1;                    // SIG_UNBLOCK of Linux
        const ulong Signals = 0xFFFFFFFE00000000  // the real-time ones
            | 1UL << (30 - 1) | 1UL << (24 - 1);  // SIGPWR, SIGXCPU

        static readonly bool needed = Type.GetType("Mono.Runtime") != null && File.Exists("/proc/self/status");
        static readonly List<WeakReference> owners = new List<WeakReference>();
        static volatile bool someStay;
        static bool registered;
        [ThreadStatic] static bool entered;

        [DllImport("libc", EntryPoint = "pthread_sigmask")]
        static extern int SetMask(int how, ulong[] signals, IntPtr before);

        [DllImport("libc", EntryPoint = "_exit")]
        static extern void EndNow(int code);

        /// <summary>First thing of every callback that may run on a thread of the library.</summary>
        internal static void Enter(bool owned)
        {
            if (!needed || entered) return;
            entered = true;
            if (!owned) someStay = true;
            Thread.CurrentThread.IsBackground = true;
            var set = new ulong[16];  // a sigset_t has room for 1024
            set[0] = Signals;
            SetMask(Unblock, set, IntPtr.Zero);
        }

        /// <summary>Callbacks will come from threads that end with their owner; null: that stay.</summary>
        internal static void Expect(SafeHandle owner)
        {
            if (!needed) return;
            lock (owners)
            {
                if (!registered) AppDomain.CurrentDomain.ProcessExit += (sender, given) => EndAll();
                registered = true;
                owners.RemoveAll(one => !one.IsAlive);
                if (owner != null && !owners.Exists(one => ReferenceEquals(one.Target, owner)))
                    owners.Add(new WeakReference(owner));
            }
        }

        static void EndAll()
        {
            lock (owners)
                foreach (var one in owners) (one.Target as SafeHandle)?.Dispose();
            if (someStay) EndNow(Environment.ExitCode);  // Mono would wait for them without end
        }
    }
}
