// SPDX-License-Identifier: Apache-2.0
#include "text/split_sentences.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "base/utf8.h"

namespace dragoman::text::split_sentences_test {
namespace {

using Strings = std::vector<std::string>;

Strings split(const std::string& text, const char* language, LineBreaks line_breaks = LineBreaks::separate) {
    Strings sentences;
    for (const Range range : SentenceSplitter(language, line_breaks).split(text))
        sentences.emplace_back(part(text, range));
    return sentences;
}

// Sentences that come back as they are after joining them with `glue`.
void check(const char* language, const Strings& sentences, const std::string& glue = " ") {
    std::string text;
    for (const std::string& sentence : sentences) text += (text.empty() ? "" : glue) + sentence;
    CAPTURE(text);
    CAPTURE(language);
    const Strings found = split(text, language);
    CHECK(found.size() == sentences.size());
    for (std::size_t i = 0; i < std::min(found.size(), sentences.size()); ++i) CHECK(found[i] == sentences[i]);
}

TEST_CASE("plain sentences in any language") {
    for (const char* language : {"", "de", "en", "fr", "es", "it", "pt", "nl", "ru", "uk", "pl", "cs", "sv", "xx"}) {
        check(language, {"Anna kommt."});
        check(language, {"Anna kommt.", "Peter geht."});
        check(language, {"Anna!", "Peter?", "Maria?!", "Nina."});
        check(language, {"Anna kommt.", "Peter geht"});
        check(language, {"Ohne Punkt"});
        check(language, {"Anna kommt.", "Peter geht."}, "   ");
        check(language, {"Anna kommt.", "Peter geht."}, "\xc2\xa0");
        check(language, {"Anna kommt.", "Peter geht."}, "\n");
    }
}

TEST_CASE("German") {
    const char* de = "de";
    check(de, {"Das ist z. B. Anna.", "Das ist z.B. Peter.",
               "Das sind z.\xc2\xa0"
               "B. Häuser."});
    check(de, {"Er kam am 3. Oktober 1990 an.", "Es regnete."});
    check(de, {"Das war im 19. Jahrhundert.", "Der 2. Weltkrieg endete 1945.", "Danach kam der Frieden."});
    check(de, {"Das Treffen ist am 3. 10. 1990 um 12.30 Uhr.", "Bitte seien Sie pünktlich."});
    check(de, {"Dr. Müller und Prof. Dr. Schmidt kommen.", "Hr. Meier und Fr. Klein auch."});
    check(de, {"Die Ware, d. h. Brot und Käse, ist da.", "Sie ist frisch."});
    check(de, {"Wir haben Äpfel, Birnen usw.", "Danach gehen wir zu Hrn. Meier."});
    check(de, {"Siehe Nr. 5 und Abb. 3 auf S. 12.", "Vgl. Kap. 4."});
    check(de, {"Die Art. ist falsch."});
    check(de, {"Er lebte ca. 50 Jahre v. Chr. Geburt."});
    check(de, {"Sie wohnt in der Goethestr. 7 in Köln.", "Er auch."});
    check(de, {"Die Kundennr. 100 200 300 hat nicht bezahlt.", "Er auch."});
    check(de, {"Ludwig XIV. König von Frankreich starb.", "Er war alt."});
    check(de, {"„Komm!“, sagte er.", "„Nein.“", "Sie ging."});
    check(de, {"„Komm her!“ rief sie.", "»Gut.«", "Er kam."});
    check(de, {"Er fragte: „Wann kommst du?“", "Ich schwieg."});
    check(de, {"Das (siehe unten) gilt.", "(Siehe auch oben.)", "Mehr nicht."});
    check(de, {"Der Preis beträgt 3.500,50 Euro.", "Das ist viel."});
    check(de, {"Version 2.0 ist da.", "Siehe www.beispiel.de/index.html?q=1 für mehr.", "Danke!"});
    check(de, {"Öffne die Datei brief.txt.", "Lies sie."});
    check(de, {"Er zögerte … dann ging er.", "Sie blieb..."});
    check(de, {"Ich weiß nicht ...", "Vielleicht kommt er."});
    check(de, {"J. R. R. Tolkien schrieb das.", "Auch J. S. Bach lebte."});
    check(de, {"Das kostet 5 Mio. Euro.", "Das sind 3 Mrd. Dollar."});
    check(de, {"Die Firma Müller & Co. KG zahlt.", "Alle sind froh."});
    check(de, {"Er ist i. d. R. Montags da.", "Sie u. a. Dienstags."});
    check(de, {"1. Einleitung", "2. Hauptteil"}, "\n");
    check(de, {"Wir trafen uns um 8 Uhr.", "Es war der 12. Mai."});
    check(de, {"Er wurde 1990 geboren.", "1995 zog er um."});
    check(de, {"Der Zug kommt um 15.45 Uhr an.", "Ist das richtig?", "Ja!"});
    check(de, {"Das ist ein Test.", "Das ist der PIN.", "Hier ist Max.", "Er ist da."});
    check(de, {"Meine Mutter mag das so.", "Peter auch."});
    check(de, {"Sie mag ihn.", "Er mag sie."});
    check(de, {"Der hl. Nikolaus kommt am 6. Dezember.", "Die Kinder freuen sich."});
    check(de, {"In § 5 Abs. 2 Nr. 3 BGB steht das.", "Art. 5 GG auch."});
    check(de, {"Die USA griffen an.", "Die U.S. Army auch."});
    check(de, {"Was?", "Wie bitte?!", "Wirklich!!!"});
    check(de, {"Der 1. FC Köln gewann.", "Wir feiern."});
    check(de, {"Am 1. und 2. Januar ist zu.", "Bis bald!"});
    check(de, {"Das Kind ist 3.", "Es lacht."});
    check(de, {"Johannes Paul II. Papst aus Polen.", "Er starb 2005.", "Viele kamen."});
    check(de, {"Ruf mich an (Tel. 030 12345).", "Danke."});
    check(de, {"Er sagte, dass er usw. kommt.", "Na ja."});
}

TEST_CASE("English") {
    const char* en = "en";
    check(en, {"Mr. Smith met Mrs. Jones.", "They talked."});
    check(en, {"Dr. No is a film.", "I like it."});
    check(en, {"Use tools, e.g. Hammers, i.e. Heavy ones.", "Good."});
    check(en, {"See No. 5 on the list.", "It is long."});
    check(en, {"Will you come?", "No.", "I won't."});
    check(en, {"J. R. R. Tolkien wrote it.", "George R. R. Martin did not."});
    check(en, {"He lives in the U.S. Army base.", "She lives in the U.S.", "The house is big."});
    check(en, {"It starts at 5 p.m. Eastern time.", "Be there at 4 p.m.", "We will wait."});
    check(en, {"We sell apples, pears, etc.", "The shop is open."});
    check(en, {"Apple Inc. Chief Tim Cook spoke.", "He smiled."});
    check(en, {"\"Hello.\"", "He left.", "\"Really?\" she asked."});
    check(en, {"\"Go!\" he said.", "\"No.\"", "She stayed."});
    check(en, {"“Are you sure?” she asked.", "“Yes.”", "He was."});
    check(en, {"Pi is 3.14159.", "That is all."});
    check(en, {"Visit https://example.com/a.b?c=D.E for more.", "Or www.example.org."});
    check(en, {"Open config.yaml.", "Then run main.py."});
    check(en, {"Well... I don't know.", "Maybe."});
    check(en, {"He was born on Jan. 5, 1990.", "She was not."});
    check(en, {"See Fig. 3 and Sec. 4.2 for details.", "They help."});
    check(en, {"Smith et al. (2004) say so.", "We agree."});
    check(en, {"St. Peter's is in Rome.", "He lives on Wall St.", "The street is long."});
    check(en, {"(This is a note.)", "This is not."});
    check(en, {"It cost $5.", "That was cheap."});
    check(en, {"He left in 1990.", "20 people stayed."});
    check(en, {"It was over.", "3 of us remained."});
    check(en, {"Henry VIII.", "He was king."});
    check(en, {"It was Plan B.", "Then came Plan C."});
    check(en, {"Is it 5.5 or 6.0?", "Both!"});
    check(en, {"Water is H2O.", "Salt is NaCl."});
    check(en, {"The result was clear.[1]", "Nobody doubted it.[23]", "Nobody."});
    check(en, {"1. First item", "2. Second item"}, "\n");
    check(en, {"He has a Ph.D. in physics.", "She has an M.D.", "They are doctors."});
    check(en, {"Gen. Lee met Col. Brown vs. Capt. Hook.", "All lost."});
    check(en, {"She works at Acme Corp.", "She likes it."});
    check(en, {"iPhone sales rose. iPad sales fell."});  // a small letter begins no sentence
    check(en, {"Wait!", "What?", "Oh, OK."});
    check(en, {"My favorite is vitamin C.", "It is sour."});
    check(en, {"He said so.", "- Really?"}, "\n- ");
}

TEST_CASE("French, Spanish, Italian, Portuguese, Dutch") {
    check("fr", {"M. Dupont et Mme Durand sont là.", "Il pleut."});
    check("fr", {"M. Le Pen parle.", "Voir p. 5 et fig. 3."});
    check("fr", {"Il habite à 5 m.", "Elle est loin."});
    check("fr", {"« Bonjour ! » dit-il.", "« Non. »", "Elle part."});
    check("fr", {"Est-ce vrai ?", "Oui !", "Très bien."});
    check("fr", {"Des pommes, des poires, etc.", "Il y en a."});
    check("es", {"¿Cómo está, Sr. García?", "¡Bien!", "La Sra. López también."});
    check("es", {"Vive en EE. UU. desde 1990.", "Le gusta."});
    check("es", {"Hay frutas, p. ej. Manzanas.", "Son rojas."});
    check("it", {"Il Sig. Rossi e la dott.ssa Bianchi arrivano.", "Bene."});
    check("it", {"Pane, latte, ecc.", "Domani compro tutto."});
    check("pt", {"O Sr. Silva e a Dra. Costa chegaram.", "Ele sorriu."});
    check("pt", {"Veja a pág. 5.", "Está lá."});
    check("nl", {"Dhr. Jansen en mevr. De Vries komen.", "Ze zijn er."});
    check("nl", {"Dat is d.w.z. Morgen.", "Het is blz. 5."});
}

TEST_CASE("without capitals") {
    check("en", {"hello!", "how are you?", "i am fine.", "bye"});
    check("en", {"see e.g. this or fig. 3 now.", "\"why?\" she asked."});
    check("de", {"ca. 5 m. hoch, z. b. hier.", "das war's."});
    check("en", {"Yahoo! is old. but who cares? nobody."});
}

TEST_CASE("an unknown language: rather too few sentences than halves of one") {
    check("", {"Er kam am 3. Oktober 1990 an.", "Es regnete."});
    check("", {"Mr. Smith and Dr. Müller, z. B. Heute.", "They left."});
    check("", {"J. R. R. Tolkien lived in the U.K. Army.", "The end."});
    check("", {"Voir p. 5, M. Dupont.", "Il pleut."});
    check("", {"Nr. 5 lebt.", "No. 6 lives."});
}

TEST_CASE("Slavic and other scripts") {
    check("ru", {"Он живёт на ул. Ленина.", "Она тоже."});
    check("ru", {"А. С. Пушкин родился в 1799 г. в Москве.", "Он писал стихи."});
    check("ru", {"Это т. е. Москва и т. д. Санкт-Петербург."});
    check("uk", {"Він живе на вул. Шевченка.", "Вона теж."});
    check("pl", {"Mieszka na ul. Długiej w Warszawie, tj. Polska.", "Lubi to."});
    check("pl", {"To jest dr. Nowak i prof. Kowalski.", "Są mili."});
    check("cs", {"Přijde p. Novák a Ing. Dvořák.", "Je pozdě."});
    check("cs", {"Je to č. 5 na s. 12.", "Ano."});
    check("el", {"Τι κάνεις;", "Καλά.", "Εσύ;"});
    check("ar", {"كيف حالك؟", "أنا بخير."});
    check("hi", {"मैं घर जाता हूँ।", "वह आता है।"});
    check("ko", {"안녕하세요.", "저는 학생입니다."});
}

TEST_CASE("scripts without spaces") {
    for (const char* language : {"", "ja", "zh"}) {
        check(language, {"你好。", "今天很好！", "是吗？"}, "");
        check(language, {"今日は晴れです。", "明日は雨です。"}, "");
        check(language, {"今日は晴れです。", "明日は雨です。"}, "\xe3\x80\x80");
        check(language, {"「はい。」と彼は言った。", "そうです。"}, "");
        check(language, {"他说：“你好。”", "我走了。"}, "");
        check(language, {"（见下文。）", "好的。"}, "");
        check(language, {"你好!", "今天呢?", "好。"}, "");
        check(language, {"价格是3.5元。", "很便宜。"}, "");
    }
}

TEST_CASE("line breaks and bullets") {
    const std::string text =
        "Eine Zeile\nnoch eine.\r\n\r\n  - Punkt eins\n* Punkt zwei\n\xe2\x80\xa2\tdrei\n## Titel\n";
    CHECK(split(text, "de") == Strings{"Eine Zeile", "noch eine.", "Punkt eins", "Punkt zwei", "drei", "Titel"});
    CHECK(split(text, "de", LineBreaks::join) ==
          Strings{"Eine Zeile\nnoch eine.", "Punkt eins", "Punkt zwei", "drei", "Titel"});
    CHECK(split("Er kam\nam 3.\nOktober an. Dann\nging er.\n\nEnde", "de", LineBreaks::join) ==
          Strings{"Er kam\nam 3.\nOktober an.", "Dann\nging er.", "Ende"});
    CHECK(split("a\rb\x0b"
                "c\x0c"
                "d\xc2\x85"
                "e\xe2\x80\xa8"
                "f\xe2\x80\xa9"
                "g",
                "en") == Strings{"a", "b", "c", "d", "e", "f", "g"});
    CHECK(split("a\x0c"
                "b\xe2\x80\xa9"
                "c\nd",
                "en", LineBreaks::join) == Strings{"a", "b", "c\nd"});
    CHECK(split("-5 Grad\n- 5 Grad\n-", "de") == Strings{"-5 Grad", "5 Grad"});
}

TEST_CASE("nothing to split") {
    for (const char* text :
         {"", " ", "\n\n\r\n\t", "\xef\xbb\xbf", "\xc2\xad", " \xe2\x80\x8f \n", "- ", "\xe3\x80\x80"})
        CHECK(split(text, "").empty());
    for (const char* text : {"...", "!", "?!", ". . .", "5.", "😀", "(", "\"", "a", "。", "-"})
        CHECK(split(text, "").size() == (std::string(text) == "-" ? 0 : 1));
}

TEST_CASE("codes of languages") {
    CHECK(&language_rules("de") == &language_rules("de-AT"));
    CHECK(&language_rules("de") == &language_rules("deu_Latn"));
    CHECK(&language_rules("DE") == &language_rules("ger"));
    CHECK(&language_rules("xx") == &language_rules(""));
    CHECK(&language_rules("de") != &language_rules(""));
}

std::string random_text(std::mt19937& random) {
    static const std::vector<char32_t> kOften = {
        U' ',   U' ',   U'.',   U'.',   U'!',    U'?',    U'\n',   U'\r',    U'"',   U'(',  U')',   U'[',   U']',
        U'1',   U'9',   U'a',   U'Z',   U'e',    U'\t',   0xa0,    0xad,     0x300,  0x301, 0x200d, 0x200f, 0x202e,
        0x2026, 0x2028, 0x2029, 0x3002, 0x300c,  0x300d,  0x3042,  0x4e00,   0x5d0,  0x627, 0x61f,  0x964,  0xd7ff,
        0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x1f3fb, 0x10ffff, 0,      1,     0x7f,   0x85,   0x201c,
        0x201d, 0xab,   0xbb,   U'-',   0x2013,  U'#',    U'>',    0xe01,    0x1100, 0x1161};
    std::string text;
    const auto put = [&](char32_t c) {
        if (c < 0x80) {
            text += char(c);
        } else if (c < 0x800) {
            text += {char(0xc0 | (c >> 6)), char(0x80 | (c & 0x3f))};
        } else if (c < 0x10000) {
            text += {char(0xe0 | (c >> 12)), char(0x80 | ((c >> 6) & 0x3f)), char(0x80 | (c & 0x3f))};
        } else {
            text += {char(0xf0 | (c >> 18)), char(0x80 | ((c >> 12) & 0x3f)), char(0x80 | ((c >> 6) & 0x3f)),
                     char(0x80 | (c & 0x3f))};
        }
    };
    for (std::size_t left = random() % 80; left > 0; --left) {
        char32_t c = random() % 4 ? kOften[random() % kOften.size()] : char32_t(random() % 0x110000);
        if (c >= 0xd800 && c <= 0xdfff) c = 0xd7ff;
        put(c);
    }
    return text;
}

TEST_CASE("a German date's stops end a sentence only before a word that often begins one") {
    struct Case {
        const char* text;
        std::size_t sentences;
    };
    for (const auto& [text, sentences] :
         {Case{"Wir haben vom 1.8. bis 15.8. Urlaub.", 1}, Case{"Am 24.12. Peter treffen.", 1},
          Case{"Am Montag 5.6. Feier im Haus.", 1}, Case{"Er kommt am 3.5. Bitte warten Sie.", 2},
          Case{"Er kommt am 3.5. 10 Uhr passt.", 1}, Case{"Nimm Version 2.5. Peter hat sie.", 2},
          Case{"Version 2.5. Peter hat sie.", 2}, Case{"Es sind 24.13. Peter zahlt.", 2}})
        CHECK_MESSAGE(SentenceSplitter("de", LineBreaks::join).split(text).size() == sentences, text);
    CHECK(SentenceSplitter("en", LineBreaks::join).split("It is 3.5. Peter pays.").size() == 2);
}

TEST_CASE("random texts: ranges in order, whole characters, nothing but blanks and bullets between them") {
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
        const std::string text = random_text(random);
        for (const LineBreaks line_breaks : {LineBreaks::separate, LineBreaks::join}) {
            const auto ranges = SentenceSplitter(i % 3 ? (i % 3 == 1 ? "de" : "el") : "", line_breaks).split(text);
            std::size_t at = 0;
            std::string rebuilt;
            bool good = true;
            for (const Range range : ranges) {
                good = good && range.begin >= at && range.begin < range.end && range.end <= text.size();
                if (!good) break;
                rebuilt += text.substr(at, range.begin - at);
                const std::string_view sentence = part(text, range);
                good = !first_invalid_utf8(sentence) && trim(text, range) == range;
                if (line_breaks == LineBreaks::separate)
                    for (std::size_t p = 0; p < sentence.size();)
                        good = good && !is_line_break(next_character(sentence, p));
                rebuilt += sentence;
                for (std::size_t p = at; p < range.begin && good;) {
                    const int32_t c = next_character(text, p);
                    good = is_blank(c) || std::string_view("-*+>#").find(char(c)) != std::string_view::npos ||
                           c == 0x2013;
                }
                at = range.end;
            }
            rebuilt += text.substr(at);
            if (!good || rebuilt != text) {
                CAPTURE(text);
                CHECK(good);
                CHECK(rebuilt == text);
            }
        }
    }
}

TEST_CASE("long texts take time in proportion") {
    for (const char* unit : {"Dr. ", ". ", "\"", "a.", "...", "1. ", "z. B. ", "\n", "\xcc\x81", "(.", "\xe2\x80\x9c.",
                             "\xe2\x80\x8f", "[1", "! "}) {
        std::string text;
        while (text.size() < 2'000'000) text += unit;
        std::size_t end = 0;
        for (const Range range : SentenceSplitter("de", LineBreaks::join).split(text)) end = range.end;
        CHECK(end <= text.size());
    }
}

TEST_CASE("a code with figures follows its sign") {
    CHECK(split("Invoice no. INV-2025/0417 is due.", "en") == Strings{"Invoice no. INV-2025/0417 is due."});
    CHECK(split("Er wohnt bei Mr. Smith. Die Bank hat 2 Bio. Euro.", "de") ==
          Strings{"Er wohnt bei Mr. Smith.", "Die Bank hat 2 Bio. Euro."});
}

}  // namespace
}  // namespace dragoman::text::split_sentences_test
