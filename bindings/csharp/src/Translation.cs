// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections;
using System.Collections.Generic;

namespace Dragoman
{
    /// <summary>
    /// One translation of an input. What it has is read from the library whenever it is asked for; any number of
    /// threads may do so.
    /// </summary>
    public class Hypothesis
    {
        internal readonly ResultHandle Result;
        internal readonly int Input;
        internal readonly int Rank;
        IReadOnlyList<Sentence> sentences;
        Places sourcePlaces, places;
        string keptSource, keptText;
        string[] keptSourceTokens, keptTokens;

        /// <summary>The text that was given; "" for tokens.</summary>
        public string Source { get; }

        internal Hypothesis(ResultHandle result, int input, int rank, string source)
        {
            Result = result;
            Input = input;
            Rank = rank;
            Source = source;
        }

        static string Or(string text, string other) => text.Length == 0 ? other : text;

        // What sentences are parts of is read once for all of them.
        internal Places SourcePlaces => sourcePlaces ?? (sourcePlaces = new Places(KeptSource));
        internal Places Places => places ?? (places = new Places(KeptText));
        internal string KeptSource => keptSource ?? (keptSource = PlainSource);
        internal string KeptText => keptText ?? (keptText = PlainText);
        internal string[] KeptSourceTokens => keptSourceTokens ?? (keptSourceTokens = SourceTokens);
        internal string[] KeptTokens => keptTokens ?? (keptTokens = Tokens);

        /// <summary>The translation.</summary>
        /// <exception cref="DragomanException">Status.Unsupported: the model has no tokenizer.</exception>
        public string Text => Result.Text(Input, Rank);

        /// <summary>The source without its tags, which places are in; without markup the source.</summary>
        public string PlainSource => Or(Result.PlainSource(Input), Source);

        /// <summary>The translation without its tags, which places are in; without markup the translation.</summary>
        public string PlainText => Or(Result.PlainText(Input, Rank), Text);

        /// <summary>The tokens of the source, before any cut.</summary>
        public string[] SourceTokens => Result.SourceTokens(Input);

        /// <summary>The tokens of the translation.</summary>
        public string[] Tokens => Result.Tokens(Input, Rank);

        /// <summary>The part of PlainSource that each token of the source stands for; none for tokens.</summary>
        public TextRange[] SourceRanges => Among(Result.SourceRanges(Input), true);

        /// <summary>The part of PlainText that each token stands for; none for a model without tokenizer.</summary>
        public TextRange[] Ranges => Among(Result.Ranges(Input, Rank), false);

        TextRange[] Among(Native.dragoman_range[] ranges, bool ofSource) =>
            ranges.Length == 0 ? new TextRange[0] : (ofSource ? SourcePlaces : Places).Ranges(ranges);

        /// <summary>
        /// Sum of natural log-probabilities, normalised as the options say; 0 unless ReturnScores was set.
        /// </summary>
        public float Score => Result.Score(Input, Rank);

        /// <summary>How good it probably is, 0 to 1; 0 unless ReturnQuality or QualityMarks was set.</summary>
        public float Quality => Result.Quality(Input, Rank);

        /// <summary>
        /// A row per token, a column per token of the source. No rows unless ReturnAttention was set.
        /// </summary>
        /// <exception cref="DragomanException">Status.Unsupported: of several sentences, which have their
        /// own.</exception>
        public Matrix Attention => Result.Attention(Input, Rank);

        /// <summary>Which words belong together, as "0-0 1-2"; "" unless ReturnAlignment was set.</summary>
        public string Pharaoh => Result.Pharaoh(Input, Rank);

        /// <summary>The sentences of the text, in its order; none for tokens.</summary>
        public IReadOnlyList<Sentence> Sentences => sentences ?? (sentences = Held.List(
            Result, Result.SentenceCount(Input),
            place => new Sentence(this, place, Result.Sentence(Input, Rank, place))));

        /// <summary>The translation.</summary>
        public override string ToString() => Text;
    }

    /// <summary>The translation of an input: its best hypothesis, and the others.</summary>
    public sealed class Translation : Hypothesis, IDisposable
    {
        internal Translation(ResultHandle result, int input, string source) : base(result, input, 0, source) { }

        /// <summary>All hypotheses, the best one first.</summary>
        public IReadOnlyList<Hypothesis> Hypotheses => Held.List(
            Result, Result.HypothesisCount(Input),
            rank => rank == 0 ? this : new Hypothesis(Result, Input, rank, Source));

        /// <summary>Gives memory back, that of all translations of the same call.</summary>
        public void Dispose() => Result.Dispose();
    }

    /// <summary>The translations of a call, in the order of its inputs.</summary>
    public sealed class Translations : IReadOnlyList<Translation>, IDisposable
    {
        readonly ResultHandle result;
        readonly Translation[] items;

        /// <summary>Which input of a job the first one is.</summary>
        internal long First { get; }

        internal Translations(IntPtr pointer, Func<long, string> source)
        {
            result = new ResultHandle(pointer);
            First = Native.dragoman_result_first(pointer);
            items = Held.List(result, result.Count(), input => new Translation(result, input, source(First + input)));
        }

        /// <summary>How many inputs there were.</summary>
        public int Count => items.Length;
        /// <summary>The translation of an input.</summary>
        public Translation this[int input] => items[input];
        /// <summary>One after the other.</summary>
        public IEnumerator<Translation> GetEnumerator() => ((IEnumerable<Translation>)items).GetEnumerator();
        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        /// <summary>Gives memory back; then the translations cannot be read any more.</summary>
        public void Dispose() => result.Dispose();
    }
}
