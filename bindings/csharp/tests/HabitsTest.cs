// SPDX-License-Identifier: Apache-2.0
// What people expect of any library of .NET: tokens of both sides cancel, streams, tasks, values that are equal.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Dragoman;

static class HabitsTest
{
    static readonly Model model = Model.Load(Program.TextModel, Program.Exact);
    static readonly Translator translator = new Translator(model, Program.ToXx);

    /// <summary>Reads until the end; cancels after the first event.</summary>
    static async Task Read(IAsyncEnumerator<StreamEvent> events, CancellationTokenSource source)
    {
        while (await events.MoveNextAsync()) source.Cancel();
    }

    static void Cancelled(Func<CancellationToken, IAsyncEnumerator<StreamEvent>> begin)
    {
        using (var source = new CancellationTokenSource())
        {
            var events = begin(source.Token);
            Check.Throws<OperationCanceledException>(() => Read(events, source).Wait());
            events.DisposeAsync().AsTask().Wait();
        }
    }

    [Test]
    static void EitherTokenCancels()
    {
        var texts = Enumerable.Range(0, 4000)
            .Select(place => $"batin {string.Concat(Enumerable.Repeat("kén ", place % 40))}.").ToArray();
        var slow = new TranslateOptions { MaxBatchSize = 1 };
        using (var other = new CancellationTokenSource())
        {
            var never = other.Token;
            Cancelled(token => translator.StreamAsync(texts, slow, false, token).GetAsyncEnumerator(never));
            Cancelled(token => translator.StreamAsync(texts, slow, false, never).GetAsyncEnumerator(token));
            Cancelled(token => translator.StreamAsync(texts, slow, false, token).GetAsyncEnumerator());
            Cancelled(token => translator.StreamAsync(texts, slow).GetAsyncEnumerator(token));
        }
    }

    [Test]
    static void DocumentsFromStreamToStream()
    {
        var page = new MemoryStream(Encoding.UTF8.GetBytes($"<p>{Program.Text}</p>"));
        var found = new MemoryStream();
        Documents.Translate(translator, page, found, "x.html");
        Check.Same(Encoding.UTF8.GetString(found.ToArray()), $"<p>{Program.Translated}</p>");
    }

    [Test]
    static async Task TasksOfWhatTakesLong()
    {
        using (var loaded = await Model.LoadAsync(Program.TextModel, Program.Exact))
            Check.Same(loaded.Languages(Side.Target).Count, 2);
        var path = Path.Combine(Program.Folder, "habits.txt");
        File.WriteAllText(path, Program.Text);
        await Documents.TranslateAsync(translator, path, path + ".xx.txt");
        Check.Same(File.ReadAllText(path + ".xx.txt"), Program.Translated);
        var over = new CancellationToken(true);
        Check.Throws<OperationCanceledException>(
            () => Model.LoadAsync(Program.TextModel, Program.Exact, over).Wait());
        Check.Throws<OperationCanceledException>(
            () => Documents.TranslateAsync(translator, path, path + ".txt", cancellationToken: over).Wait());
    }

    [Test]
    static void ValuesAreEqualAndShowThemselves()
    {
        Check.That(new TextRange(1, 3) == new TextRange(1, 3) && new TextRange(1, 3) != new TextRange(1, 4), "==");
        Check.Same(new HashSet<TextRange> { new TextRange(1, 3), new TextRange(1, 3), new TextRange(2, 3) }.Count, 2);
        Check.That(!new TextRange(1, 3).Equals(null) && new TextRange(1, 3).Equals((object)new TextRange(1, 3)), "equals");
        Check.Same(string.Join(", ", Model.DescribeLanguages(null, Side.Target)), "de, en");
    }

    [Test]
    static void VocabulariesAreAsked()
    {
        foreach (var token in model.Tokenize(new[] { Program.Text })[0].Tokens) Check.That(model.HasToken(token, Side.Source), token);
        Check.That(!model.HasToken("no such token") && !model.HasToken("no such token", Side.Source), "unknown");
        Check.Fails(Status.InvalidArgument, "token: a zero byte at 1", () => model.HasToken("a\0b"));
    }

    [Test]
    static void FilesAreDescribedAtOnce()
    {
        var all = Model.DescribeAll();
        Check.Same(all.Info.Parameters, Model.Describe().Parameters);
        Check.Same(string.Join(", ", all.Sources), string.Join(", ", Model.DescribeLanguages(null, Side.Source)));
        Check.Same(string.Join(", ", all.Targets), "de, en");
        Check.Fails(Status.IoError, "nowhere", () => Model.DescribeAll("nowhere"));
    }
}
