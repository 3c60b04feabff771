// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;

namespace Dragoman
{
    /// <summary>Measuring a model.</summary>
    public static class Benchmark
    {
        /// <summary>
        /// Loads a model (null: the default one), translates texts again and again, and measures: a report in JSON,
        /// which docs/bench.md explains.
        /// </summary>
        public static string Run(string path, IReadOnlyList<string> texts, ModelOptions modelOptions = null,
                                 TranslateOptions options = null, BenchOptions benchOptions = null,
                                 CancellationToken cancellationToken = default(CancellationToken)) =>
            Json(Calls.BenchTexts(path, modelOptions, texts, new[] { options }, benchOptions, cancellationToken));

        /// <summary>The same with sequences of source tokens.</summary>
        public static string RunTokens(string path, IReadOnlyList<IReadOnlyList<string>> sources,
                                       ModelOptions modelOptions = null, TranslateOptions options = null,
                                       BenchOptions benchOptions = null,
                                       CancellationToken cancellationToken = default(CancellationToken)) =>
            Json(Calls.BenchTokens(path, modelOptions, sources, new[] { options }, benchOptions, cancellationToken));

        internal static string Json(IntPtr pointer)
        {
            using (var report = new ReportHandle(pointer)) return report.Json();
        }
    }
}
