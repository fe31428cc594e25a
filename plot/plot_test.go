package plot

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	square := func() Field {
		return Field{Mesh: Mesh{append([]float64(nil), unitSquare.XY...), append([]int32(nil), unitSquare.Cells...), 3}, Values: []float64{0, 1}}
	}
	for _, test := range []struct {
		change func(f *Field, o *Options)
		want   string
	}{
		{func(f *Field, o *Options) { f.Mesh.Corners = 2 }, "plot: a cell has 2 corners, want 3 or more"},
		{func(f *Field, o *Options) { f.Mesh.XY = f.Mesh.XY[:7] }, "plot: 7 coordinates are not 2 per node"},
		{func(f *Field, o *Options) { f.Mesh.Cells = f.Mesh.Cells[:5] }, "plot: 5 corners are not 3 per cell"},
		{func(f *Field, o *Options) { f.Mesh.Cells = nil }, "plot: the mesh has no cells"},
		{func(f *Field, o *Options) { *f = Field{} }, "plot: a cell has 0 corners, want 3 or more"},
		{func(f *Field, o *Options) { f.Mesh.Cells[4] = 4 }, "plot: cell 1, corner 1: node 4 is not in [0, 4)"},
		{func(f *Field, o *Options) { f.Mesh.Cells[0] = -1 }, "plot: cell 0, corner 0: node -1 is not in [0, 4)"},
		{func(f *Field, o *Options) { f.Mesh.XY[5] = nan }, "plot: node 2 lies at (1, NaN)"},
		{func(f *Field, o *Options) { f.Mesh.XY[0] = -inf }, "plot: node 0 lies at (-Inf, 0)"},
		{func(f *Field, o *Options) { f.Mesh.Cells = []int32{0, 1, 1} }, "plot: the mesh at x 0 to 1, y 0 to 0 has no area"},
		{func(f *Field, o *Options) { f.Mesh.XY[2], f.Mesh.XY[4] = 1e70, 1e70 }, "plot: the mesh at x 0 to 1e+70, y 0 to 1 is out of scale"},
		{func(f *Field, o *Options) { f.Values = make([]float64, 3) }, "plot: 3 values fit neither 2 cells nor 4 nodes"},
		{func(f *Field, o *Options) { f.Values = nil }, "plot: 0 values fit neither 2 cells nor 4 nodes"},
		{func(f *Field, o *Options) {
			f.Mesh.Cells = append(f.Mesh.Cells, f.Mesh.Cells...)
			f.Values = make([]float64, 4)
		}, "plot: 4 values can be those of 4 cells or of 4 nodes: append an unused node"},
		{func(f *Field, o *Options) { o.Width = 20 }, "plot: a picture of 20 x 0 pixels, want from 400 x 300 to 10000 x 10000"},
		{func(f *Field, o *Options) { o.Height = -1 }, "plot: a picture of 1600 x -1 pixels, want from 400 x 300 to 10000 x 10000"},
		{func(f *Field, o *Options) { o.Width, o.Height = 10000, 20000 }, "plot: a picture of 10000 x 20000 pixels, want from 400 x 300 to 10000 x 10000"},
		{func(f *Field, o *Options) { o.Min, o.Max = 2, 1 }, "plot: color range from 2 to 1 is empty"},
		{func(f *Field, o *Options) { o.Min, o.Max = 2, 2 }, "plot: color range from 2 to 2 is empty"},
		{func(f *Field, o *Options) { o.Max = nan }, "plot: color range from 0 to NaN is not finite"},
		{func(f *Field, o *Options) { o.Contours = -1 }, "plot: -1 contours, want from 0 to 200"},
		{func(f *Field, o *Options) { o.Arrows = -1 }, "plot: -1 arrows, want from 0 to 500"},
		{func(f *Field, o *Options) { o.Longest = nan }, "plot: the longest vector is NaN, want a number from 0"},
		{func(f *Field, o *Options) { o.Longest = -1 }, "plot: the longest vector is -1, want a number from 0"},
		{func(f *Field, o *Options) { f.Vectors = make([]float64, 6) }, "plot: 6 components of vectors are not 2 for each of 2 cells or 4 nodes"},
		{func(f *Field, o *Options) {
			f.Mesh.XY, f.Mesh.Cells = f.Mesh.XY[:6], append(f.Mesh.Cells[:3:3], 0, 1, 2, 0, 1, 2)
			f.Vectors = make([]float64, 6)
		}, "plot: 6 components can be those of vectors on 3 cells or on 3 nodes: append an unused node"},
		{func(f *Field, o *Options) { o.Classes = -1 }, "plot: -1 classes, want from 0 to 256"},
		{func(f *Field, o *Options) { o.Classes, o.Smooth = 2, true }, "plot: between classes there is nothing to interpolate: they go without Smooth and Contours"},
		{func(f *Field, o *Options) { o.Classes = 1 }, "plot: cell 1 has the value 1, want a class from 0 to 0, or NaN"},
		{func(f *Field, o *Options) { o.Classes, f.Values[0] = 3, 0.5 }, "plot: cell 0 has the value 0.5, want a class from 0 to 2, or NaN"},
		{func(f *Field, o *Options) { o.Classes, f.Values = 1, make([]float64, 4) }, "plot: classes are those of cells, not of nodes"},
		{func(f *Field, o *Options) { o.View = Rect{1, 0, 0, 1} }, "plot: the view x 1 to 0, y 0 to 1 has no area"},
		{func(f *Field, o *Options) { o.View = Rect{0, 0, 1, inf} }, "plot: the view x 0 to 1, y 0 to +Inf is not finite"},
		{func(f *Field, o *Options) { o.View = Rect{0.5, 0.5, math.Nextafter(0.5, 1), 1} }, "plot: the view x 0.5 to 0.5000000000000001, y 0.5 to 1 is out of scale"},
		{func(f *Field, o *Options) { o.View = Rect{2, 2, 3, 3} }, "plot: the view x 2 to 3, y 2 to 3 is outside the mesh at x 0 to 1, y 0 to 1"},
	} {
		f, o := square(), Options{}
		test.change(&f, &o)
		if _, err := Draw(f, o); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

// pixel returns where a point in the coordinates of the mesh is drawn.
func (lay *layout) pixel(x, y float64) (i, j int) {
	p := lay.ground.at([]float64{x, y}, 0)
	return lay.box.Min.X + int(p.x), lay.box.Min.Y + int(p.y)
}

// drawn returns a picture and where its parts are.
func drawn(t *testing.T, f Field, o Options) (*image.RGBA, *layout) {
	t.Helper()
	picture, err := Draw(f, o)
	if err != nil {
		t.Fatal(err)
	}
	onNodes, _ := f.check()
	view := o.View
	if view == (Rect{}) {
		view = f.Mesh.frame()
	}
	view = view.widened()
	d := newData(f, onNodes, o)
	lay := newLayout(o, view, d.limits(view, o), d.anyInvalid(view), len(d.vectors) > 0 && o.Streamlines == 0)
	if lay.size != picture.Rect.Max {
		t.Fatalf("a picture of %v, want %v", picture.Rect.Max, lay.size)
	}
	return picture, lay
}

// small is Options for quick pictures.
var small = Options{Width: minWidth, Height: minHeight}

func TestDrawShowsEachCell(t *testing.T) {
	f := Field{Mesh: grid(4, 2, Rect{0, 0, 4, 2}, nil), Values: []float64{0, 1, 2, 3, 4, 5, 6, 8}}
	picture, lay := drawn(t, f, small)
	for c, v := range f.Values {
		x, y := float64(c%4)+0.5, float64(c/4)+0.5
		got := picture.RGBAAt(lay.pixel(x, y))
		if want := Viridis().At(math.Round(v/8*(shades-1)) / (shades - 1)); got != want {
			t.Errorf("cell %d: %v, want %v", c, got, want)
		}
	}
}

func TestDrawSmooth(t *testing.T) {
	f := Field{Mesh: grid(4, 3, Rect{0, 0, 4, 3}, nil)}
	for n := range f.Mesh.nodes() {
		f.Values = append(f.Values, f.Mesh.XY[2*n]/4)
	}
	o := small
	o.Smooth = true
	picture, lay := drawn(t, f, o)
	for i := range 40 {
		x := (float64(i) + 0.5) / 10
		px, py := lay.pixel(x, 1.7)
		got := picture.RGBAAt(px, py)
		// The middle of the pixel, not x itself.
		want := Viridis().At((lay.ground.x0 + (float64(px-lay.box.Min.X)+0.5)/lay.ground.scale) / 4)
		for k, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
			if d < -2 || d > 2 {
				t.Fatalf("at x = %.2f: %v, want %v (component %d)", x, got, want, k)
			}
		}
	}
}

