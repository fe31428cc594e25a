package plot

import "image/color"

// inkScale gives inks to values, and colors to inks.
type inkScale struct {
	limits  limits
	palette []color.RGBA // shape [inks]
}

// newScale returns the scale of the colors of m over a range. Bare samples get
// the color outside, those of bodies the color inside.
func newScale(l limits, m Colormap, outside, inside color.RGBA) inkScale {
	p := make([]color.RGBA, int(firstInk)+shades)
	p[bare], p[body], p[invalid] = outside, inside, invalidColor
	for i := range shades {
		p[int(firstInk)+i] = m.At(float64(i) / (shades - 1))
	}
	return inkScale{l, p}
}

// ink returns the ink of the value at this fraction of the range.
func (s inkScale) ink(part float64) ink {
	if !finite(part) {
		return invalid
	}
	return firstInk + ink(min(max(part, 0), 1)*(shades-1)+0.5)
}

// dark reports whether the color of value v is dark.
func (s inkScale) dark(v float64) bool { return s.lightness(v) < 0.5 }

// lightness returns that of the color of value v, from 0 to 1.
func (s inkScale) lightness(v float64) float64 { return toOklab(s.palette[s.ink(s.limits.part(v))]).l }
