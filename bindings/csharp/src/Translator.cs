// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Dragoman
{
    public sealed unsafe partial class TranslateOptions
    {
        /// <summary>
        /// Target tokens that the translations begin with, a sequence for each input; null (default): none.
        /// </summary>
        public IReadOnlyList<IReadOnlyList<string>> Prefixes { get; set; }

        /// <summary>Of what runs in the background: higher ones go first, equal ones share; default 0.</summary>
        public int? Priority { get; set; }

        internal static Native.dragoman_tokens* PrefixesOf(Call call, int inputs, params TranslateOptions[] given)
        {
            var prefixes = given.LastOrDefault(one => one?.Prefixes != null)?.Prefixes;
            if (prefixes == null) return null;
            if (prefixes.Count != inputs) throw Call.Invalid($"prefixes: {prefixes.Count} for {inputs} inputs");
            return call.Sequences(prefixes, "prefixes");
        }
    }

    /// <summary>
    /// Translates with one model, or over several. Any number of threads may use it at the same time; their sentences
    /// share the device.
    /// </summary>
    public sealed partial class Translator : IDisposable
    {
        readonly TranslatorHandle handle;
        readonly TranslateOptions defaults;

        /// <summary>A translator of a model.</summary>
        /// <param name="model">It may be disposed before the translator.</param>
        /// <param name="defaults">What the options of calls leave null.</param>
        public Translator(Model model, TranslateOptions defaults = null)
        {
            if (model == null) throw new ArgumentNullException(nameof(model));
            handle = new TranslatorHandle(Calls.TranslatorCreate(model.Handle));
            this.defaults = defaults;
        }

        /// <summary>
        /// A translator from one language to another over models on one device: the way with the fewest of them.
        /// </summary>
        public Translator(IReadOnlyList<Model> models, string sourceLanguage, string targetLanguage,
                          TranslateOptions defaults = null)
        {
            handle = new TranslatorHandle(Calls.TranslatorCreateRoute(models, sourceLanguage, targetLanguage));
            this.defaults = defaults;
        }

        /// <summary>
        /// Finds such a way from the models' files alone, without a device: the places of the models on it.
        /// </summary>
        public static unsafe IReadOnlyList<int> FindRoute(IReadOnlyList<string> models, string sourceLanguage,
                                                          string targetLanguage)
        {
            using (var call = new Call())
            {
                SizeT length;
                var names = (byte**)call.Take(sizeof(byte*) * (long)models.Count);
                for (var place = 0; place < models.Count; ++place) names[place] = call.Text(models[place], "models");
                var path = (SizeT*)call.Take(sizeof(SizeT) * (long)models.Count);
                call.Done(Native.dragoman_find_route(names, models.Count, call.Text(sourceLanguage, "source_language"),
                                                     call.Text(targetLanguage, "target_language"), path, out length));
                var found = new int[(int)length];
                for (var place = 0; place < found.Length; ++place) found[place] = (int)path[place];
                return found;
            }
        }

        /// <summary>Cancels what has not ended, waits for that, and gives memory back. Results live on.</summary>
        public void Dispose() => handle.Dispose();

        /// <summary>Translates a text of any length, sentence by sentence.</summary>
        public Translation Translate(string text, TranslateOptions options = null,
                                     CancellationToken cancellationToken = default(CancellationToken)) =>
            Translate(new[] { text }, options, cancellationToken)[0];

        /// <summary>Translates texts, in one batch.</summary>
        /// <exception cref="DragomanException">What the library reports.</exception>
        /// <exception cref="OperationCanceledException">It was cancelled.</exception>
        public Translations Translate(IReadOnlyList<string> texts, TranslateOptions options = null,
                                      CancellationToken cancellationToken = default(CancellationToken)) =>
            new Translations(Calls.TranslateTexts(handle, texts, Of(options), cancellationToken), Source(texts));

        /// <summary>Translates sequences of source tokens as they stand.</summary>
        public Translations TranslateTokens(IReadOnlyList<IReadOnlyList<string>> sources,
                                            TranslateOptions options = null,
                                            CancellationToken cancellationToken = default(CancellationToken)) =>
            new Translations(Calls.TranslateTokens(handle, sources, Of(options), cancellationToken), input => "");

        TranslateOptions[] Of(TranslateOptions options) => new[] { defaults, options };

        static Func<long, string> Source(IReadOnlyList<string> texts) => input => texts[(int)input];

        /// <summary>Translates a text in the background.</summary>
        public async Task<Translation> TranslateAsync(string text, TranslateOptions options = null,
                                                      CancellationToken cancellationToken =
                                                          default(CancellationToken)) =>
            (await TranslateAsync(new[] { text }, options, cancellationToken).ConfigureAwait(false))[0];

        /// <summary>Translates texts in the background. Progress is told on a thread of the library.</summary>
        public Task<Translations> TranslateAsync(IReadOnlyList<string> texts, TranslateOptions options = null,
                                                 CancellationToken cancellationToken = default(CancellationToken)) =>
            RunAsync(() => Submit(texts, options), cancellationToken);

        /// <summary>Translates sequences of source tokens in the background.</summary>
        public Task<Translations> TranslateTokensAsync(
            IReadOnlyList<IReadOnlyList<string>> sources, TranslateOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            RunAsync(() => new Job(job => Calls.SubmitTokens(handle, sources, Of(options), job), handle, Of(options),
                                   input => ""), cancellationToken);

        static async Task<Translations> RunAsync(Func<Job> submit, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            using (var job = submit())
            using (cancellationToken.Register(job.Cancel))
            {
                await job.Ended.ConfigureAwait(false);
                return job.Take(cancellationToken);
            }
        }

        Job Submit(IReadOnlyList<string> texts, TranslateOptions options, Func<long, string> source = null,
                   Action<StreamEvent> receive = null, bool partial = false, bool fed = false) =>
            new Job(job => Calls.SubmitTexts(handle, texts, Of(options), job), handle, Of(options),
                    source ?? Source(texts), receive, partial, fed);

        /// <summary>
        /// Each sentence as it is done, in any order, and on request as it grows. Who leaves the loop stops the rest.
        /// </summary>
        public IEnumerable<StreamEvent> Stream(IReadOnlyList<string> texts, TranslateOptions options = null,
                                               bool partial = false,
                                               CancellationToken cancellationToken = default(CancellationToken))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var events = new Events();
            using (var job = Submit(texts, options, null, events.Add, partial))
            using (cancellationToken.Register(job.Cancel))
            {
                for (var found = events.Next(); found != null; found = events.Next()) yield return found;
                job.Take(cancellationToken).Dispose();  // throws what ended it
            }
        }

        /// <summary>The same for <c>await foreach</c>.</summary>
        public IAsyncEnumerable<StreamEvent> StreamAsync(
            IReadOnlyList<string> texts, TranslateOptions options = null, bool partial = false,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            new Sequence<StreamEvent>(cancellationToken, token => new EventSteps(
                receive => Submit(texts, options, null, receive, partial), token));

        Feed Open(TranslateOptions options, int ahead, CancellationToken cancellationToken) =>
            new Feed(source => Submit(new string[0], options, source, fed: true), handle, ahead, cancellationToken);

        /// <summary>
        /// Any number of texts, read as they are needed, in bounded memory and in their order: at most `ahead` are read
        /// whose translations have not come yet. A translation comes when it is done and the text after it has been
        /// read, on the thread that takes translations: texts must not wait for the translation of the one before.
        /// What reading a text throws, or the fault of one with its number, comes after the translations of the texts
        /// before.
        /// </summary>
        public IEnumerable<Translation> TranslateAll(IEnumerable<string> texts, TranslateOptions options = null,
                                                     int ahead = 256,
                                                     CancellationToken cancellationToken = default(CancellationToken))
        {
            using (var feed = Open(options, ahead, cancellationToken))
            using (var each = texts.GetEnumerator())
            {
                string text;
                while (feed.Read(each, out text))
                {
                    while (!feed.Give(text))
                        foreach (var found in feed.Take(-1)) yield return found;
                    foreach (var found in feed.Take(0)) yield return found;
                }
                feed.Finish();
                while (!feed.Empty)
                    foreach (var found in feed.Take(-1)) yield return found;
                feed.Rethrow();
            }
        }

        /// <summary>
        /// The same for <c>await foreach</c>; texts are read on another thread, and a translation comes as soon as it
        /// is done.
        /// </summary>
        public IAsyncEnumerable<Translation> TranslateAllAsync(
            IAsyncEnumerable<string> texts, TranslateOptions options = null, int ahead = 256,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            new Sequence<Translation>(cancellationToken, token => new FedSteps(
                () => Open(options, ahead, token), texts));

        /// <summary>The same of texts that are not asynchronous.</summary>
        public IAsyncEnumerable<Translation> TranslateAllAsync(
            IEnumerable<string> texts, TranslateOptions options = null, int ahead = 256,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            new Sequence<Translation>(cancellationToken, token => new FedSteps(
                () => Open(options, ahead, token), new Ready(texts)));

        internal TranslatorHandle Handle => handle;
        internal TranslateOptions Defaults => defaults;
    }
}
