// SPDX-License-Identifier: Apache-2.0

package dragoman

import (
	"fmt"
	"strings"
)

// Error is what the library reports. errors.Is finds its Status in it, as in
//
//	errors.Is(err, dragoman.InvalidArgument)
//
// and where a context stopped the call, that context's error too.
type Error struct {
	Status  Status
	Message string // the library's sentence for a person
	cause   error
}

// Error is the status and the message.
func (e *Error) Error() string { return "dragoman: " + e.Status.String() + ": " + e.Message }

// Is says whether target is the Status.
func (e *Error) Is(target error) bool { return target == e.Status }

// Unwrap gives the error of the context that stopped the call, or that of a reader.
func (e *Error) Unwrap() error { return e.cause }

// Error makes each Status an error to compare others with.
func (v Status) Error() string { return "dragoman: " + v.String() }

func invalid(format string, values ...any) error {
	return &Error{Status: InvalidArgument, Message: fmt.Sprintf(format, values...)}
}

func wordOf(words []string, value int32) string {
	if value < 0 || int(value) >= len(words) {
		return fmt.Sprint("unknown ", value)
	}
	return words[value]
}

func readWord(name string, words []string, text string, value *int32) error {
	for place, word := range words {
		if word == text {
			*value = int32(place)
			return nil
		}
	}
	return invalid("%s: %q, expected one of %s", name, text, strings.Join(words, ", "))
}
