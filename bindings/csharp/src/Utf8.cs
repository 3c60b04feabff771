// SPDX-License-Identifier: Apache-2.0
using System;
using System.Text;

namespace Dragoman
{
    /// <summary>The library's texts as strings.</summary>
    internal static unsafe class Utf8
    {
        internal static string Read(Native.dragoman_string text) =>
            text.size == 0 ? "" : Encoding.UTF8.GetString(text.data, (int)text.size);

        /// <summary>A text that ends with a zero byte; null for none.</summary>
        internal static string Read(byte* text) => text == null ? null : Chars(text, int.MaxValue);

        internal static string Chars(byte* text, int room)
        {
            var size = 0;
            while (size < room && text[size] != 0) ++size;
            return size == 0 ? "" : Encoding.UTF8.GetString(text, size);
        }

        internal static string Hexadecimal(byte* bytes, int count)
        {
            var text = new StringBuilder();
            for (var place = 0; place < count; ++place) text.Append(bytes[place].ToString("x2"));
            return text.ToString();
        }

        internal static Native.dragoman_range[] Copy(Native.dragoman_ranges ranges)
        {
            var found = new Native.dragoman_range[(int)ranges.count];
            for (var place = 0; place < found.Length; ++place) found[place] = ranges.data[place];
            return found;
        }

        internal static string[] Read(Native.dragoman_tokens tokens)
        {
            var found = new string[(int)tokens.count];
            for (var place = 0; place < found.Length; ++place) found[place] = Read(tokens.data[place]);
            return found;
        }
    }

    /// <summary>Places in a text: the library counts bytes of UTF-8, strings have UTF-16.</summary>
    internal sealed class Places
    {
        readonly int[] units;  // null: one byte each

        internal Places(string text)
        {
            var bytes = Encoding.UTF8.GetByteCount(text);
            if (bytes == text.Length) return;
            units = new int[bytes + 1];
            var at = 0;
            for (var unit = 0; unit < text.Length; ++unit)
            {
                units[at] = unit;
                var pair = char.IsHighSurrogate(text[unit]);
                at += pair ? 4 : text[unit] < 0x80 ? 1 : text[unit] < 0x800 ? 2 : 3;
                if (pair) ++unit;
            }
            units[at] = text.Length;
        }

        internal TextRange Range(long begin, long end) =>
            units == null ? new TextRange((int)begin, (int)end) : new TextRange(units[begin], units[end]);

        internal TextRange[] Ranges(Native.dragoman_range[] ranges) =>
            System.Array.ConvertAll(ranges, one => Range(one.begin, one.end));
    }
}
