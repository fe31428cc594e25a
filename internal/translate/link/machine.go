package link

import (
	"debug/elf"
	"encoding/binary"
	"text/template"
)

// A machine is an architecture that is linked for.
type machine struct {
	arch        string
	fields      map[uint32]field // by type of relocation: those that are relative to the code
	name        func(kind uint32) string
	scan        func(*section) facts
	fill        byte // between functions: no instruction to execute
	pastEnd     int  // what offsets in instructions add to the distance, since they count from their end
	tablesRefer bool // tables of jumps have relocations
	redZone     int  // bytes below the stack pointer that functions may use, and compilers do not count

	trampoline *template.Template
	word       int // bytes of a directive
	directive  func(code []byte) string
}

var machines = map[elf.Machine]*machine{elf.EM_X86_64: &amd64, elf.EM_AARCH64: &arm64}

var amd64 = machine{
	arch: "amd64",
	fields: map[uint32]field{
		uint32(elf.R_X86_64_PC32): {bits: 32}, uint32(elf.R_X86_64_PLT32): {bits: 32}, uint32(elf.R_X86_64_PC64): {bits: 64},
	},
	name: func(kind uint32) string { return elf.R_X86_64(kind).String() },
	scan: scanAMD64,
	fill: 0xcc, pastEnd: 4, tablesRefer: true, redZone: 128,
	trampoline: callAMD64, word: 8, directive: quad,
}

var arm64 = machine{
	arch: "arm64",
	fields: map[uint32]field{
		uint32(elf.R_AARCH64_PREL64): {bits: 64}, uint32(elf.R_AARCH64_PREL32): {bits: 32},
		uint32(elf.R_AARCH64_LD_PREL_LO19):     {bits: 19, shift: 5, words: true},
		uint32(elf.R_AARCH64_ADR_PREL_LO21):    {bits: 21, shift: 5, split: true},
		uint32(elf.R_AARCH64_ADR_PREL_PG_HI21): {bits: 21, shift: 5, split: true, page: true},
		uint32(elf.R_AARCH64_ADD_ABS_LO12_NC):  {low: true}, uint32(elf.R_AARCH64_LDST32_ABS_LO12_NC): {low: true},
		uint32(elf.R_AARCH64_LDST64_ABS_LO12_NC): {low: true}, uint32(elf.R_AARCH64_LDST128_ABS_LO12_NC): {low: true},
		uint32(elf.R_AARCH64_TSTBR14): {bits: 14, shift: 5, words: true}, uint32(elf.R_AARCH64_CONDBR19): {bits: 19, shift: 5, words: true},
		uint32(elf.R_AARCH64_JUMP26): {bits: 26, words: true}, uint32(elf.R_AARCH64_CALL26): {bits: 26, words: true},
	},
	name:       func(kind uint32) string { return elf.R_AARCH64(kind).String() },
	scan:       scanARM64,
	trampoline: callARM64, word: 4, directive: word,
}

// A field is where a distance stands in data or in an instruction.
type field struct {
	bits, shift int
	words       bool // it counts instructions, not bytes
	split       bool // its lowest two bits are at 29
	page        bool // the instruction ADRP, for the page, which becomes ADR, for the address
	low         bool // the offset in the page, which becomes 0
}

func (f field) bytes() int { return max(f.bits, 32) / 8 }

// set stores a distance, and reports whether it fits.
func (f field) set(code []byte, distance int) bool {
	if f.low {
		return true
	}
	if f.words {
		if distance&3 != 0 {
			return false
		}
		distance >>= 2
	}
	if distance>>(f.bits-1) != distance>>63 {
		return false
	}
	if f.bits == 64 {
		binary.LittleEndian.PutUint64(code, uint64(distance))
		return true
	}
	if f.page {
		code[3] &^= 0x80
	}
	mask, bits := uint32(1<<f.bits-1), uint32(distance)
	if f.split {
		mask, bits = mask>>2<<f.shift|3<<29, bits>>2<<f.shift&(mask>>2<<f.shift)|bits&3<<29
	} else {
		mask, bits = mask<<f.shift, bits<<f.shift&(mask<<f.shift)
	}
	binary.LittleEndian.PutUint32(code, binary.LittleEndian.Uint32(code)&^mask|bits)
	return true
}
