// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Dragoman;
using Map = System.Collections.Generic.Dictionary<string, object>;

/// <summary>
/// Published models, from a local server that plays the registries. Each test is a process of its own, as the library
/// takes the server's address and the folders from the environment.
/// </summary>
static class ModelsTest
{
    const string German = "firefox:de-en";
    static readonly ModelsOptions firefox = new ModelsOptions { Registries = new[] { "firefox" } };
    static string text, translation;

    /// <summary>What runs in the other process: a method of this class, by its name.</summary>
    internal static int Child(string part, string given, string becomes)
    {
        text = given;
        translation = becomes;
        try
        {
            typeof(ModelsTest).GetMethod(part, BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, null);
        }
        catch (TargetInvocationException error)
        {
            Console.WriteLine(error.InnerException);
            return 1;
        }
        Console.WriteLine($"passed {part}");
        return 0;
    }

    sealed class Told : IProgress<Download>
    {
        internal readonly List<Download> Seen = new List<Download>();
        internal Action<Download> After = at => { };

        public void Report(Download value)
        {
            Seen.Add(value);
            After(value);
        }
    }

    static IEnumerable<string> Names(IEnumerable<PublishedModel> models) => models.Select(one => one.Name);

    static void All()
    {
        var registry = Models.Registries().Single(one => one.Id == "firefox");
        Check.Same(registry.Mirror, "DRAGOMAN_MIRROR_FIREFOX");
        Check.That(registry.ListUrl.StartsWith("https://"), registry.ListUrl);
        var store = Path.Combine(Environment.GetEnvironmentVariable("XDG_DATA_HOME"), "dragoman", "models");
        Check.Same(Models.Folder, store);

        var found = Models.Search("de", "en", firefox);
        Check.All(Names(found), new[] { German });
        Check.Same(found.Problems.Count, 0, "problems");
        Check.All(found[0].From, new[] { "de" });
        Check.All(found[0].To, new[] { "en" });
        Check.Same(found[0].License, "MPL-2.0");
        Check.Same(found[0].Version, "3.0");
        Check.That(!found[0].Installed && found[0].Path == "" && found[0].Bytes > 0, "as it is offered");
        Check.That(Names(Models.Search(null, null, firefox)).Contains("firefox:en-fr"), "any language");
        var two = new ModelsOptions { Registries = new[] { "firefox", "opus" } };
        var problems = Models.Search("de", "en", two).Problems;
        Check.That(problems.Count == 1 && problems[0].StartsWith("opus: "), string.Join("|", problems));
        Check.All(Names(Models.Route("de", "fr", firefox)), new[] { German, "firefox:en-fr" });
        Check.Same(Models.InstalledRoute("de", "en").Count, 0);
        Check.Same(Models.Show(German).Files.Count, 3, "files");

        var told = new Told();
        var model = Models.Download(German, new ModelsOptions { Progress = told });
        var last = told.Seen.Last();
        Check.Same(last.DoneBytes, last.TotalBytes, "bytes");
        Check.Same(last.Model, German);
        Check.That(model.Installed && model.Owner == "dragoman" && model.Path.StartsWith(store), model.Path);
        Check.Same(model.Files.Count, 3, "files");
        foreach (var one in model.Files)
        {
            Check.Same(one.Proof, "published");
            Check.Same(one.Sha256.Length, 64, "digits");
            Check.Same(one.Bytes, new FileInfo(Path.Combine(model.Path, one.Name)).Length, "bytes");
        }
        Check.All(Names(Models.List()), new[] { German });
        Check.All(Names(Models.InstalledRoute("de", "en")), new[] { German });
        var offline = new ModelsOptions { Offline = true };
        using (var loaded = Models.Load(German, offline))
        using (var translator = new Translator(loaded))
            Check.Same(translator.Translate(text).Text, translation);
        Model.Load(German).Dispose();
        Models.Verify(German);
        var none = new ModelsOptions { Parallel = 0 };
        Check.Fails(Status.InvalidArgument, "parallel", () => Models.Download(German, none));
        Check.Fails(Status.InvalidArgument, "no-such", () => Models.Show("no-such:model"));
        Check.Fails(Status.InvalidArgument, "name: a zero byte", () => Models.Show("a\0b"));
        Check.Fails(Status.IoError, "", () => Models.Download("argos:en_de", offline));

        var file = Path.Combine(model.Path, model.Files[0].Name);
        File.WriteAllBytes(file, new byte[] { 1, 2, 3 });
        Check.Fails(Status.BadModel, Path.GetFileName(file), () => Models.Verify(German));
        Models.Remove(German);
        Check.Same(Models.List().Count, 0);
        Check.Fails(Status.InvalidArgument, German, () => Models.Remove(German));

        var gguf = Path.Combine(Environment.GetEnvironmentVariable("XDG_CACHE_HOME"), "frénch.gguf");
        Model.Convert(Models.Download("firefox:en-fr").Path, gguf);
        Models.KeepFile("firefox:en-fr", gguf);
        var kept = Models.Show("firefox:en-fr");
        Check.Same(kept.Files.Count, 1, "files");
        Check.Same(Model.Describe(kept.Path).Format, "gguf");
        Models.Verify("firefox:en-fr");
    }

