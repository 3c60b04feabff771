// SPDX-License-Identifier: Apache-2.0
#include "serve/work/language_codes.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <unordered_map>

#include "serve/ascii.h"

namespace serve::work {
namespace {

// ISO 639-1, 639-3, 639-2/B, name in English.
constexpr std::string_view kLanguageTable =
    "aa,aar,,Afar;ab,abk,,Abkhazian;ae,ave,,Avestan;af,afr,,Afrikaans;ak,aka,,Akan;am,amh,,Amharic;"
    "an,arg,,Aragonese;ar,ara,,Arabic;as,asm,,Assamese;av,ava,,Avar;ay,aym,,Aymara;az,aze,,Azerbaijani;"
    "ba,bak,,Bashkir;be,bel,,Belarusian;bg,bul,,Bulgarian;bi,bis,,Bislama;bm,bam,,Bambara;bn,ben,,Bengali;"
    "bo,bod,tib,Tibetan;br,bre,,Breton;bs,bos,,Bosnian;ca,cat,,Catalan;ce,che,,Chechen;ch,cha,,Chamorro;"
    "co,cos,,Corsican;cr,cre,,Cree;cs,ces,cze,Czech;cu,chu,,Church Slavic;cv,chv,,Chuvash;cy,cym,wel,Welsh;"
    "da,dan,,Danish;de,deu,ger,German;dv,div,,Dhivehi;dz,dzo,,Dzongkha;ee,ewe,,Ewe;el,ell,gre,Greek;"
    "en,eng,,English;eo,epo,,Esperanto;es,spa,,Spanish;et,est,,Estonian;eu,eus,baq,Basque;fa,fas,per,Persian;"
    "ff,ful,,Fulah;fi,fin,,Finnish;fj,fij,,Fijian;fo,fao,,Faroese;fr,fra,fre,French;fy,fry,,Western Frisian;"
    "ga,gle,,Irish;gd,gla,,Scottish Gaelic;gl,glg,,Galician;gn,grn,,Guarani;gu,guj,,Gujarati;gv,glv,,Manx;"
    "ha,hau,,Hausa;he,heb,,Hebrew;hi,hin,,Hindi;ho,hmo,,Hiri Motu;hr,hrv,,Croatian;ht,hat,,Haitian Creole;"
    "hu,hun,,Hungarian;hy,hye,arm,Armenian;hz,her,,Herero;ia,ina,,Interlingua;id,ind,,Indonesian;"
    "ie,ile,,Interlingue;ig,ibo,,Igbo;ii,iii,,Sichuan Yi;ik,ipk,,Inupiaq;io,ido,,Ido;is,isl,ice,Icelandic;"
    "it,ita,,Italian;iu,iku,,Inuktitut;ja,jpn,,Japanese;jv,jav,,Javanese;ka,kat,geo,Georgian;kg,kon,,Kongo;"
    "ki,kik,,Kikuyu;kj,kua,,Kuanyama;kk,kaz,,Kazakh;kl,kal,,Kalaallisut;km,khm,,Khmer;kn,kan,,Kannada;"
    "ko,kor,,Korean;kr,kau,,Kanuri;ks,kas,,Kashmiri;ku,kur,,Kurdish;kv,kom,,Komi;kw,cor,,Cornish;ky,kir,,Kyrgyz;"
    "la,lat,,Latin;lb,ltz,,Luxembourgish;lg,lug,,Ganda;li,lim,,Limburgish;ln,lin,,Lingala;lo,lao,,Lao;"
    "lt,lit,,Lithuanian;lu,lub,,Luba-Katanga;lv,lav,,Latvian;mg,mlg,,Malagasy;mh,mah,,Marshallese;"
    "mi,mri,mao,Maori;mk,mkd,mac,Macedonian;ml,mal,,Malayalam;mn,mon,,Mongolian;mr,mar,,Marathi;ms,msa,may,Malay;"
    "mt,mlt,,Maltese;my,mya,bur,Burmese;na,nau,,Nauru;nb,nob,,Norwegian Bokmål;nd,nde,,North Ndebele;"
    "ne,nep,,Nepali;ng,ndo,,Ndonga;nl,nld,dut,Dutch;nn,nno,,Norwegian Nynorsk;no,nor,,Norwegian;"
    "nr,nbl,,South Ndebele;nv,nav,,Navajo;ny,nya,,Nyanja;oc,oci,,Occitan;oj,oji,,Ojibwa;om,orm,,Oromo;"
    "or,ori,,Odia;os,oss,,Ossetian;pa,pan,,Punjabi;pi,pli,,Pali;pl,pol,,Polish;ps,pus,,Pashto;pt,por,,Portuguese;"
    "qu,que,,Quechua;rm,roh,,Romansh;rn,run,,Rundi;ro,ron,rum,Romanian;ru,rus,,Russian;rw,kin,,Kinyarwanda;"
    "sa,san,,Sanskrit;sc,srd,,Sardinian;sd,snd,,Sindhi;se,sme,,Northern Sami;sg,sag,,Sango;"
    "sh,hbs,,Serbo-Croatian;si,sin,,Sinhala;sk,slk,slo,Slovak;sl,slv,,Slovenian;sm,smo,,Samoan;sn,sna,,Shona;"
    "so,som,,Somali;sq,sqi,alb,Albanian;sr,srp,,Serbian;ss,ssw,,Swati;st,sot,,Southern Sotho;su,sun,,Sundanese;"
    "sv,swe,,Swedish;sw,swa,,Swahili;ta,tam,,Tamil;te,tel,,Telugu;tg,tgk,,Tajik;th,tha,,Thai;ti,tir,,Tigrinya;"
    "tk,tuk,,Turkmen;tl,tgl,,Tagalog;tn,tsn,,Tswana;to,ton,,Tongan;tr,tur,,Turkish;ts,tso,,Tsonga;tt,tat,,Tatar;"
    "tw,twi,,Twi;ty,tah,,Tahitian;ug,uig,,Uyghur;uk,ukr,,Ukrainian;ur,urd,,Urdu;uz,uzb,,Uzbek;ve,ven,,Venda;"
    "vi,vie,,Vietnamese;vo,vol,,Volapük;wa,wln,,Walloon;wo,wol,,Wolof;xh,xho,,Xhosa;yi,yid,,Yiddish;"
    "yo,yor,,Yoruba;za,zha,,Zhuang;zh,zho,chi,Chinese;zu,zul,,Zulu;";

struct Spelling {
    std::string_view given, meant;
};

// Old codes, codes that services have for themselves, and languages that stand for the one most people mean.
constexpr Spelling kSpellings[] = {
    {"iw", "he"},         {"in", "id"},         {"ji", "yi"},          {"jw", "jv"},          {"mo", "ro"},
    {"fil", "tl"},        {"no", "nb"},         {"nor", "nb"},         {"pb", "pt-BR"},       {"pob", "pt-BR"},
    {"zt", "zh-Hant"},    {"zh-cn", "zh-Hans"}, {"zh-sg", "zh-Hans"},  {"zh-my", "zh-Hans"},  {"zh-tw", "zh-Hant"},
    {"zh-hk", "zh-Hant"}, {"zh-mo", "zh-Hant"}, {"zh-cht", "zh-Hant"}, {"zh-chs", "zh-Hans"}, {"sh", "sr-Latn"},
    {"cmn", "zh"},        {"arb", "ar"},        {"pes", "fa"},         {"prs", "fa-AF"},      {"lvs", "lv"},
    {"ekk", "et"},        {"als", "sq"},        {"azj", "az"},         {"plt", "mg"},         {"khk", "mn"},
    {"zsm", "ms"},        {"zlm", "ms"},        {"npi", "ne"},         {"gaz", "om"},         {"ory", "or"},
    {"pbt", "ps"},        {"swh", "sw"},        {"uzn", "uz"},         {"ydd", "yi"},         {"kmr", "ku"},
    {"ayr", "ay"},        {"quy", "qu"},        {"gug", "gn"},         {"kng", "kg"},         {"knc", "kr"},
    {"fuv", "ff"},
};

// Names that people use besides those of the table.
constexpr Spelling kOtherNames[] = {
    {"simplified chinese", "zh-Hans"},
    {"chinese (simplified)", "zh-Hans"},
    {"traditional chinese", "zh-Hant"},
    {"chinese (traditional)", "zh-Hant"},
    {"brazilian portuguese", "pt-BR"},
    {"portuguese (brazil)", "pt-BR"},
    {"portuguese (portugal)", "pt-PT"},
    {"european portuguese", "pt-PT"},
    {"english (american)", "en-US"},
    {"english (british)", "en-GB"},
    {"american english", "en-US"},
    {"british english", "en-GB"},
    {"norwegian", "nb"},
    {"filipino", "tl"},
    {"farsi", "fa"},
    {"mandarin", "zh"},
    {"mandarin chinese", "zh"},
    {"flemish", "nl"},
    {"castilian", "es"},
    {"myanmar", "my"},
    {"kirghiz", "ky"},
};

// Scripts that a language is usually written in, so that saying them says nothing. Of Chinese and Serbian it does.
constexpr std::string_view kUsualScripts =
    "af Latn am Ethi ar Arab as Beng az Latn ba Cyrl be Cyrl bg Cyrl bn Beng bo Tibt bs Latn ca Latn cs Latn cy Latn "
    "da Latn de Latn dz Tibt ee Latn el Grek en Latn eo Latn es Latn et Latn eu Latn fa Arab ff Latn fi Latn fj Latn "
    "fo Latn fr Latn ga Latn gd Latn gl Latn gn Latn gu Gujr ha Latn he Hebr hi Deva hr Latn ht Latn hu Latn hy Armn "
    "id Latn ig Latn is Latn it Latn ja Jpan jv Latn ka Geor kg Latn ki Latn kk Cyrl km Khmr kn Knda ko Hang ko Kore "
    "ku Latn ky Cyrl lb Latn lg Latn li Latn ln Latn lo Laoo lt Latn lv Latn mg Latn mi Latn mk Cyrl ml Mlym mn Cyrl "
    "mr Deva ms Latn mt Latn my Mymr nb Latn ne Deva nl Latn nn Latn ny Latn oc Latn om Latn or Orya pa Guru pl Latn "
    "ps Arab pt Latn qu Latn rn Latn ro Latn ru Cyrl rw Latn sa Deva sc Latn sd Arab sg Latn si Sinh sk Latn sl Latn "
    "sm Latn sn Latn so Latn sq Latn ss Latn st Latn su Latn sv Latn sw Latn ta Taml te Telu tg Cyrl th Thai ti Ethi "
    "tk Latn tl Latn tn Latn tr Latn ts Latn tt Cyrl tw Latn ug Arab uk Cyrl ur Arab uz Latn vi Latn wo Latn xh Latn "
    "yi Hebr yo Latn zu Latn ";

// The region that a tag without one means, where models have several.
constexpr std::string_view kUsualRegions = "de DE en US es ES fr FR it IT nl NL pt BR sv SE zh CN ";

struct LanguageTable {
    std::unordered_map<std::string, std::string> by_code;  // and by name, to the code of ISO 639-1
    std::unordered_map<std::string, std::string> names;

