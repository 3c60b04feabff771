// SPDX-License-Identifier: Apache-2.0
//! What follows from C's declarations; `tools/make_sys.py` writes it.
#![allow(dead_code)]
#[rustfmt::skip]
pub mod calls;
#[rustfmt::skip]
pub mod enums;
#[rustfmt::skip]
mod handles;
#[rustfmt::skip]
pub mod infos;
#[rustfmt::skip]
mod methods;
#[rustfmt::skip]
pub mod options;

#[cfg(feature = "documents")]
#[rustfmt::skip]
pub mod document_calls;
#[cfg(feature = "documents")]
#[rustfmt::skip]
pub mod document_enums;
#[cfg(feature = "documents")]
#[rustfmt::skip]
mod document_handles;
#[cfg(feature = "documents")]
#[rustfmt::skip]
pub mod document_options;

#[cfg(feature = "models")]
#[rustfmt::skip]
pub mod published;
#[cfg(feature = "models")]
#[rustfmt::skip]
mod published_handles;
