// SPDX-License-Identifier: Apache-2.0

package dragoman

// #include <dragoman/dragoman.h>
import "C"

import (
	"fmt"
	"unsafe"
)

// Range is a part of a text in bytes: text[Begin:End].
type Range struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// Of gives that part of a text.
func (r Range) Of(text string) string { return text[r.Begin:r.End] }

// Matrix has its rows one after the other.
type Matrix struct {
	Rows int       `json:"rows"` // 0: no matrix
	Cols int       `json:"cols"`
	Data []float32 `json:"data"`
}

// Row gives a row, which shares the matrix's memory.
func (m Matrix) Row(row int) []float32 { return m.Data[row*m.Cols : (row+1)*m.Cols : (row+1)*m.Cols] }

// At gives an element.
func (m Matrix) At(row, col int) float32 { return m.Data[row*m.Cols+col] }

// Ptr gives a pointer to a value, for options whose 0 is not the default: Ptr[uint32](3).
func Ptr[T any](value T) *T { return &value }

func goString(text C.dragoman_string) string { return C.GoStringN(text.data, C.int(text.size)) }

func goStrings(tokens C.dragoman_tokens) []string {
	found := make([]string, int(tokens.count))
	for place, token := range unsafe.Slice(tokens.data, int(tokens.count)) {
		found[place] = goString(token)
	}
	return found
}

func goRange(begin, end C.size_t) Range { return Range{int(begin), int(end)} }

func goRanges(ranges C.dragoman_ranges) []Range {
	found := make([]Range, int(ranges.count))
	for place, one := range unsafe.Slice(ranges.data, int(ranges.count)) {
		found[place] = goRange(one.begin, one.end)
	}
	return found
}

func goMatrix(matrix C.dragoman_matrix) Matrix {
	count := int(matrix.rows * matrix.cols)
	found := Matrix{Rows: int(matrix.rows), Cols: int(matrix.cols), Data: make([]float32, count)}
	copy(found.Data, unsafe.Slice((*float32)(unsafe.Pointer(matrix.data)), count))
	return found
}

func vulkanVersion(v C.uint32_t) string { return fmt.Sprintf("%d.%d.%d", v>>22, v>>12&0x3FF, v&0xFFF) }

func uuidText(uuid [16]C.uint8_t) string { return fmt.Sprintf("%x", uuid) }
