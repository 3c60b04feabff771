// SPDX-License-Identifier: Apache-2.0
//! Calls, options, results, errors.
mod support;

use dragoman::*;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use support::{data, exact, options, text_model, token_model, translator, TEXT, TRANSLATION};

#[test]
fn threads_share_a_translator() {
    fn shared<T: Send + Sync>() {}
    shared::<Device>();
    shared::<Model>();
    shared::<Translator>();
    shared::<Translations>();
    shared::<Sentence>();
    shared::<Job>();
    shared::<Stream>();
    shared::<Scores>();
    shared::<Vectors>();
    shared::<TranslateOptions>();
    shared::<Logger>();
    let translator = translator();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let found = translator.translate_batch(&[TEXT, "batiß."], &options()).unwrap();
                    let texts: Vec<_> = found.iter().map(|one| one.text().unwrap().to_owned()).collect();
                    assert_eq!(texts, [TRANSLATION, "vöpiй."]);
                }
            });
        }
    });
    assert_eq!(translator.stats().unwrap().sentences, 40);
    translator.reset_stats().unwrap();
    translator.trim().unwrap();
    assert_eq!(translator.stats().unwrap().sentences, 0);
}

#[test]
fn errors_name_both_values() {
    let translator = translator();
    let fails = |options: TranslateOptions| translator.translate(TEXT, &options).unwrap_err();
    let error = fails(options().beam_size(100));
    assert_eq!(error, Error::InvalidArgument("beam_size: 100 is not allowed; expected 1 to 64".into()));
    assert_eq!((error.status(), error.to_string().as_str()), (Status::InvalidArgument, error.message()));
    let error = fails(options().prefixes([["a"], ["b"]]));
    assert_eq!(error.message(), "prefixes: expected 1, one for each input, got 2");
    let error = fails(options().target_language("x\0y"));
    assert_eq!(error.message(), "target_language: \"x\\0y\" has a zero byte at 1");
    let error = translator.score_texts(&["a", "b"], &["c"], &ScoreOptions::new()).unwrap_err();
    assert_eq!(error.message(), "targets: expected 2, one for each input, got 1");
    assert!(matches!(Model::load(data("nowhere"), &exact()), Err(Error::IoError(_))));
    assert!(matches!(Device::open(&DeviceOptions::new().name("no such device")), Err(Error::NoDevice(_))));
    let device = Device::open(&DeviceOptions::new().memory_limit_bytes(1000)).unwrap();
    assert!(matches!(Model::load(text_model(), &exact().device(&device)), Err(Error::OutOfMemory(_))));
    let tokens = Translator::new(&Model::load(token_model(), &exact()).unwrap()).unwrap();
    let found = tokens.translate_tokens(&[["آ", "ز", "ا"]], &TranslateOptions::new()).unwrap();
    assert!(matches!(found.get(0).unwrap().text(), Err(Error::Unsupported(_))));
    assert!(found.get(1).is_none());
}

#[test]
fn no_inputs_give_empty_results() {
    let none: [&str; 0] = [];
    let translator = translator();
    assert!(translator.translate_batch(&none, &options()).unwrap().is_empty());
    assert!(translator.score_texts(&none, &none, &ScoreOptions::new()).unwrap().is_empty());
    assert!(detect_languages(&none, &[]).unwrap().is_empty());
    assert_eq!(translator.translate_all(none, &options()).unwrap().count(), 0);
}

#[test]
fn results_outlive_what_made_them() {
    let found = translator().translate("batiß. késora!", &options().return_alignment(true)).unwrap();
    let sentences = found.sentences();
    drop(found);
    assert_eq!(sentences.iter().map(|one| one.text()).collect::<Vec<_>>(), ["vöpiй.", "Gakux!"]);
    assert_eq!(sentences[1].source(), 8..16);
    assert_eq!(sentences[0].source_words(), [0..6, 6..7]);
    let alignment = sentences[0].alignment();
    assert_eq!((alignment.rows, alignment.iter().count()), (sentences[0].target_words().len(), alignment.rows));
    assert!(alignment.iter().all(|row| (row.iter().sum::<f32>() - 1.0).abs() < 1e-3));
}

