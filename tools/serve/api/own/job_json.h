// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/api/own/own.h"
#include "serve/api/own/jobs.h"

namespace serve::api {

// {id, kind: "document", name, from, to, state, done, total, ...}
Json own_document_json(const work::DocumentState& state);
// {id, kind: "model", model, state, done_bytes, total_bytes, ...}
Json own_download_json(const OwnJob& job);

// Sends each change of a job as an event until it has ended: "progress", then "end".
void own_follow_download(const OwnParts& parts, Call& call, const std::string& id);
void own_follow_document(const OwnParts& parts, Call& call, const std::string& id);

}  // namespace serve::api
