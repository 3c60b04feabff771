# SPDX-License-Identifier: Apache-2.0
"""The stage for Spark. DRAGOMAN_TEST_ENGINES=1 runs real clusters."""
import sys

import dragoman.spark
import pytest
from test_ray import run_script


def test_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(ImportError, match=r"dragoman\.spark needs pyspark.*pip install 'dragoman\[spark\]'"):
        dragoman.spark.translate(None, to="de")


def test_interfaces():
    pytest.importorskip("pyspark.sql")
    with pytest.raises(ValueError, match="interface is 'rows'; expected 'arrow' or 'pandas'"):
        dragoman.spark.translate(None, to="de", interface="rows")


@pytest.mark.parametrize("interface", ["arrow", "pandas"])
def test_cluster(tmp_path, interface):
    run_script("on_spark.py", "--work", tmp_path, "--interface", interface)
