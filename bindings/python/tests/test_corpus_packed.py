# SPDX-License-Identifier: Apache-2.0
"""Files that are packed: what of them is whole."""
import gzip
import random

import pytest
from dragoman.corpus import formats
from dragoman.corpus.formats.batch import BadPart


def packed(end, content, **options):
    if end == ".gz":
        return gzip.compress(content)
    return pytest.importorskip("zstandard").ZstdCompressor(**options).compress(content)


def texts_of(path):
    reader = formats.reader(formats.format_of(str(path)), str(path), formats.Shape())
    try:
        return [row["text"] for batch in reader.batches() for row in batch.rows()]
    finally:
        reader.close()


@pytest.mark.parametrize("end", [".gz", ".zst"])
def test_a_file_that_is_cut_anywhere_is_bad(tmp_path, end):
    """Also between two lines, where what is left reads as well as the whole."""
    first, second = (packed(end, f"{name}\n".encode() * 30) for name in "ab")
    path = tmp_path / f"a.txt{end}"
    for length in range(len(first + second)):
        path.write_bytes((first + second)[:length])
        if length == len(first):
            assert texts_of(path) == ["a"] * 30
        else:
            with pytest.raises(BadPart, match=r"a\.txt"):
                texts_of(path)
    path.write_bytes(first + second + packed(end, b"") + first)
    assert texts_of(path) == ["a"] * 30 + ["b"] * 30 + ["a"] * 30


def test_large_files_of_zstandard(tmp_path):
    """Texts that are longer than what is unpacked at once, and frames of any length between them."""
    chance = random.Random(1)
    texts = ["".join(chance.choices("abcdefgh", k=length)) for length in (3, 300_000, 0, 70_000, 5)]
    skipped = b"\x50\x2a\x4d\x18\x05\x00\x00\x00abcde"  # a frame that has no content
    made = skipped.join(packed(".zst", f"{text}\n".encode()) for text in texts) + skipped
    (tmp_path / "a.txt.zst").write_bytes(made)
    assert texts_of(tmp_path / "a.txt.zst") == texts


def test_the_window_of_zstd_long(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    parameters = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()  # which does not know the size
    (tmp_path / "a.txt.zst").write_bytes(compressor.compress(b"a\n") + compressor.flush())
    assert texts_of(tmp_path / "a.txt.zst") == ["a"]
