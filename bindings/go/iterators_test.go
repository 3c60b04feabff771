// SPDX-License-Identifier: Apache-2.0

//go:build go1.23

package dragoman_test

import (
	"errors"
	"testing"

	"dragoman"
)

func TestIterators(t *testing.T) {
	translator := toy(t)
	fed, err := translator.TranslateEach(ctx, feed(5), nil, nil)
	require(t, err)
	count := 0
	for found, err := range fed.All() {
		require(t, err)
		equal(t, "text", found.Text[:7], "vöpiй")
		count++
	}
	equal(t, "results", count, 5)

	texts, options := many()
	job, err := translator.Submit(ctx, texts, options, &dragoman.JobOptions{Sentences: true})
	require(t, err)
	defer job.Close()
	for event, err := range job.All() {
		require(t, err)
		equal(t, "kind", event.Kind, dragoman.EventSentence)
		break
	}
	if _, err = job.Wait(ctx); !errors.Is(err, dragoman.Cancelled) {
		t.Errorf("got %v, expected Cancelled", err)
	}
}
