package link

import (
	"encoding/binary"
	"testing"
)

func TestFields(t *testing.T) {
	adr := field{bits: 21, shift: 5, split: true}
	load := field{bits: 19, shift: 5, words: true}
	call := field{bits: 26, words: true}
	for _, c := range []struct {
		name     string
		field    field
		before   uint32
		distance int
		want     uint32 // 0: it does not fit
	}{
		{"adr x0, .+5", adr, 0x10000000, 5, 0x30000020},
		{"adr x3, .-1", adr, 0x10000003, -1, 0x70ffffe3},
		{"adr x0, .+1 MiB", adr, 0x10000000, 1 << 20, 0},
		{"ldr d1, .+8", load, 0x5c000001, 8, 0x5c000041},
		{"ldr d1, .-4", load, 0x5c000001, -4, 0x5cffffe1},
		{"ldr d1, .+2", load, 0x5c000001, 2, 0},
		{"adrp x3, which becomes adr x3, .+5", field{bits: 21, shift: 5, split: true, page: true}, 0x90000003, 5, 0x30000023},
		{"add x3, x3, :lo12:, which stays add x3, x3, 0", field{low: true}, 0x91000063, 5, 0x91000063},
		{"bl .-4", call, 0x94000000, -4, 0x97ffffff},
		{"bl .+128 MiB", call, 0x94000000, 1 << 27, 0},
		{"32 bits", field{bits: 32}, 7, -8, 0xfffffff8},
		{"more than 32 bits", field{bits: 32}, 7, 1 << 31, 0},
	} {
		code := binary.LittleEndian.AppendUint32(nil, c.before)
		ok := c.field.set(code, c.distance)
		if got := binary.LittleEndian.Uint32(code); ok != (c.want != 0) || ok && got != c.want {
			t.Errorf("%s: %#08x, %v, want %#08x", c.name, got, ok, c.want)
		}
	}
}
