package plot

import (
	"image"
	"image/color"
	"math"
)

// Colours of all that is not data. The text has a contrast to the page of at
// least 7 to 1.
var (
	pageColor    = color.RGBA{0xff, 0xff, 0xff, 255}
	outsideColor = color.RGBA{0xf1, 0xf3, 0xf5, 255}
	bodyColor    = color.RGBA{0x2e, 0x36, 0x40, 255}
	invalidColor = color.RGBA{0xff, 0x00, 0xc8, 255}
	titleColor   = color.RGBA{0x16, 0x1d, 0x26, 255}
	textColor    = color.RGBA{0x3a, 0x44, 0x50, 255}
	lineColor    = color.RGBA{0x6b, 0x76, 0x83, 255}
)

// layout says where the parts of a picture are, in pixels.
type layout struct {
	size   image.Point
	unit   float64         // all sizes are multiples of it; 1 at 1600 x 1000
	box    image.Rectangle // the mesh
	ground ground          // from coordinates to pixels of box
	view   Rect            // what box shows
	bar    image.Rectangle // the colours, with the tips for values beyond
	swatch image.Rectangle // the colour of invalid values; empty without them

	x, y, scale     axis
	title, subtitle text
	label           text
	swatchLabel     text
}

// Sizes in units.
const (
	margin       = 34
	titleSize    = 36
	subtitleSize = 24
	labelSize    = 24
	tickSize     = 21
	tickLength   = 8
	tickGap      = 8  // between a tick and its text
	tickSpacing  = 78 // least distance of two ticks
	barWidth     = 28
	barGap       = 36 // between mesh and bar
)

// newLayout arranges the parts of a picture of what is in view.
//
// How wide the texts at the ticks are depends on how many there is room for,
// and the room on how wide they are: the arrangement is repeated with the
// greatest widths found so far, until they no longer grow.
func newLayout(o Options, view Rect, l limits, anyInvalid bool) (*layout, error) {
	regular, medium, err := typefaces()
	if err != nil {
		return nil, err
	}
	lay := &layout{size: image.Pt(o.Width, o.Height), view: widen(view)}
	if lay.size.X == 0 {
		lay.size.X = defaultWidth
	}
	lay.unit = float64(lay.size.X) / 1600
	if o.Height != 0 {
		lay.unit = math.Sqrt(float64(lay.size.X) * float64(o.Height) / 1600 / 1000)
	}
	lay.unit = max(lay.unit, 0.58) // below, the small text cannot be read
	u := lay.unit

	if anyInvalid {
		if lay.swatchLabel, err = regular.set("not finite", tickSize*u, textColor); err != nil {
			return nil, err
		}
	}
	across := float64(lay.size.X) - 2*margin*u
	if lay.title, err = medium.fit(o.Title, titleSize*u, across, titleColor); err != nil {
		return nil, err
	}
	if lay.subtitle, err = regular.fit(o.Subtitle, subtitleSize*u, across, textColor); err != nil {
		return nil, err
	}

	var room room
	for range 5 {
		lay.place(o, room)
		if err := lay.axes(regular, l); err != nil {
			return nil, err
		}
		if !room.grow(lay) {
			break
		}
	}
	lay.label, err = regular.fit(o.Label, labelSize*u, float64(lay.bar.Dy()), titleColor)
	return lay, err
}

// widen grows a view in its short direction until the other is at most
// 12 times as long.
func widen(v Rect) Rect {
	if d := (v.height()/12 - v.width()) / 2; d > 0 {
		v.X0, v.X1 = v.X0-d, v.X1+d
	}
	if d := (v.width()/12 - v.height()) / 2; d > 0 {
		v.Y0, v.Y1 = v.Y0-d, v.Y1+d
	}
	return v
}

// room is what the texts at the ticks need, in pixels.
type room struct {
	x, y, scale    float64 // greatest widths
	xPower, yPower bool    // powers of ten at the x axis, at one of the others
}

