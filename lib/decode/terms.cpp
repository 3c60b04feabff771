// SPDX-License-Identifier: Apache-2.0
#include "decode/terms.h"

#include <algorithm>

#include "base/error.h"
#include "decode/search.h"

namespace dragoman::decode {

namespace {

constexpr uint32_t kKindsInWord = 32 / TOKEN_KIND_BITS;

}  // namespace

void add_kind(TokenKinds& kinds, uint32_t token, uint32_t kind) {
    if (kinds.size() <= token / kKindsInWord) kinds.resize(token / kKindsInWord + 1);
    kinds[token / kKindsInWord] |= kind << TOKEN_KIND_BITS * (token % kKindsInWord);
}

bool has_kind(const TokenKinds& kinds, uint32_t token, uint32_t kind) {
    return (kinds[token / kKindsInWord] >> TOKEN_KIND_BITS * (token % kKindsInWord) & kind) != 0;
}

uint32_t TermTrie::child_of(uint32_t node, uint32_t token) {
    for (const uint32_t child : nodes_[node].children)
        if (nodes_[child].token == token) return child;
    const auto child = uint32_t(nodes_.size());
    nodes_.push_back({.token = token});
    nodes_[node].children.push_back(child);
    if (nodes_[node].children.size() > kMaxTermChildren)
        fail(Status::invalid_argument, "terms: expected at most {} different tokens to begin or go on with, got {}",
             kMaxTermChildren, nodes_[node].children.size());
    return child;
}

TermTrie::TermTrie(std::span<const Term> terms) : terms_(terms) {
    if (terms.size() > kMaxTerms)
        fail(Status::invalid_argument, "terms: expected at most {} in a sentence, got {}", kMaxTerms, terms.size());
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const uint32_t bit = 1u << i;
        if (terms[i].forms.empty()) fail(Status::invalid_argument, "term {}: expected a form, got none", i);
        for (const std::vector<uint32_t>& form : terms[i].forms) {
            if (form.empty()) fail(Status::invalid_argument, "term {}: expected tokens in every form, got none", i);
            tokens += form.size();
            uint32_t node = 0;
            for (const uint32_t token : form) {
                nodes_[node].below |= bit;
                node = child_of(node, token);
            }
            nodes_[node].below |= bit;
            nodes_[node].ends |= bit;
        }
    }
    if (nodes_.size() - 1 > kMaxTermNodes)
        fail(Status::invalid_argument,
             "terms: expected at most {} different tokens in a sentence's terms, got {} of {}", kMaxTermNodes,
             nodes_.size() - 1, tokens);
}

std::vector<uint32_t> TermTrie::words(uint32_t open_at) const {
    std::vector<uint32_t> words(TERM_NODES_AT + nodes_.size() * NODE_WORDS);
    const auto count = uint32_t(terms_.size());
    words[TERMS_ALL] = nodes_[0].below;
    words[TERMS_COUNT] = count;
    words[TERMS_OPEN_AT] = open_at;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t* term = &words[TERMS_HEAD_WORDS + i * TERM_WORDS];
        term[TERM_BEGIN] = terms_[i].source_begin;
        term[TERM_END] = terms_[i].source_end;
        term[TERM_STOP] = terms_[i].stop;
        term[TERM_STOP_END] = terms_[i].stop_end;
        for (const auto& form : terms_[i].forms)
            term[TERM_LONGEST] = std::max(term[TERM_LONGEST], uint32_t(form.size()));
        if (terms_[i].whole) words[TERMS_WHOLE] |= 1u << i;
    }
    for (const uint32_t child : nodes_[0].children) {
        const uint32_t bit = nodes_[child].token % TERMS_FIRST_BITS;
        words[TERMS_FIRST + bit / 32] |= 1u << (bit % 32);
    }
    // Nodes are ordered level by level, so that children lie side by side.
    std::vector<uint32_t> order{0};
    for (uint32_t at = 0; at < order.size(); ++at) {
        const Node& node = nodes_[order[at]];
        uint32_t* to = &words[TERM_NODES_AT + at * NODE_WORDS];
        to[NODE_TOKEN] = node.token;
        to[NODE_CHILD] = uint32_t(order.size());
        to[NODE_CHILDREN] = uint32_t(node.children.size());
        to[NODE_ENDS] = node.ends;
        to[NODE_BELOW] = node.below;
        order.insert(order.end(), node.children.begin(), node.children.end());
    }
    return words;
}

void check_terms(const SearchInput& input, const SearchRules& rules, uint32_t vocabulary) {
    if (input.terms.empty()) return;
    const TermTrie trie(input.terms);
    for (std::size_t i = 0; i < input.terms.size(); ++i) {
        const Term& term = input.terms[i];
        if (term.source_begin > term.source_end || term.source_end > input.source.size())
            fail(Status::invalid_argument, "term {}: expected a range of {} source tokens, got {} to {}", i,
                 input.source.size(), term.source_begin, term.source_end);
        if (term.stop > term.stop_end || term.stop_end > input.source.size())
            fail(Status::invalid_argument,
                 "term {}: expected its sentence to be closed within {} source tokens, got {} to {}", i,
                 input.source.size(), term.stop, term.stop_end);
        for (const auto& form : term.forms)
            for (const uint32_t token : form) {
                if (token >= vocabulary)
                    fail(Status::invalid_argument, "term {}: token {} is outside the target vocabulary of {}", i, token,
                         vocabulary);
                if (std::ranges::find(rules.end_ids, token) != rules.end_ids.end())
                    fail(Status::invalid_argument, "term {}: token {} ends sentences", i, token);
                for (const auto& sequence : rules.suppressed)
                    if (sequence.size() == 1 && sequence[0] == token)
                        fail(Status::invalid_argument, "term {}: token {} must not come", i, token);
            }
    }
}

}  // namespace dragoman::decode
