// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "decode/search.h"
#include "shared/search.h"

namespace dragoman::test {

// A search for hypotheses with terms as docs/architecture.md tells it, over whole hypotheses and lists of forms, in
// double precision, for any model.
class PlainTerms {
public:
    struct Prediction {
        std::vector<double> logits, attention;
    };
    // After the tokens fed so far, the start token first.
    using Predict = std::function<Prediction(const std::vector<uint32_t>& fed)>;

    PlainTerms(Predict predict, const decode::SearchRules& rules, const decode::SearchInput& input)
        : predict_(std::move(predict)), rules_(rules), input_(input) {}

    std::vector<decode::Hypothesis> run() {
        std::vector<Path> beams{Path{}};
        const std::size_t given = input_.context.size() + input_.prefix.size();
        for (std::size_t t = 0; t < input_.max_length && !beams.empty(); ++t) {
            const bool last = t + 1 == input_.max_length;
            if (t < given) {
                const bool context = t < input_.context.size();
                const uint32_t token = context ? input_.context[t] : input_.prefix[t - input_.context.size()];
                Path path = beams[0];
                if (!context) path = followed(path, everything(), token);
                else path.tokens.push_back(token);
                path.score = 0;
                beams = {path};
                if (last) finished_.assign(1, path);
                continue;
            }
            const bool at_end = last && rules_.style == spec::SearchStyle::huggingface && rules_.forced_end;
            std::vector<Path> list = at_end ? ended(beams) : candidates(beams, t);
            switch (rules_.style) {
                case spec::SearchStyle::ctranslate2: beams = ctranslate2(list, t, last); break;
                case spec::SearchStyle::marian: beams = marian(list, last); break;
                case spec::SearchStyle::huggingface: beams = huggingface(list, t, last); break;
            }
        }
        std::vector<decode::Hypothesis> result;
        for (const Path& path : finished_) {
            uint32_t met = 0;
            for (const std::size_t term : path.met) met |= 1u << term;
            result.push_back({.tokens = path.tokens, .score = float(path.score), .attention = {}, .terms_met = met});
        }
        return result;
    }

private:
    struct Path {
        std::vector<uint32_t> tokens{};  // context and prefix included
        double score = 0;
        std::set<std::size_t> met{};
        std::vector<uint32_t> form{};  // the tokens of a form at its end: under way, or just come to its end
        bool whole_form = false;
        int bank() const { return 2 * int(met.size()) + (!form.empty() && !whole_form); }
    };
    using Terms = std::set<std::size_t>;

    Terms everything() const {
        Terms all;
        for (std::size_t i = 0; i < input_.terms.size(); ++i) all.insert(i);
        return all;
    }
    bool is_end(uint32_t token) const { return std::ranges::find(rules_.end_ids, token) != rules_.end_ids.end(); }
    bool has_all(const Path& path) const { return path.met.size() == input_.terms.size(); }

    bool begins(std::size_t term, const std::vector<uint32_t>& with) const {
        return std::ranges::any_of(input_.terms[term].forms, [&](const auto& form) {
            return form.size() >= with.size() && std::equal(with.begin(), with.end(), form.begin());
        });
    }
    bool begins_one(const Path& path, const Terms& of, const std::vector<uint32_t>& with) const {
        return std::ranges::any_of(of, [&](std::size_t i) { return !path.met.contains(i) && begins(i, with); });
    }

    std::vector<uint32_t> form_with(const Path& path, uint32_t token) const {
        std::vector<uint32_t> longer = path.form;
        longer.push_back(token);
        return longer;
    }
    bool under_way(const Path& path) const { return !path.form.empty() && !path.whole_form; }
    bool goes_on(const Path& path, uint32_t token) const {
        return under_way(path) && begins_one(path, everything(), form_with(path, token));
    }

    bool has_kind(uint32_t token, uint32_t kind) const {
        return rules_.kinds && decode::has_kind(*rules_.kinds, token, kind);
    }
    bool is_inside_word(const Path& path, uint32_t token) const {
        const uint32_t last = path.tokens.empty() ? input_.start_id : path.tokens.back();
        return !forced(path) && has_kind(last, TOKEN_OPEN) && has_kind(token, TOKEN_GLUED);
    }

    Path followed(const Path& path, const Terms& open, uint32_t token) const {
        Path next = path;
        next.tokens.push_back(token);
        next.whole_form = false;
        if (goes_on(path, token)) next.form = form_with(path, token);
        else if (begins_one(path, open, {token}) && !is_inside_word(path, token)) next.form = {token};
        else next.form.clear();
        if (next.form.empty()) return next;
        for (const bool must_be_open : {true, false})
            for (std::size_t i = 0; i < input_.terms.size(); ++i) {
                if (next.met.contains(i) || (must_be_open && !open.contains(i))) continue;
                if (std::ranges::find(input_.terms[i].forms, next.form) == input_.terms[i].forms.end()) continue;
                next.met.insert(i);
                next.whole_form = true;
                return next;
            }
        return next;
    }