// grow makes the room enough for the texts of lay and reports whether it was
// not.
func (r *room) grow(lay *layout) bool {
	was := *r
	r.x = max(r.x, lay.x.widest())
	r.y = max(r.y, lay.y.widest())
	r.scale = max(r.scale, lay.scale.widest())
	if lay.swatchLabel.face != nil {
		r.scale = max(r.scale, lay.swatchLabel.width())
	}
	r.xPower = r.xPower || lay.x.power != 0
	r.yPower = r.yPower || lay.y.power != 0 || lay.scale.power != 0
	return *r != was
}

// place sets the rectangles of lay, and its height where that is free.
func (lay *layout) place(o Options, r room) {
	u := lay.unit
	outwards := (tickLength + tickGap) * u
	left := margin*u + max(r.y+outwards, r.x/2)
	gap := max(barGap*u, r.x/2+tickGap*u)
	right := gap + barWidth*u + outwards + r.scale + margin*u
	if o.Label != "" {
		right += 2 * labelSize * u
	}
	top := margin * u
	if lay.title.string != "" {
		top += 1.35 * titleSize * u
	}
	if lay.subtitle.string != "" {
		top += 1.35 * subtitleSize * u
	}
	if top > margin*u {
		top += 10 * u
	}
	if r.yPower {
		top += 1.2 * tickSize * u
	}
	bottom := outwards + tickSize*u + margin*u
	if r.xPower {
		bottom += 1.3 * tickSize * u
	}

	wide := max(float64(lay.size.X)-left-right, 1)
	if o.Height == 0 {
		high := min(max(wide*lay.view.height()/lay.view.width(), 0.2*wide), 1.25*wide)
		lay.size.Y = min(max(int(math.Round(top+high+bottom)), minHeight), maxSide)
	}
	high := max(float64(lay.size.Y)-top-bottom, 1)
	scale := min(wide/lay.view.width(), high/lay.view.height())
	w, h := max(1, math.Round(scale*lay.view.width())), max(1, math.Round(scale*lay.view.height()))
	// Centred in the room there is: mesh and bar as one.
	x, y := math.Round(left+(wide-w)/2), math.Round(top+(high-h)/2)
	lay.box = image.Rect(int(x), int(y), int(x+w), int(y+h))
	lay.ground = ground{
		scale: scale,
		x0:    lay.view.X0 - (w/scale-lay.view.width())/2,
		y1:    lay.view.Y1 + (h/scale-lay.view.height())/2,
	}

	// A flat view leaves the bar too short for its ticks.
	barHigh := max(h, min(high, 320*u))
	barX, barY := math.Round(x+w+gap), math.Round(y+(h-barHigh)/2)
	lay.bar = image.Rect(int(barX), int(barY), int(barX+math.Round(barWidth*u)), int(barY+barHigh))
	if lay.swatchLabel.face != nil {
		side := lay.bar.Dx()
		lay.swatch = image.Rect(lay.bar.Min.X, lay.bar.Max.Y-side, lay.bar.Max.X, lay.bar.Max.Y)
		lay.bar.Max.Y -= side + int(math.Round(16*u))
	}
}

// axes sets the ticks of lay.
func (lay *layout) axes(regular typeface, l limits) (err error) {
	u := lay.unit
	shown := lay.ground
	x0, x1 := shown.x0, shown.x0+float64(lay.box.Dx())/shown.scale
	y0, y1 := shown.y1-float64(lay.box.Dy())/shown.scale, shown.y1
	if lay.x, err = newAxis(regular, u, x0, x1, float64(lay.box.Dx()), true); err != nil {
		return err
	}
	if lay.y, err = newAxis(regular, u, y0, y1, float64(lay.box.Dy()), false); err != nil {
		return err
	}
	lay.scale, err = newAxis(regular, u, l.lo, l.hi, float64(lay.bar.Dy()), false)
	return err
}
