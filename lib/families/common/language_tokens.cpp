// SPDX-License-Identifier: Apache-2.0
#include "families/common/language_tokens.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/error.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kM2m100 =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr ht "
    "hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns oc or pa pl ps "
    "pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu";
constexpr std::string_view kWmt21 = "en ha is ja cs ru zh de";
constexpr std::string_view kNllb =
    "ace_Arab ace_Latn acm_Arab acq_Arab aeb_Arab afr_Latn ajp_Arab aka_Latn amh_Ethi apc_Arab arb_Arab ars_Arab "
    "ary_Arab arz_Arab asm_Beng ast_Latn awa_Deva ayr_Latn azb_Arab azj_Latn bak_Cyrl bam_Latn ban_Latn bel_Cyrl "
    "bem_Latn ben_Beng bho_Deva bjn_Arab bjn_Latn bod_Tibt bos_Latn bug_Latn bul_Cyrl cat_Latn ceb_Latn ces_Latn "
    "cjk_Latn ckb_Arab crh_Latn cym_Latn dan_Latn deu_Latn dik_Latn dyu_Latn dzo_Tibt ell_Grek eng_Latn epo_Latn "
    "est_Latn eus_Latn ewe_Latn fao_Latn pes_Arab fij_Latn fin_Latn fon_Latn fra_Latn fur_Latn fuv_Latn gla_Latn "
    "gle_Latn glg_Latn grn_Latn guj_Gujr hat_Latn hau_Latn heb_Hebr hin_Deva hne_Deva hrv_Latn hun_Latn hye_Armn "
    "ibo_Latn ilo_Latn ind_Latn isl_Latn ita_Latn jav_Latn jpn_Jpan kab_Latn kac_Latn kam_Latn kan_Knda kas_Arab "
    "kas_Deva kat_Geor knc_Arab knc_Latn kaz_Cyrl kbp_Latn kea_Latn khm_Khmr kik_Latn kin_Latn kir_Cyrl kmb_Latn "
    "kon_Latn kor_Hang kmr_Latn lao_Laoo lvs_Latn lij_Latn lim_Latn lin_Latn lit_Latn lmo_Latn ltg_Latn ltz_Latn "
    "lua_Latn lug_Latn luo_Latn lus_Latn mag_Deva mai_Deva mal_Mlym mar_Deva min_Latn mkd_Cyrl plt_Latn mlt_Latn "
    "mni_Beng khk_Cyrl mos_Latn mri_Latn zsm_Latn mya_Mymr nld_Latn nno_Latn nob_Latn npi_Deva nso_Latn nus_Latn "
    "nya_Latn oci_Latn gaz_Latn ory_Orya pag_Latn pan_Guru pap_Latn pol_Latn por_Latn prs_Arab pbt_Arab quy_Latn "
    "ron_Latn run_Latn rus_Cyrl sag_Latn san_Deva sat_Beng scn_Latn shn_Mymr sin_Sinh slk_Latn slv_Latn smo_Latn "
    "sna_Latn snd_Arab som_Latn sot_Latn spa_Latn als_Latn srd_Latn srp_Cyrl ssw_Latn sun_Latn swe_Latn swh_Latn "
    "szl_Latn tam_Taml tat_Cyrl tel_Telu tgk_Cyrl tgl_Latn tha_Thai tir_Ethi taq_Latn taq_Tfng tpi_Latn tsn_Latn "
    "tso_Latn tuk_Latn tum_Latn tur_Latn twi_Latn tzm_Tfng uig_Arab ukr_Cyrl umb_Latn urd_Arab uzn_Latn vec_Latn "
    "vie_Latn war_Latn wol_Latn xho_Latn ydd_Hebr yor_Latn yue_Hant zho_Hans zho_Hant zul_Latn";
constexpr std::string_view kMbart25 =
    "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP "
    "nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN";
constexpr std::string_view kMbart50More =
    "af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF pt_XX sv_SE sw_KE "
    "ta_IN te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI";

constexpr uint32_t kM2m100Rows = 128112;
constexpr std::string_view kUnderscores = "__";
constexpr std::size_t kFewest = 2;  // languages; one token may look like a code by chance

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> list;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        list.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return list;
}

