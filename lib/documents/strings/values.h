// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "documents/part.h"
#include "documents/strings/accelerator.h"

namespace dragoman::documents {

// How placeholders of printf's kind are written when a translation has them in another order.
enum class Reordered {
    numbered,  // as "%2$s"
    refused,   // the notation has no numbers: such a value stays as it is
};

// A string of a program.
struct Value {
    Range bytes{};       // of the file, which its translation replaces
    std::string text{};  // decoded; of messages with forms each form is a whole sentence
    Reordered reordered = Reordered::numbered;
    Range units{};
    std::map<std::size_t, Accelerator> accelerators{};  // of units that have one
};

// Adds a string's units: its lines and forms, without the marks of menus' letters. Tags are marks; placeholders, and links
// to other strings, are kept.
// Returns false where it has nothing to translate.
bool add_value(Units& units, Value& value);

// A string's text with its units' translations, which are one for each unit of `units`.
std::string translated(const Units& units, const Value& value, std::span<const Translation> translations);

// A file of strings with a notation of their own. The units' bytes are those of their value's text.
class ValuesPart : public Part {
public:
    using Notation = std::string (*)(std::string_view text);
    ValuesPart(std::string source, Units units, std::vector<Value> values, Notation notation)
        : source_(std::move(source)), units_(std::move(units)), values_(std::move(values)), notation_(notation) {}

    const Units& units() const override { return units_; }
    void leave_out_names() override { documents::leave_out_names(units_); }
    std::string write(std::span<const Translation> translations) const override;
    // Replaces bytes in a translated document, such as the code of its language.
    void replace(Range bytes, std::string text) { replaced_.push_back({bytes, text, {{false, {0, text.size()}}}}); }

protected:
    // The edit for a translated value, whose text is in the file's notation.
    virtual markup::Edit put(std::size_t value, std::string text) const;

private:
    const std::string source_;
    Units units_;
    const std::vector<Value> values_;
    const Notation notation_;
    std::vector<markup::Edit> replaced_;
};

}  // namespace dragoman::documents
