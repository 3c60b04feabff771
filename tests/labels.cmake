# SPDX-License-Identifier: Apache-2.0
# Which tests run when. `ctest -L quick` answers in less than three minutes; `ctest -LE nightly` is CI; without a label
# everything runs, as scripts/nightly.sh has it.

# Under SwiftShader, which keeps no pipelines on disk, whole networks and sweeps of tiles are for the night.
set(nightly_tests
    "^nn\\.(architectures|buffer_limit|decoder_alone|int8|recurrent_network|transformer)\\.swiftshader$"
    "^ops\\.(blocks|matmul|matmul_norm|tune)\\.swiftshader$"
    "^docs\\.corpora\\.(datasets|datatrove|ray|rows|spark)$"
    "^faults\\.vulkan\\."
    "\\.full$")

set(quick_tests
    "^(base|text|tm|markup|model|formats|families|files|spec|fuzz|picture|source)\\."
    "^vulkan\\.[a-z_]+$"
    "^ops\\.(weight|embed|softmax|outputs|group_table|recurrence|gated_cell|additive_attention|shaders)$"
    "^nn\\.(positions|weight_store)$"
    "^decode\\.(range_allocator|search)$"
    "^pipeline\\.(argos|attention|default_model|options|special_tokens|tokenizer_json)$"
    "^capi\\.(abi|abidiff|abidiff_documents|arguments|cpp_header|features|files|hello|model)$"
    "^docs\\.(architecture|pages|reference)$"
    "^bench\\.spread$")

# Seconds of one core where no pipeline is on disk yet: the long ones begin, so that no core waits for one at the end.
set(test_costs
    check.check 535 capi.check 80 pipeline.marian 190 docs.code.features 40 decode.terms 115
    decode.stream.gpu_kernels 130 pipeline.recorded 110 capi.cli 105 docs.subdirectory 100 capi.package 100
    engine.prepare 90 ops.matmul_int8 85 ops.sample.swiftshader 45 bindings.python 80
    nn.transformer 80 ops.attention 80 nn.architectures.gpu_kernels 80 ops.matmul_norm 80
    pipeline.shipped_model 60 nn.transformer.gpu_kernels 75 ops.sample 60 pipeline.t5 70
    ops.matmul_int8.swiftshader 70 ops.matmul 60 pipeline.translation_memory 60 bindings.java 60 pipeline.multilingual 55
    bindings.go 50 engine.models 50 pipeline.features 50 bindings.node 40 pipeline.memory 40 nn.architectures 40
    convert.gguf 40 pipeline.ranges 40 samples.translate_file 40 capi.leaks 40 decode.stream 35
    pipeline.causal 35 decode.styles 30 ops.attention_query 30 bindings.rust 30 nn.buffer_limit 30
    decode.buffer_limit.gpu_kernels 30
    decode.search.gpu_kernels 30 bindings.csharp 25 pipeline.overflow 25 ops.blocks 25 pipeline.alignment 25)

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
