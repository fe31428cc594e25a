package tiling

import "testing"

// Loop by loop every loop of the airfoil moves what it uses; by tiles everything moves once. What is
// changed moves twice.
func TestEstimate(t *testing.T) {
	in := airfoil(100, 50)
	const cells = 5000
	loops, tiles := Estimate(in, []int{32, 32, 8, 32})
	edges := int64(4 * len(in.Loops[2].Args[0].Map))
	if want := edges*2 + cells*(96+2*(32+16)+2*(32+8+64)+2*(32+64+64+8)); loops != want {
		t.Errorf("loop by loop %d bytes, want %d", loops, want)
	}
	if want := edges + cells*2*(32+32+8+32); tiles != want {
		t.Errorf("by tiles %d bytes, want %d", tiles, want)
	}
	if got, want := References(in), int64(2*3*len(in.Loops[2].Args[0].Map)+cells*(2+2*2+2*4)); got != want {
		t.Errorf("%d references, want %d", got, want)
	}
	in.Loops = in.Loops[2:3] // a few edges reach a few cells
	in.Loops[0].Last = 10
	if loops, tiles = Estimate(in, []int{32, 32, 8, 32}); loops != 10*8+20*(32+8+64) || tiles != loops {
		t.Errorf("of ten edges %d and %d bytes", loops, tiles)
	}
}
