// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// dragoman.h for C++20: handles that clean up, spans, exceptions.
///
///     dragoman::Model model("path/to/model");
///     dragoman::Translator translator(model);
///     std::string translation = translator.translate("Where is the station?");
///
/// What a call does is said in dragoman.h, under the C name. Besides:
///
/// - A status other than DRAGOMAN_OK is thrown as a dragoman::Error with its message.
/// - Views, spans and matrices are borrowed from the object they come from.
/// - Objects can be moved, not copied; one that was moved from can only be assigned to or destroyed.
/// - Options are structs of dragoman.h with their defaults filled in.
/// - An Error is all that is thrown, except std::bad_alloc and what a callback of a job threw, by Job::get().

#include <dragoman/bench.hpp>
#include <dragoman/detect.hpp>
#include <dragoman/embed.hpp>
#include <dragoman/glossary.hpp>
#include <dragoman/memory.hpp>
#include <dragoman/model.hpp>
#include <dragoman/result.hpp>
#include <dragoman/translator.hpp>
