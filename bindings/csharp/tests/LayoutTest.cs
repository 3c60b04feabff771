// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Dragoman;
using Map = System.Collections.Generic.Dictionary<string, object>;

/// <summary>Structs are laid out as a C compiler does it, and every function of the header is there.</summary>
static class LayoutTest
{
    static readonly Map api =
        (Map)Json.Parse(File.ReadAllText(Path.Combine(Program.Root, "capi/api.json")));

    [Test]
    static void SizesAndOffsets()
    {
        var native = typeof(Model).Assembly.GetType("Dragoman.Native");
        var layout = Path.DirectorySeparatorChar == '\\' ? "llp64" : "lp64";
        var structs = ((List<object>)api["structs"]).Cast<Map>().ToList();
        foreach (var one in structs)
        {
            var type = native.GetNestedType((string)one["name"], BindingFlags.NonPublic);
            var expected = (Map)((Map)one["layout"])[layout];
            Check.Same((double)Marshal.SizeOf(type), (double)expected["size"], $"size of {type.Name}");
            var names = ((List<object>)one["fields"]).Select(field => (string)((Map)field)["name"]);
            var found = names.Select(name => (double)(long)Marshal.OffsetOf(type, name));
            Check.All(found, ((List<object>)expected["offsets"]).Cast<double>(), $"offsets of {type.Name}");
        }
        Check.That(structs.Count > 20, $"{structs.Count} structs");
    }

    [Test]
    static void EveryFunctionIsThere()
    {
        var native = typeof(Model).Assembly.GetType("Dragoman.Native");
        foreach (var one in ((List<object>)api["functions"]).Cast<Map>().Where(one => !(bool)one["inline"]))
        {
            var method = native.GetMethod((string)one["name"], BindingFlags.Static | BindingFlags.NonPublic);
            Check.That(method != null, $"{one["name"]} is not declared");
            Marshal.Prelink(method);  // throws where the library lacks it
        }
    }
}
