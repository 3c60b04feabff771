// SPDX-License-Identifier: Apache-2.0
//! Jobs, futures, streams, long inputs, and stopping them.
mod support;

use dragoman::*;
use std::future::Future;
use std::pin::Pin;
use std::sync::{mpsc, Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;
use support::{many, options, translator, TEXT, TRANSLATION};

fn block_on<F: Future + Unpin>(mut future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match Pin::new(&mut future).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(found) => return found,
            Poll::Pending => thread::park(),
        }
    }
}

#[test]
fn a_job_is_a_future() {
    let job = translator().submit(&[TEXT], &options(), &JobOptions::new().priority(1)).unwrap();
    let found = block_on(job).unwrap();
    assert_eq!(found.get(0).unwrap().text().unwrap(), TRANSLATION);
    let jobs: Vec<_> =
        (0..8).map(|_| translator().submit(&["batiß."], &options(), &JobOptions::new()).unwrap()).collect();
    for job in jobs {
        assert_eq!(block_on(job).unwrap().get(0).unwrap().text().unwrap(), "vöpiй.");
    }
    let error = translator().submit(&[TEXT], &options().beam_size(100), &JobOptions::new()).unwrap_err();
    assert!(error.message().contains("100"), "{error}");
}

#[test]
fn a_job_is_waited_for_and_taken_once() {
    let translator = translator();
    let job = translator.submit(&[TEXT], &options(), &JobOptions::new()).unwrap();
    assert!(job.wait(None).unwrap());
    let info = job.info().unwrap();
    assert_eq!((info.state, info.status, info.done), (JobState::Done, Status::Ok, 1));
    assert_eq!(job.take_result().unwrap().len(), 1);
    assert!(matches!(job.take_result(), Err(Error::InvalidArgument(_))));
}

#[test]
fn cancelling_stops() {
    let translator = translator();
    let slow = options().max_batch_size(2);
    let job = translator.submit(&many(), &slow, &JobOptions::new()).unwrap();
    assert!(!job.wait(Some(Duration::from_millis(1))).unwrap());
    job.cancel().unwrap();
    assert!(matches!(block_on(job), Err(Error::Cancelled(_))));

    let mut stream = translator.stream(&many(), &slow, &JobOptions::new()).unwrap();
    assert!(stream.next().unwrap().is_ok());
    stream.cancel().unwrap();
    let errors: Vec<_> = stream.by_ref().filter_map(|event| event.err()).collect();
    assert!(matches!(errors[..], [Error::Cancelled(_)]), "{errors:?}");
    assert!(stream.next().is_none());
    assert!(matches!(stream.translations(), Err(Error::Cancelled(_))));

    drop(translator.submit(&many(), &slow, &JobOptions::new()).unwrap());
    let mut stream = translator.stream(&many(), &slow, &JobOptions::new().partial(true)).unwrap();
    assert!(stream.next().unwrap().is_ok());
    drop(stream);
    let mut all = translator.translate_all(many(), &slow).unwrap();
    assert!(all.next().unwrap().is_ok());
    drop(all);
    assert_eq!(translator.translate(TEXT, &options()).unwrap().text().unwrap(), TRANSLATION);
    // Five times many texts of two sentences were begun, and each time they were stopped.
    let done = translator.stats().unwrap().sentences;
    assert!(done < 5 * many().len() as u64, "{done} sentences went through the model");
}

#[test]
fn streams() {
    let translator = translator();
    let texts = ["batiß. késora!", TEXT];
    let mut stream = translator.stream(&texts, &options(), &JobOptions::new().partial(true)).unwrap();
    let (mut found, mut partial) = (Vec::new(), 0);
    while let Some(event) = block_on(stream.next_event()) {
        let event = event.unwrap();
        match event.kind {
            EventKind::Sentence => found.push((event.input, event.sentence, event.source, event.text)),
            _ => partial += 1,
        }
    }
    found.sort_by_key(|one| (one.0, one.1));
    let expected = [(0, 0, 0..7, "vöpiй."), (0, 1, 8..16, "Gakux!"), (1, 0, 0..37, TRANSLATION)];
    assert_eq!(found, expected.map(|(input, sentence, source, text)| (input, sentence, source, text.to_owned())));
    assert!(partial > 0);
    assert_eq!(stream.translations().unwrap().len(), 2);
    let waited = translator.stream(&texts, &options(), &JobOptions::new()).unwrap();
    assert_eq!(waited.map(|event| event.unwrap().done).max(), Some(3));
}

