// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using Dragoman;
using Map = System.Collections.Generic.Dictionary<string, object>;

/// <summary>The cases that every way into the library runs.</summary>
static class GoldenTest
{
    static readonly Dictionary<string, Model> models = new Dictionary<string, Model>();

    static Model ModelOf(Map test)
    {
        var name = (string)test["model"];
        if (!models.ContainsKey(name)) models[name] = Model.Load(Path.Combine(Program.Data, name), Program.Exact);
        return models[name];
    }

    static string Pascal(string name) =>
        string.Concat(name.Split('_').Select(word => char.ToUpper(word[0]) + word.Substring(1)));

    static string Snake(string name) =>
        string.Concat(name.Select((letter, place) => char.IsUpper(letter) && place > 0 && !char.IsUpper(name[place - 1])
            ? "_" + char.ToLower(letter) : char.ToLower(letter).ToString()));

    static List<string> TextsOf(object value) => ((List<object>)value).Cast<string>().ToList();

    static List<List<string>> SequencesOf(object value) => ((List<object>)value).Select(TextsOf).ToList();

    static List<object> List<T>(IEnumerable<T> items) => items.Select(one => (object)one).ToList();

    /// <summary>The options of a case, set by their names.</summary>
    static T Options<T>(Map test) where T : new()
    {
        var made = new T();
        object given, prefixes;
        if (test.TryGetValue("prefixes", out prefixes))
            typeof(T).GetProperty("Prefixes").SetValue(made, SequencesOf(prefixes));
        if (!test.TryGetValue("options", out given)) return made;
        foreach (var one in (Map)given)
        {
            var property = typeof(T).GetProperty(Pascal(one.Key));
            Check.That(property != null, $"{typeof(T).Name} has no {Pascal(one.Key)}");
            property.SetValue(made, As(one.Value, property.PropertyType));
        }
        return made;
    }

    static object As(object value, Type wanted)
    {
        var type = Nullable.GetUnderlyingType(wanted) ?? wanted;
        if (type.IsEnum) return Enum.Parse(type, (string)value, true);
        if (type == typeof(IReadOnlyList<string>)) return TextsOf(value);
        if (type == typeof(IReadOnlyList<IReadOnlyList<string>>)) return SequencesOf(value);
        return Convert.ChangeType(value, type);
    }

    static List<object> Bytes(string text, TextRange range) =>
        List(new[] { range.Begin, range.End }.Select(end => (double)Encoding.UTF8.GetByteCount(text.Substring(0, end))));

    static List<object> Places(TextRange range) => List(new[] { (double)range.Begin, range.End });

    static List<object> Shape(Matrix matrix) => List(new[] { (double)matrix.Rows, matrix.Columns });

    static object Attention(Hypothesis hypothesis)
    {
        try
        {
            return Shape(hypothesis.Attention);
        }
        catch (DragomanException error) when (error.Status == Status.Unsupported)
        {
            return null;
        }
    }

    static object Describe(Translation found, bool texts)
    {
        var hypotheses = found.Hypotheses.Select(hypothesis =>
        {
            var map = new Map
            {
                ["tokens"] = List(hypothesis.Tokens),
                ["score"] = (double)hypothesis.Score,
                ["attention"] = Attention(hypothesis),
                ["sentences"] = List(hypothesis.Sentences.Select(sentence => new Map
                {
                    ["source"] = Bytes(found.Source, sentence.SourceRange),
                    ["target"] = Bytes(hypothesis.Text, sentence.Range),
                    ["source_tokens"] = Places(sentence.SourceTokenRange),
                    ["target_tokens"] = Places(sentence.TokenRange),
                    ["score"] = (double)sentence.Score,
                    ["attention"] = Shape(sentence.Attention),
                })),
            };
            if (texts) map["text"] = hypothesis.Text;
            return map;
        });
        return new Map { ["source_tokens"] = List(found.SourceTokens), ["hypotheses"] = List(hypotheses) };
    }

