// SPDX-License-Identifier: Apache-2.0
using System.Runtime.InteropServices;

namespace Dragoman
{
    /// <summary>How much of some work is done.</summary>
    public struct WorkDone
    {
        /// <summary>Sentences, inputs, texts or bytes that are done.</summary>
        public long Done { get; }
        /// <summary>How many there are; 0 while that is not known.</summary>
        public long Total { get; }

        internal WorkDone(long done, long total)
        {
            Done = done;
            Total = total;
        }
    }

    /// <summary>A part of a string, or of a sequence of tokens.</summary>
    public struct TextRange
    {
        /// <summary>The first place, from 0.</summary>
        public int Begin { get; }
        /// <summary>The place after the last one.</summary>
        public int End { get; }
        /// <summary>How many places.</summary>
        public int Length => End - Begin;

        /// <summary>From one place to before another.</summary>
        public TextRange(int begin, int end)
        {
            Begin = begin;
            End = end;
        }

        /// <summary>This part of a string.</summary>
        public string Of(string text) => text.Substring(Begin, Length);

        internal T[] Of<T>(T[] items)
        {
            var found = new T[Length];
            System.Array.Copy(items, Begin, found, 0, Length);
            return found;
        }

        /// <summary>The two places.</summary>
        public override string ToString() => $"{Begin}..{End}";
    }

    /// <summary>Rows of numbers.</summary>
    public sealed class Matrix
    {
        /// <summary>Number of rows; 0 for no matrix.</summary>
        public int Rows { get; }
        /// <summary>Numbers in each row.</summary>
        public int Columns { get; }
        /// <summary>All numbers, row after row.</summary>
        public float[] Data { get; }
        /// <summary>One number.</summary>
        public float this[int row, int column] => Data[row * Columns + column];

        internal unsafe Matrix(Native.dragoman_matrix matrix)
        {
            Rows = (int)matrix.rows;
            Columns = (int)matrix.cols;
            Data = new float[checked(Rows * Columns)];
            if (Data.Length > 0) Marshal.Copy((System.IntPtr)matrix.data, Data, 0, Data.Length);
        }
    }

    /// <summary>A language of a model, or one that a text may be in.</summary>
    public sealed class Language
    {
        /// <summary>BCP 47: "de", "zh-Hant"; "und" for a code that belongs to no standard.</summary>
        public string Tag { get; }
        /// <summary>In English: "German"; the code where there is no name.</summary>
        public string Name { get; }
        /// <summary>As the model's files spell it; of a text the tag.</summary>
        public string Code { get; }
        /// <summary>That a text, or most of it, is in this language; of a model's language 1.</summary>
        public float Probability { get; }

        internal Language(string tag, string name, string code, float probability)
        {
            Tag = tag;
            Name = name;
            Code = code;
            Probability = probability;
        }
    }

    /// <summary>A sequence of tokens with what each stands for.</summary>
    public sealed class TokenizedText
    {
        /// <summary>The tokens, spelled as in the model's vocabulary.</summary>
        public string[] Tokens { get; }
        /// <summary>The part of the text that each token stands for; none where there was no text.</summary>
        public TextRange[] Ranges { get; }

        internal TokenizedText(string[] tokens, TextRange[] ranges)
        {
            Tokens = tokens;
            Ranges = ranges;
        }
    }
}
