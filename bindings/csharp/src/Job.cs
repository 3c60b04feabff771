// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    /// <summary>What a call translates: texts, or sequences of tokens.</summary>
    internal struct Inputs
    {
        internal IReadOnlyList<string> Texts;
        internal IReadOnlyList<IReadOnlyList<string>> Tokens;
        internal int Count => Texts?.Count ?? Tokens.Count;
        internal string Source(long input) => Texts == null ? "" : Texts[(int)input];
    }

    /// <summary>A translation in the background.</summary>
    internal sealed class Job : IDisposable
    {
        static readonly unsafe Native.dragoman_event_fn receive = Receive;
        static readonly IntPtr receiver = Marshal.GetFunctionPointerForDelegate(receive);
        // A callback finds its job by number, because the last one may still run when the job is disposed.
        static readonly ConcurrentDictionary<long, Job> all = new ConcurrentDictionary<long, Job>();
        static long last;

        readonly long number = Interlocked.Increment(ref last);
        readonly TaskCompletionSource<bool> ended =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        readonly Action<StreamEvent> onEvent;  // null stands for the end
        readonly Func<long, string> source;
        JobHandle handle;
        volatile Exception thrown;
        volatile bool stopped;

        internal unsafe Job(TranslatorHandle translator, Inputs inputs, TranslateOptions defaults,
                            TranslateOptions options, Action<StreamEvent> onEvent, Func<long, string> source,
                            bool fed = false, bool partial = false)
        {
            this.source = source;
            ForeignThread.Expect(translator);
            using (var call = new Call(submits: true))
            {
                var raw = TranslateOptions.Make(call, defaults, options);
                var progress = call.Progress;
                this.onEvent = onEvent ?? (progress == null ? (Action<StreamEvent>)null :
                    found => { if (found != null) progress.Report(new WorkDone(found.Done, found.Total)); });
                var how = (Native.dragoman_job_options*)call.Take(sizeof(Native.dragoman_job_options));
                Call.Check(Native.dragoman_job_options_init_sized(how, sizeof(Native.dragoman_job_options)));
                how->priority = options?.Priority ?? defaults?.Priority ?? 0;
                how->on_event = receiver;
                how->user = (IntPtr)number;
                how->events = 1u << (int)EventKind.End | (this.onEvent == null ? 0 : 1u << (int)EventKind.Sentence) |
                    (partial ? 1u << (int)EventKind.Partial : 0);
                how->fed = fed ? 1 : 0;
                all[number] = this;
                try
                {
                    IntPtr found;
                    var prefixes = TranslateOptions.PrefixesOf(call, inputs.Count, defaults, options);
                    call.Done(inputs.Texts != null
                        ? Native.dragoman_submit_texts(call.Hold(translator), call.Strings(inputs.Texts, "texts"),
                                                       inputs.Count, prefixes, raw, how, out found)
                        : Native.dragoman_submit_tokens(call.Hold(translator), call.Sequences(inputs.Tokens, "sources"),
                                                        inputs.Count, prefixes, raw, how, out found));
                    handle = new JobHandle(found);
                }
                catch
                {
                    Forget();
                    throw;
                }
            }
            if (stopped) Cancel();  // by an event before there was a handle
        }

        /// <summary>Completes when the job has ended, well or not.</summary>
        internal Task Ended => ended.Task;

        static unsafe void Receive(Native.dragoman_event* found, IntPtr user)
        {
            ForeignThread.Enter(true);
            Job job;
            if (all.TryGetValue((long)user, out job)) job.Handle(found);
        }

        unsafe void Handle(Native.dragoman_event* found)
        {
            try
            {
                var end = found->kind == (int)EventKind.End;
                if (!stopped) onEvent?.Invoke(end ? null : new StreamEvent(found, source));
            }
            catch (Exception error)  // comes out of the call
            {
                thrown = error;
                Cancel();
            }
            if (found->kind != (int)EventKind.End) return;
            if (stopped) onEvent?.Invoke(null);
            Forget();
            ended.TrySetResult(true);
        }

        void Forget()
        {
            Job found;
            all.TryRemove(number, out found);
        }

        /// <summary>Asks it to stop soon.</summary>
        internal void Cancel()
        {
            stopped = true;
            if (handle == null || handle.IsClosed) return;
            try
            {
                handle.Cancel();
            }
            catch (ObjectDisposedException)  // meanwhile
            {
            }
        }

        void Done(Status status, CancellationToken cancel)
        {
            if (status == Status.Ok) return;
            var message = ErrorOf();
            if (thrown != null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(thrown).Throw();
            if (status == Status.Cancelled) cancel.ThrowIfCancellationRequested();
            throw new DragomanException(status, message);
        }

        static unsafe string ErrorOf() => Utf8.Read(Native.dragoman_last_error());

        /// <summary>The result, once; throws what ended the job.</summary>
        internal Translations Take(CancellationToken cancel)
        {
            IntPtr found;
            using (var held = new Held(handle)) Done(Native.dragoman_job_take_result(held, out found), cancel);
            return new Translations(found, source);
        }

        /// <summary>Whether a job that is fed took a text.</summary>
        internal unsafe bool Feed(string text)
        {
            SizeT taken;
            using (var call = new Call())
                call.Done(Native.dragoman_job_feed_texts(
                    call.Hold(handle), call.String(text, "texts"), 1, null, 0, out taken));
            return taken != 0;
        }

        internal void Finish() => handle.Finish();

        /// <summary>The next translations of a job that is fed; null: none came in time, or there are no
        /// more.</summary>
        internal Translations Next(int milliseconds, CancellationToken cancel)
        {
            IntPtr found;
            using (var held = new Held(handle))
                Done(Native.dragoman_job_next_result(held, milliseconds, out found), cancel);
            return found == IntPtr.Zero ? null : new Translations(found, source);
        }

        public void Dispose()
        {
            Cancel();
            handle.Dispose();
            Forget();
        }
    }
}
