package plot

import (
	"image"
	"math"
)

// layout holds the positions of the parts of a picture, in pixels.
type layout struct {
	size   image.Point
	unit   float64         // all sizes are multiples of it; 1 at 1600 x 1000
	box    image.Rectangle // the mesh
	ground ground          // from coordinates to pixels of box
	view   Rect            // what box shows
	bar    image.Rectangle // the colors, without the tips for values beyond
	swatch image.Rectangle // the color of invalid values; empty without them

	x, y, scale     axis
	title, subtitle text
	label           text
	xLabel, yLabel  text // at the axes
	swatchLabel     text
	arrowLabel      text // at the arrow that shows the scale of vectors; no face without them
}

// newLayout arranges the parts of a picture of a view.
//
// The widths of the tick labels depend on how many have room, and the room depends on the widths:
// the arrangement is repeated with the greatest widths so far, until they stop growing.
func newLayout(o Options, view Rect, l limits, anyInvalid, arrows bool) *layout {
	lay := &layout{size: image.Pt(o.Width, o.Height), view: view}
	if lay.size.X == 0 {
		lay.size.X = defaultWidth
	}
	lay.unit = float64(lay.size.X) / 1600
	if o.Height != 0 {
		lay.unit = math.Sqrt(float64(lay.size.X) * float64(o.Height) / 1600 / 1000)
	}
	lay.unit = max(lay.unit, 0.58) // smaller text would not be legible
	u := lay.unit

	if anyInvalid {
		name := "not finite"
		switch {
		case o.Classes > 0:
			name = "other"
		case o.Log:
			name = "not positive"
		}
		lay.swatchLabel = regular().set(name, tickSize*u, textColor)
	}
	if arrows {
		lay.arrowLabel = regular().set(o.ArrowLabel, tickSize*u, textColor)
	}
	across := float64(lay.size.X) - 2*margin*u
	lay.title = medium().fit(o.Title, titleSize*u, across, titleColor)
	lay.subtitle = regular().fit(o.Subtitle, subtitleSize*u, across, textColor)

	room := labelRoom{scale: scaleWidth * u}
	for range 5 {
		lay.place(o, room)
		lay.axes(l, o)
		if !room.grow(lay) {
			break
		}
	}
	lay.xLabel = regular().fit(o.XLabel, labelSize*u, float64(lay.box.Dx()), titleColor)
	lay.yLabel = regular().fit(o.YLabel, labelSize*u, float64(lay.box.Dy()), titleColor)
	lay.label = regular().fit(o.Label, labelSize*u, float64(lay.bar.Dy()), titleColor)
	return lay
}

// labelRoom is the space that tick labels need, in pixels.
type labelRoom struct {
	x, y, scale                float64 // greatest widths
	xPower, yPower, scalePower bool    // powers of ten
}

// grow enlarges the room to fit the labels of lay, and reports whether it had to.
func (r *labelRoom) grow(lay *layout) bool {
	was := *r
	r.x = max(r.x, lay.x.widest())
	r.y = max(r.y, lay.y.widest())
	r.scale = max(r.scale, lay.scale.widest())
	r.xPower = r.xPower || lay.x.power != 0
	r.yPower = r.yPower || lay.y.power != 0
	r.scalePower = r.scalePower || lay.scale.power != 0
	return *r != was
}

// borders are the widths of the margins around the mesh, in pixels.
type borders struct{ left, right, top, bottom, gap float64 }

// borders returns how much space all labels and the bar need. gap is the part of the right border
// that is between mesh and bar.
func (lay *layout) borders(o Options, r labelRoom) borders {
	u := lay.unit
	outwards := (tickLength + tickGap) * u
	b := borders{
		left:   margin*u + max(r.y+outwards, r.x/2),
		gap:    max(barGap*u, r.x/2+tickGap*u),
		top:    margin * u,
		bottom: outwards + tickSize*u + margin*u,
	}
	b.right = b.gap + barWidth*u + outwards + r.scale + margin*u
	if o.Label != "" {
		b.right += 2 * labelSize * u
	}
	if lay.title.string != "" {
		b.top += lineHeight * titleSize * u
	}
	if lay.subtitle.string != "" {
		b.top += lineHeight * subtitleSize * u
	}
	b.top += 14 * u // between titles and mesh, or for the number at the tip of the bar
	switch {
	case r.scalePower: // above the tip of the bar
		b.top += 2 * tickSize * u
	case r.yPower || lay.arrowLabel.face != nil:
		b.top += 1.2 * tickSize * u
	}
	if o.XLabel != "" {
		b.bottom += axisLabel * u
	}
	if o.YLabel != "" {
		b.left += axisLabel * u
	}
	if r.xPower {
		b.bottom += 1.3 * tickSize * u
	}
	return b
}