func TestDrawBodies(t *testing.T) {
	type place struct {
		name string
		x, y float64
		want color.RGBA // zero: that of a cell
	}
	cell := color.RGBA{}
	for _, test := range []struct {
		cut    bool
		view   Rect
		places []place
	}{
		{false, Rect{}, []place{{"the wing", 0.3, 0, bodyColor}, {"outside", -2.5, 2.8, outsideColor}, {"the field", 0.5, 1.5, cell}}},
		{true, Rect{-0.2, -0.5, 1.2, 0.5}, []place{{"the wing, near", 0.5, 0, bodyColor}, {"the tail", 0.9, 0, bodyColor}, {"above", 0.9, 0.1, cell}}},
		{true, Rect{-0.1, -0.2, 0.4, 0.2}, []place{{"the wing, cut by the view", 0.3, 0, bodyColor}, {"its nose", -0.02, 0, cell}}},
		{false, Rect{2, 1, 4, 3}, []place{{"outside, cut by the view", 3.5, 2.5, outsideColor}, {"the field", 2.2, 1.2, cell}}},
	} {
		m := wing(120, 30, test.cut)
		f := Field{Mesh: m, Values: make([]float64, m.cells())}
		for c := range f.Values {
			f.Values[c] = math.Sin(float64(c % 120))
		}
		o := small
		o.View = test.view
		picture, lay := drawn(t, f, o)
		for _, p := range test.places {
			got := picture.RGBAAt(lay.pixel(p.x, p.y))
			if p.want == cell && got != bodyColor && got != outsideColor {
				continue
			}
			if got != p.want {
				t.Errorf("%s: %v, want %v", p.name, got, p.want)
			}
		}
	}
}