    bool forced(const Path& path) const {
        std::size_t needed = 0;
        for (std::size_t i = 0; i < input_.terms.size(); ++i)
            if (!path.met.contains(i))
                needed += std::ranges::max_element(input_.terms[i].forms, {}, &std::vector<uint32_t>::size)->size();
        return needed > 0 && input_.max_length <= path.tokens.size() + needed + (rules_.forced_end ? 1 : 0);
    }

    double mass(const std::vector<double>& attention, uint32_t begin, uint32_t end) const {
        double sum = 0;
        for (uint32_t j = begin; j < end; ++j) sum += attention[j];
        return sum;
    }
    // Whether it lacks a term of the sentence that it would close.
    bool closing(const Path& path, const std::vector<double>& attention) const {
        for (std::size_t i = 0; i < input_.terms.size(); ++i)
            if (!path.met.contains(i) && mass(attention, input_.terms[i].stop, input_.terms[i].stop_end) >= 0.25)
                return true;
        return false;
    }

    bool barred(const Path& path, const Path& next, bool is_closing) const {
        const uint32_t token = next.tokens.back();
        if (is_end(token)) return !has_all(path);
        if (is_closing && has_kind(token, TOKEN_CLOSES) && next.form.empty()) return true;
        if (finished_count_ >= rules_.num_hypotheses && !has_all(next)) return true;
        if (forced(path)) return under_way(path) ? !goes_on(path, token) : next.form.empty();
        if (path.form.empty() || !path.whole_form || !has_kind(token, TOKEN_GLUED)) return false;
        bool whole = false, longer = false;
        for (const decode::Term& term : input_.terms)
            for (const auto& form : term.forms) {
                if (form == path.form) whole |= term.whole;
                const auto with = form_with(path, token);
                longer |= form.size() >= with.size() && std::equal(with.begin(), with.end(), form.begin());
            }
        return whole && !longer;
    }

    Terms open(const Path& path, const std::vector<double>& attention, bool would_end) const {
        const std::size_t given = input_.context.size() + input_.prefix.size();
        if (would_end || forced(path) || path.tokens.size() >= given + input_.source.size() * 3 / 2 + 8)
            return everything();
        Terms open;
        for (std::size_t i = 0; i < input_.terms.size(); ++i) {
            const decode::Term& term = input_.terms[i];
            const bool anywhere = term.source_begin == term.source_end;
            if (anywhere || mass(attention, term.source_begin, term.source_end) >= 0.25) open.insert(i);
        }
        return open;
    }

    std::size_t wanted() const {
        const std::size_t beam = rules_.beam_size;
        switch (rules_.style) {
            case spec::SearchStyle::marian: return beam - finished_.size();
            case spec::SearchStyle::huggingface: return beam * std::max<std::size_t>(1 + rules_.end_ids.size(), 2);
            default: return 2 * beam;
        }
    }

    // Every term's next token and the best others, bank by bank.
    std::vector<Path> candidates(const std::vector<Path>& beams, std::size_t t) const {
        std::map<int, std::vector<Path>, std::greater<>> banks;
        for (const Path& path : beams) {
            std::vector<uint32_t> fed{input_.start_id};
            fed.insert(fed.end(), path.tokens.begin(), path.tokens.end());
            const Prediction prediction = predict_(fed);
            double sum = 0;
            for (uint32_t token = 0; token < prediction.logits.size(); ++token)
                if (t >= input_.min_length || !is_end(token)) sum += std::exp(prediction.logits[token]);
            std::vector<uint32_t> tokens;
            for (uint32_t token = 0; token < prediction.logits.size(); ++token)
                if (t >= input_.min_length || !is_end(token)) tokens.push_back(token);
            std::ranges::stable_sort(tokens, std::greater<>(), [&](uint32_t i) { return prediction.logits[i]; });
            const bool behind = std::ranges::any_of(beams,
                                                    [&](const Path& other) { return other.bank() > path.bank(); });
            const bool is_closing = closing(path, prediction.attention);
            const bool would_end = is_end(tokens.front()) || (is_closing && has_kind(tokens.front(), TOKEN_CLOSES));
            const Terms may_begin = open(path, prediction.attention, would_end && !behind);
            const std::size_t best = rules_.candidates() + rules_.end_ids.size();
            for (std::size_t place = 0; place < tokens.size(); ++place) {
                const uint32_t token = tokens[place];
                const bool of_term = under_way(path) ? goes_on(path, token) : begins_one(path, may_begin, {token});
                if (place >= best && !of_term) continue;
                Path next = followed(path, may_begin, token);
                next.score += prediction.logits[token] - std::log(sum);
                if (!barred(path, next, is_closing)) banks[next.bank()].push_back(next);
            }
        }
        struct Turn {
            std::size_t turn;
            const Path* path;
        };
        std::vector<Turn> turns;
        for (auto& [bank, paths] : banks) {
            std::ranges::stable_sort(paths, std::greater<>(), &Path::score);
            for (std::size_t rank = 0; rank < paths.size(); ++rank)
                turns.push_back({2 * rank + std::size_t(banks.begin()->first - bank), &paths[rank]});
        }
        std::ranges::stable_sort(turns, {}, &Turn::turn);
        std::vector<Path> list;
        for (std::size_t i = 0; i < std::min(turns.size(), wanted()); ++i) list.push_back(*turns[i].path);
        return list;
    }

