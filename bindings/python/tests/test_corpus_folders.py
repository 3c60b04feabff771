# SPDX-License-Identifier: Apache-2.0
"""Folders that are given as input, and links in them."""
import os

import pytest
from dragoman.corpus.parts import UsageError, find_parts


def names(*patterns, output="out"):
    return [part.name for part in find_parts(list(patterns), output, None, None)]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """crawl/ with a folder, and links: to one that is elsewhere, to itself, to what is above it, and to a file."""
    monkeypatch.chdir(tmp_path)
    for name in ("crawl/a.jsonl", "crawl/deep/b.jsonl", "elsewhere/c.jsonl", "elsewhere/.hidden/d.jsonl"):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        (tmp_path / name).touch()
    for target, link in (("../elsewhere", "crawl/far"), (".", "crawl/self"), ("..", "crawl/deep/up"),
                         ("../crawl", "elsewhere/back"), ("../elsewhere/c.jsonl", "crawl/e.jsonl")):
        (tmp_path / link).symlink_to(target)
    return tmp_path


def test_links_to_folders_are_followed_but_not_in_circles(tree):
    found = ["a.jsonl", "deep/b.jsonl", "e.jsonl", "far/c.jsonl"]
    assert names("crawl") == found and names(str(tree / "crawl")) == found
    assert names("crawl/**/*.jsonl") == names("crawl/**") == names("crawl/**/**/?.jsonl") == found
    assert names("craw*/**/f*/*") == ["crawl/far/c.jsonl"]
    assert names("**/c.jsonl") == ["crawl/far/c.jsonl", "elsewhere/c.jsonl"]
    assert names("crawl/deep/../*.jsonl") == ["a.jsonl", "e.jsonl"] and names("crawl/far/c.jsonl") == ["c.jsonl"]
    os.chdir("crawl")
    assert names(".") == found and names("**/*.jsonl") == found and names("../crawl") == found


def test_outputs_are_no_inputs_whichever_way_they_are_reached(tree):
    (tree / "elsewhere" / "out").mkdir()
    (tree / "elsewhere" / "out" / "a.jsonl").touch()
    found = ["a.jsonl", "deep/b.jsonl", "e.jsonl", "far/c.jsonl"]
    assert names("crawl", output="elsewhere/out") == names("crawl", output="crawl/far/out") == found
    assert names("crawl", output="elsewhere") == ["a.jsonl", "deep/b.jsonl", "e.jsonl"]
    assert names("elsewhere/out", output="elsewhere/out/more") == ["a.jsonl"]


def test_a_folder_that_cannot_be_read_is_not_left_out(tree, monkeypatch):
    scandir = os.scandir

    def closed(path="."):
        if str(path).endswith("far"):
            raise PermissionError(13, os.strerror(13), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(UsageError, match="crawl/far: the folder cannot be read: Permission denied"):
        names("crawl")
