// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

/// <summary>JSON as dictionaries, lists, strings, doubles, bools and nulls.</summary>
sealed class Json
{
    readonly string text;
    int at;

    Json(string text)
    {
        this.text = text;
    }

    internal static object Parse(string text) => new Json(text).Value();

    char Peek()
    {
        while (char.IsWhiteSpace(text[at])) ++at;
        return text[at];
    }

    bool Take(char wanted)
    {
        if (Peek() != wanted) return false;
        ++at;
        return true;
    }

    object Value()
    {
        switch (Peek())
        {
            case '{': return Object();
            case '[': return Array();
            case '"': return String();
            case 't': at += 4; return true;
            case 'f': at += 5; return false;
            case 'n': at += 4; return null;
            default: return Number();
        }
    }

    Dictionary<string, object> Object()
    {
        var found = new Dictionary<string, object>();
        for (Take('{'); !Take('}'); Take(','))
        {
            Peek();
            var name = String();
            Take(':');
            found[name] = Value();
        }
        return found;
    }

    List<object> Array()
    {
        var found = new List<object>();
        for (Take('['); !Take(']'); Take(',')) found.Add(Value());
        return found;
    }

    double Number()
    {
        var begin = at;
        while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0) ++at;
        return double.Parse(text.Substring(begin, at - begin), CultureInfo.InvariantCulture);
    }

    string String()
    {
        var found = new StringBuilder();
        for (++at; text[at] != '"'; ++at)
        {
            if (text[at] != '\\')
            {
                found.Append(text[at]);
                continue;
            }
            ++at;
            var place = "bfnrt".IndexOf(text[at]);
            if (text[at] == 'u')
            {
                found.Append((char)int.Parse(text.Substring(at + 1, 4), NumberStyles.HexNumber));
                at += 4;
            }
            else
            {
                found.Append(place < 0 ? text[at] : "\b\f\n\r\t"[place]);
            }
        }
        ++at;
        return found.ToString();
    }

    /// <summary>A value as JSON, for messages.</summary>
    internal static string Write(object value)
    {
        var map = value as Dictionary<string, object>;
        if (map != null) return "{" + string.Join(", ", map.Select(one => $"\"{one.Key}\": {Write(one.Value)}")) + "}";
        var list = value as List<object>;
        if (list != null) return "[" + string.Join(", ", list.Select(Write)) + "]";
        return value is string ? $"\"{value}\"" : value?.ToString() ?? "null";
    }
}
