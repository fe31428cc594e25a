package vtu

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"
)

// types are the types of values that arrays have, by their names in files.
var types = func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[int64](), reflect.TypeFor[int32](), reflect.TypeFor[int16](),
		reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[uint32](), reflect.TypeFor[uint16](), reflect.TypeFor[uint8](),
	} {
		types[nameOf(t)] = t
	}
	return types
}()

// nameOf returns the name of a type in files: UInt8, Float64.
func nameOf(t reflect.Type) string {
	name := t.Kind().String()
	return strings.Replace(strings.ToUpper(name[:1])+name[1:], "Uint", "UInt", 1)
}

// typeOf returns the type of values, and their number.
func typeOf(values any) (t reflect.Type, n int, err error) {
	v := reflect.ValueOf(values)
	if v.Kind() != reflect.Slice || types[nameOf(v.Type().Elem())] != v.Type().Elem() {
		return nil, 0, fmt.Errorf("values of type %T", values)
	}
	return v.Type().Elem(), v.Len(), nil
}

// Make returns n zeros of a type: a slice.
func Make(t reflect.Type, n int) any { return reflect.MakeSlice(reflect.SliceOf(t), n, n).Interface() }

// Bytes returns the memory of values, which are a slice of numbers.
func Bytes(values any) []byte {
	v := reflect.ValueOf(values)
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

// Convert returns values as values of type T. Floating-point numbers are truncated where T is an integer type.
func Convert[T int64 | float64](values any) []T {
	if same, ok := values.([]T); ok {
		return same
	}
	v := reflect.ValueOf(values)
	out := make([]T, v.Len())
	if indices, ok := values.([]int32); ok { // most values of a mesh: without reflection
		for i, n := range indices {
			out[i] = T(n)
		}
		return out
	}
	for i := range out {
		switch x := v.Index(i); {
		case x.CanInt():
			out[i] = T(x.Int())
		case x.CanUint():
			out[i] = T(x.Uint())
		default:
			out[i] = T(x.Float())
		}
	}
	return out
}

// perLine is how many values a line of text has.
const perLine = 12

// appendText appends values in lines.
func appendText(to []byte, values any) []byte {
	v := reflect.ValueOf(values)
	for i := range v.Len() {
		switch x := v.Index(i); {
		case x.CanInt():
			to = strconv.AppendInt(to, x.Int(), 10)
		case x.CanUint():
			to = strconv.AppendUint(to, x.Uint(), 10)
		default:
			to = appendFloat(to, x.Float(), x.Type().Bits())
		}
		if i%perLine == perLine-1 || i == v.Len()-1 {
			to = append(to, '\n')
		} else {
			to = append(to, ' ')
		}
	}
	return to
}

// appendFloat appends the shortest text that stands for f alone; VTK reads nan and inf.
func appendFloat(to []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(to, "nan"...)
	case math.IsInf(f, 0):
		return append(to, strings.TrimPrefix(strings.ToLower(fmt.Sprint(f)), "+")...)
	}
	return strconv.AppendFloat(to, f, 'g', -1, bits)
}

// parseText returns the values of a type that a text holds, and how many bytes of it were read: less than all if what
// follows is not a value.
func parseText(text []byte, t reflect.Type) (values any, read int) {
	words := 0
	for at := range text {
		if !isSpace(text[at]) && (at == 0 || isSpace(text[at-1])) {
			words++
		}
	}
	values = Make(t, words)
	v := reflect.ValueOf(values)
	for i, at := 0, 0; i < words; i++ {
		for isSpace(text[at]) {
			at++
		}
		start := at
		for at < len(text) && !isSpace(text[at]) {
			at++
		}
		if !parseWord(v.Index(i), text[start:at]) {
			return v.Slice(0, i).Interface(), start
		}
	}
	return values, len(text)
}

// parseWord sets a value to the number that a word is, and reports whether it is one.
func parseWord(to reflect.Value, word []byte) bool {
	bitSize := to.Type().Bits()
	switch {
	case to.CanInt():
		n, err := strconv.ParseInt(string(word), 10, bitSize)
		to.SetInt(n)
		return err == nil
	case to.CanUint():
		n, err := strconv.ParseUint(string(word), 10, bitSize)
		to.SetUint(n)
		return err == nil
	}
	x, err := strconv.ParseFloat(string(word), bitSize)
	to.SetFloat(x)
	return err == nil && !bytes.ContainsAny(word, "_xX")
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