func TestDrawInvalid(t *testing.T) {
	f := Field{
		Mesh:   grid(4, 3, Rect{0, 0, 4, 3}, nil),
		Values: []float64{math.NaN(), 1, 2, 3, 4, 5, 6, math.Inf(1), 8, math.Inf(-1), 10, 11},
	}
	for _, smooth := range []bool{false, true} {
		o := small
		o.Smooth = smooth
		o.Body = color.RGBA{1, 2, 3, 255}
		picture, lay := drawn(t, f, o)
		for c, v := range f.Values {
			got := picture.RGBAAt(lay.pixel(float64(c%4)+0.5, float64(c/4)+0.5))
			if (got == invalidColor) == finite(v) {
				t.Errorf("%g (smooth: %v): %v", v, smooth, got)
			}
		}
	}
}

// Whatever is asked for, nothing comes near the edge of the picture.
func TestDrawKeepsTheMargin(t *testing.T) {
	wave := func(m Mesh, scale, offset float64) Field {
		f := Field{Mesh: m, Values: make([]float64, m.cells())}
		for c := range f.Values {
			f.Values[c] = offset + scale*math.Sin(float64(c))
		}
		return f
	}
	ring := wing(60, 10, true)
	square := func(lo, hi float64) Mesh { return grid(9, 9, Rect{lo, lo, hi, hi}, nil) }
	long := "a text that goes on and on and on and on and on and on and on and on and on and on and on and on"
	for _, test := range []struct {
		name string
		f    Field
		o    Options
	}{
		{"all texts", wave(ring, 1, 0), Options{Title: "Title", Subtitle: "Subtitle", Label: "Label", Contours: 10, Smooth: true}},
		{"long texts", wave(ring, 1, 0), Options{Title: long, Subtitle: long, Label: long}},
		{"flat", wave(grid(50, 2, Rect{0, 0, 100, 1}, nil), 1, 0), Options{Title: long, Label: "u"}},
		{"tall", wave(grid(2, 50, Rect{0, 0, 1, 100}, nil), 1, 0), Options{Title: long, Subtitle: long, Label: "u"}},
		{"powers of ten", wave(square(1e7, 1.2e7), 1e-20, 0), Options{Title: "Title", Label: "Label"}},
		{"many digits", wave(square(1e6, 1e6+0.001), 1e-5, 1e5), Options{Label: "Label"}},
		{"all equal", wave(square(0, 1), 0, 3), Options{Contours: 5, Smooth: true}},
		{"all invalid", wave(square(0, 1), math.NaN(), 0), Options{Contours: 5, Smooth: true, Label: "Label"}},
		{"huge", wave(square(0, 1), math.MaxFloat64, 0), Options{Contours: 5, Smooth: true, Label: "Label"}},
		{"beyond a given range", wave(ring, 1, 0), Options{Min: -0.5, Max: 0.3, Map: CoolWarm()}},
	} {
		test.o.Width, test.o.Height = minWidth, minHeight
		picture, err := Draw(test.f, test.o)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		const free = margin / 3
		inner := picture.Rect.Inset(free)
		for y := range picture.Rect.Dy() {
			for x := 0; x < picture.Rect.Dx(); x++ {
				if inner.Min.X <= x && x < inner.Max.X && inner.Min.Y <= y && y < inner.Max.Y {
					x = inner.Max.X
				}
				if c := picture.RGBAAt(x, y); c != pageColor {
					t.Fatalf("%s: pixel (%d, %d) of %v is %v", test.name, x, y, picture.Rect.Max, c)
				}
			}
		}
	}
}

