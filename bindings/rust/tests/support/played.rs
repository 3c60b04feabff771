// SPDX-License-Identifier: Apache-2.0
//! Registries that a local server plays, and this process's environment, in which the library asks that server.
use super::json::Json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct Played {
    _server: Child, // ends with its standard input
    pub home: String,
    pub text: String,
    pub translation: String,
}

fn play() -> Played {
    let script = super::data("../registry/serve.py");
    let python = Command::new("python3").arg("-B").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut server = python.expect("python3 runs");
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said = Json::parse(line.trim());
    let text = |name: &str| said.get(name).unwrap().text().to_owned();
    if let Some(Json::Object(variables)) = said.get("set") {
        variables.iter().for_each(|(name, value)| std::env::set_var(name, value.text()));
    }
    said.get("unset").unwrap().texts().iter().for_each(|name| std::env::remove_var(name));
    Played { home: text("home"), text: text("text"), translation: text("translation"), _server: server }
}

/// For one test at a time: they share the store.
pub fn played() -> MutexGuard<'static, Option<Played>> {
    static PLAYED: Mutex<Option<Played>> = Mutex::new(None);
    let mut guard = PLAYED.lock().unwrap_or_else(PoisonError::into_inner);
    guard.get_or_insert_with(play);
    guard
}
