// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"errors"
	"reflect"
	"testing"

	"dragoman"
)

func TestVocabulariesAreAsked(t *testing.T) {
	lists, err := shared.Tokenize(dragoman.SideSource, []string{text})
	require(t, err)
	for _, token := range lists[0].Tokens {
		known, err := shared.HasToken(dragoman.SideSource, token)
		require(t, err)
		equal(t, token, known, true)
	}
	known, err := shared.HasToken(dragoman.SideTarget, "no such token")
	require(t, err)
	equal(t, "no such token", known, false)
	_, err = shared.HasToken(dragoman.SideTarget, "a\x00b")
	equal(t, "a zero byte", errors.Is(err, dragoman.InvalidArgument), true)
}

func TestFilesAreDescribedAtOnce(t *testing.T) {
	all, err := dragoman.DescribeAll("")
	require(t, err)
	info, err := dragoman.Describe("")
	require(t, err)
	sources, err := dragoman.DescribeLanguages("", dragoman.SideSource)
	require(t, err)
	targets, err := dragoman.DescribeLanguages("", dragoman.SideTarget)
	require(t, err)
	equal(t, "targets", len(targets), 2)
	if expected := (dragoman.Description{Info: info, Sources: sources, Targets: targets}); !reflect.DeepEqual(all, expected) {
		t.Errorf("got %+v, expected %+v", all, expected)
	}
	var found *dragoman.Error
	_, err = dragoman.DescribeAll("nowhere")
	equal(t, "an *Error", errors.As(err, &found) && found.Status == dragoman.IOError, true)
}