#[test]
fn progress_is_told_and_stops() {
    let (translator, seen) = (translator(), Arc::new(Mutex::new(Vec::new())));
    let keep = seen.clone();
    let told = options().progress(move |done, total| {
        keep.lock().unwrap().push((done, total));
        ControlFlow::Continue(())
    });
    translator.translate("batiß. késora!", &told).unwrap();
    assert_eq!(seen.lock().unwrap().last(), Some(&(2, 2)));
    let stopped = options().max_batch_size(1).progress(|_, _| ControlFlow::Break(()));
    assert!(matches!(translator.translate_batch(&support::many(), &stopped), Err(Error::Cancelled(_))));
    let broken = options().progress(|_, _| panic!("mine"));
    let panic = catch_unwind(AssertUnwindSafe(|| translator.translate(TEXT, &broken))).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"mine"));
    assert_eq!(translator.translate(TEXT, &options()).unwrap().text().unwrap(), TRANSLATION);
}

#[test]
fn files_of_the_program() {
    let files: Vec<(String, Vec<u8>)> = std::fs::read_dir(text_model())
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    let whole = || files.iter().map(|(name, bytes)| File::new(name, bytes)).collect();
    let read = || {
        files.iter().map(|(name, bytes)| {
            File::reader(name, bytes.len() as u64, move |offset, buffer| {
                buffer.copy_from_slice(&bytes[offset as usize..][..buffer.len()]);
                Ok(())
            })
        })
    };
    assert_eq!(describe_files(whole()).unwrap().parameters, 47341);
    for given in [whole(), read().collect()] {
        let model = Model::from_files(given, &exact()).unwrap();
        let found = Translator::new(&model).unwrap().translate(TEXT, &options()).unwrap();
        assert_eq!(found.text().unwrap(), TRANSLATION);
    }
    let broken = |_, _: &mut [u8]| Err(std::io::Error::new(std::io::ErrorKind::Other, "the disk is on fire"));
    let with = |file| read().filter(|one| !format!("{one:?}").contains("safetensors")).chain([file]).collect();
    let failed = Model::from_files(with(File::reader("model.safetensors", 1000, broken)), &exact());
    assert!(
        matches!(&failed, Err(Error::IoError(message)) if message.ends_with(": the disk is on fire")),
        "{failed:?}"
    );
    let panics = with(File::reader("model.safetensors", 1000, |_, _| panic!("mine")));
    assert!(catch_unwind(AssertUnwindSafe(|| Model::from_files(panics, &exact()))).is_err());
    assert!(matches!(Model::from_files(vec![File::new("model.bin", b"abc")], &exact()), Err(Error::BadModel(_))));
}

#[test]
fn devices_and_models_say_what_they_are() {
    let all = devices().unwrap();
    let device = Device::open(&DeviceOptions::new().name(all[0].index.to_string())).unwrap();
    let info = device.info().unwrap();
    assert_eq!((info.name.as_str(), info.uuid), (all[0].name.as_str(), all[0].uuid));
    assert!(info.vulkan_version() >= (1, 1, 0), "{:?}", info.vulkan_version());
    assert!(device_memory(0).unwrap().heap_bytes > 0);
    assert!(matches!(device_memory(1000), Err(Error::NoDevice(_))));
    let model = Model::load(text_model(), &exact().device(&device)).unwrap();
    assert_eq!(model.device().unwrap(), info);
    assert_eq!(model.info().unwrap().format, describe(Some(&text_model())).unwrap().format);
    assert!(model.memory().unwrap().held_bytes > 100_000);
    assert_eq!(device.memory().unwrap().held_bytes, model.memory().unwrap().held_bytes);
    let languages = model.languages(Side::Target).unwrap();
    assert_eq!(languages, describe_languages(Some(&text_model()), Side::Target).unwrap());
    assert_eq!(languages.iter().map(|one| one.code.as_str()).collect::<Vec<_>>(), ["xx", "yy"]);
    device.trim().unwrap();
    assert_eq!(version_number() / 10000, version().split('.').next().unwrap().parse().unwrap());
    assert!(features().contains(&"jobs") && has_feature("jobs") && !has_feature("teleport"));
}

#[test]
fn several_models_predict_together() {
    let source = [["آ", "ز", "ا"]];
    let alone = Translator::new(&Model::load(token_model(), &exact()).unwrap()).unwrap();
    let expected = alone.translate_tokens(&source, &TranslateOptions::new()).unwrap();
    let more = [token_model().to_str().unwrap().to_owned()];
    let together = Model::load(token_model(), &exact().more_models(more.clone()).weights([0.25, 0.75])).unwrap();
    assert_eq!(together.info().unwrap().networks, 2);
    let found = Translator::new(&together).unwrap().translate_tokens(&source, &TranslateOptions::new()).unwrap();
    assert_eq!(found.get(0).unwrap().tokens(), expected.get(0).unwrap().tokens());
    let error = Model::load(token_model(), &exact().more_models(more).weights([1.0])).unwrap_err();
    assert!(error.message().contains("expected 2 numbers") && error.message().contains("got 1"), "{error}");
}

