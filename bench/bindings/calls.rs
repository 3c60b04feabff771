// SPDX-License-Identifier: Apache-2.0
//! calls MODEL [ROUNDS]: what calls cost, beside bench/bindings/calls.c, whose calls these are.
use dragoman::{
    detect_languages, version_number, Model, ModelOptions, Result, TranslateOptions, Translation,
    Translator,
};
use std::time::Instant;

const DETECTED: &str = "Wo ist der Bahnhof, und wann kommt der letzte Zug?";
const TRANSLATED: &str = "batin kétiß kénara késora banara!";

/// Nanoseconds of one call: the median of `rounds`, each of `calls`. What calls give is used, or they would be left out.
fn measure(
    name: &str,
    calls: usize,
    rounds: usize,
    mut call: impl FnMut() -> Result<usize>,
) -> Result<()> {
    let mut seen = 0_usize;
    for _ in 0..calls / 10 + 1 {
        seen = seen.wrapping_add(call()?);
    }
    let mut times = Vec::new();
    for _ in 0..rounds {
        let begin = Instant::now();
        for _ in 0..calls {
            seen = seen.wrapping_add(call()?);
        }
        times.push(begin.elapsed().as_nanos() as f64 / calls as f64);
    }
    times.sort_by(f64::total_cmp);
    assert_ne!(seen, 0);
    println!("{name}\t{:.1}", times[rounds / 2]);
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().ok_or("usage: calls MODEL [ROUNDS]")?;
    let rounds = arguments.next().map_or(Ok(21), |rounds| rounds.parse())?;
    let translator = Translator::new(&Model::load(model, &ModelOptions::new())?)?;
    let translate = |text: &str| -> Result<Translation> {
        translator.translate(text, &TranslateOptions::new().target_language("xx"))
    };
    let read = |text: &str| -> Result<usize> { Ok(translate(text)?.text()?.len()) };
    let found = translate(TRANSLATED)?;
    measure("version", 1_000_000, rounds, || {
        Ok(version_number() as usize)
    })?;
    measure("text", 100_000, rounds, || {
        Ok(found.text()?.to_owned().as_bytes()[0].into())
    })?;
    measure("detect", 1000, rounds, || {
        Ok(detect_languages(&[DETECTED], &[])?[0][0].tag.len())
    })?;
    measure("blank", 1000, rounds, || read(" "))?;
    measure("translate", 10, rounds, || read(TRANSLATED))?;
    Ok(())
}
