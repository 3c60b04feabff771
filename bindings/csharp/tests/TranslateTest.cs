// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Dragoman;

static class TranslateTest
{
    static Model model;
    static Translator translator;

    static TranslateTest()
    {
        model = Model.Load(Program.TextModel, Program.Exact);
        translator = new Translator(model, Program.ToXx);
    }

    [Test]
    static void TextsAndLists()
    {
        using (var found = translator.Translate(Program.Text))
        {
            Check.Same(found.Text, Program.Translated);
            Check.Same(found.Source, Program.Text);
        }
        using (var all = translator.Translate(new[] { Program.Text, "", Program.Text }))
            Check.All(all.Select(one => one.Text), new[] { Program.Translated, "", Program.Translated });
        Check.Same(translator.Translate(new string[0]).Count, 0);
        Check.Same(translator.Translate("batiß\0batiß").Source, "batiß\0batiß");
    }

    [Test]
    static void OptionsOfTranslatorAndCall()
    {
        using (var wide = new Translator(model, new TranslateOptions { TargetLanguage = "xx", BeamSize = 2 }))
        {
            Check.Same(wide.Translate(Program.Text, new TranslateOptions { NumHypotheses = 2 }).Hypotheses.Count, 2);
            Check.Fails(Status.InvalidArgument, "num_hypotheses: 3 is more than beam_size x patience, 2",
                () => wide.Translate(Program.Text, new TranslateOptions { NumHypotheses = 3 }));
            var both = new TranslateOptions { NumHypotheses = 3, BeamSize = 4 };
            Check.Same(wide.Translate(Program.Text, both).Hypotheses.Count, 3);
        }
    }

    static void Bad(TranslateOptions options, string words) =>
        Check.Fails(Status.InvalidArgument, words, () => translator.Translate(new[] { Program.Text }, options));

    [Test]
    static void ErrorsNameBothValues()
    {
        Bad(new TranslateOptions { BeamSize = 100 }, "beam_size: 100 is not allowed; expected 1 to 64");
        Bad(new TranslateOptions { BeamSize = -1 }, "beam_size: expected 0 to 4294967295, got -1");
        Bad(new TranslateOptions { TargetLanguage = "zz" }, "\"zz\" is not one of the model's 2 languages: xx, yy");
        Bad(new TranslateOptions { TargetLanguage = "d\0e" }, "target_language: a zero byte at 1");
        Bad(new TranslateOptions { Prefixes = new[] { new string[0], new string[0] } }, "prefixes: 2 for 1 inputs");
        Check.Fails(Status.InvalidArgument, "texts[1]: a lone surrogate at 1",
            () => translator.Translate(new[] { "a", "b\ud800c" }));
        Check.Throws<ArgumentNullException>(() => translator.Translate(new[] { "a", null }), "texts[1]");
        Check.Fails(Status.IoError, "/nowhere/at/all", () => Model.Load("/nowhere/at/all"));
        Check.Fails(Status.NoDevice, "no such device", () => new Device(new DeviceOptions { Name = "no such device" }));
        using (var small = new Device(new DeviceOptions { MemoryLimitBytes = 1000 }))
            Check.Fails(Status.OutOfMemory, "1000",
                () => Model.Load(Program.TextModel, new ModelOptions { Device = small }));
    }

    [Test]
    static void WhatIsDisposedIsNotUsed()
    {
        var other = new Translator(model, Program.ToXx);
        var found = other.Translate(Program.Text);
        other.Dispose();
        Check.Same(found.Text, Program.Translated);
        Check.Throws<ObjectDisposedException>(() => other.Translate(Program.Text));
        found.Dispose();
        Check.Throws<ObjectDisposedException>(() => found.Text.ToString());
        other.Dispose();
    }

    [Test]
    static void SentencesAttentionTokens()
    {
        var options = new TranslateOptions { ReturnAttention = true, ReturnScores = true, ReturnAlignment = true };
        const string given = "😀 batin kétiß. Késora banara!\n\nbatiß.";
        using (var found = translator.Translate(given, options))
        {
            Check.Same(found.Sentences.Last().Source, "batiß.");
            Check.Same(found.Sentences.Last().Text, "vöpiй.");
            Check.Same(found.Ranges.Length, found.Tokens.Length);
            Check.Same(found.SourceRanges.Length, found.SourceTokens.Length);
            foreach (var sentence in found.Sentences)
            {
                Check.Same(sentence.Attention.Rows, sentence.Tokens.Length, "rows");
                Check.Same(sentence.Attention.Columns, sentence.SourceTokens.Length, "columns");
                Check.Same(sentence.Alignment.Rows, sentence.TargetWords.Length, "words");
                Check.Same(sentence.Alignment.Columns, sentence.SourceWords.Length, "source words");
                Check.Same(string.Concat(sentence.SourceWords.Select(word => word.Of(given))),
                           sentence.Source.Replace(" ", ""), "words");
            }
            Check.That(found.Pharaoh.Contains("0-0"), found.Pharaoh);
            Check.Fails(Status.Unsupported, "sentences", () => found.Attention.ToString());
        }
        using (var one = translator.Translate(Program.Text, options))
        {
            Check.That(one.Score < 0, $"score {one.Score}");
            var first = Enumerable.Range(0, one.Attention.Columns).Sum(column => one.Attention[0, column]);
            Check.That(Math.Abs(first - 1) < 0.05, $"a row adds up to {first}");
        }
    }