#[test]
fn markup_and_terms() {
    let translator = translator();
    let page = translator.translate("<p>batiß.</p>", &options().raw(false).markup(Markup::Html)).unwrap();
    assert_eq!(page.text().unwrap(), "<p>vöpiй.</p>");
    assert!(page.plain_source().contains("batiß.") && !page.plain_text().contains('<'));

    let odd = Glossary::of([("source", "target"), ("#note", "#Notiz"), ("<b>", "<i>")]).unwrap();
    assert_eq!(odd.len(), 3);
    assert!(matches!(Glossary::of([("a\tb", "c")]), Err(Error::InvalidArgument(_))));
    let glossary = Glossary::of([("batiß", "Gasa")]).unwrap();
    assert_eq!(glossary.len(), 1);
    let found = translator.translate("batiß.", &options().raw(false).glossary(&glossary)).unwrap();
    assert!(found.text().unwrap().contains("Gasa"), "{:?}", found.text());
    assert_eq!(format!("{found}{:>40}", found.hypotheses()[0]), format!("{0}{0:>40}", found.text().unwrap()));
    assert_eq!(found.sentences()[0].terms(), [Term { source: 0..6, met: true }]);
    assert!(matches!(Glossary::read("one\n", "", ""), Err(Error::InvalidArgument(_))));
}

#[test]
fn memories_and_quality_with_the_default_model() {
    let model = Model::load_default(&ModelOptions::new()).unwrap();
    let translator = Translator::new(&model).unwrap();
    let (file, tmx) = (support::Place::new("memory.sqlite"), support::Place::new("memory.tmx"));
    let german = TranslateOptions::new().target_language("de");
    for kept in [0, 1] {
        let how = MemoryOptions::new().path(&file.0).record(true).min_similarity(0.5);
        let memory = TranslationMemory::new(&how).unwrap();
        let options = german.clone().memory(&memory);
        translator.translate("I have a dog.", &options).unwrap();
        let counts = memory.counts().unwrap();
        assert_eq!((counts.file_hits, counts.misses), (kept, 1 - kept));
        memory.add("en", "de", "I have a cat.", "Ich habe einen Kater.").unwrap();
        let found = translator.translate("I have a cat. I have a big cat.", &options).unwrap();
        let sentences = found.sentences();
        assert_eq!(sentences[0].text(), "Ich habe einen Kater.");
        assert_eq!(sentences[0].flags(), [SentenceFlag::FromMemory]);
        assert_eq!(sentences[1].matches()[0].target, sentences[0].text());
        assert!((sentences[1].matches()[0].similarity - 5.0 / 6.0).abs() < 1e-6);
        memory.write_tmx(&tmx.0).unwrap();
        assert_eq!(memory.load_tmx(&tmx.0).unwrap(), 3);
        assert_eq!(memory.read_tmx(&std::fs::read_to_string(&tmx.0).unwrap()).unwrap(), 3);
        assert!(matches!(memory.read_tmx("<tmx>"), Err(Error::InvalidArgument(_))));
    }
    let memory = TranslationMemory::new(&MemoryOptions::new().path(&file.0)).unwrap();
    memory.clear().unwrap();
    assert_eq!(memory.counts().unwrap().file_entries, 0);

    let unsure = translator.translate("Where is the station?", &german.clone().min_quality(1.0)).unwrap();
    assert_eq!(unsure.text().unwrap(), "Where is the station?");
    assert_eq!(unsure.sentences()[0].flags(), [SentenceFlag::Copied, SentenceFlag::Unsure]);
    let found = translator.translate("Where is the station?", &german.clone().return_quality(true)).unwrap();
    let sentence = &found.sentences()[0];
    assert!(found.quality() > 0.0 && found.quality() <= 1.0, "{}", found.quality());
    assert_eq!(sentence.word_quality().cols, sentence.target_words().len());

    let source = "I was planning on going to the beach today, but then it started to rain.";
    let found = translator.translate(source, &german.beam_size(1).return_coverage(true)).unwrap();
    let sentence = &found.sentences()[0];
    assert_eq!((&source[sentence.uncovered()], sentence.uncovered_words()), ("on going to the beach", 5));
    assert!((sentence.coverage() - 0.6).abs() < 0.01, "{}", sentence.coverage());
    let guesses = detect_languages(&["Wo ist der Bahnhof?", "123"], &["de", "en"]).unwrap();
    assert_eq!((guesses[0][0].tag.as_str(), guesses[0][0].name.as_str(), guesses[1].len()), ("de", "German", 0));
    let auto = TranslateOptions::new().source_language("auto").target_language("en");
    let found = translator.translate("Wo ist der Bahnhof?", &auto).unwrap();
    assert_eq!(found.sentences()[0].language(), "de");
}

