// SPDX-License-Identifier: Apache-2.0
//! translate LANGUAGE [MODEL]: translates standard input, line by line, as it comes.
use dragoman::{Model, ModelOptions, TranslateOptions, Translator};
use std::io::BufRead;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().ok_or("usage: translate LANGUAGE [MODEL] < lines")?;
    let model = match arguments.next() {
        Some(path) => Model::load(path, &ModelOptions::new())?,
        None => Model::load_default(&ModelOptions::new())?,
    };
    let options = TranslateOptions::new().target_language(language);
    let lines = std::io::stdin().lock().lines().map_while(Result::ok);
    for found in Translator::new(&model)?.translate_all(lines, &options)? {
        println!("{}", found?.text()?);
    }
    Ok(())
}
