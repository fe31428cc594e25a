package text

import (
	"maps"
	"testing"
)

func TestSections(t *testing.T) {
	got := Sections("//: one\n//- a remark\n//- in two lines\nint one; // comment\n\n//: two words\n\tint two;\n")
	delete(got, "") // what precedes the first
	if want := map[string]string{"one": "int one; // comment\n", "two words": "\tint two;\n"}; !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
