package plot

import (
	"bytes"
	"image"
	"strings"
	"testing"
)

// Panels are the pictures that Draw makes of them, side by side.
func TestPanels(t *testing.T) {
	f := plain(grid(4, 2, Rect{0, 0, 4, 2}, nil), true, func(x, y float64) (u, v float64) { return 1, 0 })
	large := small
	large.Width, large.Height = 500, 400
	panels := []Panel{{f, small}, {f, large}, {f, small}}
	picture, err := Panels(2, panels...)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Rect.Size(); size != image.Pt(small.Width+500, 400+small.Height) {
		t.Errorf("the picture has %v pixels", size)
	}
	one, err := Draw(f, small)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []image.Point{{0, 0}, {0, 400}} {
		for y := range one.Rect.Dy() {
			j, k := picture.PixOffset(at.X, at.Y+y), one.PixOffset(0, y)
			if n := 4 * one.Rect.Dx(); !bytes.Equal(picture.Pix[j:j+n], one.Pix[k:k+n]) {
				t.Fatalf("row %d of panel %d is not drawn", y, 2*i)
			}
		}
	}
	if _, err := Panels(0, panels...); err == nil || err.Error() != "plot: 3 panels in 0 columns, want at least one of each" {
		t.Error(err)
	}
	panels[1].Options.Width = 1
	if _, err := Panels(5, panels...); err == nil || !strings.HasPrefix(err.Error(), "panel 2: plot: a picture of 1 x 400 pixels") {
		t.Error(err)
	}
}
