// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>The library itself.</summary>
    public static unsafe class Library
    {
        static readonly Native.dragoman_log_fn log = Log;
        static volatile Action<LogLevel, string> receiver;

        /// <summary>For AttentionHead: the mean of all heads.</summary>
        public const long AllHeads = uint.MaxValue;

        /// <summary>Version of the library that runs, "1.0.0".</summary>
        public static string Version => Utf8.Read(Native.dragoman_version_string());

        /// <summary>The same as one number: 1.2.3 is 10203.</summary>
        public static long VersionNumber => Native.dragoman_version();

        /// <summary>Whether it has "format.ctranslate2", "compute.float16" ...; false for unknown names.</summary>
        public static bool HasFeature(string name)
        {
            using (var call = new Call()) return Native.dragoman_has_feature(call.Text(name, "name")) != 0;
        }

        /// <summary>The names of all features.</summary>
        public static IReadOnlyList<string> Features()
        {
            var found = new List<string>();
            for (var name = Feature(0); name != null; name = Feature(found.Count)) found.Add(name);
            return found;
        }

        static string Feature(int index) => Utf8.Read(Native.dragoman_feature_name(index));

        /// <summary>
        /// Sends log lines of the whole process to a function instead of standard error; null restores the default. It
        /// runs on any thread, never twice at a time, and must not use the library.
        /// </summary>
        public static void SetLog(Action<LogLevel, string> function, LogLevel maxLevel = LogLevel.Warning)
        {
            if (function != null) receiver = function;
            ForeignThread.Expect(null);
            var pointer = function == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(log);
            Call.Check(Native.dragoman_set_log(pointer, IntPtr.Zero, (int)maxLevel));
        }

        static void Log(int level, byte* line, IntPtr user)
        {
            ForeignThread.Enter(false);
            try
            {
                receiver((LogLevel)level, Utf8.Read(line));
            }
            catch (Exception)  // nobody could get it: the thread is the library's
            {
            }
        }
    }
}