    LanguageTable() {
        for (const auto row : kLanguageTable | std::views::split(';')) {
            std::vector<std::string> columns;
            for (const auto column : row | std::views::split(',')) columns.emplace_back(column.begin(), column.end());
            if (columns.size() != 4) continue;
            names[columns[0]] = columns[3];
            for (const std::string& column : columns)
                if (!column.empty()) by_code.emplace(in_small_letters(column), columns[0]);
        }
    }
    static const LanguageTable& get() {
        static const LanguageTable table;
        return table;
    }
};

template <std::size_t count>
std::string meant_by(const Spelling (&spellings)[count], std::string_view given) {
    for (const Spelling& spelling : spellings)
        if (spelling.given == given) return std::string(spelling.meant);
    return {};
}

bool in_pairs(std::string_view pairs, const std::string& key, const std::string& value) {
    return pairs.find(key + " " + value + " ") != pairs.npos;
}

bool has_only(std::string_view text, auto&& kind) { return std::ranges::all_of(text, kind); }
bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
std::string capitals(std::string text, std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, text.size()); ++i)
        if (is_small_letter(text[i])) text[i] = char(text[i] - 'a' + 'A');
    return text;
}

void add_subtag(LanguageCode& code, const std::string& part) {
    if (part.size() == 4 && has_only(part, is_small_letter) && code.script.empty()) code.script = capitals(part, 1);
    const bool letters = part.size() == 2 && has_only(part, is_small_letter) && part != "xx";
    const bool digits = part.size() == 3 && has_only(part, is_decimal);
    if ((letters || digits) && code.region.empty()) code.region = capitals(part, 2);
}

}  // namespace

