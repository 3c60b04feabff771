// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;

namespace Dragoman
{
    /// <summary>What can be said of texts without a model.</summary>
    public static unsafe class Texts
    {
        /// <summary>The languages that a text may be in, the most probable first, at most 3.</summary>
        /// <param name="text">The text.</param>
        /// <param name="expected">Languages that are likelier than others, "en,de"; null: none.</param>
        public static IReadOnlyList<Language> DetectLanguages(string text, string expected = null) =>
            DetectLanguages(new[] { text }, expected)[0];

        /// <summary>The same of several texts.</summary>
        public static IReadOnlyList<IReadOnlyList<Language>> DetectLanguages(IReadOnlyList<string> texts,
                                                                            string expected = null)
        {
            using (var list = new DetectionHandle(Calls.DetectLanguages(texts, expected)))
                return Held.List(list, texts.Count, text => Held.List(
                    list, list.GuessCount(text), index => Guess(list.Guess(text, index))));
        }

        static Language Guess(Native.dragoman_language_guess raw)
        {
            var tag = Utf8.Read(raw.tag);
            return new Language(tag, Utf8.Read(raw.name), tag, raw.probability);
        }

        /// <summary>The sentences of a text, without the white space and list bullets between them.</summary>
        /// <param name="text">The text.</param>
        /// <param name="language">That of the text, "de"; null: unknown.</param>
        /// <param name="joinLines">A line break is a space, and a blank line ends a paragraph.</param>
        public static TextRange[] SplitSentences(string text, string language = null, bool joinLines = false)
        {
            var pointer = Calls.SplitSentences(text, language, joinLines);
            using (var list = new RangeListHandle(pointer))
            {
                var data = Native.dragoman_range_list_data(pointer);
                var ranges = new Native.dragoman_ranges { data = data, count = list.Count() };
                return new Places(text).Ranges(Utf8.Copy(ranges));
            }
        }
    }
}