#[test]
fn vectors() {
    let model = Model::load(data("encoders/bert"), &exact()).unwrap();
    let vectors = model.embed(&["one", "two three"], &EmbedOptions::new().normalize(Normalize::On)).unwrap();
    assert_eq!((vectors.len(), vectors.all().unwrap().rows, vectors.all().unwrap().cols), (2, 2, vectors.width()));
    for row in vectors.all().unwrap().iter() {
        assert!((row.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-3);
    }
    let tokens = model.embed(&["one"], &EmbedOptions::new().pooling(Pooling::Tokens)).unwrap();
    assert_eq!(tokens.get(0).unwrap().rows, tokens.tokens(0).unwrap().0.len());
    assert!(matches!(tokens.get(1), Err(Error::InvalidArgument(_))));
}

#[test]
fn conversion_and_measurement() {
    let file = support::Place::new("model.gguf");
    convert(Some(&text_model()), &file.0, &ConvertOptions::new().weight_type(WeightType::F32)).unwrap();
    let again = convert(Some(&text_model()), &file.0, &ConvertOptions::new());
    assert!(matches!(again, Err(Error::IoError(_))), "{again:?}");
    assert_eq!(describe(Some(&file.0)).unwrap().format, "gguf");
    let how = BenchOptions::new().repeat(1).latency_samples(1).ceilings(false).passes(false);
    let report = bench(Some(&file.0), &[TEXT], &exact(), &options(), &how.device(&DeviceOptions::new())).unwrap();
    let report = support::json::Json::parse(&report);
    assert!(report.get("throughput").unwrap().get("target_tokens_per_second").unwrap().number() > 0.0);
}

#[test]
fn log_lines() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let keep = lines.clone();
    let logger = Logger::new(LogLevel::Debug, move |level, line| keep.lock().unwrap().push((level, line.to_owned())));
    let _model = Model::load(text_model(), &exact()).unwrap();
    drop(logger.unwrap());
    assert!(!lines.lock().unwrap().is_empty());
}

#[cfg(feature = "documents")]
#[test]
fn documents() {
    let translator = translator();
    let how = DocumentOptions::new();
    let found = translator.translate_document_bytes(b"# bati\xc3\x9f.\n", "x.md", &options(), &how).unwrap();
    assert_eq!(String::from_utf8(found).unwrap(), "# vöpiй.\n");
    assert_eq!(document_format("x.docx", b"").word(), "docx");
    assert_eq!(document_format("x", b""), DocumentKind::Unknown);
    let (from, to) = (support::Place::new("in.txt"), support::Place::new("out.txt"));
    std::fs::write(&from.0, "batiß.\n").unwrap();
    translator.translate_document(&from.0, &to.0, &options(), &how).unwrap();
    assert_eq!(std::fs::read_to_string(&to.0).unwrap(), "vöpiй.\n");
    let stopped = how.progress(|_, _| ControlFlow::Break(()));
    assert!(matches!(translator.translate_document(&from.0, &to.0, &options(), &stopped), Err(Error::Cancelled(_))));
    let unknown = translator.translate_document_bytes(b"\0\x01", "x.bin", &options(), &DocumentOptions::new());
    assert!(matches!(&unknown, Err(Error::Unsupported(message)) if !message.is_empty()), "{unknown:?}");
}

#[test]
fn routes() {
    let model = Model::load(text_model(), &exact()).unwrap();
    let error = Translator::route(&[model], "de", "fr").unwrap_err();
    assert!(error.message().contains("fr"), "{error}");
    assert!(find_route(&[text_model()], "de", "fr").is_err());
}
