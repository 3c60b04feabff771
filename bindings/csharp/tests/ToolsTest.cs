// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using Dragoman;

static class ToolsTest
{
    const string Page = "<p title=\"" + Program.Text + "\">" + Program.Text + "</p>";
    const string TranslatedPage = "<p title=\"" + Program.Translated + "\">" + Program.Translated + "</p>";

    static string At(string name) => Path.Combine(Program.Folder, name);

    static Translator Toy()
    {
        using (var model = Model.Load(Program.TextModel, Program.Exact)) return new Translator(model, Program.ToXx);
    }

    [Test]
    static void LibraryAndDevices()
    {
        var number = Library.VersionNumber;
        Check.Same(Library.Version, $"{number / 10000}.{number / 100 % 100}.{number % 100}");
        Check.That(Library.HasFeature("jobs") && !Library.HasFeature("teleport"), "features");
        Check.That(Library.Features().Contains("format.ctranslate2"), "features");
        var devices = Device.List();
        Check.That(devices.Count > 0 && devices[0].Name.Length > 0 && devices[0].Uuid.Length == 32, "devices");
        Check.That(Device.MemoryOf(0).HeapBytes > 0, "memory");
        using (var device = new Device(new DeviceOptions { Name = devices[0].Uuid, MemoryLimitBytes = 1L << 30 }))
        using (var model = Model.Load(Program.TextModel, new ModelOptions { Device = device, ComputeType = ComputeType.F32 }))
        {
            Check.Same(device.Info.Name, devices[0].Name);
            Check.Same(model.Device.Uuid, devices[0].Uuid);
            Check.That(device.Memory.HeldBytes > 0 && device.Memory.LimitBytes == 1L << 30, "memory");
            Check.Same(model.Memory.HeldBytes, device.Memory.HeldBytes);
            device.Trim();
            var report = (Dictionary<string, object>)Json.Parse(device.Check());
            Check.Same((double)report["wrong"], 0.0, "wrong kernels");
        }
    }

    [Test]
    static void Models()
    {
        using (var model = Model.Load(Program.TextModel, Program.Exact))
        {
            Check.Same(model.Info.ComputeType, "float32");
            Check.All(model.Languages(Side.Target).Select(one => one.Code), new[] { "xx", "yy" });
            Check.Same(Model.DescribeLanguages(Program.TextModel, Side.Target).Count, 2);
            Check.Same(Model.Describe(Program.TextModel).Parameters, model.Info.Parameters);
            var tokens = model.Tokenize(new[] { Program.Text })[0];
            Check.Same(string.Concat(tokens.Ranges.Select(range => range.Of(Program.Text))), Program.Text.Replace(" ", ""));
            var vectors = model.Embed(new[] { Program.Text, "" }, new EmbedOptions { Normalize = Normalize.On });
            Check.Same(vectors[0].Vectors.Columns, (int)model.Info.DModel);
            Check.That(Math.Abs(vectors[0].Vectors.Data.Sum(one => one * one) - 1) < 1e-3, "a length of 1");
            var each = model.Embed(new[] { Program.Text }, new EmbedOptions { Pooling = Pooling.Tokens })[0];
            Check.Same(each.Vectors.Rows, each.Tokens.Length);
            Check.Same(each.Ranges.Length, each.Tokens.Length);
        }
    }

    sealed class Broken : MemoryStream
    {
        internal Broken() : base(new byte[100]) { }

        public override int Read(byte[] buffer, int offset, int count)
        {
            throw new IOException("mine");
        }
    }

    sealed class Short : MemoryStream
    {
        internal Short() : base(new byte[100]) { }

        public override int Read(byte[] buffer, int offset, int count) => 0;
    }