bool is_lower(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_upper(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// The code in a token such as "deu_Latn", "__de__" or "de_DE"; "" if there is none.
std::string_view nllb_code(std::string_view token) {
    const bool fits = token.size() == 8 && is_lower(token.substr(0, 3)) && token[3] == '_' &&
                      is_upper(token.substr(4, 1)) && is_lower(token.substr(5));
    return fits ? token : std::string_view();
}

std::string_view m2m_code(std::string_view token) {
    if (token.size() < 6 || token.size() > 7 || !token.starts_with(kUnderscores) || !token.ends_with(kUnderscores))
        return {};
    const std::string_view code = token.substr(2, token.size() - 4);
    return is_lower(code) ? code : std::string_view();
}

std::string_view mbart_code(std::string_view token) {
    const bool fits = token.size() == 5 && is_lower(token.substr(0, 2)) && token[2] == '_' && is_upper(token.substr(3));
    return fits ? token : std::string_view();
}

bool is_filling(std::string_view token) {
    constexpr std::string_view kBegin = "madeupword";
    return token.starts_with(kBegin) && token.size() > kBegin.size() &&
           token.find_first_not_of("0123456789", kBegin.size()) == token.npos;
}

std::size_t character_count(std::string_view text) {
    return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

bool is_special_token_form(std::string_view token) {
    const bool brackets = token.size() > 2 && token.front() == '<' && token.back() == '>';
    return brackets || is_filling(token) || !nllb_code(token).empty() || !m2m_code(token).empty() ||
           !mbart_code(token).empty();
}

std::vector<std::string> language_list(LanguageList list) {
    switch (list) {
        case LanguageList::none: return {};
        case LanguageList::m2m100: return words(kM2m100);
        case LanguageList::wmt21: return words(kWmt21);
        case LanguageList::nllb: return words(kNllb);
        case LanguageList::mbart25: return words(kMbart25);
        case LanguageList::mbart50: break;
    }
    std::vector<std::string> codes = words(kMbart25);
    for (std::string& code : words(kMbart50More)) codes.push_back(std::move(code));
    return codes;
}

std::vector<std::string> languages_of(LanguageTokens form, std::span<const std::string> tokens) {
    std::vector<std::string> codes;
    std::set<std::string_view> met;
    for (const std::string& token : tokens) {
        const std::string_view code = form == LanguageTokens::m2m    ? m2m_code(token)
                                      : form == LanguageTokens::nllb ? nllb_code(token)
                                                                     : mbart_code(token);
        if (!code.empty() && met.insert(code).second) codes.emplace_back(code);
    }
    return codes;
}

std::string language_token(LanguageTokens form, std::string_view code) {
    return form == LanguageTokens::m2m ? fmt::format("{0}{1}{0}", kUnderscores, code) : std::string(code);
}

std::optional<LanguageTokens> find_language_tokens(std::span<const std::string> tokens) {
    for (const LanguageTokens form : {LanguageTokens::nllb, LanguageTokens::m2m, LanguageTokens::mbart})
        if (languages_of(form, tokens).size() >= kFewest) return form;
    return std::nullopt;
}

spec::PromptPattern language_prompt(LanguageTokens form, const std::string& eos, bool language_last) {
    const std::string from = language_token(form, "{from}"), to = language_token(form, "{to}");
    if (language_last) return {.source_after = {eos, from}, .target_begin = {to}};
    return {.source_before = {from}, .source_after = {eos}, .target_begin = {to}};
}

spec::PromptPattern target_first_prompt(LanguageTokens form, const std::string& eos) {
    return {.source_before = {language_token(form, "{to}")}, .source_after = {eos}};
}

bool names_small100(std::string_view text) {
    constexpr std::string_view kName = "small100";
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return !std::ranges::search(text, kName, same).empty();
}

bool has_small100_shape(const spec::TransformerConfig& config) {
    return config.encoder.layers == 12 && config.decoder.layers == 3 && config.source_vocabulary == kM2m100Rows;
}

void hide_special_tokens(spec::ModelSpec& spec, const std::vector<formats::AddedToken>& added) {
    using Kind = formats::SentencePieceModel::Kind;
    std::map<std::string_view, bool> special;  // by the text of an added token
    for (const formats::AddedToken& token : added) special[token.text] = token.special;
    const auto pieces = formats::sentencepiece_pieces(spec.source.sentencepiece);
    std::set<std::string_view> known(pieces.texts.begin(), pieces.texts.end());
    std::vector<formats::SentencePieceModel::Piece> hidden;
    for (const std::string& token : spec.source.tokens) {
        if (token.find('\0') != std::string::npos) {
            spec.never_generated.push_back({token});  // no text has NUL, and none gets it
            continue;
        }
        const auto told = special.find(token);
        if (token.empty() || (told == special.end() && !is_special_token_form(token))) continue;
        if (!known.insert(token).second) continue;
        // a control symbol of one character would match that character, and stand for nothing
        const bool control = (told == special.end() || told->second) && character_count(token) > 1;
        hidden.push_back({.text = token, .kind = control ? Kind::control : Kind::user_defined});
    }
    spec.source.sentencepiece = formats::with_pieces(spec.source.sentencepiece, hidden);
    spec.target.sentencepiece = spec.source.sentencepiece;
}

}  // namespace dragoman::families
