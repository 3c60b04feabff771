// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>A job, and the texts that it has taken without giving their translations yet.</summary>
    internal sealed class Feed : IDisposable
    {
        readonly ConcurrentDictionary<long, string> texts = new ConcurrentDictionary<long, string>();
        readonly CancellationToken cancel;
        readonly CancellationTokenRegistration registration;
        readonly TranslatorHandle translator;  // whose end would be the job's
        readonly Job job;
        readonly int ahead;
        volatile ExceptionDispatchInfo fault;
        long given;

        internal Feed(Func<Func<long, string>, Job> submit, TranslatorHandle translator, int ahead,
                      CancellationToken cancel)
        {
            if (ahead < 1) throw Call.Invalid($"ahead: expected 1 or more, got {ahead}");
            cancel.ThrowIfCancellationRequested();
            this.translator = translator;
            this.ahead = ahead;
            this.cancel = cancel;
            var known = texts;  // not the feed, which the job would keep
            job = submit(input => known[input]);
            registration = cancel.Register(job.Cancel);
        }

        internal bool Empty => texts.IsEmpty;

        /// <summary>Whether a text could not be read or given; Rethrow() says why.</summary>
        internal bool Failed => fault != null;

        internal void Rethrow() => fault?.Throw();

        /// <summary>Reads a text; false at the end, and after a fault.</summary>
        internal bool Read(IEnumerator<string> each, out string text)
        {
            text = null;
            try
            {
                if (Failed || !each.MoveNext()) return false;
                text = each.Current;
                return true;
            }
            catch (Exception error)
            {
                fault = ExceptionDispatchInfo.Capture(error);
                return false;
            }
        }

        /// <summary>Whether there was room for a text. One with a fault needs none.</summary>
        internal bool Give(string text)
        {
            if (texts.Count >= ahead) return false;
            var number = given;
            texts[number] = text;
            try
            {
                if (job.Feed(text)) ++given;
            }
            catch (ArgumentNullException)
            {
                fault = ExceptionDispatchInfo.Capture(new ArgumentNullException($"texts[{number}]"));
            }
            catch (DragomanException error)
            {
                var found = new DragomanException(error.Status, Among(error.Message, number));
                fault = ExceptionDispatchInfo.Capture(found);
            }
            string left;
            if (given == number) texts.TryRemove(number, out left);
            return given > number || Failed;
        }

        /// <summary>A message of a call with one text, with the text's number among all.</summary>
        static string Among(string message, long number)
        {
            const string Only = "texts[0]";
            return message.StartsWith(Only, StringComparison.Ordinal)
                ? $"texts[{number}]{message.Substring(Only.Length)}" : message;
        }

        internal void Finish() => job.Finish();

        /// <summary>Translations that are ready; waits for one so many milliseconds, below 0 without limit.</summary>
        internal IEnumerable<Translation> Take(int milliseconds)
        {
            var found = job.Next(milliseconds, cancel);
            if (found == null) return new Translation[0];
            string text;
            for (var place = 0; place < found.Count; ++place) texts.TryRemove(found.First + place, out text);
            return found;
        }

        public void Dispose()
        {
            registration.Dispose();
            job.Dispose();
            GC.KeepAlive(translator);
        }
    }

    /// <summary>Translations of texts that are read while others are translated.</summary>
    internal sealed class FedSteps : Steps<Translation>
    {
        const int Slice = 50;  // milliseconds until it looks again whether there are more texts

        readonly Feed feed;
        readonly Task reader;
        readonly SemaphoreSlim room = new SemaphoreSlim(0);
        readonly CancellationTokenSource stop = new CancellationTokenSource();
        IEnumerator<Translation> batch = new List<Translation>().GetEnumerator();

        internal FedSteps(Func<Feed> start, IAsyncEnumerable<string> texts)
        {
            feed = start();
            reader = Task.Run(() => Read(texts));
        }

        async Task Read(IAsyncEnumerable<string> texts)
        {
            var each = texts.GetAsyncEnumerator(stop.Token);
            try
            {
                while (!feed.Failed && await each.MoveNextAsync().ConfigureAwait(false))
                    while (!feed.Give(each.Current))
                        await room.WaitAsync(stop.Token).ConfigureAwait(false);
                feed.Finish();
            }
            finally
            {
                await each.DisposeAsync().ConfigureAwait(false);
            }
        }

        protected override async Task<Translation> Next()
        {
            while (!batch.MoveNext())
            {
                if (reader.IsCompleted && feed.Empty)
                {
                    await reader.ConfigureAwait(false);  // throws what the texts threw
                    feed.Rethrow();
                    return null;
                }
                batch = (await Task.Run(() => feed.Take(Slice)).ConfigureAwait(false)).GetEnumerator();
                if (room.CurrentCount == 0) room.Release();
            }
            return batch.Current;
        }

        protected override void End()
        {
            stop.Cancel();
            feed.Dispose();
            reader.ContinueWith(done => done.Exception);  // nobody waits for what it throws now
        }
    }

    /// <summary>What is there already, as if it had to be waited for.</summary>
    internal sealed class Ready : IAsyncEnumerable<string>, IAsyncEnumerator<string>
    {
        readonly IEnumerator<string> items;

        internal Ready(IEnumerable<string> items)
        {
            this.items = items.GetEnumerator();
        }

        public string Current => items.Current;
        public IAsyncEnumerator<string> GetAsyncEnumerator(CancellationToken cancel = default(CancellationToken)) =>
            this;
        public ValueTask<bool> MoveNextAsync() => new ValueTask<bool>(items.MoveNext());

        public ValueTask DisposeAsync()
        {
            items.Dispose();
            return default(ValueTask);
        }
    }
}
