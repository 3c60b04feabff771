// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;

namespace Dragoman
{
    /// <summary>Measuring a model.</summary>
    public static unsafe class Benchmark
    {
        /// <summary>
        /// Loads a model (null: the default one), translates texts again and again, and measures: a report in JSON,
        /// which docs/bench.md explains.
        /// </summary>
        public static string Run(string path, IReadOnlyList<string> texts, ModelOptions modelOptions = null,
                                 TranslateOptions options = null, BenchOptions benchOptions = null,
                                 CancellationToken cancel = default(CancellationToken)) =>
            Run(path, new Inputs { Texts = texts }, modelOptions, options, benchOptions, cancel);

        /// <summary>The same with sequences of source tokens.</summary>
        public static string RunTokens(string path, IReadOnlyList<IReadOnlyList<string>> sources,
                                       ModelOptions modelOptions = null, TranslateOptions options = null,
                                       BenchOptions benchOptions = null,
                                       CancellationToken cancel = default(CancellationToken)) =>
            Run(path, new Inputs { Tokens = sources }, modelOptions, options, benchOptions, cancel);

        static string Run(string path, Inputs inputs, ModelOptions modelOptions, TranslateOptions options,
                          BenchOptions benchOptions, CancellationToken cancel)
        {
            IntPtr found;
            using (var call = new Call(cancel))
            {
                var ofModel = ModelOptions.Make(call, modelOptions);
                var ofTexts = TranslateOptions.Make(call, options);
                var how = BenchOptions.Make(call, benchOptions);
                var file = call.Text(path, "path");
                call.Done(inputs.Texts != null
                    ? Native.dragoman_bench_texts(file, ofModel, call.Strings(inputs.Texts, "texts"), inputs.Count,
                                                  ofTexts, how, out found)
                    : Native.dragoman_bench_tokens(file, ofModel, call.Sequences(inputs.Tokens, "sources"),
                                                   inputs.Count, ofTexts, how, out found));
            }
            return Json(found);
        }

        internal static string Json(IntPtr pointer)
        {
            using (var report = new ReportHandle(pointer)) return report.Json();
        }
    }
}
