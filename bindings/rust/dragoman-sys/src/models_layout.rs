// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
//! Sizes and offsets are C's.
use crate::*;
use std::mem::{align_of, size_of};

macro_rules! layout {
    ($struct:ty, $size:literal, $alignment:literal, $($field:ident = $offset:literal),*) => {{
        let value = <$struct>::default();
        let begin = std::ptr::addr_of!(value) as usize;
        let name = stringify!($struct);
        assert_eq!((size_of::<$struct>(), align_of::<$struct>()), ($size, $alignment), "{name}");
        $(let offset = std::ptr::addr_of!(value.$field) as usize - begin;
        assert_eq!(offset, $offset, "{name}.{}", stringify!($field));)*
    }};
}

#[test]
#[cfg(all(target_pointer_width = "64", not(windows)))]
fn as_in_lp64() {
    layout!(dragoman_download, 48, 8, struct_size = 0, reserved = 4, model = 8, file = 16, note = 24, done_bytes = 32,
        total_bytes = 40);
    layout!(dragoman_models_options, 56, 8, struct_size = 0, offline = 4, refresh = 8, again = 12, parallel = 16,
        reserved = 20, registries = 24, progress = 32, user = 40, memory_bytes = 48);
    layout!(dragoman_published_model, 136, 8, struct_size = 0, installed = 4, name = 8, title = 16, from = 24, to =
        32, publisher = 40, license = 48, version = 56, architecture = 64, metric = 72, path = 80, owner = 88, notice
        = 96, gate = 104, quality = 112, bytes = 120, file_count = 128);
    layout!(dragoman_published_file, 48, 8, struct_size = 0, reserved = 4, name = 8, url = 16, sha256 = 24, proof =
        32, bytes = 40);
    layout!(dragoman_registry, 80, 8, struct_size = 0, reserved = 4, id = 8, title = 16, homepage = 24, license = 32,
        notice = 40, list_url = 48, mirror = 56, file = 64, list_time = 72);
}

#[test]
#[cfg(all(target_pointer_width = "64", windows))]
fn as_in_llp64() {
    layout!(dragoman_download, 48, 8, struct_size = 0, reserved = 4, model = 8, file = 16, note = 24, done_bytes = 32,
        total_bytes = 40);
    layout!(dragoman_models_options, 56, 8, struct_size = 0, offline = 4, refresh = 8, again = 12, parallel = 16,
        reserved = 20, registries = 24, progress = 32, user = 40, memory_bytes = 48);
    layout!(dragoman_published_model, 136, 8, struct_size = 0, installed = 4, name = 8, title = 16, from = 24, to =
        32, publisher = 40, license = 48, version = 56, architecture = 64, metric = 72, path = 80, owner = 88, notice
        = 96, gate = 104, quality = 112, bytes = 120, file_count = 128);
    layout!(dragoman_published_file, 48, 8, struct_size = 0, reserved = 4, name = 8, url = 16, sha256 = 24, proof =
        32, bytes = 40);
    layout!(dragoman_registry, 80, 8, struct_size = 0, reserved = 4, id = 8, title = 16, homepage = 24, license = 32,
        notice = 40, list_url = 48, mirror = 56, file = 64, list_time = 72);
}