    std::vector<Path> ended(const std::vector<Path>& beams) const {
        std::vector<Path> list;
        for (const Path& path : beams) list.push_back(followed(path, everything(), *rules_.forced_end));
        return list;
    }

    void finish(const Path& path) {
        finished_.push_back(path);
        ++finished_count_;
    }

    std::vector<Path> ctranslate2(std::vector<Path> list, std::size_t t, bool last) {
        const std::size_t beam = rules_.beam_size, given = input_.context.size() + input_.prefix.size();
        if (!input_.prefix.empty() && t == given)
            for (std::size_t n = 1; n < list.size(); ++n)
                DRAGOMAN_ASSERT(!is_end(list[n].tokens.back()));  // some term is left, so none may end
        std::vector<Path> next;
        std::size_t spare = beam;
        for (std::size_t k = 0; k < std::min(beam, list.size()); ++k) {
            if (!last && !is_end(list[k].tokens.back())) {
                next.push_back(list[k]);
                continue;
            }
            if (k == 0) top_finished_ = true;
            finish(list[k]);
            while (spare < list.size() && is_end(list[spare].tokens.back())) ++spare;
            if (spare < list.size()) next.push_back(list[spare++]);
        }
        const auto enough = std::size_t(std::lround(float(beam) * rules_.patience));
        const bool done = last || (rules_.early_exit ? top_finished_ && finished_.size() >= rules_.num_hypotheses
                                                     : finished_.size() >= enough);
        return done ? std::vector<Path>{} : next;
    }

    std::vector<Path> marian(const std::vector<Path>& list, bool last) {
        std::vector<Path> next;
        for (const Path& path : list) {
            if (last || is_end(path.tokens.back())) finish(path);
            else next.push_back(path);
        }
        return next;
    }

    double normalised(double score, std::size_t tokens) const {
        return score / std::pow(double(tokens - input_.context.size()), double(rules_.length_penalty));
    }
    bool worse(const Path& a, const Path& b) const {
        if (a.met.size() != b.met.size()) return a.met.size() < b.met.size();
        return normalised(a.score, a.tokens.size()) < normalised(b.score, b.tokens.size());
    }

    std::vector<Path> huggingface(const std::vector<Path>& list, std::size_t t, bool last) {
        const std::size_t beam = rules_.beam_size;
        std::vector<Path> next;
        for (std::size_t n = 0; n < list.size(); ++n) {
            if (last || is_end(list[n].tokens.back())) {
                if (n >= beam) continue;
                finish(list[n]);
                if (finished_.size() <= beam) continue;
                finished_.erase(std::ranges::min_element(finished_,
                                                         [&](const Path& a, const Path& b) { return worse(a, b); }));
            } else if (next.size() < beam) {
                next.push_back(list[n]);
            }
        }
        if (next.empty() || finished_.size() < beam) return next;
        if (rules_.early_stopping == spec::EarlyStopping::on) return {};
        const bool at_limit = rules_.early_stopping == spec::EarlyStopping::never && rules_.length_penalty > 0;
        const double best = normalised(next[0].score, at_limit ? input_.max_length : t + 1);
        const bool improves = std::ranges::any_of(finished_, [&](const Path& path) {
            return best > normalised(path.score, path.tokens.size());
        });
        return improves ? next : std::vector<Path>{};
    }

    Predict predict_;
    const decode::SearchRules& rules_;
    const decode::SearchInput& input_;
    std::vector<Path> finished_;
    std::size_t finished_count_ = 0;
    bool top_finished_ = false;
};

}  // namespace dragoman::test