    [Test]
    static void Quality()
    {
        using (var found = translator.Translate("😀 batin kétiß.", new TranslateOptions { ReturnQuality = true }))
        {
            Check.That(found.Quality > 0 && found.Quality <= 1, $"quality {found.Quality}");
            foreach (var sentence in found.Sentences)
                Check.Same(sentence.WordQuality.Length, sentence.TargetWords.Length, "words");
        }
        Check.Same(translator.Translate(Program.Text).Quality, 0f);
        using (var refused = translator.Translate("batin kétiß.", new TranslateOptions { MinQuality = 1 }))
        {
            Check.Same(refused.Text, "batin kétiß.");
            Check.Same(refused.Sentences[0].Flags, SentenceFlags.Copied | SentenceFlags.Unsure);
        }
        var marked = new TranslateOptions { Markup = Markup.Html, QualityMarks = 1 };
        Check.That(translator.Translate("<p>batin kétiß.</p>", marked).Text.Contains("dragoman-unsure"), "a mark");
    }

    [Test]
    static void Coverage()
    {
        const string Given = "😀 batin kétiß. Késora banara!";
        using (var found = translator.Translate(Given, new TranslateOptions { ReturnCoverage = true }))
            foreach (var sentence in found.Sentences)
            {
                var uncovered = sentence.UncoveredRange.Of(Given);
                Check.Same(sentence.UncoveredWords, uncovered.Length == 0 ? 0L : uncovered.Split(' ').Length, "words");
                Check.Same(sentence.Coverage == 1, uncovered.Length == 0, "all words are reached");
                Check.That(sentence.Coverage > 0 && sentence.Coverage <= 1, $"coverage {sentence.Coverage}");
            }
        using (var without = translator.Translate(Given))
            Check.Same(without.Sentences[0].Coverage, 0f, "coverage");
    }

    [Test]
    static void Threads()
    {
        var threads = Enumerable.Range(0, 8).Select(number => Task.Factory.StartNew(() =>
        {
            for (var turn = 0; turn < 5; ++turn)
            {
                var text = string.Join(" ", Enumerable.Repeat("batiß.", number + 1));
                using (var found = translator.Translate(text))
                    Check.Same(found.Text, string.Join(" ", Enumerable.Repeat("vöpiй.", number + 1)));
                var error = Check.Throws<DragomanException>(
                    () => translator.Translate(text, new TranslateOptions { BeamSize = 100 + number }));
                Check.That(error.Message.Contains($"{100 + number}"), error.Message);  // each thread has its own
            }
        }, TaskCreationOptions.LongRunning));
        Task.WaitAll(threads.ToArray());
    }

    [Test]
    static async Task Tasks()
    {
        var all = Enumerable.Range(0, 20).Select(number => translator.TranslateAsync(Program.Text)).ToArray();
        foreach (var one in await Task.WhenAll(all))
            using (one) Check.Same(one.Text, Program.Translated);
        var tokens = model.Tokenize(new[] { Program.Text })[0].Tokens;
        using (var found = await translator.TranslateTokensAsync(new[] { new[] { ">>xx<<" }.Concat(tokens).ToArray() }))
            Check.Same(model.Detokenize(new[] { found[0].Tokens })[0], Program.Translated);
        Check.Fails(Status.InvalidArgument, "beam_size: 100",
            () => translator.TranslateAsync(Program.Text, new TranslateOptions { BeamSize = 100 }).Wait());
    }

    sealed class Told : IProgress<WorkDone>
    {
        internal readonly List<WorkDone> Seen = new List<WorkDone>();
        internal Action After = () => { };

        public void Report(WorkDone value)
        {
            lock (Seen) Seen.Add(value);
            After();
        }
    }

    static string[] Many(int count) =>
        Enumerable.Range(0, count)
            .Select(number => $"batin {string.Concat(Enumerable.Repeat("kén ", number % 40))}.").ToArray();

    static TranslateOptions Slow(IProgress<WorkDone> progress = null) =>
        new TranslateOptions { MaxBatchSize = 1, Progress = progress };

