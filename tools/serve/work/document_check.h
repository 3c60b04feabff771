// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "serve/work/document_run.h"
#include "serve/work/document_store.h"
#include "serve/work/documents.h"

namespace serve::work {

// What a client asks for, with an id, after all was checked that can be before it is translated. Throws Problem.
std::shared_ptr<DocumentJob> checked_job(const DocumentAsk& ask, const DocumentTools& tools);

}  // namespace serve::work
