// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// The end of what is named by digits and stays as it is, character by character: IP addresses, dates and times in ISO
// form, German dates of a day and a month with words behind them (24.12.), accounts (IBAN), cards, places on earth
// (58°16'N), telephone numbers, powers (10^6, 10⁶), figures with a fraction (2½), laps (1:21.345), hours with minutes
// (2h 15m). It begins at `at`; `at` itself: there is none.
std::size_t identifier_end(std::string_view text, std::size_t at);

// Lists of eight and more numbers with commas, semicolons or blanks between them, from the first to the last.
std::vector<Range> number_lists(std::string_view text);

// Words with raised or lowered figures behind their letters: "m²", "CO₂".
std::vector<Range> raised_words(std::string_view text);
// The same with usual figures: "m2".
std::string with_usual_figures(std::string_view word);

// The end of a mark and a dash that stand for no cents behind a price's figures, which end at `at`: "12.500,-", "CHF 5.--";
// `at`: there is none.
std::size_t price_dash_end(std::string_view text, std::size_t at);
// All of them in a text: what is behind the figures.
std::vector<Range> price_dashes(std::string_view text);
// The price in front of such a dash, with it, if it begins with a currency's sign: "€ 99,-". Empty: it does not.
Range signed_price(std::string_view text, Range dash);

// Whether a text is a day and a month of it with a stop in between, as German writes dates: "24.12".
bool is_day_and_month(std::string_view text);
// Whether the German word before byte `at` says that a day follows: "am", "vom", "Freitag,".
bool follows_word_of_days(std::string_view text, std::size_t at);

// Whether a text says nothing but numbers: figures and signs, and no letters but those of currencies ("USD 5.20").
bool is_only_numbers(std::string_view text);

// Whether a word is a code of a currency: "EUR".
bool is_currency_code(std::string_view word);

}  // namespace dragoman::text