    static void Stop()
    {
        var told = new Told();
        var options = new ModelsOptions { Progress = told, Parallel = 1 };
        var stop = new CancellationTokenSource();
        told.After = at => { if (at.DoneBytes > 0) stop.Cancel(); };
        Check.Throws<OperationCanceledException>(() => Models.Download(German, options, stop.Token));
        Check.That(told.Seen.Any(at => at.DoneBytes > 0), "it had begun");
        Check.Same(Models.List().Count, 0);
        told.After = at => { throw new FormatException("mine"); };
        Check.Throws<FormatException>(() => Models.Download(German, options), "mine");
        // The file of this one does not come: it waits for that until it is cancelled.
        stop = new CancellationTokenSource();
        var waits = Models.DownloadAsync("argos:en_fi", null, stop.Token);
        Check.That(!waits.Wait(1500), "it waits");
        stop.Cancel();
        Check.Throws<OperationCanceledException>(() => waits.Wait(20000));
        Check.Same(waits.Status, TaskStatus.Canceled);
        Check.That(Models.DownloadAsync(German).Result.Installed, "and goes on");
        Check.Same(Models.Clean(1), 0L);
    }

    /// <summary>Everything else works.</summary>
    static void Without()
    {
        for (var turn = 0; turn < 2; ++turn)
        {
            Check.Fails(Status.Unsupported, "libdragoman_models was not found", () => Models.List());
            Check.Fails(Status.Unsupported, "-DDRAGOMAN_MODELS=ON", () => Models.Download(German));
            Check.Fails(Status.Unsupported, "libdragoman_models", () => Models.Folder.ToString());
        }
        using (var model = Model.Load(Program.TextModel, Program.Exact))
        using (var translator = new Translator(model, Program.ToXx))
            Check.Same(translator.Translate(Program.Text).Text, Program.Translated);
    }

    static string Named => Environment.GetEnvironmentVariable("DRAGOMAN_LIBRARY") ?? "";

    /// <summary>The file of the library beside the one that is named; null where it was not built.</summary>
    static string Beside()
    {
        var file = Path.Combine(Path.GetDirectoryName(Named),
                                Path.GetFileName(Named).Replace("dragoman", "dragoman_models"));
        return File.Exists(file) ? file : null;
    }

    static Process Start(string file, IEnumerable<string> arguments, Action<IDictionary<string, string>> change = null)
    {
        var start = new ProcessStartInfo(file, string.Join(" ", arguments.Select(one => $"\"{one}\"")))
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        change?.Invoke(start.Environment);
        return Process.Start(start);
    }

    static void Passes(string program, string part, string home, string[] more,
                       Action<IDictionary<string, string>> change)
    {
        var here = Assembly.GetExecutingAssembly().Location;
        var arguments = new List<string> { Path.Combine(Path.GetDirectoryName(here), program) };
        arguments.AddRange(part == null ? new[] { "models" } : new[] { Program.Root, "--models", part }.Concat(more));
        using (var child = Start(Process.GetCurrentProcess().MainModule.FileName, arguments, change))
        {
            child.StandardInput.Dispose();
            var said = child.StandardOutput.ReadToEndAsync();
            var ended = said.Wait(200000);
            if (!ended) child.Kill();
            child.WaitForExit();
            Check.That(ended && child.ExitCode == 0, said.Result);
            Check.That(said.Result.Contains(part == null ? $"{German} in {home}" : $"passed {part}"), said.Result);
            Check.That(part != null || said.Result.Contains("1 programs ran"), said.Result);
        }
    }

    /// <summary>Runs a part in another process, with registries that are played.</summary>
    static void Played(string program, string part)
    {
        if (Beside() == null)
        {
            Console.WriteLine("skipped: no libdragoman_models");
            return;
        }
        using (var server = Start("python3", new[] { Path.Combine(Program.Root, "tests/registry/serve.py") }))
        {
            var told = (Map)Json.Parse(server.StandardOutput.ReadLine());
            var more = new[] { (string)told["text"], (string)told["translation"] };
            Passes(program, part, (string)told["home"], more, environment =>
            {
                foreach (string name in (List<object>)told["unset"]) environment.Remove(name);
                foreach (var one in (Map)told["set"]) environment[one.Key] = (string)one.Value;
            });
            server.StandardInput.Dispose();
            server.WaitForExit();
        }
    }

    [Test]
    static void FromSearchToTranslation() => Played("tests.dll", "All");

    [Test]
    static void StoppedDownloads() => Played("tests.dll", "Stop");

    [Test]
    static void TheProgramsOfTheReadme() => Played("readme.dll", null);

    [Test]
    static void WithoutTheLibrary()
    {
        if (Beside() == null) return;
        var folder = Directory.CreateDirectory(Path.Combine(Program.Folder, "without")).FullName;
        var copy = Path.Combine(folder, "libdragoman.so");
        foreach (var version in new[] { "", ".1" })
        {
            File.Copy(Named, copy + version);
            File.WriteAllText(Path.Combine(folder, "libdragoman_models.so" + version), "no library");
        }
        Passes("tests.dll", "Without", "", new[] { "", "" }, environment =>
        {
            environment["DRAGOMAN_LIBRARY"] = copy;
            environment["LD_LIBRARY_PATH"] = folder;
        });
    }
}
