// SPDX-License-Identifier: Apache-2.0
#include "text/code_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace dragoman::text {
namespace {

bool is_ascii_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_ascii_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_ascii_figure(char c) { return c >= '0' && c <= '9'; }
bool is_name_sign(char c) { return is_ascii_small(c) || is_ascii_capital(c) || is_ascii_figure(c) || c == '_'; }
bool all_are(std::string_view text, const auto& is) { return std::ranges::all_of(text, is); }
bool any_is(std::string_view text, const auto& is) { return std::ranges::any_of(text, is); }
bool one_of(std::string_view list, char c) { return list.find(c) != std::string_view::npos; }

// Ends of file names; no words that begin a sentence after a stop without a blank ("so", "go").
constexpr auto kFileEnds = std::to_array<std::string_view>(
    {"7z",   "adoc",       "apk",   "asc",   "avi",  "bak",  "bash",  "bat",   "bib",   "bin",  "bmp",  "bz2",    "c",
     "cc",   "cfg",        "class", "cmake", "cmd",  "conf", "cpp",   "cs",    "css",   "csv",  "dat",  "db",     "deb",
     "dll",  "dmg",        "doc",   "docx",  "env",  "eps",  "epub",  "exe",   "flac",  "gif",  "git",  "gradle", "gz",
     "h",    "hpp",        "htm",   "html",  "ico",  "ini",  "ipynb", "iso",   "jar",   "java", "jpeg", "jpg",    "js",
     "json", "jsx",        "kt",    "less",  "lock", "log",  "lua",   "m4a",   "md",    "mkv",  "mov",  "mp3",    "mp4",
     "mpg",  "msi",        "odp",   "ods",   "odt",  "ogg",  "otf",   "pdf",   "php",   "pl",   "png",  "po",     "ppt",
     "pptx", "properties", "ps1",   "psd",   "py",   "rar",  "rb",    "rpm",   "rs",    "rst",  "rtf",  "scss",   "sh",
     "sql",  "srt",        "svg",   "swift", "tar",  "tex",  "tgz",   "tif",   "tiff",  "toml", "ts",   "tsv",    "tsx",
     "ttf",  "txt",        "vtt",   "vue",   "wav",  "webm", "webp",  "woff2", "xhtml", "xls",  "xlsx", "xml",    "xz",
     "yaml", "yml",        "zip",   "zst"});

constexpr auto kHidden =
    std::to_array<std::string_view>({"attributes", "cache", "config", "env", "git", "github", "htaccess", "ignore",
                                     "local", "modules", "npm", "profile", "rc", "ssh", "vscode"});

// Folders whose names are no words of texts.
constexpr auto kFolders =
    std::to_array<std::string_view>({"dist", "docs", "etc", "lib", "node_modules", "src", "tmp", "usr", "var"});

bool is_file_end(std::string_view end) {
    std::string small(end);
    if (all_are(end, [](char c) { return is_ascii_capital(c) || is_ascii_figure(c); }))
        std::ranges::transform(small, small.begin(),
                               [](char c) { return is_ascii_capital(c) ? char(c - 'A' + 'a') : c; });
    return std::ranges::find(kFileEnds, small) != kFileEnds.end();
}

bool is_file_name(std::string_view text) {
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos || text.find("..") != std::string_view::npos) return false;
    const std::string_view stem = text.substr(0, dot), end = text.substr(dot + 1);
    if (stem.empty()) return is_file_end(end) && end.size() > 1;
    if (!is_file_end(end) || !any_is(stem, [](char c) { return is_name_sign(c) || c == '*'; })) return false;
    if (end.size() == 1 &&
        (stem.size() < 2 || all_are(stem, is_ascii_figure) || stem.find('.') != std::string_view::npos))
        return false;  // "d.h."
    return all_are(stem, [](char c) { return is_name_sign(c) || one_of(".-+*?@~%#=,[]", c); });
}

bool is_hidden_file(std::string_view text) {
    return text.starts_with('.') && text.size() > 2 &&
           all_are(text.substr(1), [](char c) { return is_name_sign(c) || c == '-'; }) &&
           std::ranges::any_of(kHidden, [&](std::string_view end) { return text.ends_with(end); });
}

