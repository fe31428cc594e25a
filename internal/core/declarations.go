package core

import (
	"fmt"
	"hash/crc32"
	"strings"
)

// checkDeclarations returns an error, on all ranks, unless all have declared the same mesh: of sets
// that each declares whole, maps have the same values, and of those in shares, dats have the same
// shape. It is collective.
func (rt *Runtime) checkDeclarations() error {
	m := &rt.mesh
	var all []string
	for _, s := range m.sets {
		text := fmt.Sprintf("set %s of %d elements", s.name, s.spread.size)
		if s.shared() {
			text += ", in shares"
		}
		all = append(all, text)
	}
	for _, f := range m.maps {
		text := fmt.Sprintf("%s, %d for each", f.what(), f.arity)
		if !f.from.shared() {
			values := Bytes(f.values)
			if f.global != nil {
				values, _ = f.global.Bytes()
			}
			text += fmt.Sprintf(", with the check sum %08x", crc32.Checksum(values, castagnoli))
		}
		all = append(all, text)
	}
	for _, d := range m.held {
		all = append(all, fmt.Sprintf("%s, %d %v for each", d.Describe(), d.dim, d.scalar))
	}
	for _, s := range m.subsets {
		if s.of.shared() {
			all = append(all, "subset "+s.name+" of "+s.of.name)
		}
	}
	same, err := rt.sameOnAll(strings.Join(all, "\n"))
	if same || err != nil {
		return err
	}
	text, err := rt.differences(all, sayings.first)
	if err != nil {
		return err
	}
	return &agreed{fmt.Errorf("op2: ranks have declared different meshes: %s\n  hint: all ranks make the same declarations in the same order", text)}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
