// SPDX-License-Identifier: Apache-2.0
#include "formats/torch_pickle.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "base/utf8.h"
#include "formats/byte_reader.h"

namespace dragoman::formats {
namespace {

// A state dict takes some 200 bytes and 20 values per tensor.
constexpr uint64_t kMaxPickleBytes = uint64_t(1) << 24;
constexpr std::size_t kMaxValues = std::size_t(1) << 20;
constexpr uint64_t kMaxStorageElements = uint64_t(1) << 40;
constexpr std::size_t kMaxDimensions = 8;
constexpr std::size_t kMaxArguments = 8;  // PyTorch 2 gives a tensor seven
constexpr std::size_t kMaxPickleNameBytes = 1024;
// What the names of all tensors may take together: a pickle can give many of them one long name in a few bytes.
constexpr std::size_t kMaxNamesBytes = std::size_t(1) << 24;

enum class ValueKind { none, boolean, integer, real, text, tuple, dictionary, global, storage, tensor };

// Values refer to others by number: nothing here is recursive, whatever the pickle's depth.
struct PickleValue {
    ValueKind kind = ValueKind::none;
    int64_t integer = 0;
    std::string text;                // text, and "module name" of a global
    std::vector<std::size_t> items;  // elements of a tuple; keys and values of a dictionary, alternating
    std::size_t tensor = 0;          // index into tensors_, also for a storage
};

constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";

constexpr std::string_view kRebuildParameterWithState = "torch._utils _rebuild_parameter_with_state";
constexpr std::string_view kRebuildOfType = "torch._tensor _rebuild_from_type_v2";

// Classes of tensors, which say nothing about the content: buffers and parameters that were given attributes.
constexpr std::string_view kTensorTypes[] = {"torch Tensor", "torch.nn.parameter Parameter",
                                             "torch.nn.parameter Buffer"};

bool is_function(std::string_view global) {
    constexpr std::string_view kFunctions[] = {kOrderedDict, kRebuildTensor, kRebuildParameter,
                                               kRebuildParameterWithState, kRebuildOfType};
    return std::ranges::find(kFunctions, global) != std::end(kFunctions) ||
           std::ranges::find(kTensorTypes, global) != std::end(kTensorTypes);
}

constexpr std::pair<std::string_view, std::string_view> kStorages[] = {
    {"torch FloatStorage", "F32"},  {"torch HalfStorage", "F16"}, {"torch BFloat16Storage", "BF16"},
    {"torch DoubleStorage", "F64"}, {"torch LongStorage", "I64"}, {"torch IntStorage", "I32"},
    {"torch ShortStorage", "I16"},  {"torch CharStorage", "I8"},  {"torch ByteStorage", "U8"},
    {"torch BoolStorage", "BOOL"},
};

std::string_view storage_type(std::string_view global) {
    for (const auto& [name, type] : kStorages)
        if (name == global) return type;
    return {};
}

std::string_view name_of(ValueKind kind) {
    constexpr std::string_view names[] = {"None",    "a boolean",    "a whole number",     "a real number", "a text",
                                          "a tuple", "a dictionary", "a type or function", "a storage",     "a tensor"};
    static_assert(std::size(names) == std::size_t(ValueKind::tensor) + 1);
    return names[static_cast<std::size_t>(kind)];
}

class Machine {
public:
    Machine(const std::string& file, std::span<const std::byte> pickle) : in_(pickle, file) {}

    TorchPickle run(TorchRoot expected) {
        while (step()) {}
        if (stack_.size() != 1 || !marks_.empty()) wrong("expected one value at the end");
        const PickleValue& root = values_[stack_[0]];
        const ValueKind kind = expected == TorchRoot::list ? ValueKind::tuple : ValueKind::dictionary;
        if (root.kind != kind) wrong(fmt::format("expected {}, file has {}", name_of(kind), name_of(root.kind)));
        TorchPickle result;
        if (kind == ValueKind::dictionary) {
            take_dictionary(root, result);
        } else {
            for (const std::size_t item : root.items) {
                count_name(values_[item].text);
                result.texts.push_back(values_[item].text);
            }
        }
        result.storages = std::move(storages_);
        result.size_bytes = in_.offset();
        return result;
    }

private:
    [[noreturn]] void wrong(std::string_view what) const {
        fail(Status::bad_model, "{}: byte {}: {}", in_.file(), at_, what);
    }

    void count_name(std::string_view name) {
        names_bytes_ += name.size();
        if (names_bytes_ > kMaxNamesBytes)
            wrong(fmt::format("expected at most {} bytes of names, file has more", kMaxNamesBytes));
    }

