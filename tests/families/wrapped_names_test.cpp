// SPDX-License-Identifier: Apache-2.0
// Checkpoints of models that torch.compile or DistributedDataParallel had wrapped.
#include <doctest/doctest.h>

#include "families/changed_weights.h"
#include "families/model_copy.h"
#include "spec/weights.h"

namespace dragoman::families::wrapped_names_test {
namespace {

constexpr const char* kWeights = "model.safetensors";

void put_before(const test::ModelCopy& model, const std::string& before, bool all = true) {
    test::SafetensorsFile file = test::read_safetensors(model.folder.path() / kWeights), renamed;
    bool first = true;
    for (auto& [name, tensor] : file.tensors) {
        renamed.tensors[first && !all ? name : before + name] = std::move(tensor);
        first = false;
    }
    model.folder.write(kWeights, renamed.bytes());
}

TEST_CASE("what is before the names of all tensors is left out") {
    for (const char* name : {"shared", "m2m100", "bart", "gpt2", "../t5/t5"})
        for (const char* before : {"_orig_mod.", "module.", "module._orig_mod.", "_orig_mod.module."}) {
            CAPTURE(name);
            CAPTURE(before);
            const test::ModelCopy plain(name), wrapped(name);
            put_before(wrapped, before);
            const spec::ModelSpec expected = plain.load(), found = wrapped.load();
            REQUIRE(found.weights.tensors().size() == expected.weights.tensors().size());
            for (const auto& [key, tensor] : expected.weights.tensors()) {
                CAPTURE(key);
                CHECK(spec::equal_bytes(found.weights.get(key), tensor));
            }
        }
}

TEST_CASE("a name that only some tensors have stays") {
    const test::ModelCopy model("m2m100");
    put_before(model, "module.", false);
    model.check_refused(Status::bad_model, {kWeights});
}

}  // namespace
}  // namespace dragoman::families::wrapped_names_test
