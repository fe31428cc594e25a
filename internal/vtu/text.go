package vtu

import (
	"bytes"
	"math"
	"strconv"
)

// perLine is how many values a line of text has.
const perLine = 12

// appendText appends values in lines.
func appendText[T Scalar](to []byte, values []T, format func([]byte, T) []byte) []byte {
	for i, v := range values {
		to = format(to, v)
		if i%perLine == perLine-1 || i == len(values)-1 {
			to = append(to, '\n')
		} else {
			to = append(to, ' ')
		}
	}
	return to
}

// parseText returns the values of a text, and how many bytes of it were read: less than all if what follows is not a
// value.
func parseText[T Scalar](text []byte, parse func([]byte) (T, bool)) ([]T, int) {
	var values []T
	for at := 0; ; {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		start := at
		for at < len(text) && !isSpace(text[at]) {
			at++
		}
		if start == at {
			return values, len(text)
		}
		v, ok := parse(text[start:at])
		if !ok {
			return values, start
		}
		values = append(values, v)
	}
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// appendFloat appends the shortest text that stands for v alone; VTK reads nan and inf.
func appendFloat[T float64 | float32](to []byte, v T) []byte {
	switch f := float64(v); {
	case math.IsNaN(f):
		return append(to, "nan"...)
	case math.IsInf(f, 1):
		return append(to, "inf"...)
	case math.IsInf(f, -1):
		return append(to, "-inf"...)
	}
	return strconv.AppendFloat(to, float64(v), 'g', -1, bits[T]())
}

func parseFloat[T float64 | float32](text []byte) (T, bool) {
	v, err := strconv.ParseFloat(string(text), bits[T]())
	return T(v), err == nil && !bytes.ContainsAny(text, "_xX")
}

func appendInt[T int64 | int32 | int16 | int8](to []byte, v T) []byte {
	return strconv.AppendInt(to, int64(v), 10)
}

func parseInt[T int64 | int32 | int16 | int8](text []byte) (T, bool) {
	v, err := strconv.ParseInt(string(text), 10, bits[T]())
	return T(v), err == nil
}

func appendUint[T uint64 | uint32 | uint16 | uint8](to []byte, v T) []byte {
	return strconv.AppendUint(to, uint64(v), 10)
}

func parseUint[T uint64 | uint32 | uint16 | uint8](text []byte) (T, bool) {
	v, err := strconv.ParseUint(string(text), 10, bits[T]())
	return T(v), err == nil
}

// bits returns the size of a type in bits.
func bits[T Scalar]() int { return 8 * len(view(make([]T, 1))) }
