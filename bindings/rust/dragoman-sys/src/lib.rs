// SPDX-License-Identifier: Apache-2.0
//! The C interface of Dragoman, as its headers declare it: the crate
//! `dragoman` is what programs use.
//!
//! The library is looked for, in this order, in the folder that `DRAGOMAN_LIB_DIR` names; with the feature `build` it
//! is built with CMake from the checkout around this crate; and by pkg-config. A program that is run has to find it,
//! too: where it is not installed, `LD_LIBRARY_PATH` names its folder.
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod bindings;
#[cfg(feature = "documents")]
#[rustfmt::skip]
mod documents;
#[cfg(all(test, feature = "documents"))]
#[rustfmt::skip]
mod layout;
#[cfg(feature = "models")]
#[rustfmt::skip]
mod models;
#[cfg(all(test, feature = "models"))]
#[rustfmt::skip]
mod models_layout;

pub use bindings::*;
#[cfg(feature = "documents")]
pub use documents::*;
#[cfg(feature = "models")]
pub use models::*;
