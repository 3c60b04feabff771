# SPDX-License-Identifier: Apache-2.0
"""Folders whose file system has no locks."""
import errno
import os

import pytest
from corpus_runs import STAND_IN, events_of, files, folder, run, start, write_rows  # noqa: F401, folder is a fixture
from dragoman.corpus import locks
from dragoman.corpus.journal import Journal

NO_LOCKS = """
import errno, fcntl, os

def flock(file, what):
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

fcntl.flock = flock
"""


def test_a_run_without_locks(folder):
    """It says so once, and takes no parts of others."""
    for place in range(4):
        write_rows(folder / "in" / f"{place}.jsonl", ["text"] * 5)
    run(folder, "in", "-o", "whole")
    (folder / "stand_in" / "sitecustomize.py").write_text(STAND_IN + NO_LOCKS)
    (folder / "out").mkdir()
    (folder / "out" / ".shard-2-of-2").touch()  # as if the other shard were at work
    for shard in ("1/2", "2/2"):
        process = start(folder, "in", "-o", "out", "--shard", shard, "--log", "log")
        said = process.communicate(timeout=60)[1]
        assert process.returncode == 0 and said.count("without locks") == 1, said
        assert "2 of 2 parts are there;" in said
    assert len(events_of(folder, "log", "no_locks")) == 2 and not events_of(folder, "log", "stolen")
    assert files(folder / "out") == files(folder / "whole")


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_what_file_systems_say_of_locks(tmp_path, monkeypatch, number):
    """A journal does without them; other errors are errors."""
    def flock(file, what):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", flock)
    path = tmp_path / "journal"
    path.touch()
    if number == errno.EIO:
        for fails in (lambda: Journal(str(path), {}), lambda: locks.can_lock(str(tmp_path)),
                      lambda: locks.at_work(str(path))):
            with pytest.raises(OSError, match=os.strerror(number)):
                fails()
    else:
        journals = [Journal(str(path), {}) for _ in range(2)]
        assert not locks.can_lock(str(tmp_path)) and not locks.at_work(str(path))
        for journal in journals:
            journal.close()


def test_no_trace_is_left_of_looking_for_locks(tmp_path):
    assert locks.can_lock(str(tmp_path)) and not list(tmp_path.iterdir())
    assert "." not in locks.process_name() and str(os.getpid()) in locks.process_name()
