package link

import "encoding/binary"

// facts are properties of a function that its instructions show, and its relocations do not.
type facts struct {
	callsItself  bool // without a relocation
	indirectCall bool
	indirectJump bool // a table of jumps, or a call at the end
	tls          bool // the register of thread-local storage is read
	avx          bool
	unknown      string // what prevents reading the instructions
}

// scanARM64 reads the instructions of a function.
func scanARM64(s *section) (f facts) {
	relocated := map[int]bool{}
	for _, r := range s.relocs {
		relocated[r.at] = true
	}
	data, mapping := false, s.mapping
	for at := 0; at+4 <= len(s.data); at += 4 {
		for ; len(mapping) > 0 && mapping[0].at <= at; mapping = mapping[1:] {
			data = mapping[0].name[1] == 'd'
		}
		w := binary.LittleEndian.Uint32(s.data[at:])
		switch {
		case data:
		case w>>26 == 0b100101: // BL
			f.callsItself = f.callsItself || !relocated[at] // the function is alone in its section
		case w&0xfffffc1f == 0xd63f0000: // BLR
			f.indirectCall = true
		case w&0xfffffc1f == 0xd61f0000: // BR
			f.indirectJump = true
		case w&0xffffffe0 == 0xd53bd040: // MRS TPIDR_EL0
			f.tls = true
		}
	}
	return f
}
