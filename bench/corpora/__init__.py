# SPDX-License-Identifier: Apache-2.0
"""What bench/corpora.py is made of."""
