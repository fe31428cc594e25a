package mesh

import "math"

// box is the bounding box of some points.
type box struct{ least, greatest [3]float64 }

func newBox() *box {
	inf := math.Inf(1)
	return &box{[3]float64{inf, inf, inf}, [3]float64{-inf, -inf, -inf}}
}

// add makes the box hold a point, whose z is 0 in two dimensions.
func (b *box) add(p []float64) {
	for k := range b.least {
		x := 0.0
		if k < len(p) {
			x = p[k]
		}
		b.least[k], b.greatest[k] = min(b.least[k], x), max(b.greatest[k], x)
	}
}

// diagonal returns the length of the box's diagonal.
func (b *box) diagonal() float64 { return vector(b.greatest).minus(vector(b.least)).norm() }
