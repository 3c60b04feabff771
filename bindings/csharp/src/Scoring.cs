// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Dragoman
{
    public sealed partial class Translator
    {
        /// <summary>How probable each target is as the translation of its source.</summary>
        public IReadOnlyList<TranslationScore> Score(IReadOnlyList<string> sources, IReadOnlyList<string> targets,
                                                     ScoreOptions options = null) =>
            Read(Calls.ScoreTexts(handle, sources, targets, options), pair => targets[pair]);

        /// <summary>The same of tokens.</summary>
        public IReadOnlyList<TranslationScore> ScoreTokens(
            IReadOnlyList<IReadOnlyList<string>> sources, IReadOnlyList<IReadOnlyList<string>> targets,
            ScoreOptions options = null) =>
            Read(Calls.ScoreTokens(handle, sources, targets, options), pair => "");

        static IReadOnlyList<TranslationScore> Read(IntPtr pointer, Func<int, string> target)
        {
            using (var scores = new ScoresHandle(pointer))
                return Held.List(scores, scores.Count(), pair => new TranslationScore(scores, pair, target(pair)));
        }

        /// <summary>Counters since it was made or ResetStats() was called.</summary>
        public TranslatorStats Stats => handle.Stats();

        /// <summary>Sets the counters to 0.</summary>
        public void ResetStats() => handle.ResetStats();

        /// <summary>Gives back the device memory that the next call can take again.</summary>
        public void Trim() => handle.Trim();
    }
}
