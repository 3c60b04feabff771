// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_sys.py from capi/api.json.
use dragoman_sys as sys;

/// Formats of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum DocumentKind {
    /// Found from the name and the bytes.
    Unknown = sys::DRAGOMAN_DOCUMENT_UNKNOWN,
    /// Plain text, "text".
    Text = sys::DRAGOMAN_DOCUMENT_TEXT,
    /// "html".
    Html = sys::DRAGOMAN_DOCUMENT_HTML,
    /// "xhtml".
    Xhtml = sys::DRAGOMAN_DOCUMENT_XHTML,
    /// SubRip, "srt".
    Srt = sys::DRAGOMAN_DOCUMENT_SRT,
    /// WebVTT, "vtt".
    Vtt = sys::DRAGOMAN_DOCUMENT_VTT,
    /// "markdown".
    Markdown = sys::DRAGOMAN_DOCUMENT_MARKDOWN,
    /// Word, "docx".
    Docx = sys::DRAGOMAN_DOCUMENT_DOCX,
    /// PowerPoint, "pptx".
    Pptx = sys::DRAGOMAN_DOCUMENT_PPTX,
    /// Excel, "xlsx".
    Xlsx = sys::DRAGOMAN_DOCUMENT_XLSX,
    /// OpenDocument text, "odt".
    Odt = sys::DRAGOMAN_DOCUMENT_ODT,
    /// OpenDocument spreadsheet, "ods".
    Ods = sys::DRAGOMAN_DOCUMENT_ODS,
    /// OpenDocument presentation, "odp".
    Odp = sys::DRAGOMAN_DOCUMENT_ODP,
    /// "epub".
    Epub = sys::DRAGOMAN_DOCUMENT_EPUB,
    /// Gettext, "po".
    Po = sys::DRAGOMAN_DOCUMENT_PO,
    /// XLIFF 1.2 and 2, "xliff".
    Xliff = sys::DRAGOMAN_DOCUMENT_XLIFF,
    /// Translation memory, "tmx".
    Tmx = sys::DRAGOMAN_DOCUMENT_TMX,
    /// String values, "json".
    Json = sys::DRAGOMAN_DOCUMENT_JSON,
    /// Flutter's JSON, "arb".
    Arb = sys::DRAGOMAN_DOCUMENT_ARB,
    /// Strings.xml, "android".
    Android = sys::DRAGOMAN_DOCUMENT_ANDROID,
    /// Apple's .strings, "strings".
    Strings = sys::DRAGOMAN_DOCUMENT_STRINGS,
    /// SubStation Alpha, "ass".
    Ass = sys::DRAGOMAN_DOCUMENT_ASS,
}

impl DocumentKind {
    /// All of them, in the order of their numbers.
    pub const ALL: &'static [DocumentKind] = &[
        DocumentKind::Unknown,
        DocumentKind::Text,
        DocumentKind::Html,
        DocumentKind::Xhtml,
        DocumentKind::Srt,
        DocumentKind::Vtt,
        DocumentKind::Markdown,
        DocumentKind::Docx,
        DocumentKind::Pptx,
        DocumentKind::Xlsx,
        DocumentKind::Odt,
        DocumentKind::Ods,
        DocumentKind::Odp,
        DocumentKind::Epub,
        DocumentKind::Po,
        DocumentKind::Xliff,
        DocumentKind::Tmx,
        DocumentKind::Json,
        DocumentKind::Arb,
        DocumentKind::Android,
        DocumentKind::Strings,
        DocumentKind::Ass,
    ];

    /// Its word in Python and in reports.
    pub fn word(self) -> &'static str {
        match self {
            DocumentKind::Unknown => "unknown",
            DocumentKind::Text => "text",
            DocumentKind::Html => "html",
            DocumentKind::Xhtml => "xhtml",
            DocumentKind::Srt => "srt",
            DocumentKind::Vtt => "vtt",
            DocumentKind::Markdown => "markdown",
            DocumentKind::Docx => "docx",
            DocumentKind::Pptx => "pptx",
            DocumentKind::Xlsx => "xlsx",
            DocumentKind::Odt => "odt",
            DocumentKind::Ods => "ods",
            DocumentKind::Odp => "odp",
            DocumentKind::Epub => "epub",
            DocumentKind::Po => "po",
            DocumentKind::Xliff => "xliff",
            DocumentKind::Tmx => "tmx",
            DocumentKind::Json => "json",
            DocumentKind::Arb => "arb",
            DocumentKind::Android => "android",
            DocumentKind::Strings => "strings",
            DocumentKind::Ass => "ass",
        }
    }

    #[allow(dead_code)]
    pub(crate) fn of(number: i32) -> Self {
        *Self::ALL.iter().find(|one| **one as i32 == number).unwrap_or(&DocumentKind::Unknown)
    }
}

/// Its word.
impl std::fmt::Display for DocumentKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.word())
    }
}

/// From its word, in any case.
impl std::str::FromStr for DocumentKind {
    type Err = crate::Error;

    fn from_str(word: &str) -> crate::Result<Self> {
        let found = Self::ALL.iter().find(|one| one.word().eq_ignore_ascii_case(word));
        found.copied().ok_or_else(|| crate::made::enums::unknown_word("document_kind", word, Self::ALL))
    }
}