    void take_dictionary(const PickleValue& root, TorchPickle& result) {
        for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
            const PickleValue &key = values_[root.items[i]], &value = values_[root.items[i + 1]];
            const bool number = value.kind == ValueKind::integer || value.kind == ValueKind::boolean;
            if (value.kind == ValueKind::tensor && key.kind != ValueKind::text) {
                wrong(fmt::format("expected names for tensors, file has {}", name_of(key.kind)));
            }
            if (value.kind == ValueKind::tensor) count_name(tensors_[value.tensor].storage);
            if (value.kind == ValueKind::tensor) result.tensors.insert_or_assign(key.text, tensors_[value.tensor]);
            if (number && key.kind == ValueKind::text) result.numbers.insert_or_assign(key.text, value.integer);
        }
    }

    // Returns false at the end.
    bool step() {
        at_ = in_.offset();
        const auto code = in_.read<uint8_t>("opcode");
        switch (code) {
            case 0x80: protocol(); break;
            case 'N': push({}); break;
            case 0x88: push({.kind = ValueKind::boolean, .integer = 1}); break;
            case 0x89: push({.kind = ValueKind::boolean}); break;
            case 'K': push_integer(in_.read<uint8_t>("number")); break;
            case 'M': push_integer(in_.read<uint16_t>("number")); break;
            case 'J': push_integer(static_cast<int32_t>(in_.read<uint32_t>("number"))); break;
            case 0x8a: long_integer(); break;
            case 'G': in_.read<uint64_t>("number"), push({.kind = ValueKind::real}); break;
            case 'X': text(); break;
            case '(': marks_.push_back(stack_.size()); break;
            case ')': push({.kind = ValueKind::tuple}); break;
            case 0x85: tuple(1); break;
            case 0x86: tuple(2); break;
            case 0x87: tuple(3); break;
            case 't': tuple(above_mark()); break;
            case ']': push({.kind = ValueKind::tuple}); break;
            case 'a': append(1); break;
            case 'e': append(above_mark()); break;
            case '}': push({.kind = ValueKind::dictionary}); break;
            case 's': set_items(2); break;
            case 'u': set_items(above_mark()); break;
            case 'c': global(); break;
            case 'q': memo_[in_.read<uint8_t>("memo")] = top(); break;
            case 'r': memo_[in_.read<uint32_t>("memo")] = top(); break;
            case 'h': load_memo(in_.read<uint8_t>("memo")); break;
            case 'j': load_memo(in_.read<uint32_t>("memo")); break;
            case 'Q': storage(); break;
            case 'R': call(); break;
            case 'b':
                pop();
                top();
                break;  // attributes of an object, on which no tensor's content depends
            case '.': return false;
            default:
                fail(Status::unsupported,
                     "{}: byte {}: expected what torch.save writes for a state dict, file has "
                     "opcode 0x{:02x}",
                     in_.file(), at_, code);
        }
        return true;
    }

    void protocol() {
        const auto version = in_.read<uint8_t>("protocol");
        if (version != 2) {
            fail(Status::unsupported, "{}: pickle protocol: expected 2 (torch.save's default), file has {}", in_.file(),
                 version);
        }
    }

    void push(PickleValue value) {
        if (values_.size() == kMaxValues) wrong(fmt::format("expected at most {} values, file has more", kMaxValues));
        stack_.push_back(values_.size());
        values_.push_back(std::move(value));
    }

    void push_integer(int64_t number) { push({.kind = ValueKind::integer, .integer = number}); }

    std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }

    std::size_t top() const {
        if (stack_.size() <= bottom()) wrong("expected a value before this opcode, there is none");
        return stack_.back();
    }

    std::size_t pop() {
        const std::size_t value = top();
        stack_.pop_back();
        return value;
    }

    // Removes the last mark, and returns the number of values above it.
    std::size_t above_mark() {
        if (marks_.empty()) wrong("expected a mark before this opcode, there is none");
        const std::size_t count = stack_.size() - marks_.back();
        marks_.pop_back();
        return count;
    }