// A height that is not given is what the view asks for.
func TestDrawChoosesTheHeight(t *testing.T) {
	for _, test := range []struct {
		view     Rect
		from, to int
	}{
		{Rect{0, 0, 10, 1}, 300, 300},
		{Rect{0, 0, 10, 10}, 400, 450},
		{Rect{0, 0, 1, 10}, 470, 520},
	} {
		f := Field{Mesh: grid(2, 3, test.view, nil), Values: []float64{0, 1, 2, 3, 4, 5}}
		picture, err := Draw(f, Options{Width: 500})
		if err != nil {
			t.Fatal(err)
		}
		if got := picture.Rect.Dy(); got < test.from || got > test.to {
			t.Errorf("view %v: %d pixels high, want %d to %d", test.view, got, test.from, test.to)
		}
	}
}

func TestDrawIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	m := wing(60, 10, true)
	f := Field{Mesh: m, Values: make([]float64, m.cells())}
	for c := range f.Values {
		f.Values[c] = math.Sin(float64(c))
	}
	o := small
	o.Smooth, o.Contours = true, 8
	var pictures [2]*image.RGBA
	for i, n := range []int{1, 5} {
		before := runtime.GOMAXPROCS(n)
		pictures[i], _ = drawn(t, f, o)
		runtime.GOMAXPROCS(before)
	}
	if !bytes.Equal(pictures[0].Pix, pictures[1].Pix) {
		t.Error("pictures of 1 and 5 processors differ")
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "square.png")
	f := Field{Mesh: unitSquare, Values: []float64{0, 1}}
	if err := os.WriteFile(path, []byte("what was there before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, f, small); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoded, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := drawn(t, f, small)
	if got, ok := decoded.(*image.RGBA); !ok || got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Error("the file is not the picture")
	}

	if err := WriteFile(filepath.Join(t.TempDir(), "new", "folder", "square.png"), f, small); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
	if err := WriteFile(filepath.Join(path, "square.png"), f, small); err == nil {
		t.Error("no error for a file where a folder is needed")
	}
	if err := WriteFile(path, Field{}, small); err == nil {
		t.Error("no error for a mesh that cannot be drawn")
	}
	for name, want := range map[string]string{"a.b.jpg": "a.b.png", "flow": "flow.png"} {
		err := WriteFile(filepath.Join(dir, name), f, small)
		if want := fmt.Sprintf("plot: %s: pictures are PNG files: name it %s", filepath.Join(dir, name), filepath.Join(dir, want)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.png"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder.png"), f, small); err == nil {
		t.Error("no error where there is a folder of that name")
	}
	os.Remove(filepath.Join(dir, "folder.png"))
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
	}
}

// Run with -bench . -benchtime 5x; the memory is that of the picture and a few
// numbers per node and cell.
func BenchmarkDraw(b *testing.B) {
	m := wing(1200, 600, true)
	f := Field{Mesh: m, Values: make([]float64, m.cells())}
	for c := range f.Values {
		f.Values[c] = math.Sin(float64(c%1200) / 100)
	}
	near := Rect{-0.4, -0.6, 1.4, 0.6}
	for _, bench := range []struct {
		name string
		o    Options
	}{
		{"flat", Options{View: near}},
		{"smooth", Options{View: near, Smooth: true}},
		{"contours", Options{View: near, Smooth: true, Contours: 12}},
		{"whole", Options{Smooth: true, Height: 1000}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Draw(f, bench.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
