package plot

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/wholefile"
)

// Draw returns a picture of f.
//
// Values that are not finite are drawn in magenta and excluded from the range of colors. An error
// says what of f or o cannot be drawn: mismatched lengths, node numbers out of range, coordinates
// that are not finite, a view outside the mesh or without area, an empty range of colors, invalid
// classes.
func Draw(f Field, o Options) (*image.RGBA, error) {
	onNodes, err := f.check()
	if err != nil {
		return nil, err
	}
	bounds := f.Mesh.bounds()
	if err := o.check(bounds); err != nil {
		return nil, err
	}
	if o.Classes > 0 {
		if err := f.checkClasses(onNodes, o.Classes); err != nil {
			return nil, err
		}
	}
	f, o = logarithmic(f, o)
	if o.Body == (color.RGBA{}) {
		o.Body = bodyColor
	}
	if o.Outside == (color.RGBA{}) {
		o.Outside = outsideColor
	}
	view := o.shown(f.Mesh)

	d := newData(f, onNodes, o)
	ends := d.limits(view, o)
	lay := newLayout(o, view, ends, d.anyInvalid(view), len(d.vectors) > 0 && o.Streamlines == 0)

	dst := image.NewRGBA(image.Rectangle{Max: lay.size})
	fill(dst, dst.Rect, pageColor)
	s := newScale(ends, o.Map, o.Outside, o.Body)
	if o.Classes > 0 {
		s.classify(o.Classes)
	}
	levels := d.drawMesh(dst, lay, s, o)
	if o.Streamlines > 0 && len(d.vectors) > 0 {
		d.drawStreamlines(dst, lay, s, o.Streamlines)
	} else {
		d.drawArrows(dst, lay, s, o)
	}
	lay.drawAxes(dst)
	lay.drawTitle(dst)
	lay.drawBar(dst, s, levels)
	return dst, nil
}

// WriteFile writes a picture of f to a file, whose name must end in .png. The file appears only
// when it is complete; an existing one is replaced, and a missing folder is created. It returns the
// errors of Draw and of the file system.
func WriteFile(path string, f Field, o Options) error {
	if err := checkName(path); err != nil {
		return err
	}
	picture, err := Draw(f, o)
	if err != nil {
		return err
	}
	return Save(path, picture)
}

// Save writes a picture to a file as [WriteFile] does: one of [Panels], or of other programs.
func Save(path string, picture image.Image) error {
	if picture == nil {
		return errors.New("plot: there is no picture")
	}
	return save(path, func(w io.Writer) error { return png.Encode(w, picture) })
}

// save writes the file at path, and creates its folder: the picture may come after hours of work.
func save(path string, write func(io.Writer) error) error {
	if err := checkName(path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	if err := wholefile.Write(path, write); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

// checkName returns an error unless path is the name of a PNG file.
func checkName(path string) error {
	if ext := filepath.Ext(path); !strings.EqualFold(ext, ".png") {
		return fmt.Errorf("plot: %s: pictures are PNG files: name it %s.png", path, strings.TrimSuffix(path, ext))
	}
	return nil
}

// Limits returns the ends of the color range that fits all fields, as [Draw] would choose it for a picture with these
// options if one had all their values: Min and Max for a series of pictures. It returns the errors of [Draw].
func Limits(o Options, fields ...Field) (lo, hi float64, err error) {
	all := newCensus()
	for _, f := range fields {
		onNodes, err := f.check()
		if err != nil {
			return 0, 0, err
		}
		if err := o.check(f.Mesh.bounds()); err != nil {
			return 0, 0, err
		}
		f, o := logarithmic(f, o)
		shown := newData(f, onNodes, o).inView(o.shown(f.Mesh))
		all.cells = append(all.cells, shown.cells...)
		all.extend(shown.least)
		all.extend(shown.greatest)
	}
	l := chooseLimits(all, o.Map.Diverging, o.Trim).of(o)
	return l.value(l.lo), l.value(l.hi), nil
}
