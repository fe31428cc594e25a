package link

import (
	"encoding/hex"
	"strings"
	"testing"
)

// Each line is one instruction: its length is that of the line.
const instructions = `
c3                             ret
48 89 e5                       mov %rsp,%rbp
48 8b 47 08                    mov 0x8(%rdi),%rax
8b 04 25 78 56 34 12           mov 0x12345678,%eax
48 8d 15 c0 00 00 00           lea 0xc0(%rip),%rdx
49 bc 11 22 33 44 55 66 77 88  movabs $0x8877665544332211,%r12
b8 01 00 00 00                 mov $0x1,%eax
66 b8 01 00                    mov $0x1,%ax
c7 44 24 08 01 00 00 00        movl $0x1,0x8(%rsp)
f7 c7 07 00 00 00              test $0x7,%edi
f7 d8                          neg %eax
41 f6 c0 01                    test $0x1,%r8b
e8 00 00 00 00                 call
ff e0                          jmp *%rax
ff 67 08                       jmp *0x8(%rdi)
0f 82 01 df ff ff              jb
66 2e 0f 1f 84 00 00 00 00 00  cs nopw 0x0(%rax,%rax,1)
66 0f 3a 0b c0 09              roundsd $0x9,%xmm0,%xmm0
f2 48 0f 2c c0                 cvttsd2si %xmm0,%rax
c5 f8 77                       vzeroupper
c5 fb 59 05 00 00 00 00        vmulsd 0x0(%rip),%xmm0,%xmm0
c4 e2 7d 19 05 5b 00 00 00     vbroadcastsd 0x5b(%rip),%ymm0
c4 e3 7d 19 c1 01              vextractf128 $0x1,%ymm0,%xmm1
c5 ed c6 c2 05                 vshufpd $0x5,%ymm2,%ymm2,%ymm0
62 f1 fd 48 58 44 24 01        vaddpd 0x40(%rsp),%zmm0,%zmm0
62 f3 fd 48 1b c1 01           vextractf64x4 $0x1,%zmm0,%ymm1
c5 f8 92 c8                    kmovw %eax,%k1
64 48 8b 04 25 28 00 00 00     mov %fs:0x28,%rax
`

func TestDecode(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(instructions)) {
		const column = 31
		name := strings.TrimSpace(line[column:])
		bytes, err := hex.DecodeString(strings.ReplaceAll(line[:column], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		i, ok := decode(append(bytes, make([]byte, 8)...))
		if !ok || i.length != len(bytes) {
			t.Errorf("%s: %d bytes, %v, want %d", name, i.length, ok, len(bytes))
		}
		if _, ok := decode(bytes[:len(bytes)-1]); ok {
			t.Errorf("%s: decoded, although it is cut short", name)
		}
	}
}

func TestScanAMD64(t *testing.T) {
	for _, c := range []struct {
		code string
		want facts
	}{
		{"53 e8 fa ff ff ff 5b c3", facts{callsItself: true}},
		{"e8 00 00 00 00 c3", facts{}},
		{"ff 57 08 c3", facts{indirectCall: true}},
		{"ff 67 08", facts{indirectJump: true}},
		{"ff c0 c3", facts{}}, // inc
		{"64 48 8b 04 25 28 00 00 00 c3", facts{tls: true}},
		{"c5 f8 77 c3", facts{avx: true}},
		{"c3 06", facts{unknown: "has an unknown instruction at +0x1: 06"}},
	} {
		code, _ := hex.DecodeString(strings.ReplaceAll(c.code, " ", ""))
		if got := scanAMD64(&section{data: code}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.code, got, c.want)
		}
	}
}
