package plot

import (
	"image/color"
	"math"
)

// Category returns the color of class i of a set of unordered classes. The first ten are those of
// M. Stone, "How we designed the new color palettes in Tableau 10" (2016), which were designed to
// be distinguishable even side by side. The others go around the color circle by the golden angle,
// in three lightnesses: consecutive classes differ strongly, and some twenty colors pass before one
// resembles another. A negative class is gray.
func Category(i int) color.RGBA {
	first := hex(
		0x4e79a7, 0xf28e2b, 0xe15759, 0x76b7b2, 0x59a14f,
		0xedc948, 0xb07aa1, 0xff9da7, 0x9c755f, 0xbab0ac,
	)
	switch {
	case i < 0:
		return color.RGBA{0xd5, 0xd8, 0xdc, 255}
	case i < len(first):
		return first[i]
	}
	const golden = 2.399963229728653 // radians
	lightness := [...]float64{0.62, 0.78, 0.50}[i%3]
	sin, cos := math.Sincos(golden * float64(i))
	return oklab{lightness, 0.11 * cos, 0.11 * sin}.rgba()
}
