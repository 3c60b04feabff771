// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use crate::owned::Handle;
use dragoman_sys as sys;

impl Handle for sys::dragoman_document {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_document_destroy(pointer);
    }
}