    [Test]
    static void ModelsFromFiles()
    {
        var paths = Directory.GetFiles(Program.TextModel);
        var inMemory = paths.Select(path => new ModelFile(Path.GetFileName(path), File.ReadAllBytes(path)));
        var streams = paths.Select(File.OpenRead).ToList();
        var read = paths.Zip(streams, (path, stream) => new ModelFile(Path.GetFileName(path), stream));
        foreach (var files in new[] { inMemory, read })
            using (var model = Model.LoadFiles(files, Program.Exact))
            using (var translator = new Translator(model, Program.ToXx))
                Check.Same(translator.Translate(Program.Text).Text, Program.Translated);
        Check.Same(Model.DescribeFiles(inMemory).Format, Model.Describe(Program.TextModel).Format);
        streams.ForEach(stream => stream.Dispose());
        Check.Throws<ObjectDisposedException>(() => Model.LoadFiles(read));
        var error = Check.Fails(Status.IoError, "config.json",
            () => Model.LoadFiles(new[] { new ModelFile("config.json", new Broken()) }));
        Check.Same(error.InnerException?.Message, "mine");
        error = Check.Fails(Status.IoError, "config.json",
            () => Model.LoadFiles(new[] { new ModelFile("config.json", new Short()) }));
        Check.That(error.InnerException is EndOfStreamException, $"{error.InnerException}");
    }

    [Test]
    static void ConvertAndMeasure()
    {
        var path = At("mödel.gguf");
        Model.Convert(Program.TextModel, path, new ConvertOptions { WeightType = WeightType.F32 });
        Check.Same(Model.Describe(path).Format, "gguf");
        Check.Fails(Status.IoError, "mödel.gguf", () => Model.Convert(Program.TextModel, path));
        var quick = new BenchOptions { Repeat = 1, LatencySamples = 1, Ceilings = false, Passes = false };
        var json = Benchmark.Run(path, new[] { Program.Text }, null, Program.ToXx, quick);
        Check.That(((Dictionary<string, object>)Json.Parse(json)).ContainsKey("throughput"), json);
    }

    [Test]
    static void LanguagesAndSentences()
    {
        var found = Texts.DetectLanguages("Wo ist der Bahnhof, und wann kommt der letzte Zug?");
        Check.Same(found[0].Tag, "de");
        Check.Same(found[0].Name, "German");
        Check.That(found[0].Probability > 0.5, $"probability {found[0].Probability}");
        Check.Same(Texts.DetectLanguages(new[] { "123", "Where is the station?" })[0].Count, 0);
        const string text = "😀 One. Two.";
        Check.All(Texts.SplitSentences(text, "en").Select(one => one.Of(text)), new[] { "😀 One.", "Two." });
        Check.Fails(Status.InvalidArgument, "zz-zz", () => Texts.DetectLanguages("a", "zz-zz"));
    }

    [Test]
    static void DocumentsFromFileToFile()
    {
        string input = At("pägé.html"), output = At("out.html");
        File.WriteAllText(input, Page);
        using (var translator = Toy())
        {
            Documents.Translate(translator, input, output);
            Check.Same(File.ReadAllText(output), TranslatedPage);
            var bytes = Documents.Translate(translator, Encoding.UTF8.GetBytes(Page), "x.html");
            Check.Same(Encoding.UTF8.GetString(bytes), TranslatedPage);
            var html = new DocumentOptions { Format = DocumentFormat.Html };
            bytes = Documents.Translate(translator, Encoding.UTF8.GetBytes(Page), null, null, html);
            Check.Same(Encoding.UTF8.GetString(bytes), TranslatedPage);
            Check.Fails(Status.Unsupported, "", () => Documents.Translate(translator, new byte[] { 63 }, "x.bin"));
            Check.Fails(Status.IoError, "none.txt", () => Documents.Translate(translator, At("none.txt"), output));
            var stop = new CancellationToken(true);
            Check.Throws<OperationCanceledException>(() => Documents.Translate(translator, input, output, null, null, stop));
        }
        Check.Same(Documents.FormatOf("a.docx"), DocumentFormat.Docx);
        Check.Same(Documents.FormatOf(null, Encoding.UTF8.GetBytes("WEBVTT\n\n")), DocumentFormat.Vtt);
        Check.Same(Documents.FormatOf("a.pdf"), DocumentFormat.Unknown);
    }

    sealed class Enough : IProgress<WorkDone>
    {
        internal bool Stops = true;

        public void Report(WorkDone value)
        {
            if (Stops && value.Done > 0) throw new FormatException("enough");
        }
    }

