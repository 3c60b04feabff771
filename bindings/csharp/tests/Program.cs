// SPDX-License-Identifier: Apache-2.0
// tests REPOSITORY [WORD...]: runs the tests whose names have one of the words, or all of them. With --models it is the
// other process of ModelsTest.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Dragoman;

[AttributeUsage(AttributeTargets.Method)]
sealed class TestAttribute : Attribute
{
}

sealed class Failed : Exception
{
    internal Failed(string message) : base(message) { }
}

static class Check
{
    internal static void That(bool holds, string what)
    {
        if (!holds) throw new Failed(what);
    }

    internal static void Same<T>(T found, T expected, string what = "value")
    {
        if (!EqualityComparer<T>.Default.Equals(found, expected))
            throw new Failed($"{what}: expected {expected}, got {found}");
    }

    internal static void All<T>(IEnumerable<T> found, IEnumerable<T> expected, string what = "values")
    {
        if (!found.SequenceEqual(expected))
            throw new Failed($"{what}: expected {string.Join("|", expected)}, got {string.Join("|", found)}");
    }

    internal static T Throws<T>(Action call, string words = "") where T : Exception
    {
        try
        {
            call();
        }
        catch (AggregateException error) when (error.InnerException is T)
        {
            return Has((T)error.InnerException, words);
        }
        catch (T error)
        {
            return Has(error, words);
        }
        throw new Failed($"expected {typeof(T).Name}, got nothing");
    }

    static T Has<T>(T error, string words) where T : Exception
    {
        That(error.Message.Contains(words), $"\"{words}\" is not in \"{error.Message}\"");
        return error;
    }

    internal static DragomanException Fails(Status status, string words, Action call)
    {
        var error = Throws<DragomanException>(call, words);
        Same(error.Status, status, "status");
        return error;
    }
}

static class Program
{
    internal static string Root, Data, TextModel, TokenModel, Folder;
    internal const string Text = "batin kétiß kénara késora banara!";
    internal const string Translated = "fopiй Gasa Gakuй Gakux foй!";

    internal static ModelOptions Exact => new ModelOptions { ComputeType = ComputeType.F32 };
    internal static TranslateOptions ToXx => new TranslateOptions { TargetLanguage = "xx" };

    static int Main(string[] arguments)
    {
        Root = arguments[0];
        Data = Path.Combine(Root, "tests/data");
        TextModel = Path.Combine(Data, "huggingface/shared");
        TokenModel = Path.Combine(Data, "aren-transliteration");
        Folder = Path.Combine(Path.GetTempPath(), $"dragoman-{Process.GetCurrentProcess().Id}");
        Directory.CreateDirectory(Folder);
        int passed = 0, failed = 0;
        try
        {
            if (arguments.Length == 5 && arguments[1] == "--models")
                return ModelsTest.Child(arguments[2], arguments[3], arguments[4]);
            foreach (var test in Tests(arguments.Skip(1).ToArray()))
            {
                if (Passes(test)) ++passed;
                else ++failed;
            }
        }
        finally
        {
            Directory.Delete(Folder, true);
        }
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    static IEnumerable<MethodInfo> Tests(string[] words)
    {
        var all = Assembly.GetExecutingAssembly().GetTypes().OrderBy(type => type.Name)
            .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
            .Where(method => method.GetCustomAttribute<TestAttribute>() != null);
        return all.Where(test => words.Length == 0 || words.Any(Name(test).Contains)).ToArray();
    }

    static string Name(MethodInfo test) => $"{test.DeclaringType.Name}.{test.Name}";

    static bool Passes(MethodInfo test)
    {
        var watch = Stopwatch.StartNew();
        try
        {
            (test.Invoke(null, null) as Task)?.Wait();
            Console.WriteLine($"ok {Name(test)} ({watch.ElapsedMilliseconds} ms)");
            return true;
        }
        catch (Exception error)
        {
            while (error.InnerException != null && !(error is DragomanException)) error = error.InnerException;
            Console.WriteLine($"FAILED {Name(test)}: {error.Message}\n{error}");
            return false;
        }
    }
}