#[test]
fn long_inputs() {
    let translator = translator();
    let texts = (0..300).map(|place| if place % 2 == 0 { "batiß." } else { "késora!" });
    for ahead in [1, 7, 256] {
        let found: Result<Vec<_>> = translator.translate_all(texts.clone(), &options()).unwrap().ahead(ahead).collect();
        let found = found.unwrap();
        assert_eq!(found.len(), 300);
        for (place, one) in found.iter().enumerate() {
            assert_eq!(one.text().unwrap(), if place % 2 == 0 { "vöpiй." } else { "Gakux!" }, "{place} of {ahead}");
        }
    }
    let mut read = 0;
    let counted = (0..1000).inspect(|_| read += 1).map(|_| "batiß.");
    assert!(translator.translate_all(counted, &options()).unwrap().ahead(10).next().unwrap().is_ok());
    assert!(read <= 10, "{read} read ahead, expected at most 10");
}

#[test]
fn translations_come_while_an_iterator_is_slow() {
    let (translator, mut read) = (translator(), 0);
    translator.translate("batiß.", &options()).unwrap(); // the first call makes pipelines
    let slow = (0..20).inspect(|_| {
        thread::sleep(Duration::from_millis(100));
        read += 1;
    });
    let found = translator.translate_all(slow.map(|_| "batiß."), &options()).unwrap().next().unwrap().unwrap();
    assert_eq!(found.text().unwrap(), "vöpiй.");
    assert!(read <= 10, "{read} texts were read before the first translation came");
}

#[test]
fn a_text_that_cannot_be_translated_ends_the_texts() {
    let texts = (0..5).map(|place| if place == 3 { "x".repeat((1 << 28) + 1) } else { "batiß.".to_owned() });
    let mut all = translator().translate_all(texts, &options()).unwrap();
    for found in all.by_ref().take(3) {
        assert_eq!(found.unwrap().text().unwrap(), "vöpiй.");
    }
    let error = all.next().unwrap().unwrap_err();
    assert_eq!(error.message(), "texts[3]: 268435457 bytes are more than 268435456");
    assert!(all.next().is_none());
}

#[test]
fn a_job_is_fed_from_another_thread() {
    let model = Model::load(support::token_model(), &support::exact()).unwrap();
    let tokens = Translator::new(&model).unwrap();
    let none: [Vec<&str>; 0] = [];
    let job = tokens.submit_tokens(&none, &TranslateOptions::new(), &JobOptions::new().fed(true)).unwrap();
    let (mut count, sequences) = (0, vec![vec!["آ", "ز", "ا"]; 50]);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut left = &sequences[..];
            while !left.is_empty() {
                left = &left[job.feed_tokens(left, None).unwrap()..];
            }
            job.finish().unwrap();
        });
        while let Some(found) = job.next_result(None).unwrap() {
            assert_eq!(found.first(), count);
            count += found.len();
        }
    });
    assert_eq!(count, 50);
    assert!(matches!(job.feed_tokens(&sequences, None), Err(Error::InvalidArgument(_))));
}

/// An executor that polls where it is woken: on the library's thread, which also ends the job and its translator.
struct Inline(Mutex<Option<Job>>, Mutex<mpsc::Sender<Result<Translations>>>);

impl Wake for Inline {
    fn wake(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut slot = self.0.lock().unwrap();
        if let Some(Poll::Ready(found)) = slot.as_mut().map(|job| Pin::new(job).poll(&mut Context::from_waker(&waker)))
        {
            drop(slot.take());
            self.1.lock().unwrap().send(found).unwrap();
        }
    }
}

#[test]
fn a_job_may_end_where_it_wakes() {
    for _ in 0..5 {
        let (send, found) = mpsc::channel();
        let job = translator().submit(&[TEXT], &options(), &JobOptions::new()).unwrap();
        Arc::new(Inline(Mutex::new(Some(job)), Mutex::new(send))).wake();
        let found = found.recv_timeout(Duration::from_secs(600)).unwrap().unwrap();
        assert_eq!(found.get(0).unwrap().text().unwrap(), TRANSLATION);
    }
}
