package plot

import (
	"image/color"
	"math"
)

// lightOf returns the linear light of a color's red, green and blue, in
// [0, 1] (IEC 61966-2-1, sRGB).
func lightOf(c color.RGBA) [3]float64 {
	var out [3]float64
	for k, v := range [3]uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if s <= 0.04045 {
			out[k] = s / 12.92
		} else {
			out[k] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

// encodeSRGB inverts lightOf for one component.
func encodeSRGB(light float64) uint8 {
	light = min(max(light, 0), 1)
	s := 12.92 * light
	if light > 0.0031308 {
		s = 1.055*math.Pow(light, 1/2.4) - 0.055
	}
	return uint8(255*s + 0.5)
}

// oklab is a color in B. Ottosson's Oklab (2020, "A perceptual color space
// for image processing"): lightness, green to red, blue to yellow. Distances
// in it are about as large as they look.
type oklab struct{ l, a, b float64 }

func toOklab(c color.RGBA) oklab {
	rgb := lightOf(c)
	l := math.Cbrt(0.4122214708*rgb[0] + 0.5363325363*rgb[1] + 0.0514459929*rgb[2])
	m := math.Cbrt(0.2119034982*rgb[0] + 0.6806995451*rgb[1] + 0.1073969566*rgb[2])
	s := math.Cbrt(0.0883024619*rgb[0] + 0.2817188376*rgb[1] + 0.6299787005*rgb[2])
	return oklab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func (c oklab) rgba() color.RGBA {
	cube := func(v float64) float64 { return v * v * v }
	l := cube(c.l + 0.3963377774*c.a + 0.2158037573*c.b)
	m := cube(c.l - 0.1055613458*c.a - 0.0638541728*c.b)
	s := cube(c.l - 0.0894841775*c.a - 1.2914855480*c.b)
	return color.RGBA{
		encodeSRGB(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		encodeSRGB(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		encodeSRGB(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
		255,
	}
}

// mixed returns the color at this fraction of the way from a to b.
func mixed(a, b color.RGBA, part float64) color.RGBA {
	p, q := toOklab(a), toOklab(b)
	return oklab{p.l + part*(q.l-p.l), p.a + part*(q.a-p.a), p.b + part*(q.b-p.b)}.rgba()
}
