// SPDX-License-Identifier: Apache-2.0

// calls MODEL [ROUNDS]: what calls cost, beside bench/bindings/calls.c, whose calls these are.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"dragoman"
)

const (
	detected   = "Wo ist der Bahnhof, und wann kommt der letzte Zug?"
	translated = "batin kétiß kénara késora banara!"
)

var seen int // what calls give is used, or they would be left out

func require(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// measure writes the nanoseconds of one call: the median of rounds, each of calls.
func measure(name string, calls, rounds int, call func()) {
	for i := 0; i < calls/10+1; i++ {
		call()
	}
	times := make([]float64, rounds)
	for round := range times {
		begin := time.Now()
		for i := 0; i < calls; i++ {
			call()
		}
		times[round] = float64(time.Since(begin).Nanoseconds()) / float64(calls)
	}
	sort.Float64s(times)
	fmt.Printf("%s\t%.1f\n", name, times[rounds/2])
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: calls MODEL [ROUNDS]")
	}
	rounds := 21
	if len(os.Args) > 2 {
		var err error
		rounds, err = strconv.Atoi(os.Args[2])
		require(err)
	}
	ctx := context.Background()
	model, err := dragoman.LoadModel(ctx, os.Args[1], nil)
	require(err)
	defer model.Close()
	translator, err := model.Translator(nil)
	require(err)
	defer translator.Close()
	translate := func(text string) dragoman.Translation {
		found, err := translator.Translate(ctx, text, &dragoman.TranslateOptions{TargetLanguage: "xx"})
		require(err)
		return found
	}
	found := translate(translated)
	measure("version", 1000000, rounds, func() { seen += int(dragoman.VersionNumber()) })
	measure("text", 100000, rounds, func() { seen += len(strings.Clone(found.Text)) })
	measure("detect", 1000, rounds, func() {
		guesses, err := dragoman.DetectLanguages([]string{detected})
		require(err)
		seen += len(guesses[0][0].Tag)
	})
	measure("blank", 1000, rounds, func() { seen += len(translate(" ").Text) })
	measure("translate", 10, rounds, func() { seen += len(translate(translated).Text) })
}
