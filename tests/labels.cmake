# SPDX-License-Identifier: Apache-2.0
# Which tests run when. `ctest -L quick` answers in less than three minutes; `ctest -LE nightly` is CI; without a label
# everything runs, as scripts/nightly.sh has it.

# Under SwiftShader, which keeps no pipelines on disk, whole networks and sweeps of tiles are for the night.
set(nightly_tests
    "^nn\\.(architectures|buffer_limit|decoder_alone|int8|recurrent_network|transformer)\\.swiftshader$"
    "^ops\\.(blocks|matmul|matmul_norm|tune)\\.swiftshader$"
    "\\.full$")

set(quick_tests
    "^(base|text|tm|markup|model|formats|families|files|spec|fuzz|picture|source)\\."
    "^vulkan\\.[a-z_]+$"
    "^ops\\.(weight|embed|softmax|outputs|group_table|recurrence|gated_cell|additive_attention|shaders)$"
    "^nn\\.(positions|weight_store)$"
    "^decode\\.(range_allocator|search)$"
    "^pipeline\\.(argos|attention|default_model|options|special_tokens|tokenizer_json)$"
    "^capi\\.(abi|abidiff|abidiff_documents|arguments|cpp_header|features|files|hello|model)$"
    "^docs\\.(pages|reference)$"
    "^bench\\.spread$")

# Seconds of one core where no pipeline is on disk yet: the long ones begin, so that no core waits for one at the end.
set(test_costs
    docs.subdirectory 100 capi.package 100 ops.matmul_int8 90 nn.transformer 60 nn.architectures.gpu_kernels 60
    pipeline.marian 60 ops.matmul 45 ops.blocks 45 ops.attention 45 ops.matmul_norm 45 nn.transformer.gpu_kernels 45
    nn.architectures 45 nn.int8 45 nn.buffer_limit 45 convert.gguf 45 pipeline.recorded 45 bindings.java 45
    bindings.python 40 pipeline.shipped_model 40 bindings.node 35 bindings.rust 30 bindings.go 30 pipeline.t5 30
    bindings.csharp 25 decode.stream 25 capi.cli 25 decode.stream.gpu_kernels 25
    capi.leaks 25 decode.buffer_limit 20 pipeline.memory 20 decode.recurrent 20)

# Labels, costs and, where none is set, limits for the tests of the current folder; its last line calls this.
function(label_tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(test IN LISTS tests)
        set(label "")
        foreach(known quick nightly)
            foreach(pattern IN LISTS ${known}_tests)
                if(test MATCHES "${pattern}")
                    set(label ${known})
                endif()
            endforeach()
        endforeach()
        set(cost 0)
        list(FIND test_costs ${test} at)
        if(at GREATER_EQUAL 0)
            math(EXPR at "${at} + 1")
            list(GET test_costs ${at} cost)
        endif()
        set_tests_properties(${test} PROPERTIES LABELS "${label}" COST ${cost})
        get_test_property(${test} TIMEOUT limit)
        if(NOT limit)
            set_tests_properties(${test} PROPERTIES TIMEOUT ${test_limit})
        endif()
    endforeach()
endfunction()
