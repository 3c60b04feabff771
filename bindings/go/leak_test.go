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
	const rounds, warm, most = 1000, 200, 2 << 20
	early, late := 1<<62, 1<<62 // least resident in the two halves: it jumps by a MiB or two
	for round := 0; round < rounds; round++ {
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
		if round < warm {
			continue
		}
		if now := resident(); round < (rounds+warm)/2 {
			early = min(early, now)
		} else {
			late = min(late, now)
		}
	}
	if growth := late - early; growth > most {
		t.Errorf("%d bytes more after %d loads, expected at most %d", growth, (rounds-warm)/2, most)
	}
	t.Logf("%d MiB, %+d bytes in %d loads", late>>20, late-early, (rounds-warm)/2)
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
