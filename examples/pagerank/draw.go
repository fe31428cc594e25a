package main

import (
	"fmt"
	"image/color"
	"math"
	"os"

	"github.com/go-op2/op2/plot"
)

// draw writes a picture of how many pages have how many links to them, and which rank: squares in
// the plane of both logarithms, colored by the logarithm of the number of pages in each.
func draw(g *graph, ranks []float64, path string) error {
	const side = 0.05
	counts := map[[2]int]int{}
	for p, rank := range ranks {
		if links := g.into[p+1] - g.into[p]; links > 0 {
			x, y := math.Log10(float64(links)), math.Log10(rank*float64(len(ranks)))
			counts[[2]int{int(math.Floor(x / side)), int(math.Floor(y / side))}]++
		}
	}
	field := plot.Field{Mesh: plot.Mesh{Corners: 4}}
	for square, count := range counts {
		n := int32(len(field.Mesh.XY) / 2)
		for _, corner := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			field.Mesh.XY = append(field.Mesh.XY, side*float64(square[0]+corner[0]), side*float64(square[1]+corner[1]))
		}
		field.Mesh.Cells = append(field.Mesh.Cells, n, n+1, n+2, n+3)
		field.Values = append(field.Values, math.Log10(float64(count)))
	}
	err := plot.WriteFile(path, field, plot.Options{
		Title:    "Links to a page, and its rank",
		Subtitle: fmt.Sprintf("%d pages, %d links; to the right: log10 of the number of links to a page, upwards: log10 of its rank / mean rank", g.pages(), len(g.from)),
		Label:    "log10 of the number of pages",
		Body:     color.RGBA{0xf1, 0xf3, 0xf5, 255}, // as outside
	})
	if err == nil {
		fmt.Fprintf(os.Stderr, "picture: %s\n", path)
	}
	return err
}
