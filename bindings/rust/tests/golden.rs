// SPDX-License-Identifier: Apache-2.0
//! The cases that every way into the library runs.
mod support;

use dragoman::{
    describe, split_sentences, Error, Hypothesis, Matrix, Model, Result, ScoreOptions, Search, Side, TranslateOptions,
    Translations, Translator,
};
use std::collections::HashMap;
use support::json::Json;

#[derive(Default)]
struct Loaded(HashMap<String, (Model, Translator)>);

impl Loaded {
    fn get(&mut self, case: &Json) -> Result<(Model, Translator)> {
        let name = case.get("model").expect("a model").text();
        if !self.0.contains_key(name) {
            let model = Model::load(support::data(name), &support::exact())?;
            self.0.insert(name.to_owned(), (model.clone(), Translator::new(&model)?));
        }
        Ok(self.0[name].clone())
    }
}

fn fields(case: &Json) -> Vec<(String, Json)> {
    match case.get("options") {
        Some(Json::Object(fields)) => fields.clone(),
        _ => Vec::new(),
    }
}

fn options(case: &Json) -> TranslateOptions {
    let mut options = TranslateOptions::new();
    if let Some(prefixes) = case.get("prefixes") {
        options = options.prefixes(prefixes.sequences());
    }
    for (name, value) in fields(case) {
        let flag = value == Json::Bool(true);
        options = match name.as_str() {
            "raw" => options.raw(flag),
            "target_language" => options.target_language(value.text()),
            "beam_size" => options.beam_size(value.number() as u32),
            "num_hypotheses" => options.num_hypotheses(value.number() as u32),
            "max_decoding_length" => options.max_decoding_length(value.number() as u32),
            "length_penalty" => options.length_penalty(value.number() as f32),
            "return_scores" => options.return_scores(flag),
            "return_attention" => options.return_attention(flag),
            "return_end_token" => options.return_end_token(flag),
            "split_sentences" => options.split_sentences(flag),
            "join_lines" => options.join_lines(flag),
            "discard_tokens" => options.discard_tokens(flag),
            "suppress_sequences" => options.suppress_sequences(value.sequences()),
            "end_tokens" => options.end_tokens(value.texts()),
            "search" => options.search(*Search::ALL.iter().find(|one| one.word() == value.text()).expect("a search")),
            other => panic!("{other}: an option that this test does not know"),
        };
    }
    options
}

fn score_options(case: &Json) -> ScoreOptions {
    fields(case).into_iter().fold(ScoreOptions::new(), |options, (name, value)| match name.as_str() {
        "max_input_length" => options.max_input_length(value.number() as u32),
        "target_language" => options.target_language(value.text()),
        other => panic!("{other}: an option that this test does not know"),
    })
}

fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn shape(matrix: Matrix<'_>) -> Json {
    vec![matrix.rows as f64, matrix.cols as f64].into()
}

fn hypothesis(found: &Hypothesis, texts: bool) -> Json {
    let attention = match found.attention() {
        Err(Error::Unsupported(_)) => Json::Null,
        other => shape(other.expect("attention")),
    };
    let sentence = |one: dragoman::Sentence| {
        object([
            ("source", one.source().into()),
            ("target", one.target().into()),
            ("source_tokens", one.source_tokens().into()),
            ("target_tokens", one.target_tokens().into()),
            ("score", f64::from(one.score()).into()),
            ("attention", shape(one.attention())),
        ])
    };
    let sentences: Vec<Json> = found.sentences().into_iter().map(sentence).collect();
    let mut described = object([
        ("tokens", found.tokens().into()),
        ("score", f64::from(found.score()).into()),
        ("attention", attention),
        ("sentences", sentences.into()),
    ]);
    if let (true, Json::Object(fields)) = (texts, &mut described) {
        fields.push(("text".to_owned(), found.text().expect("a text").into()));
    }
    described
}

fn translations(found: &Translations, texts: bool) -> Json {
    let one = |found: dragoman::Translation| {
        let hypotheses: Vec<Json> = found.hypotheses().iter().map(|one| hypothesis(one, texts)).collect();
        object([("source_tokens", found.source_tokens().into()), ("hypotheses", hypotheses.into())])
    };
    found.iter().map(one).collect::<Vec<_>>().into()
}

fn side(case: &Json) -> Side {
    *Side::ALL.iter().find(|side| side.word() == case.get("side").unwrap().text()).expect("a side")
}

fn scores(case: &Json, translator: &Translator, texts: bool) -> Result<Json> {
    let (inputs, targets) = (case.get("inputs").unwrap(), case.get("targets").unwrap());
    let found = if texts {
        translator.score_texts(&inputs.texts(), &targets.texts(), &score_options(case))?
    } else {
        translator.score(&inputs.sequences(), &targets.sequences(), &score_options(case))?
    };
    let one = |score: dragoman::Score<'_>| {
        let log_probs: Vec<f64> = score.log_probs.iter().map(|value| f64::from(*value)).collect();
        let mut described = object([("tokens", score.tokens.into()), ("log_probs", log_probs.into())]);
        if let (true, Json::Object(fields)) = (texts, &mut described) {
            fields.push(("ranges".to_owned(), score.ranges.into()));
        }
        described
    };
    Ok(found.iter().map(one).collect::<Vec<_>>().into())
}