    [Test]
    static void Progress()
    {
        var told = new Told();
        translator.Translate(Many(5), Slow(told)).Dispose();
        Check.Same(told.Seen.Last().Done, told.Seen.Last().Total);
        told.Seen.Clear();
        translator.TranslateAsync(Many(5), Slow(told)).Result.Dispose();
        Check.Same(told.Seen.Count, 5, "events");
        told.After = () => { throw new FormatException("mine"); };
        Check.Throws<FormatException>(() => translator.Translate(Many(5), Slow(told)), "mine");
        Check.Throws<FormatException>(() => translator.TranslateAsync(Many(5), Slow(told)).Wait(), "mine");
    }

    [Test]
    static void Cancel()
    {
        foreach (var kind in new[] { "call", "task", "stream", "all" })
        {
            var stop = new CancellationTokenSource();
            var told = new Told { After = stop.Cancel };
            var texts = Many(400);
            Check.Throws<OperationCanceledException>(() =>
            {
                if (kind == "call") translator.Translate(texts, Slow(told), stop.Token).Dispose();
                if (kind == "task") translator.TranslateAsync(texts, Slow(told), stop.Token).Wait();
                if (kind == "stream") foreach (var one in translator.Stream(texts, Slow(), false, stop.Token)) stop.Cancel();
                if (kind == "all") foreach (var one in translator.TranslateAll(texts, Slow(), 16, stop.Token)) stop.Cancel();
            });
        }
        var before = new CancellationToken(true);
        Check.Throws<OperationCanceledException>(() => translator.Translate(Program.Text, null, before));
        Check.Throws<OperationCanceledException>(() => translator.TranslateAsync(Program.Text, null, before).Wait());
        Check.Same(translator.Translate(Program.Text).Text, Program.Translated);  // and goes on
    }

    [Test]
    static void DisposeInTheMiddle()
    {
        var other = new Translator(model, Program.ToXx);
        var running = other.TranslateAsync(Many(400), Slow());
        other.Dispose();
        Check.Fails(Status.Cancelled, "", () => running.Wait());
    }

    [Test]
    static void Streams()
    {
        var texts = new[] { $"😀 {Program.Text} batiß.", "batiß." };
        var found = translator.Stream(texts, null, true).ToList();
        Check.That(found.Any(one => one.Kind == EventKind.Partial), "a partial one");
        var whole = found.Where(one => one.Kind == EventKind.Sentence).ToList();
        Check.Same(whole.Count, 3, "sentences");
        Check.Same(whole.Single(one => one.Input == 1).Text, "vöpiй.");
        foreach (var one in whole) Check.Same(one.SourceRange.Of(texts[one.Input]), one.Source);
        foreach (var one in translator.Stream(Many(400), Slow())) break;  // the rest is stopped
        Check.Fails(Status.InvalidArgument, "beam_size",
            () => translator.Stream(texts, new TranslateOptions { BeamSize = 100 }).ToList());
    }

    static async Task<List<T>> ToList<T>(IAsyncEnumerable<T> items, int most = int.MaxValue)
    {
        var found = new List<T>();
        var each = items.GetAsyncEnumerator();
        try
        {
            while (found.Count < most && await each.MoveNextAsync()) found.Add(each.Current);
        }
        finally
        {
            await each.DisposeAsync();
        }
        return found;
    }

    [Test]
    static async Task StreamsOfTasks()
    {
        var found = await ToList(translator.StreamAsync(new[] { Program.Text, "batiß." }));
        Check.All(found.Select(one => one.Text).OrderBy(text => text, StringComparer.Ordinal),
                   new[] { Program.Translated, "vöpiй." });
        Check.Same((await ToList(translator.StreamAsync(Many(400), Slow()), 2)).Count, 2);
        var stop = new CancellationTokenSource(50);
        Check.Throws<OperationCanceledException>(
            () => ToList(translator.StreamAsync(Many(2000), Slow(), false, stop.Token)).Wait());
    }

    static IEnumerable<string> Lines(int count, Action<int> read = null)
    {
        for (var number = 0; number < count; ++number)
        {
            read?.Invoke(number);
            yield return number % 2 == 0 ? "batiß." : "";
        }
    }

    [Test]
    static async Task AnyNumberOfTexts()
    {
        int read = 0, come = 0;
        foreach (var one in translator.TranslateAll(Lines(300, number => read = number), null, 8))
        {
            Check.Same(one.Text, come % 2 == 0 ? "vöpiй." : "");
            Check.Same(one.Source, come % 2 == 0 ? "batiß." : "");
            ++come;
            Check.That(read <= come + 8, $"{read} were read when {come} had come");
        }
        Check.Same(come, 300);
        var found = await ToList(translator.TranslateAllAsync(Lines(300), null, 8));
        Check.All(found.Select(one => one.Text), Lines(300).Select(text => text.Length > 0 ? "vöpiй." : ""));
        Check.Same((await ToList(translator.TranslateAllAsync(Lines(100000), null, 8), 3)).Count, 3);
        var broken = Lines(100, number => { if (number == 50) throw new FormatException("mine"); });
        Check.Throws<FormatException>(() => translator.TranslateAll(broken).ToList(), "mine");
        Check.Throws<FormatException>(() => ToList(translator.TranslateAllAsync(broken)).Wait(), "mine");
        Check.Fails(Status.InvalidArgument, "ahead: expected 1 or more, got 0",
            () => translator.TranslateAll(Lines(1), null, 0).ToList());
    }

