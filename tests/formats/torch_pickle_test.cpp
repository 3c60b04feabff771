// SPDX-License-Identifier: Apache-2.0
#include "formats/torch_pickle.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace dragoman::formats::torch_pickle_test {
namespace {

// Opcodes of pickle protocol 2, put together by hand.
std::string text(std::string_view value) {
    std::string code = "X";
    for (int i = 0; i < 4; ++i) code += static_cast<char>(value.size() >> (8 * i));
    return code + std::string(value);
}

std::string number(int64_t value) {
    std::string code = "\x8a\x08";
    for (int i = 0; i < 8; ++i) code += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    return code;
}

std::string tuple(const std::vector<int64_t>& values) {
    std::string code = "(";
    for (const int64_t value : values) code += number(value);
    return code + "t";
}

const std::string kRebuild = "ctorch._utils\n_rebuild_tensor_v2\n";

std::string storage(int64_t elements, const std::string& type = "FloatStorage") {
    return "(" + text("storage") + "ctorch\n" + type + "\n" + text("0") + text("cpu") + number(elements) + "tQ";
}

std::string tensor(int64_t elements, int64_t offset, const std::vector<int64_t>& shape,
                   const std::vector<int64_t>& strides) {
    return kRebuild + "(" + storage(elements) + number(offset) + tuple(shape) + tuple(strides) + "\x89NtR";
}

std::string dictionary(const std::string& value) { return "\x80\x02}" + text("a") + value + "s."; }

TorchStateDict read(const std::string& pickle) {
    return read_torch_pickle("x.pkl", std::as_bytes(std::span(pickle.data(), pickle.size()))).tensors;
}

std::string refusal(const std::string& pickle, Status status = Status::bad_model) {
    try {
        read(pickle);
    } catch (const Error& error) {
        CHECK(error.status() == status);
        CHECK(std::string(error.what()).starts_with("x.pkl: "));
        return error.what();
    }
    return "nothing was thrown";
}

void check_refused(const std::string& part, const std::string& pickle, Status status = Status::bad_model) {
    const std::string message = refusal(pickle, status);
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

// What a tensor becomes that has attributes of its own, such as torch.nn.Buffer.
std::string with_type(const std::string& type, const std::string& inner) {
    return "ctorch._tensor\n_rebuild_from_type_v2\n(" + kRebuild + "c" + type + "\n(" + inner + "t}" +
           text("persistent") + "\x88stR";
}

TEST_CASE("a tensor with attributes is the tensor") {
    const std::string inner = storage(6) + number(0) + tuple({2, 3}) + tuple({3, 1}) + "\x89N";
    for (const char* type : {"torch\nTensor", "torch.nn.parameter\nBuffer", "torch.nn.parameter\nParameter"}) {
        const auto state = read(dictionary(with_type(type, inner)));
        REQUIRE(state.size() == 1);
        CHECK(state.at("a").shape == std::vector<uint32_t>{2, 3});
    }
    check_refused("refers to os.system", dictionary(with_type("os\nsystem", inner)), Status::unsupported);
    check_refused("a tensor's class", dictionary(with_type("torch._tensor\n_rebuild_from_type_v2", inner)));
    const std::string parameter = "ctorch._utils\n_rebuild_parameter_with_state\n(" + tensor(6, 0, {6}, {1}) +
                                  "\x88N}tR";
    CHECK(read(dictionary(parameter)).at("a").shape == std::vector<uint32_t>{6});
}

TEST_CASE("a tensor is a view of a storage") {
    const auto state = read(dictionary(tensor(30, 2, {4, 5}, {1, 4})));
    REQUIRE(state.size() == 1);
    const TorchTensor& found = state.at("a");
    CHECK(found.type == "F32");
    CHECK(found.storage == "0");
    CHECK(found.storage_elements == 30);
    CHECK(found.offset == 2);
    CHECK(found.shape == std::vector<uint32_t>{4, 5});
    CHECK(found.strides == std::vector<uint64_t>{1, 4});
    CHECK(read("\x80\x02}.").empty());
    CHECK(read("\x80\x02"
               "ccollections\nOrderedDict\n)R.")
              .empty());
    CHECK(read(dictionary(number(3))).empty());  // not a tensor
    CHECK(read(dictionary(tensor(0, 0, {0, 3}, {3, 1}))).size() == 1);
}

TEST_CASE("everything but tensors is refused by its name and not executed") {
    const auto refers = [](const std::string& module, const std::string& name) {
        check_refused("refers to " + module + "." + name + "; only tensors are read and nothing is executed",
                      dictionary("c" + module + "\n" + name + "\n" + text("touch /tmp/x") + "\x85R"),
                      Status::unsupported);
    };
    refers("posix", "system");
    refers("builtins", "eval");
    refers("__builtin__", "getattr");
    refers("torch", "load");
    refers("torch._utils", "_rebuild_tensor");
    refers("torch._utils _rebuild_tensor_v2", "");
    refers("collections", "defaultdict");
    check_refused("expected a name of a module or type", dictionary(std::string("cpo\0six\nsystem\n", 15)));
    check_refused("expected a name of a module or type", dictionary("c" + std::string(5000, 'x') + "\ny\n"));
    for (const char code : {'i', 'o', '\x81', '\x82', '\x93', 'P', 'I', 'S', 'V', 'B', '\x95', '2', '0'})
        check_refused("file has opcode 0x", std::string("\x80\x02") + code + "aaaaaaaaaaaaaaaa.", Status::unsupported);
    check_refused("pickle protocol: expected 2 (torch.save's default), file has 4", "\x80\x04}.", Status::unsupported);
}

TEST_CASE("views stay within their storage") {
    const auto check = [](int64_t elements, int64_t offset, const std::vector<int64_t>& shape,
                          const std::vector<int64_t>& strides) {
        check_refused("does not fit its storage", dictionary(tensor(elements, offset, shape, strides)));
    };
    check(11, 0, {3, 4}, {4, 1});
    check(12, 1, {3, 4}, {4, 1});
    check(100, 0, {3, 4}, {50, 1});
    check(5, 0, {6}, {0});  // one element for all: more elements than the storage
    check(0, 0, {1}, {1});
    check(5, 6, {0}, {1});
    const int64_t most = int64_t{1} << 40, dimension = 0xffffffff;
    check(most, 0, {dimension, dimension}, {most, most});
    check(most, most, {dimension, 1, 1, 1, 1, 1, 1, dimension}, {1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(read(dictionary(tensor(12, 0, {3, 4}, {4, 1}))).size() == 1);
    CHECK(read(dictionary(tensor(5, 5, {0, 7}, {1, most}))).size() == 1);
    check_refused("from 0 to", dictionary(tensor(5, -1, {1}, {1})));
    check_refused("from 0 to", dictionary(tensor(5, 0, {-1}, {1})));
    check_refused("from 0 to", dictionary(tensor(5, 0, {1}, {-1})));
    check_refused("from 0 to", dictionary(tensor(-5, 0, {1}, {1})));
    check_refused("from 0 to", dictionary(tensor(most + 1, 0, {1}, {1})));
    check_refused("from 0 to 4294967295, file has 4294967296", dictionary(tensor(5, 0, {dimension + 1}, {1})));
    check_refused("at most 8 dimensions with a stride each, file has 2 and 1", dictionary(tensor(9, 0, {3, 3}, {3})));
    check_refused("file has 9 and 9", dictionary(tensor(9, 0, std::vector<int64_t>(9, 1), std::vector<int64_t>(9, 1))));
}

TEST_CASE("opcodes without what they need") {
    for (const char* code : {"s.", "u.", "t.", "R.", "b.", "Q.", "q\1.", "a.", "e.", "\x85.", "\x86.", "\x87.", "."})
        CHECK_MESSAGE(refusal(code).find("nothing") == std::string::npos, code);
    check_refused("memo 5, there is none", "}h\5.");
    check_refused("expected a value for each key", "}(" + text("a") + "u.");
    check_refused("expected a dictionary, file has a tuple", ")" + text("a") + ")s.");
    check_refused("before this opcode", "}(" + text("a") + ")s.");  // the dictionary lies below the mark
    check_refused("expected one value at the end", "}}.");
    check_refused("expected one value at the end", "}(.");
    check_refused("expected a dictionary, file has None", "N.");
    check_refused("expected names for tensors", "}K\1" + tensor(1, 0, {1}, {1}) + "s.");
    check_refused("expected a function and its arguments", "}}R.");
    check_refused("cannot read torch FloatStorage", "ctorch\nFloatStorage\n)R.");
    check_refused("cannot read torch._utils _rebuild_tensor_v2 of 0 arguments", kRebuild + ")R.");
    const std::string seven = kRebuild + "(" + storage(1) + number(0) + tuple({1}) + tuple({1}) + "\x89NN";
    CHECK(read(dictionary(seven + "tR")).size() == 1);
    CHECK(read(dictionary(seven + "NtR")).size() == 1);
    check_refused("cannot read torch._utils _rebuild_tensor_v2 of 9 arguments", dictionary(seven + "NNtR"));
    check_refused("argument 0: expected a storage, file has None", kRebuild + "(NNNNNNtR.");
    check_refused("argument 0: expected a tensor", "ctorch._utils\n_rebuild_parameter\n(NNNtR.");
    check_refused("expected a storage's description", "NQ.");
    check_refused("expected a storage of five parts, file has 0", ")Q.");
    check_refused("storage 0: expected 5 of F32 as before, file has 6 of F32", "}(" + storage(5) + storage(6) + "u.");
    check_refused("expected a type of storage",
                  "(" + text("storage") + "ccollections\nOrderedDict\n" + text("0") + text("cpu") + number(1) + "tQ.");
    check_refused("at most 8 bytes, file has 9", std::string("\x8a\x09") + std::string(9, 'x') + ".");
    check_refused("a name in UTF-8", text("\xff") + ".");
    check_refused("a name in UTF-8 of at most 1024 bytes, file has 1025", text(std::string(1025, 'x')) + ".");
    check_refused("expected 4294967295 bytes, file has 3",
                  "X\xff\xff\xff\xff"
                  "abc");
    check_refused("opcode at byte 1", "}");
}

TEST_CASE("depth, width and self-reference cost no stack and little memory") {
    std::string deep = "\x80\x02}" + text("a") + ")";
    for (int i = 0; i < 1'000'000; ++i) deep += "\x85";
    CHECK(read(deep + "s.").empty());
    CHECK(read("\x80\x02}q\1" + text("self") + "h\1s.").empty());
    check_refused("expected at most 1048576 values, file has more", std::string(1 << 21, '}'));
    check_refused("opcode at byte 16777216", "}q\1" + std::string(1 << 24, '('));
    // One long name, which every tensor has in three bytes.
    std::string names = "\x80\x02}(" + text("storage") + "ctorch\nFloatStorage\n" + text(std::string(1000, 'n')) +
                        text("cpu") + number(1) + "tq\1Q";
    for (int i = 0; i < 300'000; ++i) names += "h\1Q";
    check_refused("expected at most 16777216 bytes of names, file has more", names);
    // A long list, which every call has as its arguments.
    std::string calls = "\x80\x02}ccollections\nOrderedDict\nq\1(" + std::string(100'000, ')') + "tq\2";
    for (int i = 0; i < 100'000; ++i) calls += "h\1h\2R";
    check_refused("cannot read collections OrderedDict of 100000 arguments", calls);
}

}  // namespace
}  // namespace dragoman::formats::torch_pickle_test
