package plot

import (
	"image"
	"image/color"
)

// resolve averages the samples of r, fine by fine of them per pixel, to the
// pixels of a rectangle of dst whose upper left corner is origin.
// Shape of palette [inks].
//
// It averages light intensities, not the numbers that encode them, so that the edge between two
// colors is neither darker nor lighter than both.
func resolve(dst *image.RGBA, origin image.Point, r *raster, fine int, palette []color.RGBA) {
	light := make([][3]float32, len(palette))
	for i, c := range palette {
		l := lightOf(c)
		light[i] = [3]float32{float32(l[0]), float32(l[1]), float32(l[2])}
	}
	encode := encoder()
	part := 1 / float32(fine*fine)
	inBands(r.h/fine, func(rows span) {
		for j := rows.lo; j < rows.hi; j++ {
			pix := dst.Pix[dst.PixOffset(origin.X, origin.Y+j):]
			for i := range r.w / fine {
				first := r.ink[j*fine*r.w+i*fine]
				same := true
				var sum [3]float32
				for dj := range fine {
					at := (j*fine+dj)*r.w + i*fine
					for _, k := range r.ink[at : at+fine] {
						same = same && k == first
						sum[0] += light[k][0]
						sum[1] += light[k][1]
						sum[2] += light[k][2]
					}
				}
				c := palette[first]
				if !same {
					c = color.RGBA{encode(sum[0] * part), encode(sum[1] * part), encode(sum[2] * part), 255}
				}
				pix[4*i], pix[4*i+1], pix[4*i+2], pix[4*i+3] = c.R, c.G, c.B, 255
			}
		}
	})
}

// encoder returns a function that converts light in [0, 1] to a byte of sRGB, using a table.
func encoder() func(light float32) uint8 {
	const steps = 1 << 12 // less than one byte value each, even at the dark end, where sRGB is steepest
	var table [steps + 1]uint8
	for i := range table {
		table[i] = encodeSRGB(float64(i) / steps)
	}
	return func(light float32) uint8 {
		return table[int(min(max(light, 0), 1)*steps+0.5)]
	}
}
