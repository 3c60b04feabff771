// SPDX-License-Identifier: Apache-2.0
// calls MODEL [ROUNDS]: what calls cost, beside calls.c, whose calls these are.
using System;
using System.Diagnostics;
using System.Globalization;
using Dragoman;

static class Calls
{
    const string Detected = "Wo ist der Bahnhof, und wann kommt der letzte Zug?";
    const string Translated = "batin kétiß kénara késora banara!";
    static long seen;  // what calls give is used, or they would be left out

    /// <summary>Nanoseconds of one call: the median of `rounds`, each of `calls`.</summary>
    static void Measure(string name, int calls, int rounds, Func<long> call)
    {
        var times = new double[rounds];
        for (var i = 0; i < calls / 10 + 1; ++i) seen += call();
        for (var round = 0; round < rounds; ++round)
        {
            var begin = Stopwatch.GetTimestamp();
            for (var i = 0; i < calls; ++i) seen += call();
            times[round] = (Stopwatch.GetTimestamp() - begin) * 1e9 / Stopwatch.Frequency / calls;
        }
        Array.Sort(times);
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "{0}\t{1:F1}", name, times[rounds / 2]));
    }

    static int Main(string[] arguments)
    {
        if (arguments.Length < 1)
        {
            Console.Error.WriteLine("usage: calls MODEL [ROUNDS]");
            return 2;
        }
        var rounds = arguments.Length > 1 ? int.Parse(arguments[1]) : 21;
        using (var model = Model.Load(arguments[0]))
        using (var translator = new Translator(model))
        {
            Func<string, Translation> translate =
                text => translator.Translate(text, new TranslateOptions { TargetLanguage = "xx" });
            Func<string, long> read = text =>
            {
                using (var made = translate(text)) return made.Text.Length;
            };
            using (var found = translate(Translated))
            {
                Measure("version", 1000000, rounds, () => Library.VersionNumber);
                Measure("text", 100000, rounds, () => found.Text[0]);
                Measure("detect", 1000, rounds, () => Texts.DetectLanguages(Detected)[0].Tag.Length);
                Measure("blank", 1000, rounds, () => read(" "));
                Measure("translate", 10, rounds, () => read(Translated));
            }
        }
        return seen == 0 ? 1 : 0;
    }
}
