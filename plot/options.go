package plot

import (
	"fmt"
	"image/color"
)

// Options control how a field is drawn. The zero Options draw all of it, each cell in one color.
type Options struct {
	Title    string // above the picture
	Subtitle string // smaller, under the title
	Label    string // the quantity, at the color bar: "Mach number"

	// XLabel and YLabel are at the axes: "x in km".
	XLabel, YLabel string

	// Width and Height of the picture in pixels, from 400 x 300 to 10000 x 10000. A width of 0
	// means 1600; a height of 0 follows from the view. The scales of x and y are always equal.
	Width, Height int

	// View is the window to show, in the coordinates of the mesh.
	// The zero Rect shows all of it.
	View Rect

	// Min and Max are the ends of the color range; values beyond them get the colors of the ends,
	// and the bar gets a tip there, with the extreme value next to it. If both are 0, the range is
	// that of all finite values in view, rounded outwards.
	Min, Max float64

	// Log makes equal ratios of values equal steps of color. Values that are not positive are drawn like those that
	// are not finite. Iso-lines are at powers of ten, and at 2 and 5 times these where they have room.
	Log bool

	// Trim excludes the outermost values from an automatic range, a two-hundredth of the picture at
	// either end, if that makes it markedly smaller. They are drawn like values beyond Min and Max.
	Trim bool

	// Contours is the approximate number of iso-lines, which are at round values.
	Contours int

	// Smooth interpolates linearly between values at the nodes; values of cells
	// are first averaged to the nodes around them. Without it each cell has one
	// color: that of its value, or of the mean of its nodes.
	Smooth bool

	// Map gives the colors. The zero Colormap is Viridis.
	Map Colormap

	// Classes is the number of classes that the values of the cells stand for; 0: the values are
	// ordinary numbers. Each cell has a whole number from 0 to Classes-1, drawn in the color that
	// Category returns for it, or NaN for no class, drawn in Category's gray. Min, Max and Map are
	// ignored.
	Classes int

	// Edges draws the edges of the cells.
	Edges bool

	// Projected says that the mesh is how faces in space look, those in front after those behind them:
	// these and their edges are hidden, holes are not filled, and the axes have no numbers, since
	// projected coordinates mean nothing.
	Projected bool

	// Arrows is the approximate number of arrows across the picture, for a field that has Vectors;
	// 0: 30. They are drawn on a regular grid.
	Arrows int

	// Streamlines is the approximate number of streamlines across the picture, which are drawn instead
	// of arrows; 0: none.
	Streamlines int

	// Longest is the length of the vectors whose arrows are as long as the distance between two
	// arrows; longer vectors are drawn at that length, too. 0: the longest in the picture. Use one
	// value for a series of pictures, so that arrows are comparable.
	Longest float64

	// ArrowLabel is the quantity, at the arrow above the mesh that shows the
	// scale: "m/s".
	ArrowLabel string

	// Body is the color of the holes of the mesh: the bodies that the field surrounds. The zero
	// color is a dark slate.
	Body color.RGBA

	// Outside is the color around the mesh. The zero color is a light gray.
	Outside color.RGBA

	given bool // Min and Max count although both may be 0
}

const (
	defaultWidth        = 1600
	minWidth, minHeight = 400, 300
	maxSide             = 10000
	maxContours         = 200
	maxArrows           = 500
	maxStreamlines      = 200
	maxClasses          = shades / 4 // several shades of the scale for each
)

// check returns an error unless o can be used with a mesh in bounds.
func (o Options) check(bounds Rect) error {
	width := o.Width
	if width == 0 {
		width = defaultWidth
	}
	switch {
	case width < minWidth || width > maxSide,
		o.Height != 0 && (o.Height < minHeight || o.Height > maxSide):
		return fmt.Errorf("plot: a picture of %d x %d pixels, want from %d x %d to %d x %d",
			width, o.Height, minWidth, minHeight, maxSide, maxSide)
	case !finite(o.Min) || !finite(o.Max) || !finite(o.Max-o.Min):
		return fmt.Errorf("plot: color range from %g to %g is not finite", o.Min, o.Max)
	case o.Min >= o.Max && (o.Min != 0 || o.Max != 0):
		return fmt.Errorf("plot: color range from %g to %g is empty", o.Min, o.Max)
	case o.Log && (o.Min < 0 || o.Min == 0 && o.Max != 0):
		return fmt.Errorf("plot: logarithmic colors from %g: want a positive number, or none", o.Min)
	case o.Log && (o.Classes > 0 || o.Map.Diverging):
		return fmt.Errorf("plot: logarithmic colors go without Classes, and with a map that is not diverging")
	case o.Contours < 0 || o.Contours > maxContours:
		return fmt.Errorf("plot: %d contours, want from 0 to %d", o.Contours, maxContours)
	case o.Arrows < 0 || o.Arrows > maxArrows:
		return fmt.Errorf("plot: %d arrows, want from 0 to %d", o.Arrows, maxArrows)
	case o.Streamlines < 0 || o.Streamlines > maxStreamlines:
		return fmt.Errorf("plot: %d streamlines, want from 0 to %d", o.Streamlines, maxStreamlines)
	case !(o.Longest >= 0) || !finite(o.Longest):
		return fmt.Errorf("plot: the longest vector is %g, want a number from 0", o.Longest)
	case o.Classes < 0 || o.Classes > maxClasses:
		return fmt.Errorf("plot: %d classes, want from 0 to %d", o.Classes, maxClasses)
	case o.Classes > 0 && (o.Smooth || o.Contours > 0):
		return fmt.Errorf("plot: between classes there is nothing to interpolate: they go without Smooth and Contours")
	}
	if o.View == (Rect{}) {
		return nil
	}
	if err := o.View.check("the view"); err != nil {
		return err
	}
	v := o.View
	if v.X1 <= bounds.X0 || v.X0 >= bounds.X1 || v.Y1 <= bounds.Y0 || v.Y0 >= bounds.Y1 {
		return fmt.Errorf("plot: the view x %g to %g, y %g to %g is outside the mesh at x %g to %g, y %g to %g",
			v.X0, v.X1, v.Y0, v.Y1, bounds.X0, bounds.X1, bounds.Y0, bounds.Y1)
	}
	return nil
}

// shown returns the window that a picture of a mesh shows.
func (o Options) shown(m Mesh) Rect {
	if o.View == (Rect{}) {
		return m.frame().widened()
	}
	return o.View.widened()
}
