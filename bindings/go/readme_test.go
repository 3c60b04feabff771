// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// bodies gives those of a file's examples, as they stand there, without what they are to print.
func bodies(t *testing.T, path string) []string {
	content, err := os.ReadFile(path)
	require(t, err)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, content, parser.ParseComments)
	require(t, err)
	var found []string
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(function.Name.Name, "Example") {
			continue
		}
		body := string(content[files.Position(function.Body.Lbrace).Offset+2 : files.Position(function.Body.Rbrace).Offset])
		body = regexp.MustCompile(`(?s)\t// Output:.*`).ReplaceAllString(body, "")
		found = append(found, regexp.MustCompile(`(?m)^\t`).ReplaceAllString(body, ""))
	}
	return found
}

// The programs of README.md are the examples, which run, all of them in their order.
func TestReadme(t *testing.T) {
	content, err := os.ReadFile("README.md")
	require(t, err)
	examples := append(bodies(t, "example_test.go"), bodies(t, "documents/example_test.go")...)
	examples = append(examples, bodies(t, "models/example_test.go")...)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(content), -1)
	equal(t, "programs", len(blocks), len(examples))
	for _, block := range blocks {
		known := false
		for _, example := range examples {
			known = known || block[1] == example
		}
		if !known {
			t.Errorf("README.md: expected the body of an example, got\n%s", block[1])
		}
	}
}
