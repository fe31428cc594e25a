package plot

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// typeface is a font that is available in any size.
type typeface struct{ parsed *opentype.Font }

// The Go fonts, which pictures are set in. The packages gofont have them as lists of bytes, which take half a second to compile.
var (
	//go:embed fonts/Go-Regular.ttf
	regularTTF []byte
	//go:embed fonts/Go-Medium.ttf
	mediumTTF []byte

	regular = sync.OnceValue(func() typeface { return newTypeface(regularTTF) })
	medium  = sync.OnceValue(func() typeface { return newTypeface(mediumTTF) })
)

// newTypeface returns a font of the program itself. It panics if that is none.
func newTypeface(ttf []byte) typeface {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("plot: font: %v", err))
	}
	return typeface{parsed}
}

// text is a line of text to be drawn.
type text struct {
	string
	face  font.Face
	size  float64 // pixels per em
	color color.RGBA
}

// set returns s in a size in pixels.
func (t typeface) set(s string, size float64, c color.RGBA) text {
	face, err := opentype.NewFace(t.parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		panic(fmt.Sprintf("plot: font: %v", err)) // no size is too large or small
	}
	s = strings.Join(strings.Fields(s), " ") // one line
	return text{s, face, size, c}
}

// fit returns s in a size of at most size pixels in which it is no wider than
// width. Below 0.7 of the size it is cut instead, and ends in "…".
func (t typeface) fit(s string, size, width float64, c color.RGBA) text {
	line := t.set(s, size, c)
	if line.width() <= width {
		return line
	}
	line = t.set(s, size*max(0.7, 0.99*width/line.width()), c)
	for runes := []rune(line.string); line.width() > width && len(runes) > 0; {
		runes = runes[:len(runes)-1]
		line.string = strings.TrimSpace(string(runes)) + "…"
	}
	return line
}

func (t text) width() float64 {
	return float64(font.MeasureString(t.face, t.string)) / 64
}

// figureHeight returns the height of capital letters and digits.
func (t text) figureHeight() float64 {
	return 0.72 * t.size
}

// draw draws t from x on, on the base line y.
func (t text) draw(dst *image.RGBA, x, y float64) {
	t.drawOn(dst, image.NewUniform(t.color), x, y)
}

// drawMiddle draws t from x on, its digits centered on the height y.
func (t text) drawMiddle(dst *image.RGBA, x, y float64) {
	t.draw(dst, x, y+t.figureHeight()/2)
}

// drawUpwards draws t from bottom to top, from y on, on the base line x.
func (t text) drawUpwards(dst *image.RGBA, x, y float64) {
	w, h := int(math.Ceil(t.width()))+2, int(math.Ceil(1.5*t.size))
	lying := image.NewRGBA(image.Rect(0, 0, w, h))
	base := math.Round(1.1 * t.size)
	t.drawOn(lying, image.White, 1, base)
	x0, y0 := int(math.Round(x-base)), int(math.Round(y+1))
	for j := range h {
		for i := range w {
			at := image.Pt(x0+j, y0-1-i)
			if cover := lying.RGBAAt(i, j).A; cover != 0 && at.In(dst.Rect) {
				k := dst.PixOffset(at.X, at.Y)
				blend(dst.Pix[k:k+3], t.color, float64(cover)/255)
			}
		}
	}
}

func (t text) drawOn(dst *image.RGBA, ink image.Image, x, y float64) {
	d := font.Drawer{Dst: dst, Src: ink, Face: t.face, Dot: fixed.Point26_6{
		X: fixed.Int26_6(math.Round(64 * x)),
		// Base lines on whole pixels, so that all lines of digits are equally sharp.
		Y: fixed.I(int(math.Round(y))),
	}}
	d.DrawString(t.string)
}