// place sets the rectangles of lay, and its height unless that is given.
func (lay *layout) place(o Options, r labelRoom) {
	b, view := lay.borders(o, r), lay.view
	wide := max(float64(lay.size.X)-b.left-b.right, 1)
	if o.Height == 0 {
		high := min(max(wide*view.height()/view.width(), 0.2*wide), 1.25*wide)
		lay.size.Y = min(max(int(math.Round(b.top+high+b.bottom)), minHeight), maxSide)
	}
	high := max(float64(lay.size.Y)-b.top-b.bottom, 1)

	scale := min(wide/view.width(), high/view.height())
	w, h := max(1, math.Round(scale*view.width())), max(1, math.Round(scale*view.height()))
	// Round to whole pixels: the mesh is cropped by at most half a pixel on each side. Rounding the
	// other way would leave an empty fringe.
	scale = max(w/view.width(), h/view.height())
	lay.ground = ground{
		scale: scale,
		x0:    view.X0 + (view.width()-w/scale)/2,
		y1:    view.Y1 - (view.height()-h/scale)/2,
	}
	// Center mesh and bar together in the available room.
	x, y := math.Round(b.left+(wide-w)/2), math.Round(b.top+(high-h)/2)
	lay.box = image.Rect(int(x), int(y), int(x+w), int(y+h))
	lay.placeBar(x+w+b.gap, high)
}

// placeBar sets the rectangles of bar and swatch, from x on and at most high.
func (lay *layout) placeBar(x, high float64) {
	u, h := lay.unit, float64(lay.box.Dy())
	// A flat view would leave the bar too short for its ticks.
	barHigh := max(h, min(high, 320*u))
	x = math.Round(x)
	y := math.Round(float64(lay.box.Min.Y) + (h-barHigh)/2)
	lay.bar = image.Rect(int(x), int(y), int(x+math.Round(barWidth*u)), int(y+barHigh))
	if lay.swatchLabel.face != nil { // below the tip
		side, top := int(math.Round(0.8*barWidth*u)), lay.bar.Max.Y+lay.tip()+int(math.Round(10*u))
		lay.swatch = image.Rect(lay.bar.Min.X, top, lay.bar.Min.X+side, top+side)
	}
}

// axes sets the ticks of lay. Those of classes are whole numbers.
func (lay *layout) axes(l limits, o Options) {
	u, face := lay.unit, regular()
	shown := lay.ground
	x0, x1 := shown.x0, shown.x0+float64(lay.box.Dx())/shown.scale
	y0, y1 := shown.y1-float64(lay.box.Dy())/shown.scale, shown.y1
	lay.x = newAxis(face, u, x0, x1, float64(lay.box.Dx()), true)
	lay.y = newAxis(face, u, y0, y1, float64(lay.box.Dy()), false)
	if o.Projected {
		lay.x.ticks, lay.x.labels, lay.x.power = nil, nil, 0
		lay.y.ticks, lay.y.labels, lay.y.power = nil, nil, 0
	}
	if o.Classes > 0 {
		lay.scale = newClassAxis(face, u, l, float64(lay.bar.Dy()))
	} else if l.log {
		lay.scale = newLogAxis(face, u, l.lo, l.hi, float64(lay.bar.Dy()))
	} else {
		lay.scale = newAxis(face, u, l.lo, l.hi, float64(lay.bar.Dy()), false)
	}
}

// tip returns the height of a tip of the bar.
func (lay *layout) tip() int { return int(math.Round(0.75 * barWidth * lay.unit)) }
