package plot

import (
	"image"
	"image/color"
	"testing"
)

// Three quarters of white light look like 225, not like 191.
func TestResolveAveragesLight(t *testing.T) {
	r := art("aaab", "aabb") // two pixels: all black, a quarter black
	palette := make([]color.RGBA, firstInk+2)
	palette[firstInk] = color.RGBA{0, 0, 0, 255}
	palette[firstInk+1] = color.RGBA{255, 255, 255, 255}
	dst := image.NewRGBA(image.Rect(0, 0, 4, 3))
	resolve(dst, image.Pt(1, 1), r, 2, palette)
	if got := dst.RGBAAt(1, 1); got != palette[firstInk] {
		t.Errorf("all black: %v", got)
	}
	if got := dst.RGBAAt(2, 1); got.R != 225 {
		t.Errorf("three quarters white: %v", got)
	}
	if got := dst.RGBAAt(3, 1); got.A != 0 {
		t.Errorf("drew outside: %v", got)
	}
}