// Parts of a path between its bars. A file's name, a hidden folder, a known one or an underscore tells it from and/or.
bool is_relative_path(std::string_view text, char bar) {
    if (text.find(bar) == std::string_view::npos || text.find("//") != std::string_view::npos) return false;
    if (!all_are(text, [&](char c) { return is_name_sign(c) || c == bar || one_of(".-+*?@~%#=,[]{}:$", c); }))
        return false;
    bool tells = false;
    std::string_view last, first = text.substr(0, text.find(bar));
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(bar, at), text.size());
        last = text.substr(at, end - at);
        tells = tells || is_hidden_file(last) || (last.find('_') != std::string_view::npos && last.size() > 2);
        at = end + 1;
    }
    const bool folder = std::ranges::find(kFolders, first) != kFolders.end() && text.size() > first.size() + 1;
    if (bar == '\\') return is_file_name(last);  // "one\ntwo"
    return tells || folder || is_file_name(last) || last == "**" || first == "**";
}

// %TEMP%, $HOME, with a path behind it.
bool is_variable(std::string_view text) {
    std::size_t end = 1;
    while (end < text.size() && is_name_sign(text[end])) ++end;
    if (end < 3 || is_ascii_figure(text[1])) return false;
    if (text.front() == '%') {
        if (end == text.size() || text[end++] != '%') return false;
    } else if (text.front() != '$') {
        return false;
    }
    const std::string_view rest = text.substr(end);
    return rest.empty() || (one_of("/\\.", rest.front()) &&
                            all_are(rest, [](char c) { return is_name_sign(c) || one_of("/\\.-$%*", c); }));
}

bool is_switch(std::string_view text) {
    if (text.size() == 2)
        return text[0] == '-' && (is_ascii_small(text[1]) || is_ascii_capital(text[1])) && !one_of("aAI", text[1]);
    if (!text.starts_with("--") || !is_ascii_small(text[2])) return false;
    const std::size_t value = std::min(text.find('='), text.size());
    return text.size() > 3 && all_are(text.substr(2, value - 2), [](char c) { return is_name_sign(c) || c == '-'; });
}

// Small letters, then words with a capital each: onClick, getUserName. Not eBay, nor schülerInnen's kind.
bool is_camel_case(std::string_view text) {
    const auto capital = std::size_t(std::ranges::find_if(text, is_ascii_capital) - text.begin());
    if (capital < 2 || capital + 2 > text.size() || !all_are(text, is_name_sign) || !is_ascii_small(text[0]))
        return false;
    const std::string_view rest = text.substr(capital);
    if (rest == "ID" || rest == "URL" || rest == "API") return true;
    return rest != "In" && rest != "Innen" && is_ascii_small(rest[1]);
}

// Whether a name has parts of two letters and more, with stops between them.
bool is_dotted(std::string_view text) {
    std::size_t parts = 0;
    for (std::size_t at = 0; at <= text.size(); ++parts) {
        const std::size_t end = std::min(text.find('.', at), text.size());
        if (end - at < 2) return false;
        at = end + 1;
    }
    return parts > 1;
}

// foo(), list.append(x), print("a"). Brackets alone are also in woman(s), Lehrer(in).
bool is_call(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || open == 0 || text.back() != ')') return false;
    const std::string_view name = text.substr(0, open), inside = text.substr(open + 1, text.size() - open - 2);
    if (!all_are(name, [](char c) { return is_name_sign(c) || c == '.' || c == ':'; }) || is_ascii_figure(name.front()))
        return false;
    if (inside.find_first_of("()") != std::string_view::npos) return false;
    if (inside.empty()) return true;
    const bool of_code = name.find('_') != std::string_view::npos || name.find("::") != std::string_view::npos ||
                         is_dotted(name) || is_camel_case(name);
    return of_code || any_is(inside, [](char c) { return one_of("\"'=_", c); });
}

