// SPDX-License-Identifier: Apache-2.0
#include "text/kept.h"

#include <doctest/doctest.h>

#include <string>

namespace kept_test {

using dragoman::text::find_kept;
using dragoman::text::is_code;
using dragoman::text::Kept;
using dragoman::text::part;

namespace {

// "[word] <mark>", in order.
std::string kept(std::string_view text) {
    std::string found;
    for (const Kept& each : find_kept(text)) {
        const bool word = each.as == Kept::As::word;
        found += (found.empty() ? "" : " ") + std::string(word ? "[" : "<") + std::string(part(text, each.range)) +
                 (word ? "]" : ">");
    }
    return found;
}

}  // namespace

TEST_CASE("addresses, names, paths and placeholders are kept without the punctuation around them") {
    CHECK(kept("See www.example.com/a?b=1, or (https://example.org/x_(y)).") ==
          "[www.example.com/a?b=1] [https://example.org/x_(y)]");
    CHECK(kept("Write to \"j.smith@example.co.uk\".") == "[j.smith@example.co.uk]");
    CHECK(kept("@anna likes #berlin, but is #1 on example.com!") == "[@anna] [#berlin] [example.com]");
    CHECK(kept("See <1>this</1>, <12/> 5 <6> 123") == "<<1>> <</1>> <<12/>> <<6>>");
    CHECK(!is_code("See <1>red house</1> now."));
    CHECK(kept("Remove @__mention__ now, not @_ or @1.") == "[@__mention__]");
    CHECK(kept("Open { $name }, { -brand } or { \"{\" }.") == "[{ $name }] [{ -brand }] [{ \"{\" }]");
    CHECK(kept("Open ~/notes.txt, /etc/hosts or C:\\Users\\me.") == "[~/notes.txt] [/etc/hosts] [C:\\Users\\me]");
    CHECK(kept("Hello {name}, {{ n }} of ${all}: %s, %1$d, %(key)s, 5 % off") ==
          "[{name}] [{{ n }}] [${all}] [%s] [%1$d] [%(key)s]");
    CHECK(kept("{n, plural, one {# day} other {# days}} left") == "[{n, plural, one {# day} other {# days}}]");
    CHECK(kept("{n, plural, =0 {no new messages at all} one {# new message} other {# new messages}} for you") ==
          "[{n, plural, =0 {no new messages at all} one {# new message} other {# new messages}}]");
    CHECK(kept("file%s of %{n}, @:a.b.c and @.upper:x, $t(x.y): 5%d, $5, a@:b") ==
          "[%s] [%{n}] [@:a.b.c] [@.upper:x] [$t(x.y)]");
    CHECK(kept("From 1.4.2 (v2.0) to v3 or 10.0.1-rc1+b5, at 192.168.0.1.") ==
          "[1.4.2] [v2.0] [10.0.1-rc1+b5] [192.168.0.1]");
    CHECK(kept("Call get_value(), set_x or aB3xK9; commit 3f9c0a1.") == "[get_value()] [set_x] [aB3xK9] [3f9c0a1]");
    CHECK(kept("Use `ls -la` or ``a`b``.") == "[`ls -la`] [``a`b``]");
    CHECK(kept("either `this' or `that'").find("this") == std::string::npos);
}

TEST_CASE("what catalogues name is kept") {
    CHECK(kept("See doi:10.1000/xyz123, DOI:10.1038/nature12373 or 10.1038/nature12373.") ==
          "[doi:10.1000/xyz123] [DOI:10.1038/nature12373] [10.1038/nature12373]");
    CHECK(kept("It is arXiv:2301.12345, and 10.5/2 or 10.12 is not.") == "[arXiv:2301.12345]");
}

TEST_CASE("files and words of code are kept") {
    CHECK(kept("Open in/notes.md, README.md or (src/main.cpp)!") == "[in/notes.md] [README.md] [src/main.cpp]");
    CHECK(kept("*.txt, **/*.md, .gitignore, .txt and lib/text") == "[*.txt] [**/*.md] [.gitignore] [.txt] [lib/text]");
    CHECK(kept("See C:\\Program Files\\a\\b.txt and a\\b.png.") == "[C:\\Program Files\\a\\b.txt] [a\\b.png]");
    CHECK(kept("%TEMP%\\log, $HOME/bin, $PATH and %APPDATA%") == "[%TEMP%\\log] [$HOME/bin] [$PATH] [%APPDATA%]");
    CHECK(kept("-v, --verbose, --dry-run and --output=file.txt") == "[-v] [--verbose] [--dry-run] [--output=file.txt]");
    CHECK(kept("foo(), list.append(x), print(\"a\"), std::vector, os.path.join; onClick, userID") ==
          "[foo()] [list.append(x)] [print(\"a\")] [std::vector] [os.path.join] [onClick] [userID]");
    CHECK(kept("die README.md-Datei, notes.txt's end, img_2/b") == "[README.md] [notes.txt] [img_2/b]");
}

TEST_CASE("tags, emoji and symbols of code are marks") {
    CHECK(kept("This is <b>bold</b>, 3 < 5.") == "<<b>> <</b>> <<>");
    CHECK(
        kept(
            "I \xe2\x9d\xa4\xef\xb8\x8f you \xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9! \xf0\x9f\x87\xa9\xf0\x9f\x87\xaa") ==
        "<\xe2\x9d\xa4\xef\xb8\x8f> <\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9> <\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa>");
    CHECK(kept("a | b") == "<|>");
}

TEST_CASE("what has no blank in 64 characters is kept, words and scripts without blanks are not") {
    CHECK(kept("x " + std::string(64, 'a')) == "");
    CHECK(kept("x " + std::string(65, 'a')) == "[" + std::string(65, 'a') + "]");
    std::string japanese;
    for (int i = 0; i < 100; ++i) japanese += "\xe6\x9d\xb1";
    CHECK(kept(japanese) == "");
}

TEST_CASE("plain sentences have nothing that is kept") {
    for (const char* text :
         {"Mr. Smith paid $5.50 (about 4.70 euros) at 5:30 p.m.", "Das ist z. B. 50 % und/oder mehr.",
          "He said: \"I don't know...\"", "A.B. and C&A, the U.S. Army; No. 1 of 2.", "50% off", "",
          "1.234.567 on 30.09.2024, the 1990s: 10km by A380, COVID-19, H1N1 and YouTube.",
          "and/or, his/her, he/she/it, km/h, w/o, 24/7, input/output, Montag/Dienstag, Ich bin/war hier, TCP/IP",
          "woman(s), Lehrer(in), z.B.(siehe), d.h. so, e.g. a, i.e. b, U.S.A.C., usw.und so weiter",
          "the end.The sun, dogs.But cats; mitarbeiterIn, schülerInnen, eBay, pH -I said- $5m",
          "1.5 of 2.25, 5.30pm, the iPhone and the MP3 of 21st century McDonalds"})
        CHECK_MESSAGE(kept(text) == "", text);
}

TEST_CASE("runs of one sign are marks") {
    CHECK(kept("-------- Original Message --------") == "<--------> <-------->");
    CHECK(kept("==== Settings ====") == "<====> <====>");
    CHECK(kept("Stop!!!!! What????? Wait......, fill in ______") == "");  // the model reads one of them
    CHECK(kept("a -- b, ***, 1...3 and ==") == "");
}

TEST_CASE("emoticons are marks") {
    CHECK(kept("Thanks :) see you ;-) <3") == "<:)> <;-)> <<3>");
    CHECK(kept("No :-(, :'( and :D (:P) xD") == "<:-(> <:'(> <:D> <:P> <xD>");
    CHECK(kept("\xc2\xaf\\_(\xe3\x83\x84)_/\xc2\xaf I know") == "<\xc2\xaf\\_(\xe3\x83\x84)_/\xc2\xaf>");
    CHECK(kept("Note (see: a) and b; (c) :a, = b, 8) and (\xe6\x9d\xb1\xe4\xba\xac\xe9\x83\xbd)") == "");
}

TEST_CASE("patterns of dates and references to laws are kept") {
    CHECK(kept("Enter MM/DD/YYYY or TT.MM.JJJJ.") == "[MM/DD/YYYY] [TT.MM.JJJJ]");
    CHECK(kept("yyyy-MM-dd'T'HH:mm:ss, yyyyMMdd") == "[yyyy-MM-dd'T'HH:mm:ss] [yyyyMMdd]");
    CHECK(kept("Article 5(1)(b)(iii), Section 12a(2); (a)(2) applies") == "[5(1)(b)(iii)] [12a(2)] [(a)(2)]");
    CHECK(kept("Points (a) and (b) of 5 (five) men, 5(five), (1) and MMS, DDR, a.m., d.h., Ha-ha, all.") == "");
}

TEST_CASE("commands of TeX are kept, texts in them are not") {
    CHECK(kept("The \\textbf{dog} sleeps") == "<\\textbf{> <}>");
    CHECK(kept("See \\ref{fig:dog} here") == "[\\ref{fig:dog}]");
}

TEST_CASE("data and code are told from sentences") {
    CHECK(is_code(R"({"name": "John", "age": 30})"));
    CHECK(is_code("for (int i = 0; i < n; ++i) sum += x[i];"));
    CHECK(is_code("| 1 | 2 |"));
    CHECK_FALSE(is_code("If x < 5 and y > 3, then stop."));
    CHECK_FALSE(is_code("This is <b>bold</b> text."));
    CHECK_FALSE(is_code("<b>She is happy.</b>"));
    CHECK(is_code("a[i] = {b}; c > d; e->f"));
    CHECK(is_code("<b>a[i] = {x: 1};</b>"));
    CHECK_FALSE(is_code("Good morning; how are you?"));
    CHECK_FALSE(is_code("{0} of {1} pages"));
    CHECK_FALSE(is_code("{{ n }} days, %{m} weeks, ${x} a"));
    CHECK(is_code("if (a) { return b; }"));
    CHECK_FALSE(is_code("Preise: 11,49; 37,89; 87,16; 14,31"));
    CHECK_FALSE(is_code("We found r = 0.87 (n = 1,204)."));
    CHECK(is_code("x = 5; y = 7; z = x;"));
    CHECK(is_code("int x = 5; long y = 7;"));
    for (const char* sentence : {"Set `x` to `1`.", "The `id` is `int`, the `name` is `str`.",
                                 "Press `_1`+`_2` to copy.", "Thanks :) see you ;-) <3", "==== Settings ====",
                                 "The \\textbf{dog} sleeps", "\xc2\xaf\\_(\xe3\x83\x84)_/\xc2\xaf I don't know"})
        CHECK_FALSE_MESSAGE(is_code(sentence), sentence);
}

TEST_CASE("paths with blanks in names of folders, and keys that are pressed together") {
    CHECK(kept("The file C:\\Users\\Anna\\My Documents\\notes.txt is missing.") ==
          "[C:\\Users\\Anna\\My Documents\\notes.txt]");
    CHECK(kept("C:\\Program Files (x86)\\App\\bin is it.") == "[C:\\Program Files (x86)\\App\\bin]");
    CHECK(kept("From C:\\Temp to D:\\Data.") == "[C:\\Temp] [D:\\Data]");
    CHECK(kept("\\\\server\\My Share\\a.txt is it") == "[\\\\server\\My Share\\a.txt]");
    CHECK(kept("Press Ctrl+Alt+Del now.") == "[Ctrl+Alt+Del]");
    for (const char* other : {"Ctrl+Shift+N", "Press Ctrl+C now.", "One+Two+Three are six", "Shift work", "Ctrl+"})
        CHECK_MESSAGE(kept(other) == "", other);
}

TEST_CASE("moves, addresses, requirements, keys of data and signs in circles stay whole") {
    CHECK(kept("White played 1. e4 e5 2. Nf3 and won.") == "[1. e4 e5 2. Nf3]");
    CHECK(kept("Call foo(x, y) if ret.") == "[foo(x, y)]");
    CHECK(kept("(fe80::1%eth0) and ::1, ok") == "[fe80::1%eth0] [::1]");
    CHECK(kept("Use >=3.9,<3.13, or numpy~=1.26.") == "[>=3.9,<3.13] [numpy~=1.26]");
    CHECK(kept("Set \"timeout_ms\": 30000 now.") == "[\"timeout_ms\"]");
    CHECK(kept("\u2460\u2461 choose \u24b6 or \u24b7.") == "<\u2460\u2461> [\u24b6] [\u24b7]");
    CHECK(kept("**Note:** run it") == "<**> <**>");
    CHECK(kept("at 14h 29m 43s, \u221262\u00b0 40' 46\"") == "[14h 29m 43s] [\u221262\u00b0 40' 46\"]");
    CHECK(kept("in 2h15m or 3h 47min, 5h") == "[2h15m] [3h 47min]");
    CHECK(kept("a charge of -1.602\u00b710^-19 C") == "[-1.602\u00b710^-19]");
}

}  // namespace kept_test
