package plot

import (
	"fmt"
	"math"
)

// Rect is a window in the coordinates of a mesh. The zero Rect stands for all
// of the mesh.
type Rect struct {
	X0, Y0 float64 // lower left
	X1, Y1 float64 // upper right
}

func (r Rect) width() float64  { return r.X1 - r.X0 }
func (r Rect) height() float64 { return r.Y1 - r.Y0 }

// check returns an error unless r can be shown. what names r in the error.
func (r Rect) check(what string) error {
	for _, v := range [...]float64{r.X0, r.Y0, r.X1, r.Y1} {
		if !finite(v) {
			return fmt.Errorf("plot: %s x %g to %g, y %g to %g is not finite", what, r.X0, r.X1, r.Y0, r.Y1)
		}
	}
	if r.width() <= 0 || r.height() <= 0 {
		return fmt.Errorf("plot: %s x %g to %g, y %g to %g has no area", what, r.X0, r.X1, r.Y0, r.Y1)
	}
	// Outside these limits the squares of distances in pixels leave the range of float64, or
	// neighboring pixels have equal coordinates.
	least, greatest := min(r.width(), r.height()), max(r.width(), r.height())
	far := max(math.Abs(r.X0), math.Abs(r.X1), math.Abs(r.Y0), math.Abs(r.Y1))
	if least < 1e-60 || greatest > 1e60 || least < 1e-11*far {
		return fmt.Errorf("plot: %s x %g to %g, y %g to %g is out of scale", what, r.X0, r.X1, r.Y0, r.Y1)
	}
	return nil
}

// contains reports whether all of s lies in r.
func (r Rect) contains(s Rect) bool {
	return r.X0 <= s.X0 && r.Y0 <= s.Y0 && s.X1 <= r.X1 && s.Y1 <= r.Y1
}

// widened returns r, grown in its short direction until the other is at most
// 12 times as long.
func (r Rect) widened() Rect {
	if d := (r.height()/12 - r.width()) / 2; d > 0 {
		r.X0, r.X1 = r.X0-d, r.X1+d
	}
	if d := (r.width()/12 - r.height()) / 2; d > 0 {
		r.Y0, r.Y1 = r.Y0-d, r.Y1+d
	}
	return r
}

// meets reports whether r and s have a point in common.
func (r Rect) meets(s Rect) bool {
	return r.X0 <= s.X1 && s.X0 <= r.X1 && r.Y0 <= s.Y1 && s.Y0 <= r.Y1
}

func finite(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}
