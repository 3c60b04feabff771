// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Dragoman
{
    /// <summary>A sentence of a text, or a part of one that was too long, and its translation.</summary>
    public sealed unsafe class Sentence
    {
        readonly Hypothesis owner;
        readonly int place;

        /// <summary>Where it is in PlainSource.</summary>
        public TextRange SourceRange { get; }
        /// <summary>Where its translation is in PlainText.</summary>
        public TextRange Range { get; }
        /// <summary>Which of the source's tokens are its own.</summary>
        public TextRange SourceTokenRange { get; }
        /// <summary>Which of the translation's tokens are its own.</summary>
        public TextRange TokenRange { get; }
        /// <summary>As that of the translation.</summary>
        public float Score { get; }
        /// <summary>As that of the translation.</summary>
        public float Quality { get; }
        /// <summary>BCP 47, with SourceLanguage "auto"; else "".</summary>
        public string Language { get; }
        /// <summary>Of that language; 0 to 1.</summary>
        public float LanguageProbability { get; }
        /// <summary>What a reader should know of it.</summary>
        public SentenceFlags Flags { get; }

        internal Sentence(Hypothesis owner, int place, Native.dragoman_sentence* raw)
        {
            this.owner = owner;
            this.place = place;
            SourceRange = owner.SourcePlaces.Range(raw->source_begin, raw->source_end);
            Range = owner.Places.Range(raw->target_begin, raw->target_end);
            SourceTokenRange = new TextRange((int)raw->source_token_begin, (int)raw->source_token_end);
            TokenRange = new TextRange((int)raw->target_token_begin, (int)raw->target_token_end);
            Score = raw->score;
            Quality = raw->quality;
            Language = Utf8.Read(raw->language) ?? "";
            LanguageProbability = raw->language_probability;
            Flags = (SentenceFlags)raw->flags;
        }

        /// <summary>The sentence.</summary>
        public string Source => SourceRange.Of(owner.KeptSource);
        /// <summary>Its translation.</summary>
        public string Text => Range.Of(owner.KeptText);
        /// <summary>Its tokens.</summary>
        public string[] SourceTokens => SourceTokenRange.Of(owner.KeptSourceTokens);
        /// <summary>The tokens of its translation.</summary>
        public string[] Tokens => TokenRange.Of(owner.KeptTokens);

        /// <summary>A row per token, a column per token of the source. No rows unless ReturnAttention was
        /// set.</summary>
        public Matrix Attention => owner.Result.SentenceAttention(owner.Input, owner.Rank, place);

        /// <summary>Words of the sentence, in PlainSource; none unless ReturnAlignment was set.</summary>
        public TextRange[] SourceWords =>
            owner.SourcePlaces.Ranges(owner.Result.SourceWords(owner.Input, owner.Rank, place));

        /// <summary>Words of its translation, in PlainText; with ReturnAlignment or ReturnQuality.</summary>
        public TextRange[] TargetWords =>
            owner.Places.Ranges(owner.Result.TargetWords(owner.Input, owner.Rank, place));

        /// <summary>
        /// Which source words each word stands for: a row per word, a column per source word; the weights of a row add
        /// up to 1, or are all 0. No rows unless ReturnAlignment was set.
        /// </summary>
        public Matrix Alignment => owner.Result.SentenceAlignment(owner.Input, owner.Rank, place);

        /// <summary>How probable it is that each of TargetWords is right; none unless ReturnQuality was set.</summary>
        public float[] WordQuality => owner.Result.WordQuality(owner.Input, owner.Rank, place).Data;

        /// <summary>The terms of the glossary that it has.</summary>
        public IReadOnlyList<Term> Terms
        {
            get
            {
                using (var held = new Held(owner.Result))
                {
                    var found = new Term[owner.Result.TermCount(owner.Input, owner.Rank, place)];
                    for (var index = 0; index < found.Length; ++index)
                    {
                        var raw = new Native.dragoman_term { struct_size = (uint)sizeof(Native.dragoman_term) };
                        Call.Check(Native.dragoman_result_term(held, owner.Input, owner.Rank, place, index, &raw));
                        var range = owner.SourcePlaces.Range(raw.source_begin, raw.source_end);
                        found[index] = new Term(range, raw.met != 0);
                    }
                    return found;
                }
            }
        }

        /// <summary>Segments of the translation memory that are like it, the most similar first.</summary>
        public IReadOnlyList<MemoryMatch> Matches
        {
            get
            {
                using (var held = new Held(owner.Result))
                {
                    var found = new MemoryMatch[owner.Result.MatchCount(owner.Input, place)];
                    for (var index = 0; index < found.Length; ++index)
                    {
                        var raw = new Native.dragoman_match { struct_size = (uint)sizeof(Native.dragoman_match) };
                        Call.Check(Native.dragoman_result_match(held, owner.Input, place, index, &raw));
                        found[index] = new MemoryMatch(raw.similarity, Utf8.Read(raw.source), Utf8.Read(raw.target));
                    }
                    return found;
                }
            }
        }

        /// <summary>Its translation.</summary>
        public override string ToString() => Text;
    }

    /// <summary>A term of the glossary that a sentence has.</summary>
    public sealed class Term
    {
        /// <summary>Where it is in PlainSource.</summary>
        public TextRange SourceRange { get; }
        /// <summary>Whether the translation has what it must become.</summary>
        public bool Met { get; }

        internal Term(TextRange sourceRange, bool met)
        {
            SourceRange = sourceRange;
            Met = met;
        }
    }

    /// <summary>A segment of a translation memory that is like a sentence, and what it became.</summary>
    public sealed class MemoryMatch
    {
        /// <summary>1 - edits / number of words of the longer one; at most 1: equal.</summary>
        public float Similarity { get; }
        /// <summary>The segment.</summary>
        public string Source { get; }
        /// <summary>Its translation.</summary>
        public string Target { get; }

        internal MemoryMatch(float similarity, string source, string target)
        {
            Similarity = similarity;
            Source = source;
            Target = target;
        }
    }
}
