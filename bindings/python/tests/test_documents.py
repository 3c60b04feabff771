# SPDX-License-Identifier: Apache-2.0
import dragoman
import pytest
from conftest import TEXT_MODEL

TEXT, TRANSLATION = "batin kétiß kénara késora banara!", "fopiй Gasa Gakuй Gakux foй!"
PAGE, TRANSLATED = (f'<p title="{text}">{text}</p>'.encode() for text in (TEXT, TRANSLATION))


def test_a_document_from_file_to_file_and_from_memory_to_memory(translator, tmp_path):
    source, target, seen = tmp_path / "pägé.html", tmp_path / "out.html", []
    source.write_bytes(PAGE)
    dragoman.translate_document(translator, source, target, progress=lambda *counts: seen.append(counts))
    assert target.read_bytes() == TRANSLATED
    assert seen[0] == (0, 2) and seen[-1] == (2, 2)
    assert dragoman.translate_document_bytes(translator, PAGE, name="x.html") == TRANSLATED
    assert dragoman.translate_document_bytes(translator, PAGE, format="html", target_language="xx") == TRANSLATED


def test_formats():
    assert dragoman.document_format("a.docx") == "docx"
    assert dragoman.document_format(content=b"WEBVTT\n\n") == "vtt"
    assert dragoman.document_format("a.pdf") is None


def test_a_stopped_document_goes_on_with_what_was_kept(translator, tmp_path):
    source, target, kept = tmp_path / "long.txt", tmp_path / "out.txt", tmp_path / "kept"
    # The longest first, as they are worked on.
    source.write_text("".join(f"batin {'kén ' * (24 - n)}.\n\n" for n in range(24)), encoding="utf-8")

    def stop(done, total):
        if done >= 5:
            raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        dragoman.translate_document(translator, source, target, resume=kept, max_batch_size=1, progress=stop)
    assert kept.exists() and not target.exists()
    translator.reset_stats()
    dragoman.translate_document(translator, source, target, resume=kept, max_batch_size=1)
    assert 0 < translator.stats.sentences <= 19 and target.exists() and not kept.exists()


def test_errors(translator, tmp_path):
    broken, target = tmp_path / "broken.docx", tmp_path / "never"
    broken.write_text("no archive")
    with pytest.raises(dragoman.InvalidArgumentError, match="broken.docx: .*expected a zip archive"):
        dragoman.translate_document(translator, broken, target)
    with pytest.raises(dragoman.FileError):
        dragoman.translate_document(translator, tmp_path / "none.txt", target)
    with pytest.raises(dragoman.UnsupportedError):
        dragoman.translate_document_bytes(translator, b"?", name="x.bin")
    with pytest.raises(dragoman.InvalidArgumentError, match="format is 'doc'"):
        dragoman.translate_document_bytes(translator, b"?", format="doc")
    with pytest.raises(TypeError):
        dragoman.translate_document_bytes(translator, b"?", format="text", beem_size=1)
    with pytest.raises(dragoman.InvalidArgumentError, match="zero byte"):
        dragoman.translate_document(translator, broken, str(target) + "\0")
    assert not target.exists()
    closed = dragoman.Translator(TEXT_MODEL)
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        dragoman.translate_document(closed, broken, target)
