package mesh

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"
)

// A million tetrahedra, with the triangles of their boundary: go test -run - -bench Gmsh ./mesh/

var gmshForms = []struct {
	name string
	writing
}{
	{"2.2-text", writing{true, true}}, {"2.2-binary", writing{false, true}},
	{"4.1-text", writing{true, false}}, {"4.1-binary", writing{false, false}},
}

func BenchmarkReadGmsh(b *testing.B) {
	m := millionTetrahedra(b)
	for _, form := range gmshForms {
		b.Run(form.name, func(b *testing.B) {
			var file bytes.Buffer
			if err := m.writeGmsh(&file, form.writing, binary.LittleEndian); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(file.Len()))
			for b.Loop() {
				if _, err := ReadGmsh(bytes.NewReader(file.Bytes())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriteGmsh(b *testing.B) {
	m := millionTetrahedra(b)
	for _, form := range gmshForms {
		b.Run(form.name, func(b *testing.B) {
			for b.Loop() {
				if err := m.writeGmsh(io.Discard, form.writing, binary.LittleEndian); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func millionTetrahedra(b *testing.B) *Mesh {
	b.Helper()
	m, err := Box(Tetrahedron, 55, 55, 56, 1, 1.1, 1/3.0)
	if err != nil {
		b.Fatal(err)
	}
	return m
}
