// SPDX-License-Identifier: Apache-2.0
#include "text/chess_moves.h"

#include <algorithm>

namespace dragoman::text {
namespace {

bool is_file(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank(char c) { return c >= '1' && c <= '8'; }
bool is_piece(char c) { return std::string_view("KQRBNDTLS").find(c) != std::string_view::npos; }  // of both languages

struct Move {
    std::size_t end = 0;
    bool sure = false;  // it can be nothing else
};

// "e4", "Nbd7", "exd5", "R1xf1#", "e8=Q", "O-O-O".
Move move_at(std::string_view text, std::size_t at) {
    const auto c = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    std::size_t end = at;
    bool sure = false;
    if (text.substr(at).starts_with("O-O")) {
        end = at + (text.substr(at + 3).starts_with("-O") ? 5 : 3);
    } else {
        if (is_piece(c(end))) ++end;
        if (is_file(c(end)) && (is_file(c(end + 1)) || is_rank(c(end + 1)) || c(end + 1) == 'x')) {
            const bool from = is_file(c(end + 1)) || c(end + 1) == 'x' ||
                              (is_rank(c(end + 1)) && (is_file(c(end + 2)) || c(end + 2) == 'x'));
            if (from) end += is_rank(c(end + 1)) ? 2 : 1;
        } else if (is_rank(c(end)) && end > at) {
            ++end;
        }
        if (c(end) == 'x' || c(end) == ':') sure = c(end) == 'x', ++end;
        if (!is_file(c(end)) || !is_rank(c(end + 1))) return {at};
        end += 2;
        if (c(end) == '=' && is_piece(c(end + 1))) end += 2, sure = true;
    }
    if (c(end) == '+' || c(end) == '#') ++end, sure = true;
    const int32_t next = character_after(text, end);
    return is_letter(next) || is_digit(next) || next == '_' || next == '-' ? Move{at} : Move{end, sure};
}

// "14." and "14...", with the blank behind them.
std::size_t number_end(std::string_view text, std::size_t at) {
    constexpr std::size_t kMostFigures = 3;
    const std::size_t stop = std::min(text.find_first_not_of("0123456789", at), text.size());
    if (stop == at || stop - at > kMostFigures) return at;
    std::size_t end = std::min(text.find_first_not_of('.', stop), text.size());
    if (end != stop + 1 && end != stop + 3) return at;
    return end + (text.substr(end).starts_with(' ') ? 1 : 0);
}

}  // namespace

std::size_t chess_moves_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    bool sure = false;
    for (std::size_t next = at; next < text.size();) {
        const std::size_t number = number_end(text, next);
        const Move move = move_at(text, number);
        if (move.end == number) break;
        sure = sure || move.sure || number > next;
        end = move.end;
        next = end + 1;
        if (!text.substr(end).starts_with(' ')) break;
    }
    return sure ? end : at;
}

}  // namespace dragoman::text
