// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>Events between the library's thread and who reads them; null is the last one.</summary>
    internal sealed class Events
    {
        readonly ConcurrentQueue<StreamEvent> items = new ConcurrentQueue<StreamEvent>();
        readonly SemaphoreSlim ready = new SemaphoreSlim(0);

        internal void Add(StreamEvent item)
        {
            items.Enqueue(item);
            ready.Release();
        }

        StreamEvent Take()
        {
            StreamEvent found;
            items.TryDequeue(out found);
            return found;
        }

        internal StreamEvent Next()
        {
            ready.Wait();
            return Take();
        }

        internal async Task<StreamEvent> NextAsync()
        {
            await ready.WaitAsync().ConfigureAwait(false);
            return Take();
        }
    }

    /// <summary>What can be read one after the other; each reader starts it anew.</summary>
    internal sealed class Sequence<T> : IAsyncEnumerable<T> where T : class
    {
        readonly CancellationToken own;
        readonly Func<CancellationToken, Steps<T>> start;

        internal Sequence(CancellationToken own, Func<CancellationToken, Steps<T>> start)
        {
            this.own = own;
            this.start = start;
        }

        /// <summary>Either token cancels it, as in an iterator of C#'s own.</summary>
        public IAsyncEnumerator<T> GetAsyncEnumerator(
            CancellationToken cancellationToken = default(CancellationToken))
        {
            if (!own.CanBeCanceled || !cancellationToken.CanBeCanceled)
                return start(own.CanBeCanceled ? own : cancellationToken);
            var both = CancellationTokenSource.CreateLinkedTokenSource(own, cancellationToken);
            var steps = start(both.Token);
            steps.Both = both;
            return steps;
        }
    }

    /// <summary>One reading of a sequence.</summary>
    internal abstract class Steps<T> : IAsyncEnumerator<T> where T : class
    {
        /// <summary>The source of its token, if that is of two.</summary>
        internal CancellationTokenSource Both;

        public T Current { get; private set; }

        public ValueTask<bool> MoveNextAsync() => new ValueTask<bool>(Move());

        async Task<bool> Move()
        {
            Current = await Next().ConfigureAwait(false);
            return Current != null;
        }

        /// <summary>The next one, or null.</summary>
        protected abstract Task<T> Next();

        protected abstract void End();

        public ValueTask DisposeAsync()
        {
            End();
            Both?.Dispose();
            return default(ValueTask);
        }
    }

    /// <summary>The events of a job.</summary>
    internal sealed class EventSteps : Steps<StreamEvent>
    {
        readonly Events events = new Events();
        readonly CancellationToken cancellationToken;
        readonly CancellationTokenRegistration registration;
        readonly Job job;
        bool over;

        internal EventSteps(Func<Action<StreamEvent>, Job> submit, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            this.cancellationToken = cancellationToken;
            job = submit(events.Add);
            registration = cancellationToken.Register(job.Cancel);
        }

        protected override async Task<StreamEvent> Next()
        {
            var found = over ? null : await events.NextAsync().ConfigureAwait(false);
            if (found != null || over) return found;
            over = true;
            await job.Ended.ConfigureAwait(false);
            job.Take(cancellationToken).Dispose();  // throws what ended it
            return null;
        }

        protected override void End()
        {
            registration.Dispose();
            job.Dispose();
        }
    }
}
