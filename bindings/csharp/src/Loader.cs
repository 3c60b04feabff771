// SPDX-License-Identifier: Apache-2.0
#if NETCOREAPP3_0_OR_GREATER
using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>
    /// Where .NET finds the library: the file that DRAGOMAN_LIBRARY names, else beside the program or where the system
    /// looks, also under the name of its package without headers. Mono reads Dragoman.dll.config instead.
    /// </summary>
    internal static unsafe partial class Native
    {
        static Native()
        {
            NativeLibrary.SetDllImportResolver(typeof(Native).Assembly, Find);
        }

        static IntPtr Find(string name, Assembly assembly, DllImportSearchPath? path)
        {
            var file = Environment.GetEnvironmentVariable("DRAGOMAN_LIBRARY");
            if (!string.IsNullOrEmpty(file))
                return NativeLibrary.Load(Path.Combine(Path.GetDirectoryName(file) ?? "",
                                                       Path.GetFileName(file).Replace(Library, name)));
            IntPtr found;
            foreach (var one in new[] { name, $"lib{name}.so.1", $"lib{name}.1.dylib" })
                if (NativeLibrary.TryLoad(one, assembly, path, out found)) return found;
            return IntPtr.Zero;
        }
    }
}
#endif
