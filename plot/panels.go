package plot

import (
	"fmt"
	"image"
	"image/draw"
)

// Panel is one of several pictures in one.
type Panel struct {
	Field   Field
	Options Options // a Width of 0 means 1000
}

const panelWidth = 1000

// Panels returns a picture of several fields: so many in a row, row by row. Those of a column start at one height, and
// those of a row below each other; for panels of one size, give all of them the same Width and Height. It returns the
// errors of [Draw] with the number of the panel.
func Panels(columns int, panels ...Panel) (*image.RGBA, error) {
	if columns < 1 || len(panels) == 0 {
		return nil, fmt.Errorf("plot: %d panels in %d columns, want at least one of each", len(panels), columns)
	}
	columns = min(columns, len(panels))
	rows := (len(panels) + columns - 1) / columns
	pictures := make([]*image.RGBA, len(panels))
	x, y := make([]int, columns+1), make([]int, rows+1) // where columns and rows begin
	for i, p := range panels {
		if p.Options.Width == 0 {
			p.Options.Width = panelWidth
		}
		picture, err := Draw(p.Field, p.Options)
		if err != nil {
			return nil, fmt.Errorf("panel %d: %w", i+1, err)
		}
		pictures[i] = picture
		column, row := i%columns, i/columns
		x[column+1] = max(x[column+1], picture.Rect.Dx())
		y[row+1] = max(y[row+1], picture.Rect.Dy())
	}
	for c := range columns {
		x[c+1] += x[c]
	}
	for r := range rows {
		y[r+1] += y[r]
	}
	dst := image.NewRGBA(image.Rect(0, 0, x[columns], y[rows]))
	fill(dst, dst.Rect, pageColor)
	for i, p := range pictures {
		at := image.Pt(x[i%columns], y[i/columns])
		draw.Draw(dst, p.Rect.Add(at), p, image.Point{}, draw.Src)
	}
	return dst, nil
}
