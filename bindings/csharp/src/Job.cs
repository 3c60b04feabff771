// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
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
        const int MostPlaces = 256;
        readonly Func<long, string> source;
        readonly Dictionary<long, Places> places = new Dictionary<long, Places>();  // of texts that have events
        readonly int priority;
        readonly bool partial, fed;
        readonly Action<StreamEvent> onEvent;  // null stands for the end
        IProgress<WorkDone> progress;
        TranslatorHandle translator;  // whose end would be the job's
        JobHandle handle;
        volatile Exception thrown;
        volatile bool stopped;

        internal Job(Func<Job, IntPtr> submit, TranslatorHandle translator, TranslateOptions[] options,
                     Func<long, string> source, Action<StreamEvent> onEvent = null, bool partial = false,
                     bool fed = false)
        {
            this.source = source;
            this.onEvent = onEvent;
            this.partial = partial;
            this.fed = fed;
            this.translator = fed ? null : translator;  // a feed has it, so that one that nobody has ends
            priority = options.LastOrDefault(one => one?.Priority != null)?.Priority ?? 0;
            ForeignThread.Expect(translator);
            all[number] = this;
            try
            {
                handle = new JobHandle(submit(this));
            }
            catch
            {
                Forget();
                throw;
            }
            if (stopped) Cancel();  // by an event before there was a handle
        }

        /// <summary>C's options of a job, in the call that submits it.</summary>
        internal unsafe Native.dragoman_job_options* Write(Call call)
        {
            progress = call.Progress;
            var how = (Native.dragoman_job_options*)call.Take(sizeof(Native.dragoman_job_options));
            Call.Check(Native.dragoman_job_options_init_sized(how, sizeof(Native.dragoman_job_options)));
            how->priority = priority;
            how->on_event = receiver;
            how->user = (IntPtr)number;
            var told = onEvent != null || progress != null;
            how->events = 1u << (int)EventKind.End | (told ? 1u << (int)EventKind.Sentence : 0) |
                (partial ? 1u << (int)EventKind.Partial : 0);
            how->fed = fed ? 1 : 0;
            return how;
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
                if (!stopped) Tell(found);
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

        unsafe void Tell(Native.dragoman_event* found)
        {
            if (found->kind == (int)EventKind.Sentence) progress?.Report(new WorkDone(found->done, found->total));
            if (onEvent == null) return;
            if (found->kind == (int)EventKind.End)
            {
                onEvent(null);
                return;
            }
            var text = source(found->input);
            Places kept;
            if (!places.TryGetValue(found->input, out kept))
            {
                if (places.Count >= MostPlaces) places.Clear();
                places[found->input] = kept = new Places(text);
            }
            onEvent(new StreamEvent(*found, text, kept));
        }

        void Forget()
        {
            Job found;
            all.TryRemove(number, out found);
            GC.KeepAlive(translator);
            translator = null;
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
        internal bool Feed(string text) => Calls.JobFeedTexts(handle, new[] { text }, 0) != 0;

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
