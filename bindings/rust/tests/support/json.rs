// SPDX-License-Identifier: Apache-2.0
//! The part of JSON that the golden file and reports need, so that the tests need no package.
use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut reader = Reader(text.chars().peekable());
        let value = reader.value();
        assert_eq!(reader.next_word(), None, "after the end");
        value
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => panic!("expected a list, got {self:?}"),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => panic!("expected a text, got {self:?}"),
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            _ => panic!("expected a number, got {self:?}"),
        }
    }

    pub fn texts(&self) -> Vec<String> {
        self.list().iter().map(|item| item.text().to_owned()).collect()
    }

    pub fn sequences(&self) -> Vec<Vec<String>> {
        self.list().iter().map(Json::texts).collect()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.to_owned())
    }
}
impl From<f64> for Json {
    fn from(number: f64) -> Self {
        Json::Number(number)
    }
}
impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Json::List(items.into_iter().map(Into::into).collect())
    }
}
impl From<std::ops::Range<usize>> for Json {
    fn from(range: std::ops::Range<usize>) -> Self {
        Json::from(vec![range.start as f64, range.end as f64])
    }
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn next_word(&mut self) -> Option<char> {
        while self.0.peek().map_or(false, |c| c.is_whitespace()) {
            self.0.next();
        }
        self.0.peek().copied()
    }

    fn take(&mut self, expected: char) {
        assert_eq!(self.next_word(), Some(expected));
        self.0.next();
    }

    /// Whether another item follows.
    fn more(&mut self, end: char, first: bool) -> bool {
        if self.next_word() == Some(end) {
            self.0.next();
            return false;
        }
        if !first {
            self.take(',');
        }
        true
    }

    fn value(&mut self) -> Json {
        match self.next_word().expect("a value") {
            '{' => {
                self.0.next();
                let mut fields = Vec::new();
                while self.more('}', fields.is_empty()) {
                    self.next_word();
                    let name = self.text();
                    self.take(':');
                    fields.push((name, self.value()));
                }
                Json::Object(fields)
            }
            '[' => {
                self.0.next();
                let mut items = Vec::new();
                while self.more(']', items.is_empty()) {
                    items.push(self.value());
                }
                Json::List(items)
            }
            '"' => Json::Text(self.text()),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Json {
        let mut word = String::new();
        while let Some(c) = self.0.next_if(|c| c.is_alphanumeric() || "+-.".contains(*c)) {
            word.push(c);
        }
        match word.as_str() {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            number => Json::Number(number.parse().unwrap_or_else(|_| panic!("expected a number, got {number:?}"))),
        }
    }

    fn unit(&mut self) -> u32 {
        let digits: String = (0..4).map(|_| self.0.next().expect("a digit")).collect();
        u32::from_str_radix(&digits, 16).expect("four digits")
    }

    fn text(&mut self) -> String {
        self.0.next();
        let mut text = String::new();
        loop {
            match self.0.next().expect("the end of a text") {
                '"' => return text,
                '\\' => text.push(match self.0.next().expect("what is escaped") {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'u' => {
                        let unit = self.unit();
                        let code = if (0xd800..0xdc00).contains(&unit) {
                            assert_eq!((self.0.next(), self.0.next()), (Some('\\'), Some('u')));
                            0x10000 + ((unit - 0xd800) << 10) + (self.unit() - 0xdc00)
                        } else {
                            unit
                        };
                        char::from_u32(code).expect("a character")
                    }
                    other => other,
                }),
                c => text.push(c),
            }
        }
    }
}
