// SPDX-License-Identifier: Apache-2.0
#include "spec/quality_weights.h"

namespace dragoman::spec {

// Fitted to the model in models/en-de, in both directions: bench/results/2026-11-23-quality.md.
QualityWeights::QualityWeights()
    : word{1.3857f, -1.302f, 1.5785f, -0.05525f, 0.0f, 0.24102f,
               -0.089386f, -0.25497f, 0.45253f, -0.61225f, -0.35969f, 0.35751f,
               0.19201f},
      sentence{-5.5379f, -0.028411f, 0.052128f, 0.51948f, -0.012804f, -0.24383f,
                0.4022f, 0.091758f, 3.1765f, 0.21889f, -0.43327f, 0.40248f,
                -0.035218f, -0.39946f, 0.29484f, 1.0627f, 1.2169f, 0.0f} {}

}  // namespace dragoman::spec
