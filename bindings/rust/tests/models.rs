// SPDX-License-Identifier: Apache-2.0
//! Published models, from registries that a local server plays.
#![cfg(feature = "models")]
mod support;

mod program {
    include!("../examples/download.rs");

    pub fn run() -> dragoman::Result<()> {
        main()
    }
}

use dragoman::models::{self, Models, ModelsOptions};
use dragoman::{Error, Model, ModelOptions, Translator};
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::played::played;

const NAME: &str = "firefox:de-en";

fn names(found: &Models) -> Vec<&str> {
    found.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn what_registries_offer() {
    let guard = played();
    let any = ModelsOptions::new();
    let found = models::search("de", "en", &any).unwrap();
    assert_eq!(names(&found), [NAME]);
    let one = &found[0];
    assert_eq!((&one.from[..], &one.to[..]), (&["de".to_owned()][..], &["en".to_owned()][..]));
    assert_eq!((one.license.as_str(), one.installed, one.path.as_str()), ("MPL-2.0", false, ""));
    assert!(one.bytes > 0 && one.files.len() == 3 && one.files.iter().all(|file| file.sha256.len() == 64), "{one:?}");
    assert_eq!(names(&models::search("", "fi", &any.clone().registries("argos")).unwrap()), ["argos:en_fi"]);
    assert_eq!(names(&models::route("de", "fr", &any).unwrap()), [NAME, "firefox:en-fr"]);
    assert_eq!(models::show(NAME, &any).unwrap(), *one);
    assert_eq!(models::list().unwrap().into_iter().count(), 0);
    let registries = models::registries().unwrap();
    let firefox = registries.iter().find(|one| one.id == "firefox").unwrap();
    assert_eq!((firefox.mirror.as_str(), firefox.file.as_str()), ("DRAGOMAN_MIRROR_FIREFOX", "built in"));
    assert!(models::folder().unwrap().starts_with(&guard.as_ref().unwrap().home));
}

#[test]
fn a_model_comes_is_used_and_goes() {
    let guard = played();
    let toy = guard.as_ref().unwrap();
    let absent = Model::load(NAME, &ModelOptions::new()).map(|_| ()).unwrap_err();
    assert!(
        matches!(&absent, Error::IoError(text) if text.contains("dragoman models download firefox:de-en")),
        "{absent}"
    );

    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let options = ModelsOptions::new().progress(move |at| {
        told.lock().unwrap().push(at.clone());
        ControlFlow::Continue(())
    });
    let kept = models::download(NAME, &options).unwrap();
    assert!(kept.installed && kept.owner == "dragoman" && kept.files.iter().all(|file| file.proof == "published"));
    assert!(seen.lock().unwrap().iter().all(|at| at.total_bytes == 0 || at.done_bytes <= at.total_bytes));
    assert_eq!(models::download(NAME, &ModelsOptions::new().offline(true)).unwrap(), kept);
    assert_eq!(models::list().unwrap().into_iter().collect::<Vec<_>>(), vec![kept.clone()]);
    assert_eq!(names(&models::installed_route("de", "en").unwrap()), [NAME]);
    assert!(models::installed_route("en", "de").unwrap().is_empty());
    let translator = Translator::new(&Model::load(NAME, &ModelOptions::new()).unwrap()).unwrap();
    assert_eq!(translator.translate(&toy.text, &Default::default()).unwrap().text().unwrap(), toy.translation);

    models::verify(NAME, &options).unwrap();
    let file = std::path::Path::new(&kept.path).join(&kept.files[0].name);
    std::fs::write(&file, "shorter").unwrap();
    let wrong = models::verify(NAME, &options).unwrap_err();
    assert!(matches!(&wrong, Error::BadModel(text) if text.contains(&kept.files[0].name)), "{wrong}");
    models::remove(NAME).unwrap();
    assert!(!file.exists() && models::list().unwrap().is_empty());
    assert!(matches!(models::remove(NAME), Err(Error::InvalidArgument(_))));
    models::clean(0.0).unwrap();
}

#[test]
fn progress_stops_a_download() {
    let _guard = played();
    let begin = Instant::now();
    let stopped = ModelsOptions::new().progress(|_| ControlFlow::Break(()));
    assert!(matches!(models::download("argos:en_fi", &stopped), Err(Error::Cancelled(_))));
    let panics = ModelsOptions::new().progress(|_| panic!("enough"));
    let panic = catch_unwind(AssertUnwindSafe(|| models::download("argos:en_fi", &panics))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough"));
    assert!(begin.elapsed() < Duration::from_secs(20), "it waited for the file");
    assert!(models::list().unwrap().is_empty());
}

#[test]
fn errors() {
    let _guard = played();
    let any = ModelsOptions::new();
    let wrong = |error: Error, part: &str| {
        assert!(matches!(&error, Error::InvalidArgument(text) if text.contains(part)), "{error:?}: expected {part}");
    };
    wrong(models::show("nowhere:x", &any).unwrap_err(), "nowhere");
    wrong(models::search("de", "en", &any.clone().registries("nowhere")).unwrap_err(), "nowhere");
    wrong(models::search("de\0", "en", &any).unwrap_err(), "from: \"de\\0\" has a zero byte at 2");
    wrong(models::download(NAME, &any.clone().parallel(17)).unwrap_err(), "parallel: expected 1 to 16, got 17");
    wrong(models::verify(NAME, &any).unwrap_err(), NAME);
    wrong(models::keep_file(NAME, "none.gguf", &any).unwrap_err(), NAME);
    wrong(models::clean(-1.0).unwrap_err(), "days");
}

#[test]
fn the_example_runs_and_is_in_the_readme() {
    let _guard = played();
    program::run().unwrap();
    models::remove(NAME).unwrap();
    let example = include_str!("../examples/download.rs").split_once("use dragoman::models").unwrap().1;
    assert!(include_str!("../README.md").contains(example), "README.md has other lines than examples/download.rs");
}
