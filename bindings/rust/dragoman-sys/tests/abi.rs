// SPDX-License-Identifier: Apache-2.0
//! The library that is linked has the header's version, and fills structs of the declared size.
use dragoman_sys as sys;

#[test]
fn the_library_takes_the_structs() {
    assert_eq!(unsafe { sys::dragoman_version() } / 10000, sys::DRAGOMAN_VERSION_MAJOR as u32);
    let mut options = sys::dragoman_translate_options::default();
    let size = std::mem::size_of_val(&options);
    let status = unsafe { sys::dragoman_translate_options_init_sized(&mut options, size) };
    assert_eq!((status, options.struct_size as usize), (sys::DRAGOMAN_OK, size));
    assert_eq!((options.beam_size, options.num_hypotheses), (sys::DRAGOMAN_MODEL_DEFAULT, 1));
    assert!(options.temperature.is_nan());
}