fn sentences(case: &Json) -> Result<Json> {
    let options = case.get("options").unwrap();
    let language = options.get("language").map_or("", Json::text);
    let join = options.get("join_lines") == Some(&Json::Bool(true));
    let inputs = case.get("inputs").unwrap().texts();
    let found = inputs.iter().map(|text| split_sentences(text, language, join)).collect::<Result<Vec<_>>>()?;
    Ok(found.into())
}

fn description(case: &Json) -> Result<Json> {
    let info = describe(Some(&support::data(case.get("model").unwrap().text())))?;
    let number = |name: &str| match name {
        "d_model" => info.d_model,
        "heads" => info.heads,
        "encoder_layers" => info.encoder_layers,
        "decoder_layers" => info.decoder_layers,
        "source_vocabulary" => info.source_vocabulary,
        "target_vocabulary" => info.target_vocabulary,
        "parameters" => info.parameters as u32,
        other => panic!("{other}: a field that this test does not know"),
    };
    let value = |name: &str| match name {
        "format" => info.format.as_str().into(),
        "family" => info.family.as_str().into(),
        "stored_types" => info.stored_types.as_str().into(),
        "has_tokenizer" => Json::Bool(info.has_tokenizer),
        name => f64::from(number(name)).into(),
    };
    match case.get("expected").unwrap() {
        Json::Object(fields) => Ok(Json::Object(fields.iter().map(|(name, _)| (name.clone(), value(name))).collect())),
        other => panic!("expected an object, got {other:?}"),
    }
}

fn call(case: &Json, loaded: &mut Loaded) -> Result<Json> {
    let inputs = case.get("inputs");
    match case.get("call").unwrap().text() {
        "translate_texts" => {
            let found = loaded.get(case)?.1.translate_batch(&inputs.unwrap().texts(), &options(case))?;
            Ok(translations(&found, true))
        }
        "translate_tokens" => {
            let found = loaded.get(case)?.1.translate_tokens(&inputs.unwrap().sequences(), &options(case))?;
            Ok(translations(&found, false))
        }
        "score_tokens" => scores(case, &loaded.get(case)?.1, false),
        "score_texts" => scores(case, &loaded.get(case)?.1, true),
        "tokenize" => {
            let found = loaded.get(case)?.0.tokenize(&inputs.unwrap().texts(), side(case))?;
            Ok(found
                .iter()
                .map(|one| Json::from(one.tokens.iter().map(String::as_str).collect::<Vec<_>>()))
                .collect::<Vec<_>>()
                .into())
        }
        "detokenize" => {
            let found = loaded.get(case)?.0.detokenize(&inputs.unwrap().sequences(), side(case))?;
            Ok(found.iter().map(String::as_str).collect::<Vec<_>>().into())
        }
        "split_sentences" => sentences(case),
        "describe" => description(case),
        other => panic!("{other}: a call that this test does not know"),
    }
}

fn same(found: &Json, expected: &Json, place: &str) {
    match (found, expected) {
        (Json::Number(found), Json::Number(expected)) => {
            let exact = found.fract() == 0.0 && expected.fract() == 0.0;
            let allowed = if exact { 0.0 } else { 1e-3 * expected.abs().max(1.0) };
            assert!((found - expected).abs() <= allowed, "{place}: {found}, expected {expected}");
        }
        (Json::List(found), Json::List(expected)) => {
            assert_eq!(found.len(), expected.len(), "{place}");
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                same(found, expected, &format!("{place}.{index}"));
            }
        }
        (Json::Object(fields), Json::Object(wanted)) => {
            assert_eq!(fields.len(), wanted.len(), "{place}: {fields:?}, expected {wanted:?}");
            for (name, expected) in wanted {
                let found = found.get(name).unwrap_or_else(|| panic!("{place}.{name}: missing"));
                same(found, expected, &format!("{place}.{name}"));
            }
        }
        _ => assert_eq!(found, expected, "{place}"),
    }
}

#[test]
fn golden() {
    let text = std::fs::read_to_string(support::data("golden/golden.json")).unwrap();
    let golden = Json::parse(&text);
    let cases = golden.get("cases").unwrap().list();
    let folder = format!("{}/", support::data("").display()).replace("//", "/");
    let mut loaded = Loaded::default();
    for case in cases {
        let name = case.get("name").unwrap().text();
        let outcome = call(case, &mut loaded);
        match case.get("error") {
            None => {
                same(&outcome.unwrap_or_else(|error| panic!("{name}: {error}")), case.get("expected").unwrap(), name)
            }
            Some(error) => {
                let found = outcome.expect_err(name);
                assert_eq!(found.status().word(), error.get("status").unwrap().text(), "{name}");
                assert_eq!(found.message().replace(&folder, ""), error.get("message").unwrap().text(), "{name}");
            }
        }
    }
    assert!(cases.len() >= 37, "{} cases", cases.len());
}
