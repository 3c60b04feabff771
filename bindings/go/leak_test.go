// SPDX-License-Identifier: Apache-2.0

package dragoman_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"dragoman"
)

// resident is what the process has in memory; 0 where the system does not say.
func resident() int {
	content, _ := os.ReadFile("/proc/self/statm")
	var total, pages int
	fmt.Sscan(string(content), &total, &pages)
	return pages * os.Getpagesize()
}

// Loads a model a thousand times. Of each load's megabytes nothing stays, whether it is closed or only dropped.
func TestThousandLoads(t *testing.T) {
	if resident() == 0 {
		t.Skip("the system does not tell resident memory")
	}
	if os.Getenv("MALLOC_ARENA_MAX") == "" { // with one for each thread, what is freed stays resident here and there
		child := exec.Command(os.Args[0], "-test.run=^TestThousandLoads$", "-test.v")
		child.Env = append(os.Environ(), "MALLOC_ARENA_MAX=1")
		if found, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, found)
		}
		return
	}
	const warm, window, most = 200, 400, 2 << 20
	load := func(round int) {
		model, err := dragoman.LoadModel(ctx, textModel, nil)
		require(t, err)
		if round%100 == 0 {
			translator, err := model.Translator(&dragoman.TranslateOptions{TargetLanguage: "xx"})
			require(t, err)
			found, err := translator.Translate(ctx, text, nil)
			require(t, err)
			equal(t, "text", found.Text, translation)
			translator.Close()
		}
		if round%10 != 5 { // the others are for the finalizer
			model.Close()
		}
		if round%20 == 0 {
			runtime.GC()
		}
	}
	least := func(rounds int) int { // resident
		found := 1 << 62
		for round := 0; round < rounds; round++ {
			load(round)
			found = min(found, resident())
		}
		return found
	}
	least(warm)
	// Resident memory jumps once by up to 3 MiB, or never; what leaks grows in each window.
	before := least(window)
	for try := 1; ; try++ {
		now := least(window)
		t.Logf("%d MiB, %+d bytes in %d loads", now>>20, now-before, window)
		if now-before <= most {
			return
		}
		if try == 3 {
			t.Fatalf("%d bytes more after %d loads, three times in a row; expected at most %d", now-before, window, most)
		}
		before = now
	}
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
