package mesh

import (
	"bytes"
	"io"
	"testing"
)

// The classic mesh of 720,000 cells, 73 MB of text: go test -run - -bench . ./mesh/

func BenchmarkNACA0012(b *testing.B) {
	for b.Loop() {
		if _, err := NACA0012(400, 600); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m := mustNACA0012(b, 400, 600)
	var text bytes.Buffer
	if err := m.WriteAirfoil(&text); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if err := m.WriteAirfoil(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAirfoil(b *testing.B) {
	var text bytes.Buffer
	if err := mustNACA0012(b, 400, 600).WriteAirfoil(&text); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := ReadAirfoil(bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
