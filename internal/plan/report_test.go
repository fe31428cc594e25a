package plan

import (
	"testing"
	"unsafe"
)

func TestReport(t *testing.T) {
	p := mustBuild(t, ring())
	got := p.Report(Staged{0, 16}, Staged{0, 3})
	want := Figures{
		Elements: 6, Blocks: 3, BlockSize: 2,
		Colors: 3, ColorBound: 2, SmallColor: 1, LargeColor: 1,
		ElementColors: 2, ElementBound: 2,
		Tables: 1, MostTargets: 3, Reuse: 12. / 9, SharedBytes: 48 + 16, Bytes: p.Bytes(),
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	in := ring()
	in.Data[0].Stage, in.Data[1].Stage, in.ElementColors = false, false, false
	p = mustBuild(t, in)
	got = p.Report()
	want = Figures{
		Elements: 6, Blocks: 3, BlockSize: 2,
		Colors: 3, ColorBound: 2, SmallColor: 1, LargeColor: 1, Reuse: 12. / 9, Bytes: p.Bytes(),
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestFiguresString(t *testing.T) {
	tests := []struct {
		f    Figures
		want string
	}{
		{Figures{
			Elements: 1438600, Blocks: 5620, BlockSize: 256, Colors: 4, ColorBound: 3, SmallColor: 1332, LargeColor: 1478,
			ElementColors: 4, ElementBound: 3, Tables: 2, MostTargets: 769, Reuse: 1.994, SharedBytes: 40000, Bytes: 28961234,
		}, `
blocks          5620, of 256 elements, for 1438600
block colors    4, at least 3 are needed; of 1332 to 1478 blocks each
element colors  at most 4 in a block, at least 3 are needed
local tables    2, at most 769 targets in a block
reuse           1.99 references for each target of a block
shared memory   40000 bytes
plan            29.0 MB
`},
		{Figures{Elements: 3000, Blocks: 4, BlockSize: 750, Colors: 2, ColorBound: 2, SmallColor: 2, LargeColor: 2, Reuse: 1, Bytes: 1234}, `
blocks          4, of 750 elements, for 3000
block colors    2, no fewer are possible; of 2 to 2 blocks each
reuse           1.00 references for each target of a block
plan            1.2 kB
`},
		{Figures{Elements: 3, Blocks: 1, BlockSize: 750, Colors: 1, ColorBound: 1, SmallColor: 1, LargeColor: 1, Bytes: 250}, `
blocks          1, of 750 elements, for 3
block colors    1
plan            250 bytes
`},
	}
	for _, test := range tests {
		if got := "\n" + test.f.String(); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
	}
}

// Bytes is the size of the arrays.
func TestBytes(t *testing.T) {
	p := mustBuild(t, ring())
	const slots = 2 * 2 * unsafe.Sizeof(Ref{})
	arrays := 4*(4+3+3+4+6+3) + slots + 4*(4+9) + 2*12
	if got, want := p.Bytes(), int64(unsafe.Sizeof(Plan{})+unsafe.Sizeof(Reach{})+unsafe.Sizeof(Table{})+arrays); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
