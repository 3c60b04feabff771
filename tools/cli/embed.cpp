// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>

#include "base/os/path_text.h"
#include "commands.h"
#include "inputs.h"
#include "product.h"
#include "written.h"

namespace cli {
namespace {

// Texts with their vectors, row by row.
struct Rows {
    std::vector<std::string> texts;
    std::vector<float> values;
    std::size_t width = 0;
    std::span<const float> row(std::size_t i) const { return std::span(values).subspan(i * width, width); }
};

// The texts of a command in portions, so that the memory does not grow with the file.
struct Portion {
    std::vector<std::string> texts, places;  // what errors call each: "file: line 3"

    bool read(Inputs& inputs, std::size_t most) {
        texts.clear();
        places.clear();
        for (std::string text; texts.size() < most && inputs.next(text);) {
            texts.push_back(text);
            places.push_back(inputs.place());
        }
        return !texts.empty();
    }
};

// `each`: how many of the texts have one place. The library counts texts from 0: "text 3: expected at most ...".
dragoman::Vectors vectors(const dragoman::Model& model, const std::vector<std::string>& texts,
                          const std::vector<std::string>& places, std::size_t each,
                          const dragoman::EmbedOptions& options) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    try {
        return dragoman::Vectors(model, views, options);
    } catch (const dragoman::Error& error) {
        std::size_t text = 0;
        int end = 0;
        if (std::sscanf(error.what(), "text %zu: %n", &text, &end) != 1 || end == 0 || text / each >= places.size())
            throw;
        std::string why = error.what() + end;
        constexpr std::string_view kOption = "the option truncate";
        if (const std::size_t at = why.find(kOption); at != std::string::npos)
            why.replace(at, kOption.size(), "--truncate");
        throw dragoman::Error(error.status(), places[text / each] + ": " + why);
    }
}

dragoman::Vectors vectors(const dragoman::Model& model, const Portion& portion, const dragoman::EmbedOptions& options) {
    return vectors(model, portion.texts, portion.places, 1, options);
}

void append(Rows& rows, const std::vector<std::string>& texts, const dragoman::Vectors& more) {
    const dragoman_matrix all = more.all();
    rows.width = more.width();
    rows.texts.insert(rows.texts.end(), texts.begin(), texts.end());
    rows.values.insert(rows.values.end(), all.data, all.data + all.rows * all.cols);
}

// NumPy's format, version 1.0: little-endian floats, row by row.
void write_npy(const std::string& path, const std::vector<float>& values, std::size_t width) {
    static_assert(std::endian::native == std::endian::little);
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                                     width ? values.size() / width : 0, width);
    constexpr std::size_t kBefore = 10, kAlignment = 64;
    header.resize((kBefore + header.size() + kAlignment) / kAlignment * kAlignment - kBefore, ' ');
    header.back() = '\n';
    WrittenFile out(path);
    out.write({"\x93NUMPY\x01\x00", 8});
    const char size[] = {char(header.size() & 0xff), char(header.size() >> 8)};
    out.write({size, 2});
    out.write(header);
    out.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    out.finish();
}

void print_row(std::span<const float> row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
        fmt::format_to(std::back_inserter(line), "{}{}", i ? "\t" : "", row[i]);
    fmt::print("{}\n", line);
}

Json tokens_json(std::string_view text, const dragoman::Vectors& from, std::size_t i) {
    Json list = Json::array();
    const dragoman_matrix rows = from.rows(i);
    const auto tokens = from.tokens(i);
    const auto ranges = from.ranges(i);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        Json item;
        item["token"] = std::string(dragoman::view(tokens[t]));
        item["text"] = std::string(text.substr(ranges[t].begin, ranges[t].end - ranges[t].begin));
        if (rows.rows == tokens.size())
            item["vector"] = std::vector<float>(rows.data + t * rows.cols, rows.data + (t + 1) * rows.cols);
        list.push_back(std::move(item));
    }
    return list;
}

void print(const EmbedCommand& command, const std::vector<std::string>& texts, const dragoman::Vectors& from) {
    const bool of_tokens = command.options.pooling == DRAGOMAN_POOLING_TOKENS;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const dragoman_matrix rows = from.rows(i);
        if (!command.json) {
            for (std::size_t r = 0; r < rows.rows; ++r) print_row({rows.data + r * rows.cols, rows.cols});
            continue;
        }
        Json object;
        object["text"] = texts[i];
        if (of_tokens) object["tokens"] = tokens_json(texts[i], from, i);
        else object["vector"] = std::vector<float>(rows.data, rows.data + rows.cols);
        fmt::print("{}\n", object.dump());
    }
}

// The nearest lines of a file by the cosine, which is the product of vectors of length 1.
class Nearest {
public:
    Nearest(const EmbedCommand& command, Rows lines) : command_(command), lines_(std::move(lines)) {}

