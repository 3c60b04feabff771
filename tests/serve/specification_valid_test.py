#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The service's documents are right OpenAPI 3.1 and Swagger 2.0: specification_valid_test.py TOOL PROJECT
Skipped where Python's openapi_spec_validator is missing."""
import sys

try:
    import openapi_spec_validator
except ImportError:
    print("skipped: openapi_spec_validator is missing; Debian has python3-openapi-spec-validator")
    sys.exit(77)
from service import Service, same

with Service(*sys.argv[1:], wait=False) as s:
    for path, name, version in (("/v1/openapi.json", "openapi", "3.1.0"), ("/spec", "swagger", "2.0")):
        document = s.get(path).json()
        same(document[name], version)
        openapi_spec_validator.validate(document)
