// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dragoman::text {

// The place of an XML reader in a TMX document: units of variants, each of which has a language and a segment.
class TmxPlaces {
public:
    enum class Place : uint8_t { other, header, unit, variant, segment };

    static Place of(std::string_view element) {
        if (element == "tu") return Place::unit;
        if (element == "tuv") return Place::variant;
        if (element == "seg") return Place::segment;
        return element == "header" ? Place::header : Place::other;
    }

    // The element that begins. attribute(name): its value; empty where the element has none of that name.
    template <class Attribute>
    Place begin(std::string_view element, Attribute&& attribute) {
        const Place place = of(element);
        if (place == Place::header) source_language_ = attribute("srclang");
        if (place != Place::variant) return place;
        language_ = attribute("xml:lang");
        if (language_.empty()) language_ = attribute("lang");  // before TMX 1.4
        return place;
    }

    const std::string& language() const { return language_; }                // of the variant
    const std::string& source_language() const { return source_language_; }  // as the header says

private:
    std::string language_, source_language_;
};

}  // namespace dragoman::text