    static IEnumerable<string> Faulty(string bad)
    {
        for (var number = 0; number < 50; ++number) yield return number == 25 ? bad : $"batiß. {number}";
    }

    static void Before<T>(IEnumerable<string> texts, string words) where T : Exception
    {
        var found = new List<string>();
        Check.Throws<T>(() => { foreach (var one in translator.TranslateAll(texts)) found.Add(one.Source); }, words);
        Check.All(found, Faulty("").Take(25));
        found.Clear();
        Check.Throws<T>(() =>
        {
            var each = translator.TranslateAllAsync(texts).GetAsyncEnumerator();
            while (each.MoveNextAsync().AsTask().Result) found.Add(each.Current.Source);
        }, words);
        Check.All(found, Faulty("").Take(25));
    }

    [Test]
    static void TextsBeforeABadOne()
    {
        Before<DragomanException>(Faulty("b\ud800c"), "texts[25]: a lone surrogate at 1");
        Before<ArgumentNullException>(Faulty(null), "texts[25]");
        Before<FormatException>(Faulty("").Select((text, number) =>
        {
            if (number == 25) throw new FormatException("mine");
            return text;
        }), "mine");
    }

    static Translator Forgotten() =>
        new Translator(model, new TranslateOptions { TargetLanguage = "xx", MaxBatchSize = 1 });

    static void Deep(int depth)  // over what the stack still has
    {
        if (depth > 0) Deep(depth - 1);
        GC.KeepAlive(new object());
    }

    static void Collect()
    {
        for (var turn = 0; turn < 3; ++turn)
        {
            Deep(200);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Thread.Sleep(50);
        }
    }

    static int Rest<T>(Func<IAsyncEnumerator<T>> start)
    {
        var each = Task.Run(start).Result;
        var count = 0;
        for (; each.MoveNextAsync().AsTask().Result; ++count)
            if (count == 0) Collect();
        return count;
    }

    [Test]
    static void WhatRunsKeepsATranslatorThatNobodyHas()
    {
        Check.Same(Rest(() => Forgotten().TranslateAllAsync(Many(24)).GetAsyncEnumerator()), 24);
        Check.Same(Rest(() => Forgotten().StreamAsync(Many(24)).GetAsyncEnumerator()), 24);
        var job = Task.Run(() => Tuple.Create(Forgotten().TranslateAsync(Many(24)))).Result;
        Collect();
        Check.Same(job.Item1.Result.Count, 24);
    }

    static long Milliseconds(Action work)
    {
        var watch = System.Diagnostics.Stopwatch.StartNew();
        work();
        return watch.ElapsedMilliseconds;
    }

    [Test]
    static void EventsOfALongText()
    {
        const int Sentences = 4000;
        var text = string.Concat(Enumerable.Repeat("batiß. ", Sentences));
        translator.TranslateAsync(text).Result.Dispose();
        var without = Milliseconds(() => translator.TranslateAsync(text).Result.Dispose());
        var told = new Told();
        var options = new TranslateOptions { Progress = told };
        var with = Milliseconds(() => translator.TranslateAsync(text, options).Result.Dispose());
        Check.Same(told.Seen.Count, Sentences);
        List<StreamEvent> events = null;
        var stream = Milliseconds(() => events = translator.Stream(new[] { text }).ToList());
        Check.Same(events.Count, Sentences);
        foreach (var one in events)
        {
            Check.Same(one.SourceRange.Begin, 7 * one.Sentence);
            Check.Same(one.Source, "batiß.");
        }
        Console.WriteLine($"{without} ms, with progress {with} ms, as a stream {stream} ms");
        Check.That(with < 2 * without + 1000, $"{with} ms with progress, {without} ms without");
        Check.That(stream < 2 * without + 1500, $"{stream} ms as a stream, {without} ms without");
    }

    [Test]
    static void Stats()
    {
        using (var other = new Translator(model, Program.ToXx))
        {
            other.Translate(Program.Text).Dispose();
            Check.Same(other.Stats.Sentences, 1L);
            other.ResetStats();
            Check.Same(other.Stats.Sentences, 0L);
            other.Trim();
        }
    }
}
