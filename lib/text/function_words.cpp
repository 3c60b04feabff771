// SPDX-License-Identifier: Apache-2.0
#include "text/function_words.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "text/capitals.h"
#include "text/characters.h"
#include "text/language_rules.h"

namespace dragoman::text {
namespace {

// Frequent words that say little else than which language it is.
constexpr auto kFunctionWords = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"ca",
     "al als amb aquest aquesta com de del dels el ell ella els em en ens es està et fins gràcies "
     "i ja jo la les li meu meva molt més no o on per però quan que qui què sense ser si sobre són "
     "també teu teva tot tots tu un una és"},
    {"da",
     "af at blev bliver de den denne der det dette din dit du efter eller en er et findes for fra "
     "han har her hun hvad hvem hvordan i ikke ingen jeg kan kunne med meget men min mit mod må nu "
     "når og også om op over på sig skal som så til ud var ved vi ville være"},
    {"de",
     "aber als am an auch auf aus bei bin bitte das dass daß dein dem den der des die diese dieser "
     "dieses du durch ein eine einem einen einer es für habe haben hat ich ihnen ihr ihre ihren im "
     "in ist kann kein keine mein meine mich mir mit nach nicht noch nur oder sein seine sich sie "
     "sind um und unter von vor war was wenn wer werden wie wir wird wo zu zum zur über"},
    {"en",
     "about all am an and are as at be been but by can could did do does don't each for from get "
     "has have he her him his how i'm if in into is it it's its just like make me my no not now of "
     "on or our please see she some than that the their them then there they this to two was we "
     "were what when which who will with would you your"},
    {"es",
     "al como con cuando cómo de del desde dónde el en entre es esta estas este estos está están "
     "fue gracias ha han hasta hay la las le les lo los me mi mis muy más no nos o para pero por "
     "porque que quién qué se ser si sin sobre son su sus también te todo todos tu tus un una "
     "usted y ya yo"},
    {"fr",
     "a au aux avec avoir bien c'est ce ces cette comme d'un d'une dans de des du elle elles en "
     "est et fait il ils j'ai je l' la le les leur ma mais merci mes mon n'est ne nos notre nous "
     "ou où par pas plus pour qu'il que qui sa sans se ses si son sont sur ton tout très tu un une "
     "vos votre vous été être"},
    {"gl",
     "a ao as ata cando che como con da das do dos e el ela en entre esta este está están eu foi "
     "grazas isto lle me meu miña moi máis na nas no non nos nós o onde os ou para pero pola polo "
     "por porque que se sen ser seu sobre son súa tamén ten ti todo un unha xa á é"},
    {"it",
     "abbiamo ai al alla alle anche bene che chi ci come con cosa da dai dal dalla degli dei del "
     "della delle dello di dove e era essere fra gli grazie ha hai ho i il in la le lo ma mi mia "
     "mio molto nei nel nella non nostra nostro o per perché più quando questa queste questi "
     "questo se sei si siamo sono stato su sua sul sulla suo ti tra tua tuo un una uno vi vostro è"},
    {"nl",
     "aan al als bij dan dat de deze die dit door een en er geen goed haar had hebben heeft het "
     "hij hoe ik in is je jouw kan kunnen maar meer met mijn moet naar niet nog om onder onze ook "
     "op over te tot u uit uw van voor waar wat we wel werd wie worden wordt zal ze zij zijn zou"},
    {"no",
     "at av ble blir de den denne der det dette din ditt du eller en er et etter finnes for fra "
     "han har her hun hva hvem hvordan i ikke ingen jeg kan kunne med men min mitt mot mye må nå "
     "når og også om opp over på seg skal som så til ut var ved vi ville være"},
    {"pl",
     "ale bardzo być był ci cię co czy dla do gdzie i ich jak jego jej jest już kiedy kto która "
     "które który lub mam masz mi mnie może na nie o od oraz po proszę przez się są ta tak te tego "
     "ten to tylko tym w z za że"},
    {"pt",
     "a ao as até com como da das de do dos e ela ele eles em entre esta este está estão eu foi "
     "isso já lhe mais mas me meu minha muito na nas no nos não nós o obrigado onde os ou para "
     "pela pelo por porque qual quando que quem se sem ser seu seus sobre sua suas são também te "
     "tem todo um uma você à é"},
    {"sv",
     "att av blev blir de den denna det detta din ditt du där efter eller en ett finns från för "
     "han har hon hur här i inga ingen inte jag kan med men min mitt mot mycket måste nu när och "
     "också om på sig ska skulle som så till upp ut vad var vem vi vid är över"},
});

using Speakers = std::vector<std::size_t>;  // places in kFunctionWords

const std::map<std::string_view, Speakers>& speakers() {
    static const auto table = [] {
        std::map<std::string_view, Speakers> all;
        for (std::size_t i = 0; i < kFunctionWords.size(); ++i) {
            const std::string_view list = kFunctionWords[i].second;
            for (std::size_t at = 0; at < list.size();) {
                const std::size_t end = std::min(list.find(' ', at), list.size());
                all[list.substr(at, end - at)].push_back(i);
                at = end + 1;
            }
        }
        return all;
    }();
    return table;
}

// The words of a text in small letters, each once; of "l'acqua" and "I'm" both halves, too.
std::set<std::string> different_words(std::string_view text) {
    std::set<std::string> found;
    const std::string small = small_letters(text, {});
    std::string word;
    const auto finish = [&] {
        while (word.ends_with('\'')) word.pop_back();
        if (word.empty()) return;
        if (const std::size_t at = word.find('\''); at != std::string::npos) {
            found.insert(word.substr(0, at + 1));
            found.insert(word.substr(at + 1, word.find('\'', at + 1) - at - 1));
        }
        found.insert(std::exchange(word, {}));
    };
    for (std::size_t at = 0, next = 0; at < small.size(); at = next) {
        const int32_t c = next_character(small, next);
        if (is_letter(c)) word += small.substr(at, next - at);
        else if ((c == '\'' || c == 0x2019) && !word.empty()) word += '\'';
        else finish();
    }
    finish();
    return found;
}

}  // namespace

std::vector<FunctionWordVote> function_word_votes(std::string_view text) {
    std::vector<FunctionWordVote> votes;
    for (const auto& [language, words] : kFunctionWords) votes.push_back({language});
    for (const std::string& word : different_words(text)) {
        const auto found = speakers().find(word);
        if (found == speakers().end()) continue;
        std::size_t rest = 0;
        next_character(word, rest);
        const double whole = rest == word.size() ? 0.5 : 1.0;
        for (const std::size_t place : found->second) votes[place].weight += whole / double(found->second.size());
    }
    return votes;
}

bool is_function_word(std::string_view word, std::string_view language) {
    const auto found = speakers().find(std::string(word));
    if (found == speakers().end()) return false;
    const std::string primary = primary_language(language);
    return std::ranges::any_of(found->second,
                               [&](std::size_t place) { return kFunctionWords[place].first == primary; });
}

}  // namespace dragoman::text