    std::vector<std::size_t> take(std::size_t count) {
        if (stack_.size() - bottom() < count) wrong(fmt::format("expected {} values before this opcode", count));
        std::vector<std::size_t> taken(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
        stack_.resize(stack_.size() - count);
        return taken;
    }

    void tuple(std::size_t count) { push({.kind = ValueKind::tuple, .items = take(count)}); }

    void extend(std::size_t count, ValueKind kind) {
        const auto added = take(count);
        PickleValue& target = values_[top()];
        if (target.kind != kind) wrong(fmt::format("expected {}, file has {}", name_of(kind), name_of(target.kind)));
        target.items.insert(target.items.end(), added.begin(), added.end());
    }

    void append(std::size_t count) { extend(count, ValueKind::tuple); }

    void set_items(std::size_t count) {
        if (count % 2) wrong("expected a value for each key");
        extend(count, ValueKind::dictionary);
    }

    void long_integer() {
        const auto size = in_.read<uint8_t>("number");
        if (size > 8) wrong(fmt::format("expected a number of at most 8 bytes, file has {}", size));
        uint64_t number = 0;
        const auto bytes = in_.take(size, "number");
        for (std::size_t i = 0; i < size; ++i) number |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
        const bool negative = size && (std::to_integer<uint8_t>(bytes[size - 1u]) & 0x80);
        if (negative && size < 8) number |= ~uint64_t{0} << (8 * size);
        push_integer(static_cast<int64_t>(number));
    }

    void text() {
        const auto size = in_.read<uint32_t>("text");
        const auto bytes = in_.take(size, "text");
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (size > kMaxPickleNameBytes || first_invalid_utf8(text)) {
            wrong(fmt::format("expected a name in UTF-8 of at most {} bytes, file has {}", kMaxPickleNameBytes, size));
        }
        push({.kind = ValueKind::text, .text = std::move(text)});
    }

    std::string line() {
        std::string text;
        for (;;) {
            const char c = static_cast<char>(in_.read<uint8_t>("name"));
            if (c == '\n') return text;
            if (c < ' ' || c > '~' || text.size() >= kMaxPickleNameBytes) wrong("expected a name of a module or type");
            text += c;
        }
    }

    void global() {
        const std::string module = line(), name = line();
        std::string both = module + " " + name;
        if (!is_function(both) && storage_type(both).empty()) {
            fail(Status::unsupported, "{}: refers to {}.{}; only tensors are read and nothing is executed", in_.file(),
                 module, name);
        }
        push({.kind = ValueKind::global, .text = std::move(both)});
    }

    void load_memo(uint32_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) wrong(fmt::format("expected a value in memo {}, there is none", place));
        stack_.push_back(found->second);
    }

    const PickleValue& argument(const std::vector<std::size_t>& arguments, std::size_t i, ValueKind kind) const {
        const PickleValue& value = values_[arguments[i]];
        if (value.kind != kind) {
            wrong(fmt::format("argument {}: expected {}, file has {}", i, name_of(kind), name_of(value.kind)));
        }
        return value;
    }

    uint64_t number(const PickleValue& value, uint64_t most) const {
        if (value.kind != ValueKind::integer || value.integer < 0 || static_cast<uint64_t>(value.integer) > most) {
            wrong(fmt::format("expected a whole number from 0 to {}, file has {}", most,
                              value.kind == ValueKind::integer ? std::to_string(value.integer) : name_of(value.kind)));
        }
        return static_cast<uint64_t>(value.integer);
    }

    // The tuple is ("storage", type, file name, device, elements), and before PyTorch 1.6 None.
    void storage() {
        const std::size_t id = pop();
        if (values_[id].kind != ValueKind::tuple) wrong("expected a storage's description");
        const auto& parts = values_[id].items;
        if (parts.size() < 5 || parts.size() > 6 || (parts.size() == 6 && values_[parts[5]].kind != ValueKind::none)) {
            wrong(fmt::format("expected a storage of five parts, file has {}", parts.size()));
        }
        if (argument(parts, 0, ValueKind::text).text != "storage") wrong("expected a storage");
        const std::string_view type = storage_type(argument(parts, 1, ValueKind::global).text);
        if (type.empty()) wrong("expected a type of storage");
        count_name(argument(parts, 2, ValueKind::text).text);
        TorchTensor tensor{.type = std::string(type), .storage = argument(parts, 2, ValueKind::text).text};
        tensor.storage_elements = number(argument(parts, 4, ValueKind::integer), kMaxStorageElements);
        const TorchStorage described{tensor.type, tensor.storage_elements};
        const TorchStorage& first = storages_.emplace(tensor.storage, described).first->second;
        if (first.type != described.type || first.elements != described.elements) {
            wrong(fmt::format("storage {}: expected {} of {} as before, file has {} of {}", tensor.storage,
                              first.elements, first.type, described.elements, described.type));
        }
        push({.kind = ValueKind::storage, .tensor = tensors_.size()});
        tensors_.push_back(std::move(tensor));
    }

    void call() {
        const std::size_t arguments = pop(), function = pop();
        call(function, arguments);
    }

