// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use crate::owned::Handle;
use dragoman_sys as sys;

impl Handle for sys::dragoman_logger {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_logger_destroy(pointer);
    }
}

impl Handle for sys::dragoman_device {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_device_close(pointer);
    }
}

impl Handle for sys::dragoman_wanted_device {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_wanted_device_destroy(pointer);
    }
}

impl Handle for sys::dragoman_model {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_model_destroy(pointer);
    }
}

impl Handle for sys::dragoman_language_list {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_language_list_destroy(pointer);
    }
}

impl Handle for sys::dragoman_glossary {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_glossary_destroy(pointer);
    }
}

impl Handle for sys::dragoman_memory {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_memory_destroy(pointer);
    }
}

impl Handle for sys::dragoman_result {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_result_destroy(pointer);
    }
}

impl Handle for sys::dragoman_translator {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_translator_destroy(pointer);
    }
}

impl Handle for sys::dragoman_scores {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_scores_destroy(pointer);
    }
}

impl Handle for sys::dragoman_detection {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_detection_destroy(pointer);
    }
}

impl Handle for sys::dragoman_vectors {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_vectors_destroy(pointer);
    }
}

impl Handle for sys::dragoman_job {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_job_destroy(pointer);
    }
}

impl Handle for sys::dragoman_range_list {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_range_list_destroy(pointer);
    }
}

impl Handle for sys::dragoman_token_lists {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_token_lists_destroy(pointer);
    }
}

impl Handle for sys::dragoman_text_list {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_text_list_destroy(pointer);
    }
}

impl Handle for sys::dragoman_report {
    unsafe fn end(pointer: *mut Self) {
        sys::dragoman_report_destroy(pointer);
    }
}
