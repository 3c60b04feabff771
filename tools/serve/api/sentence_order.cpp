// SPDX-License-Identifier: Apache-2.0
#include "serve/api/sentence_stream.h"

namespace serve::api {

SentenceOrder::SentenceOrder(std::vector<std::string> texts, std::string separator)
    : texts_(std::move(texts)), separator_(std::move(separator)) {}

std::string SentenceOrder::add(const work::Event& event) {
    if (event.partial || event.input >= texts_.size()) return {};
    waiting_[{event.input, event.sentence}] = {event.begin, event.end, std::string(event.text)};
    std::string piece;
    for (auto next = waiting_.find({input_, sentence_}); next != waiting_.end();
         next = waiting_.find({input_, sentence_})) {
        const std::string& text = texts_[input_];
        const Sentence& sentence = next->second;
        if (sentence.begin < end_ || sentence.end > text.size()) break;
        piece += text.substr(end_, sentence.begin - end_) + sentence.text;
        end_ = sentence.end;
        ++sentence_;
        waiting_.erase(next);
        const std::size_t last = text.find_last_not_of(" \t\r\n");
        if (input_ + 1 < texts_.size() && (last == std::string::npos || last < end_)) {
            piece += text.substr(end_) + separator_;
            ++input_;
            sentence_ = end_ = 0;
        }
    }
    given_ += piece;
    return piece;
}

std::string SentenceOrder::rest(const std::vector<std::string>& translations) const {
    std::string whole;
    for (std::size_t i = 0; i < translations.size(); ++i) whole += (i ? separator_ : "") + translations[i];
    if (whole.starts_with(given_)) return whole.substr(given_.size());
    throw Problem(Problem::Kind::failed, "the translation changed while it was sent; without a stream it comes whole");
}

}  // namespace serve::api
