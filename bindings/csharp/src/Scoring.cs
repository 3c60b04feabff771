// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

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

        internal unsafe TranslationScore(IntPtr scores, int pair, string target)
        {
            Native.dragoman_tokens tokens;
            Native.dragoman_matrix numbers;
            Native.dragoman_ranges ranges;
            Call.Check(Native.dragoman_scores_tokens(scores, pair, out tokens));
            Call.Check(Native.dragoman_scores_log_probs(scores, pair, out numbers));
            Call.Check(Native.dragoman_scores_ranges(scores, pair, out ranges));
            Tokens = Utf8.Read(tokens);
            LogProbs = new Matrix(numbers).Data;
            Ranges = new Places(target).Ranges(ranges);
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
                    call.Hold(handle), call.Strings(sources, "sources"), call.Strings(targets, "targets"), sources.Count,
                    ScoreOptions.Make(call, options), out found));
            return Read(found, targets.Count, pair => targets[pair]);
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
                    call.Hold(handle), call.Sequences(sources, "sources"), call.Sequences(targets, "targets"), sources.Count,
                    ScoreOptions.Make(call, options), out found));
            return Read(found, targets.Count, pair => "");
        }

        static void Pairs(int sources, int targets)
        {
            if (sources != targets) throw Call.Invalid($"targets: {targets} for {sources} sources");
        }

        static IReadOnlyList<TranslationScore> Read(IntPtr pointer, int count, Func<int, string> target)
        {
            using (var scores = new ScoresHandle(pointer))
            {
                var found = new TranslationScore[count];
                for (var pair = 0; pair < count; ++pair) found[pair] = new TranslationScore(pointer, pair, target(pair));
                return found;
            }
        }

        /// <summary>Counters since it was made or ResetStats() was called.</summary>
        public TranslatorStats Stats
        {
            get
            {
                var raw = new Native.dragoman_stats { struct_size = (uint)sizeof(Native.dragoman_stats) };
                using (var held = new Held(handle)) Call.Check(Native.dragoman_translator_stats(held, &raw));
                return new TranslatorStats(&raw);
            }
        }

        /// <summary>Sets the counters to 0.</summary>
        public void ResetStats()
        {
            using (var held = new Held(handle)) Call.Check(Native.dragoman_translator_reset_stats(held));
        }

        /// <summary>Gives back the device memory that the next call can take again.</summary>
        public void Trim()
        {
            using (var held = new Held(handle)) Call.Check(Native.dragoman_translator_trim(held));
        }
    }
}
