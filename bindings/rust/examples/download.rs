// SPDX-License-Identifier: Apache-2.0
// Searches, downloads and uses a published model.
use dragoman::models::{self, ModelsOptions};
use dragoman::{Model, ModelOptions, TranslateOptions, Translator};
use std::ops::ControlFlow;

fn main() -> dragoman::Result<()> {
    for found in &models::search("de", "en", &ModelsOptions::new())? {
        println!("{}: {} bytes, {}", found.name, found.bytes, found.license);
    }
    let options = ModelsOptions::new().progress(|at| {
        println!("{}: {} of {} bytes", at.file, at.done_bytes, at.total_bytes);
        ControlFlow::Continue(()) // Break stops; the next download goes on from there
    });
    println!("{}", models::download("firefox:de-en", &options)?.path);

    let translator = Translator::new(&Model::load("firefox:de-en", &ModelOptions::new())?)?;
    println!("{}", translator.translate("Guten Morgen!", &TranslateOptions::new())?.text()?);
    Ok(())
}
