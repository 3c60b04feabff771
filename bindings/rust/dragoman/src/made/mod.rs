// SPDX-License-Identifier: Apache-2.0
//! What follows from C's declarations; `tools/make_sys.py` writes it.
#[rustfmt::skip]
pub mod enums;
#[rustfmt::skip]
mod handles;
#[rustfmt::skip]
pub mod infos;
#[rustfmt::skip]
pub mod options;