    void call(std::size_t function, std::size_t arguments) {
        if (values_[function].kind != ValueKind::global || values_[arguments].kind != ValueKind::tuple) {
            wrong("expected a function and its arguments");
        }
        const std::string name = values_[function].text;
        if (const std::size_t count = values_[arguments].items.size(); count > kMaxArguments)
            wrong(fmt::format("cannot read {} of {} arguments", name, count));
        const auto items = values_[arguments].items;
        if (name == kOrderedDict && items.empty()) return push({.kind = ValueKind::dictionary});
        if (name == kRebuildTensor && items.size() >= 6 && items.size() <= kMaxArguments) return tensor(items);
        const bool parameter = (name == kRebuildParameter && items.size() == 3) ||
                               (name == kRebuildParameterWithState && items.size() == 4);
        if (parameter) {
            argument(items, 0, ValueKind::tensor);
            return stack_.push_back(items[0]);
        }
        if (name == kRebuildOfType && items.size() == 4) return tensor_of_type(items);
        wrong(fmt::format("cannot read {} of {} arguments", name, items.size()));
    }

    // The tuple is (function, class, its arguments, attributes): a tensor with attributes of its own.
    void tensor_of_type(const std::vector<std::size_t>& items) {
        const std::string& inner = argument(items, 0, ValueKind::global).text;
        const std::string& type = argument(items, 1, ValueKind::global).text;
        if (inner != kRebuildTensor || std::ranges::find(kTensorTypes, type) == std::end(kTensorTypes))
            wrong(fmt::format("expected a tensor's class, file has {} by {}", type, inner));
        call(items[0], items[2]);
    }

    // The tuple is (storage, offset, shape, strides, ...); the rest is about gradients.
    void tensor(const std::vector<std::size_t>& items) {
        TorchTensor tensor = tensors_[argument(items, 0, ValueKind::storage).tensor];
        count_name(tensor.storage);
        tensor.offset = number(values_[items[1]], kMaxStorageElements);
        const auto &shape = argument(items, 2, ValueKind::tuple).items,
                   &strides = argument(items, 3, ValueKind::tuple).items;
        if (shape.size() > kMaxDimensions || strides.size() != shape.size()) {
            wrong(fmt::format("expected at most {} dimensions with a stride each, file has {} and {} strides",
                              kMaxDimensions, shape.size(), strides.size()));
        }
        uint64_t elements = 1, last = tensor.offset;
        bool empty = false;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            tensor.shape.push_back(static_cast<uint32_t>(number(values_[shape[i]], UINT32_MAX)));
            tensor.strides.push_back(number(values_[strides[i]], kMaxStorageElements));
            empty |= tensor.shape[i] == 0;
            elements = elements > kMaxStorageElements / std::max(tensor.shape[i], 1u) ? kMaxStorageElements + 1
                                                                                      : elements * tensor.shape[i];
        }
        if (empty) elements = 0;
        // Products are cut at 2^40, beyond every storage: it does not matter by how much a view exceeds it.
        for (std::size_t i = 0; i < shape.size() && !empty; ++i) {
            const uint64_t steps = tensor.shape[i] - 1;
            if (steps && tensor.strides[i] > kMaxStorageElements / steps) last = kMaxStorageElements;
            else last = std::min(last + steps * tensor.strides[i], kMaxStorageElements);
        }
        const bool inside = !empty ? last < tensor.storage_elements : tensor.offset <= tensor.storage_elements;
        if (!inside || elements > tensor.storage_elements) {
            wrong(fmt::format("a tensor of {} with strides {} from {} does not fit its storage of {} elements",
                              fmt::join(tensor.shape, "x"), fmt::join(tensor.strides, ","), tensor.offset,
                              tensor.storage_elements));
        }
        push({.kind = ValueKind::tensor, .tensor = tensors_.size()});
        tensors_.push_back(std::move(tensor));
    }

    ByteReader in_;
    uint64_t at_ = 0;
    std::vector<PickleValue> values_;
    std::vector<std::size_t> stack_, marks_;
    std::unordered_map<uint32_t, std::size_t> memo_;
    std::vector<TorchTensor> tensors_;
    std::map<std::string, TorchStorage> storages_;
    std::size_t names_bytes_ = 0;
};

}  // namespace

TorchPickle read_torch_pickle(const std::string& file, std::span<const std::byte> pickle, TorchRoot expected) {
    return Machine(file, pickle.first(std::min<std::size_t>(pickle.size(), kMaxPickleBytes))).run(expected);
}

}  // namespace dragoman::formats