    static object Run(Map test)
    {
        object inputs, side, targets;
        test.TryGetValue("inputs", out inputs);
        test.TryGetValue("side", out side);
        test.TryGetValue("targets", out targets);
        var on = side == null ? Side.Source : (Side)Enum.Parse(typeof(Side), (string)side, true);
        switch ((string)test["call"])
        {
            case "translate_texts":
                using (var translator = new Translator(ModelOf(test)))
                using (var found = translator.Translate(TextsOf(inputs), Options<TranslateOptions>(test)))
                    return List(found.Select(one => Describe(one, true)));
            case "translate_tokens":
                using (var translator = new Translator(ModelOf(test)))
                using (var found = translator.TranslateTokens(SequencesOf(inputs), Options<TranslateOptions>(test)))
                    return List(found.Select(one => Describe(one, false)));
            case "score_tokens":
                using (var translator = new Translator(ModelOf(test)))
                    return List(translator.ScoreTokens(SequencesOf(inputs), SequencesOf(targets), Options<ScoreOptions>(test))
                        .Select(one => new Map { ["tokens"] = List(one.Tokens), ["log_probs"] = Numbers(one.LogProbs) }));
            case "score_texts":
                using (var translator = new Translator(ModelOf(test)))
                    return List(translator.Score(TextsOf(inputs), TextsOf(targets), Options<ScoreOptions>(test))
                        .Select((one, place) => new Map
                        {
                            ["tokens"] = List(one.Tokens),
                            ["log_probs"] = Numbers(one.LogProbs),
                            ["ranges"] = List(one.Ranges.Select(range => Bytes(TextsOf(targets)[place], range))),
                        }));
            case "tokenize":
                return List(ModelOf(test).Tokenize(TextsOf(inputs), on).Select(one => List(one.Tokens)));
            case "detokenize":
                return List(ModelOf(test).Detokenize(SequencesOf(inputs), on));
            case "split_sentences":
                return List(TextsOf(inputs).Select(text => List(Split(text, test).Select(range => Bytes(text, range)))));
            case "describe":
                return Fields(Model.Describe(Path.Combine(Program.Data, (string)test["model"])), test);
            default:
                throw new Failed($"{test["call"]}: a call that this test does not know");
        }
    }

    static List<object> Numbers(float[] numbers) => List(numbers.Select(one => (double)one));

    static TextRange[] Split(string text, Map test)
    {
        object given, language, join;
        var options = test.TryGetValue("options", out given) ? (Map)given : new Map();
        options.TryGetValue("language", out language);
        options.TryGetValue("join_lines", out join);
        return Texts.SplitSentences(text, (string)language, join is bool && (bool)join);
    }

    static Map Fields(ModelInfo info, Map test)
    {
        var found = new Map();
        foreach (var name in ((Map)test["expected"]).Keys)
        {
            var value = typeof(ModelInfo).GetProperty(Pascal(name)).GetValue(info);
            found[name] = value is long ? (double)(long)value : value;
        }
        return found;
    }

    static void Same(object found, object expected, string where)
    {
        var map = expected as Map;
        var list = expected as List<object>;
        if (map != null)
        {
            Check.All(((Map)found).Keys.OrderBy(key => key), map.Keys.OrderBy(key => key), where);
            foreach (var key in map.Keys) Same(((Map)found)[key], map[key], $"{where}.{key}");
        }
        else if (list != null)
        {
            Check.Same(((List<object>)found).Count, list.Count, $"{where}: length");
            for (var place = 0; place < list.Count; ++place)
                Same(((List<object>)found)[place], list[place], $"{where}[{place}]");
        }
        else if (expected is double && found is double)
        {
            double a = (double)found, b = (double)expected;
            var allowed = a == Math.Floor(a) && b == Math.Floor(b) ? 0 : 1e-3 * Math.Max(1, Math.Abs(b));
            Check.That(Math.Abs(a - b) <= allowed, $"{where}: expected {b}, got {a}");
        }
        else
        {
            Check.Same(found, expected, where);
        }
    }

    [Test]
    static void Cases()
    {
        var text = File.ReadAllText(Path.Combine(Program.Data, "golden/golden.json"));
        var cases = ((List<object>)((Map)Json.Parse(text))["cases"]).Cast<Map>().ToList();
        foreach (var test in cases)
        {
            var found = new Map();
            try
            {
                found["expected"] = Run(test);
            }
            catch (DragomanException error)
            {
                found["error"] = new Map
                {
                    ["status"] = Snake(error.Status.ToString()),
                    ["message"] = error.Message.Replace(Program.Data + "/", ""),
                };
            }
            var wanted = new Map();
            wanted[test.ContainsKey("error") ? "error" : "expected"] = test.ContainsKey("error") 
                ? test["error"] : test["expected"];
            Same(found, wanted, (string)test["name"]);
        }
        Check.That(cases.Count >= 30, $"{cases.Count} cases");
        Console.WriteLine($"{cases.Count} golden cases");
    }
}