std::optional<LanguageCode> LanguageCode::read(std::string_view given) {
    if (given.empty() || given.size() > 64) return {};
    std::string text = in_small_letters(given);
    std::ranges::replace(text, '_', '-');
    if (const std::string named = meant_by(kOtherNames, text); !named.empty()) return read(named);
    text = text.substr(0, text.find_first_of(".@"));
    if (const std::string meant = meant_by(kSpellings, text); !meant.empty()) return read(meant);
    const std::string first = text.substr(0, text.find('-'));
    LanguageCode code;
    const LanguageTable& table = LanguageTable::get();
    if (const std::string meant = meant_by(kSpellings, first); !meant.empty()) code = *read(meant);
    else if (const auto found = table.by_code.find(first); found != table.by_code.end()) code.language = found->second;
    else if (const auto name = table.by_code.find(text); name != table.by_code.end()) code.language = name->second;
    else if (first.size() == 3 && has_only(first, is_small_letter)) code.language = first;
    else return {};
    if (first != text && !table.by_code.contains(text))
        for (const auto part : std::string_view(text).substr(first.size() + 1) | std::views::split('-'))
            add_subtag(code, std::string(part.begin(), part.end()));
    if (in_pairs(kUsualScripts, code.language, code.script)) code.script.clear();
    return code;
}

