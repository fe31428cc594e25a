package link

import (
	"encoding/binary"
	"fmt"
)

// scanAMD64 reads the instructions of a function.
func scanAMD64(s *section) (f facts) {
	for at := 0; at < len(s.data); {
		i, ok := decode(s.data[at:])
		if !ok {
			f.unknown = fmt.Sprintf("has an unknown instruction at +%#x: % x", at, s.data[at:min(at+15, len(s.data))])
			return f
		}
		f.avx = f.avx || i.vex
		f.tls = f.tls || i.segment
		if i.legacy {
			switch operation := i.modrm >> 3 & 7; {
			case i.opcode == 0xff && (operation == 2 || operation == 3):
				f.indirectCall = true
			case i.opcode == 0xff && (operation == 4 || operation == 5):
				f.indirectJump = true
			case i.opcode == 0xe8 && i.immediate != 0:
				// Without a relocation, in which the field is 0: the function is alone in its section.
				f.callsItself = true
			}
		}
		at += i.length
	}
	return f
}

// An instruction of x86-64, as far as it is decoded.
type instruction struct {
	length    int
	legacy    bool // of the one-byte map
	vex       bool // in the encoding of AVX
	segment   bool // with a prefix for fs or gs
	opcode    byte
	modrm     byte
	immediate int32 // the displacement of a call
}

// What follows an opcode: - nothing; m a ModRM byte; b, w, z immediate data of 1, 2 or 4 bytes (2 after the prefix
// 66), v of 8 with REX.W, r a distance of 4, o an address of 8, e the operands of ENTER; B and Z a ModRM byte and
// immediate data; g and t a ModRM byte, and immediate data as b or z for TEST. p is a prefix, R that called REX, x is
// no instruction. The rest leads to other maps.
const oneByte = "" +
	"mmmmbzxxmmmmbzx0" + "mmmmbzxxmmmmbzxx" + "mmmmbzpxmmmmbzpx" + "mmmmbzpxmmmmbzpx" +
	"RRRRRRRRRRRRRRRR" + "----------------" + "xxEmppppzZbB----" + "bbbbbbbbbbbbbbbb" +
	"BZxBmmmmmmmmmmmm" + "----------x-----" + "oooo----bz------" + "bbbbbbbbvvvvvvvv" +
	"BBw-32BZe-w--bx-" + "mmmmxxx-mmmmmmmm" + "bbbbbbbbrrxb----" + "p-pp--gt------mm"

// After 0f, also in the encodings of AVX.
const twoByte = "" +
	"mmmmx-----x-xm-x" + "mmmmmmmmmmmmmmmm" + "mmmmxxxxmmmmmmmm" + "------x-8xAxxxxx" +
	"mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "BBBBmmm-mmmmmmmm" +
	"rrrrrrrrrrrrrrrr" + "mmmmmmmmmmmmmmmm" + "---mBmxx---mBmmm" + "mmmmmmmmmmBmmmmm" +
	"mmBmBBBm--------" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm" + "mmmmmmmmmmmmmmmm"

// decode decodes the instruction at the start of code.
func decode(code []byte) (i instruction, ok bool) {
	defer func() { // cut short
		if recover() != nil {
			ok = false
		}
	}()
	at, wide, half := 0, false, false
	next := func() byte { at++; return code[at-1] }
	i.opcode, i.legacy = next(), true
	for kind := oneByte[i.opcode]; kind == 'p' || kind == 'R'; kind = oneByte[i.opcode] {
		half = half || i.opcode == 0x66
		i.segment = i.segment || i.opcode == 0x64 || i.opcode == 0x65
		wide = kind == 'R' && i.opcode&8 != 0
		i.opcode = next()
	}
	operands := oneByte[i.opcode]
	table := 0 // the map of an instruction with an escape
	switch operands {
	case '0':
		table, i.opcode = 1, next()
		switch twoByte[i.opcode] {
		case '8':
			table, i.opcode = 2, next()
		case 'A':
			table, i.opcode = 3, next()
		}
	case '2', '3', 'E':
		i.vex, table = true, 1
		if operands != '2' {
			table = int(next() & 7)
		}
		next()
		if operands == 'E' {
			next()
		}
		i.opcode = next()
	}
	if table > 0 {
		i.legacy, operands = false, map[int]byte{1: twoByte[i.opcode], 2: 'm', 3: 'B', 5: 'm', 6: 'm'}[table]
	}
	switch operands {
	case 'm', 'B', 'Z', 'g', 't':
		i.modrm = next()
		at += displacement(i.modrm, code[at:])
	}
	test := i.modrm>>3&7 < 2
	z := 4
	if half && !wide {
		z = 2
	}
	switch operands {
	case '-', 'm':
	case 'b', 'B':
		at++
	case 'w':
		at += 2
	case 'e':
		at += 3
	case 'z', 'Z':
		at += z
	case 'v':
		if wide {
			z = 8
		}
		at += z
	case 'o':
		at += 8
	case 'g':
		if test {
			at++
		}
	case 't':
		if test {
			at += z
		}
	case 'r':
		i.immediate = int32(binary.LittleEndian.Uint32(code[at:]))
		at += 4
	default:
		return i, false
	}
	i.length = at
	return i, at <= len(code)
}

// displacement returns how many bytes of an address follow a ModRM byte.
func displacement(modrm byte, after []byte) int {
	mod, rm := modrm>>6, modrm&7
	n, base := 0, rm
	if mod != 3 && rm == 4 {
		n, base = 1, after[0]&7
	}
	switch {
	case mod == 1:
		n++
	case mod == 2 || mod == 0 && base == 5:
		n += 4
	}
	return n
}