    void print(const std::vector<std::string>& texts, const dragoman::Vectors& from) const {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto found = best(from[i]);
            if (command_.json) print_json(texts[i], found);
            else print_lines(texts[i], found);
        }
    }

private:
    struct Found {
        float cosine;
        std::size_t line;
    };

    std::vector<Found> best(std::span<const float> vector) const {
        std::vector<Found> all(lines_.texts.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = {product(vector, lines_.row(i)), i};
        const std::size_t count = std::min<std::size_t>(command_.count, all.size());
        std::ranges::partial_sort(all, all.begin() + std::ptrdiff_t(count), [](const Found& a, const Found& b) {
            return a.cosine != b.cosine ? a.cosine > b.cosine : a.line < b.line;
        });
        all.resize(count);
        return all;
    }

    void print_lines(const std::string& text, const std::vector<Found>& found) const {
        for (const Found& each : found)
            fmt::print("{:.6f}\t{}\t{}\t{}\n", each.cosine, each.line + 1, text, lines_.texts[each.line]);
    }

    void print_json(const std::string& text, const std::vector<Found>& found) const {
        Json object;
        object["text"] = text;
        object["nearest"] = Json::array();
        for (const Found& each : found) {
            Json item;
            item["cosine"] = each.cosine;
            item["line"] = each.line + 1;
            item["text"] = lines_.texts[each.line];
            object["nearest"].push_back(std::move(item));
        }
        fmt::print("{}\n", object.dump());
    }

    const EmbedCommand& command_;
    const Rows lines_;
};

// Two texts in a line, a tab between them.
std::pair<std::string, std::string> pair_of(const std::string& line, const std::string& place) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || line.find('\t', tab + 1) != std::string::npos)
        throw Failure(fmt::format("{}: expected two texts with a tab between them, got {} tabs", place,
                                  std::count(line.begin(), line.end(), '\t')));
    return {line.substr(0, tab), line.substr(tab + 1)};
}

void print_similarities(const EmbedCommand& command, const dragoman::Model& model, Inputs& inputs) {
    for (Portion portion; portion.read(inputs, command.batch_size);) {
        const std::vector<std::string>& lines = portion.texts;
        std::vector<std::string> both;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            auto [left, right] = pair_of(lines[i], portion.places[i]);
            both.push_back(std::move(left));
            both.push_back(std::move(right));
        }
        const dragoman::Vectors found = vectors(model, both, portion.places, 2, command.options);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto a = found[2 * i], b = found[2 * i + 1];
            const float cosine = std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
            if (!command.json) {
                fmt::print("{:.6f}\t{}\n", cosine, lines[i]);
                continue;
            }
            Json object;
            object["cosine"] = cosine;
            object["left"] = both[2 * i];
            object["right"] = both[2 * i + 1];
            fmt::print("{}\n", object.dump());
        }
    }
}

Rows read_rows(const EmbedCommand& command, const dragoman::Model& model, Inputs& inputs) {
    Rows rows;
    for (Portion portion; portion.read(inputs, command.batch_size);)
        append(rows, portion.texts, vectors(model, portion, command.options));
    return rows;
}

Inputs inputs_of(const EmbedCommand& command) {
    return stands_for_input(command.texts) ? Inputs(command.input, Inputs::Unit::line) : Inputs(command.texts);
}

}  // namespace

void embed(EmbedCommand& command) {
    command.options.source_language = command.from.c_str();
    command.options.target_language = command.to.c_str();
    const bool compares = !command.nearest.empty() || command.pairs;
    if (compares && command.options.pooling == DRAGOMAN_POOLING_TOKENS)
        throw dragoman::Error(DRAGOMAN_INVALID_ARGUMENT,
                              "--pooling tokens: --nearest and --pairs need one vector a text");
    if (compares) command.options.normalize = DRAGOMAN_NORMALIZE_ON;
    note_files(command.texts);
    if (stands_for_input(command.texts)) check_input_stays(command.input, command.npy);
    check_can_be_written(command.npy);
    const dragoman::Device device(command.machine.where());
    dragoman::ModelOptions how = command.machine.how();
    how.device = device.get();
    const dragoman::Model model(command.machine.path(), how);
    Inputs inputs = inputs_of(command);
    if (command.pairs) return print_similarities(command, model, inputs);
    if (!command.npy.empty()) {
        const Rows rows = read_rows(command, model, inputs);
        return write_npy(command.npy, rows.values, rows.width);
    }
    std::optional<Nearest> nearest;
    if (!command.nearest.empty()) {
        Inputs lines(command.nearest, Inputs::Unit::line);
        nearest.emplace(command, read_rows(command, model, lines));
    }
    for (Portion portion; portion.read(inputs, command.batch_size);) {
        const dragoman::Vectors found = vectors(model, portion, command.options);
        if (nearest) nearest->print(portion.texts, found);
        else print(command, portion.texts, found);
    }
}

}  // namespace cli
