// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;

namespace Dragoman
{
    /// <summary>How probable a given translation is, token by token.</summary>
    public sealed class TranslationScore
    {
        /// <summary>The tokens that were scored, the end token last.</summary>
        public string[] Tokens { get; }
        /// <summary>The natural log-probability of each.</summary>
        public float[] LogProbs { get; }
        /// <summary>The part of the target that each stands for; none where tokens were given.</summary>
        public TextRange[] Ranges { get; }

        internal TranslationScore(ScoresHandle scores, int pair, string target)
        {
            Tokens = scores.Tokens(pair);
            LogProbs = scores.LogProbs(pair).Data;
            Ranges = new Places(target).Ranges(scores.Ranges(pair));
        }
    }

    public sealed unsafe partial class Translator
    {
        /// <summary>How probable each target is as the translation of its source.</summary>
        public IReadOnlyList<TranslationScore> Score(IReadOnlyList<string> sources, IReadOnlyList<string> targets,
                                                     ScoreOptions options = null)
        {
            IntPtr found;
            Pairs(sources.Count, targets.Count);
            using (var call = new Call())
                call.Done(Native.dragoman_score_texts(
                    call.Hold(handle), call.Strings(sources, "sources"), call.Strings(targets, "targets"),
                    sources.Count, ScoreOptions.Make(call, options), out found));
            return Read(found, pair => targets[pair]);
        }

        /// <summary>The same of tokens.</summary>
        public IReadOnlyList<TranslationScore> ScoreTokens(
            IReadOnlyList<IReadOnlyList<string>> sources, IReadOnlyList<IReadOnlyList<string>> targets,
            ScoreOptions options = null)
        {
            IntPtr found;
            Pairs(sources.Count, targets.Count);
            using (var call = new Call())
                call.Done(Native.dragoman_score_tokens(
                    call.Hold(handle), call.Sequences(sources, "sources"), call.Sequences(targets, "targets"),
                    sources.Count, ScoreOptions.Make(call, options), out found));
            return Read(found, pair => "");
        }

        static void Pairs(int sources, int targets)
        {
            if (sources != targets) throw Call.Invalid($"targets: {targets} for {sources} sources");
        }

        static IReadOnlyList<TranslationScore> Read(IntPtr pointer, Func<int, string> target)
        {
            using (var scores = new ScoresHandle(pointer))
                return Enumerable.Range(0, scores.Count())
                    .Select(pair => new TranslationScore(scores, pair, target(pair))).ToArray();
        }

        /// <summary>Counters since it was made or ResetStats() was called.</summary>
        public TranslatorStats Stats => handle.Stats();

        /// <summary>Sets the counters to 0.</summary>
        public void ResetStats() => handle.ResetStats();

        /// <summary>Gives back the device memory that the next call can take again.</summary>
        public void Trim() => handle.Trim();
    }
}
