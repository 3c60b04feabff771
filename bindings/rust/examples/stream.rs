// SPDX-License-Identifier: Apache-2.0
//! stream LANGUAGE TEXT [MODEL]: shows the translation of a text as it grows.
use dragoman::{EventKind, JobOptions, Model, ModelOptions, TranslateOptions, Translator};
use std::io::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: stream LANGUAGE TEXT [MODEL]";
    let (language, text) = (arguments.next().ok_or(usage)?, arguments.next().ok_or(usage)?);
    let model = match arguments.next() {
        Some(path) => Model::load(path, &ModelOptions::new())?,
        None => Model::load_default(&ModelOptions::new())?,
    };
    let options = TranslateOptions::new().target_language(language);
    for event in Translator::new(&model)?.stream(&[text], &options, &JobOptions::new().partial(true))? {
        let event = event?;
        let end = if event.kind == EventKind::Sentence { "\n" } else { "\r" };
        print!("{}: {}{end}", event.sentence + 1, event.text);
        std::io::stdout().flush()?;
    }
    Ok(())
}
