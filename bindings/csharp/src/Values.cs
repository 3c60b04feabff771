// SPDX-License-Identifier: Apache-2.0
using System;
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
    public struct TextRange : IEquatable<TextRange>
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
            Array.Copy(items, Begin, found, 0, Length);
            return found;
        }

        /// <summary>Whether it is the same part.</summary>
        public bool Equals(TextRange other) => Begin == other.Begin && End == other.End;
        /// <summary>Whether that is the same part.</summary>
        public override bool Equals(object other) => other is TextRange && Equals((TextRange)other);
        /// <summary>Equal for equal parts.</summary>
        public override int GetHashCode() => Begin * 31 + End;
        /// <summary>Whether both are the same part.</summary>
        public static bool operator ==(TextRange one, TextRange other) => one.Equals(other);
        /// <summary>Whether they are not.</summary>
        public static bool operator !=(TextRange one, TextRange other) => !one.Equals(other);

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
}