std::string LanguageCode::tag() const {
    std::string text = language;
    for (const std::string& part : {script, region})
        if (!part.empty()) text += "-" + part;
    return text;
}

std::string LanguageCode::name() const {
    const auto& names = LanguageTable::get().names;
    const auto found = names.find(language);
    if (found == names.end()) return tag();
    if (script.empty() && region.empty()) return found->second;
    return found->second + " (" + script + (script.empty() || region.empty() ? "" : ", ") + region + ")";
}

std::optional<std::size_t> closest(const LanguageCode& wanted, const std::vector<LanguageCode>& served) {
    const auto is_usual_region = [](const LanguageCode& code) {
        return in_pairs(kUsualRegions, code.language, code.region);
    };
    const auto points = [&](const LanguageCode& code) {  // 0: is not meant
        if (code == wanted) return 100;
        if (code.language != wanted.language) return 0;
        const bool differ = !code.script.empty() && !wanted.script.empty() && code.script != wanted.script;
        if (differ) return 0;
        int sum = 10;
        if (code.script == wanted.script) sum += 20;
        else if (code.language == "zh" && code.script == "Hans" && wanted.script.empty()) sum += 15;
        else if (code.language == "sr" && code.script == "Cyrl" && wanted.script.empty()) sum += 15;
        if (code.region == wanted.region) sum += 8;
        else if (code.region.empty()) sum += 6;
        else if (is_usual_region(code)) sum += 4;
        return sum;
    };
    std::optional<std::size_t> best;
    int most = 0;
    for (std::size_t i = 0; i < served.size(); ++i)
        if (const int sum = points(served[i]); sum > most) most = sum, best = i;
    return best;
}

}  // namespace serve::work