// std::vector, os.path.join
bool is_qualified(std::string_view text) {
    if (const std::size_t colons = text.find("::"); colons != std::string_view::npos)
        return colons > 0 && colons + 2 < text.size() &&
               all_are(text, [](char c) { return is_name_sign(c) || c == ':'; });
    std::size_t parts = 0;
    for (std::size_t at = 0; at <= text.size(); ++parts) {
        const std::size_t end = std::min(text.find('.', at), text.size());
        const std::string_view name = text.substr(at, end - at);
        const auto of_name = [](char c) { return is_ascii_small(c) || is_ascii_figure(c) || c == '_'; };
        if (name.size() < 2 || !is_ascii_small(name[0]) || !all_are(name, of_name)) return false;
        at = end + 1;
    }
    return parts > 2;
}

bool is_code_word(std::string_view text) {
    return is_file_name(text) || is_hidden_file(text) || is_relative_path(text, '/') || is_relative_path(text, '\\') ||
           is_variable(text) || is_switch(text) || is_call(text) || is_qualified(text) || is_camel_case(text);
}

}  // namespace

Range code_word(std::string_view text, Range chunk) {
    const std::string_view word = part(text, chunk);
    if (word.size() < 2) return {chunk.begin, chunk.begin};
    if (is_code_word(word)) return chunk;
    // What a hyphen or an apostrophe joins to a name of a file.
    for (const std::string_view joint : {"-", "'", "\xe2\x80\x99"}) {
        const std::size_t at = word.rfind(joint);
        if (at == std::string_view::npos || at == 0) continue;
        const std::string_view name = word.substr(0, at), rest = word.substr(at + joint.size());
        const bool of_word = !rest.empty() && (joint != "-" || is_ascii_capital(rest.front())) &&
                             rest.find('.') == std::string_view::npos;
        if (of_word && (is_file_name(name) || is_relative_path(name, '/') || is_call(name)))
            return {chunk.begin, chunk.begin + at};
    }
    return {chunk.begin, chunk.begin};
}

std::size_t drive_path_end(std::string_view text, std::size_t at) {
    constexpr std::size_t kMostWords = 3;
    const std::string_view rest = text.substr(at);
    const bool drive = rest.size() > 3 && (is_ascii_capital(rest[0]) || is_ascii_small(rest[0])) && rest[1] == ':' &&
                       rest[2] == '\\';
    if (!drive && !(rest.starts_with("\\\\") && rest.size() > 2 && is_name_sign(rest[2]))) return at;
    const auto in_name = [](char c) { return is_name_sign(c) || one_of(".-()&'~%$#@+", c) || (c & 0x80) != 0; };
    const auto word_end = [&](std::size_t from) {
        while (from < rest.size() && in_name(rest[from])) ++from;
        return from;
    };
    std::size_t end = drive ? 3 : 2;
    for (;;) {
        std::size_t next = word_end(end);
        if (next == end) break;
        end = next;
        for (std::size_t words = 1; words <= kMostWords && rest.substr(next).starts_with(' '); ++words) {
            const std::size_t begin = next + 1;
            next = word_end(begin);
            const bool name = !is_ascii_small(begin < rest.size() ? rest[begin] : 'a');  // "Files", not "and"
            if (next == begin || !name) break;
            if (rest.substr(next).starts_with('\\')) end = next;
        }
        if (!rest.substr(end).starts_with('\\')) break;
        ++end;
    }
    while (one_of(".)'", rest[end - 1])) --end;
    return at + end;
}

std::size_t key_combination_end(std::string_view text, std::size_t at) {
    constexpr auto kModifiers =
        std::to_array<std::string_view>({"Alt", "AltGr", "Cmd", "Command", "Control", "Ctrl", "Meta", "Option", "Shift",
                                         "Strg", "Super", "Umschalt", "Win"});
    std::size_t end = at, keys = 0;
    for (std::size_t next = at; next < text.size(); ++keys) {
        const std::size_t begin = next;
        while (next < text.size() && is_name_sign(text[next])) ++next;
        if (next == begin) break;
        const bool modifier = std::ranges::find(kModifiers, text.substr(begin, next - begin)) != kModifiers.end();
        if (keys == 0 && !modifier) return at;
        end = next;
        if (!text.substr(next).starts_with('+')) {
            ++keys;
            break;
        }
        ++next;
    }
    const bool all = at == 0 && trim(text, {end, text.size()}).size() == 0;
    return keys > 2 && !all ? end : at;
}

}  // namespace dragoman::text