    [Test]
    static void AStoppedDocumentGoesOn()
    {
        string input = At("long.txt"), output = At("long.out"), kept = At("kept");
        File.WriteAllText(input, string.Concat(Enumerable.Range(0, 24).Select(
            number => $"batin {string.Concat(Enumerable.Repeat("kén ", 24 - number))}.\n\n")));
        var progress = new Enough();
        var how = new DocumentOptions { Format = DocumentFormat.Text, Resume = kept, Progress = progress };
        var slow = new TranslateOptions { MaxBatchSize = 1 };
        using (var translator = Toy())
        {
            Check.Throws<FormatException>(() => Documents.Translate(translator, input, output, slow, how), "enough");
            Check.That(!File.Exists(output) && File.Exists(kept), "what was translated is kept");
            progress.Stops = false;
            translator.ResetStats();
            Documents.Translate(translator, input, output, slow, how);
            Check.That(translator.Stats.Sentences < 24, "it went on");
            Check.That(File.Exists(output) && !File.Exists(kept), "the document is there");
        }
    }

    [Test]
    static void GlossaryMarkupMemory()
    {
        using (var model = Model.Load())
        using (var translator = new Translator(model, new TranslateOptions { TargetLanguage = "de" }))
        {
            using (var glossary = Glossary.Of(new Dictionary<string, string> { ["station"] = "Haltepunkt" }))
            {
                Check.Same(glossary.Count, 1);
                var odd = new Dictionary<string, string> { ["source"] = "target", ["#note"] = "#Notiz", ["<b>"] = "<i>" };
                using (var all = Glossary.Of(odd)) Check.Same(all.Count, 3);
                Check.Fails(Status.InvalidArgument, "terms",
                    () => Glossary.Of(new Dictionary<string, string> { ["a\tb"] = "c" }));
                var found = translator.Translate("🐕 Where is the station?", new TranslateOptions { Glossary = glossary });
                Check.That(found.Text.Contains("Haltepunkt"), found.Text);
                var term = found.Sentences.Last().Terms.Single();
                Check.That(term.Met, "met");
                Check.Same(term.SourceRange.Of(found.PlainSource), "station");
            }
            Check.Fails(Status.InvalidArgument, "", () => Glossary.Read("only one cell\n"));
            var page = translator.Translate("<p>I have a <b>dog</b>.</p>", new TranslateOptions { Markup = Markup.Html });
            Check.That(page.Text.StartsWith("<p>") && page.Text.Contains("<b>Hund</b>") && !page.PlainText.Contains("<"),
                       page.Text);
            for (var kept = 0; kept < 2; ++kept) Remember(translator, kept);
        }
    }

    static void Remember(Translator translator, int kept)
    {
        var options = new MemoryOptions { Path = At("memory.sqlite"), Record = true, MinSimilarity = 0.5f };
        using (var memory = new TranslationMemory(options))
        {
            var with = new TranslateOptions { Memory = memory };
            Check.Same(translator.Translate("I have a dog.", with).Text, translator.Translate("I have a dog.").Text);
            Check.Same(memory.Counts.FileHits, (long)kept);
            memory.Add("en", "de", "I have a cat.", "Ich habe einen Kater.");
            var found = translator.Translate("I have a cat. I have a big cat.", with).Sentences;
            Check.Same(found[0].Text, "Ich habe einen Kater.");
            Check.Same(found[0].Flags, SentenceFlags.FromMemory);
            Check.Same(found[1].Matches[0].Target, "Ich habe einen Kater.");
            Check.That(Math.Abs(found[1].Matches[0].Similarity - 5f / 6) < 1e-6, "similarity");
            memory.WriteTmx(At("out.tmx"));
            Check.Same(memory.LoadTmx(At("out.tmx")), 3L);
            Check.Same(memory.ReadTmx(File.ReadAllBytes(At("out.tmx"))), 3L);
            Check.Fails(Status.InvalidArgument, "", () => memory.ReadTmx(Encoding.UTF8.GetBytes("<tmx>")));
        }
    }

    [Test]
    static void LogLines()
    {
        var lines = new List<string>();
        Library.SetLog((level, line) => { lock (lines) lines.Add(line); }, LogLevel.Debug);
        Model.Load(Program.TextModel, Program.Exact).Dispose();
        Library.SetLog(null);
        var count = lines.Count;
        Check.That(count > 0, "lines");
        Model.Load(Program.TextModel, Program.Exact).Dispose();
        Check.Same(lines.Count, count);
    }
}
