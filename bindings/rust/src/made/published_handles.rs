// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use crate::owned::Handle;
use dragoman_sys as sys;

impl Handle for sys::dragoman_model_list {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_model_list_destroy(pointer);
    }
}

impl Handle for sys::dragoman_registry_list {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_registry_list_destroy(pointer);
    }
}
