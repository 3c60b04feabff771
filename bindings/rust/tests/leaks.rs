// SPDX-License-Identifier: Apache-2.0
//! A thousand loads leave the memory as it is. Alone in its process: it asks what the process has.
#![cfg(target_os = "linux")]
mod support;

use dragoman::{Device, DeviceOptions, JobOptions, Model, Translator};

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn load(device: &Device, turn: usize) {
    let model = Model::load(support::text_model(), &support::exact().device(device)).unwrap();
    let translator = Translator::new(&model).unwrap();
    let options = support::options().return_attention(true);
    if turn % 50 == 0 {
        assert_eq!(translator.translate(support::TEXT, &options).unwrap().text().unwrap(), support::TRANSLATION);
        let mut stream = translator.stream(&[support::TEXT], &options, &JobOptions::new()).unwrap();
        assert!(stream.next().unwrap().is_ok()); // and the rest is dropped
    }
    if turn % 10 == 0 {
        assert_eq!(model.languages(dragoman::Side::Target).unwrap().len(), 2);
        assert_eq!(model.tokenize(&[support::TEXT], dragoman::Side::Source).unwrap()[0].tokens.len(), 6);
        translator.translate(support::TEXT, &options.beam_size(100)).unwrap_err();
    }
}

#[test]
fn a_thousand_loads() {
    let device = Device::open(&DeviceOptions::new()).unwrap();
    (0..100).for_each(|turn| load(&device, turn));
    let (before, held) = (resident_kib(), device.memory().unwrap().held_bytes);
    (0..1000).for_each(|turn| load(&device, turn));
    let more = resident_kib().saturating_sub(before);
    println!("{before} KiB, and {more} more");
    // 4 KB of each load; a model has 200.
    assert!(more < 4 << 10, "{before} KiB, and {more} more after a thousand loads");
    assert_eq!(device.memory().unwrap().held_bytes, held);
}
