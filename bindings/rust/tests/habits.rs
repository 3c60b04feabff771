// SPDX-License-Identifier: Apache-2.0
//! What people expect of any crate: text of values, iterators, errors among those of others.
mod support;

use dragoman::*;
use std::io;
use std::iter::FusedIterator;
use support::{exact, options, text_model, token_model, translator, TEXT, TRANSLATION};

#[test]
fn results_show_themselves() {
    let found = translator().translate_batch(&[TEXT, "batiß."], &options().return_scores(true)).unwrap();
    let first = found.get(0).unwrap();
    let shown = format!("{first:?}");
    let begin = format!("Translation(Hypothesis {{ text: {TRANSLATION:?}, score: ");
    assert!(shown.starts_with(&begin) && !shown.contains("quality") && !shown.contains("0x"), "{shown}");
    let sentence = format!("{:?}", first.sentences()[0]);
    assert!(sentence.starts_with(&format!("Sentence {{ text: {:?}", first.sentences()[0].text())), "{sentence}");
    assert!(format!("{found:?}").starts_with(&format!("[{begin}")), "{found:?}");
}

#[test]
fn results_are_iterated_as_lists_are() {
    let found = translator().translate_batch(&[TEXT, "batiß."], &options()).unwrap();
    let mut texts = Vec::new();
    for each in &found {
        texts.push(each.to_string());
    }
    assert_eq!(texts, [TRANSLATION, "vöpiй."]);
    assert_eq!(found.iter().len(), 2);
    assert_eq!(found.iter().rev().map(|each| each.to_string()).collect::<Vec<_>>(), ["vöpiй.", TRANSLATION]);
    fn fused<I: FusedIterator>(_: &I) {}
    let mut all = translator().translate_all([TEXT], &options()).unwrap();
    fused(&all);
    assert_eq!((all.next().unwrap().unwrap().to_string(), all.next().is_none()), (TRANSLATION.to_owned(), true));
    fused(&translator().stream(&[TEXT], &options(), &JobOptions::new()).unwrap());
}

#[test]
fn enumerations_are_words() {
    assert_eq!(format!("{:>4}|", ComputeType::F16), " f16|");
    for each in ComputeType::ALL {
        assert_eq!(each.to_string().parse::<ComputeType>().unwrap(), *each);
    }
    assert_eq!("SOURCE".parse::<Side>().unwrap(), Side::Source);
    let error = "beam".parse::<Side>().unwrap_err();
    assert_eq!(error.message(), "side: expected one of source, target, got \"beam\"");
}

#[test]
fn errors_go_among_others() {
    fn load() -> io::Result<Model> {
        Ok(Model::load("nowhere/at/all", &exact())?)
    }
    let error = load().unwrap_err();
    assert!(
        matches!(error.get_ref().unwrap().downcast_ref(), Some(Error::IoError(message)) if *message == error.to_string())
    );
    let wrong = translator().translate(TEXT, &options().beam_size(100)).unwrap_err();
    assert_eq!(io::Error::from(wrong).kind(), io::ErrorKind::InvalidInput);
    let boxed: Box<dyn std::error::Error + Send + Sync> = "beam".parse::<Side>().unwrap_err().into();
    assert!(boxed.source().is_none());
}

#[test]
fn vocabularies_are_asked() {
    let model = Model::load(text_model(), &exact()).unwrap();
    let tokens = model.tokenize(&[TEXT], Side::Source).unwrap();
    assert!(tokens[0].tokens.iter().all(|token| model.has_token(token, Side::Source).unwrap()));
    assert!(!model.has_token("no such token", Side::Source).unwrap());
    assert!(matches!(model.has_token("a\0b", Side::Target), Err(Error::InvalidArgument(_))));
}

#[test]
fn files_are_described_at_once() {
    let all = describe_all(None).unwrap();
    assert_eq!(all.info, describe(None).unwrap());
    assert_eq!(all.source_languages, describe_languages(None, Side::Source).unwrap());
    assert_eq!(all.target_languages, describe_languages(None, Side::Target).unwrap());
    assert_eq!(all.target_languages.iter().map(|one| one.tag.as_str()).collect::<Vec<_>>(), ["de", "en"]);
    let path = token_model();
    assert!(!describe_all(Some(path.as_ref())).unwrap().info.has_tokenizer);
    assert!(matches!(describe_all(Some("nowhere".as_ref())), Err(Error::IoError(_))));
}
