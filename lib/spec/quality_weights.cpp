// SPDX-License-Identifier: Apache-2.0
#include "spec/quality_weights.h"

namespace dragoman::spec {

// Fitted to the model in models/en-de, in both directions: bench/results/2026-11-23-quality.md.
QualityWeights::QualityWeights()
    : word{1.206f,    -1.2913f, 1.6022f,   -0.047522f, 0.0f,     0.2301f,  -0.097469f,
           -0.25556f, 0.57573f, -0.50192f, -0.31644f,  0.35346f, 0.047063f},
      sentence{-4.3738f, 1.0687f,   0.019626f,  0.62952f, 0.098654f, 0.26742f, -0.19482f, 0.27379f, 3.0174f,
               0.21313f, -0.28993f, -0.054636f, 0.06217f, -0.27921f, 0.35808f, 1.1002f,   0.81017f, 0.0f} {}

}  // namespace dragoman::spec
