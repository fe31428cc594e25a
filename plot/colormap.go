package plot

import "image/color"

// Colormap gives colors to the numbers from 0 to 1. The zero Colormap is
// Viridis.
type Colormap struct {
	// Colors are the control points, equally spaced from 0 to 1. Between them
	// the colors are interpolated linearly in the Oklab color space.
	Colors []color.RGBA

	// Diverging says that the middle stands for zero: if the range is chosen automatically and the
	// values have both signs, it is made symmetric.
	Diverging bool
}

// At returns the color of t. Below 0 and above 1 it is the color of that end; for NaN it is that of
// 0.
func (m Colormap) At(t float64) color.RGBA {
	if len(m.Colors) == 0 {
		m = Viridis()
	}
	last := len(m.Colors) - 1
	at := t * float64(last)
	if !(at > 0) {
		return m.Colors[0]
	}
	if at >= float64(last) {
		return m.Colors[last]
	}
	i := int(at)
	return mixed(m.Colors[i], m.Colors[i+1], at-float64(i))
}

// Viridis returns the perceptually uniform map from dark blue to yellow by S. van der Walt and N. Smith
// (2015), matplotlib's default: every seventeenth of its 256 colors. Equal steps of value look like
// equal steps, even in gray and to color-blind viewers.
func Viridis() Colormap {
	return Colormap{Colors: hex(
		0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
		0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725,
	)}
}

// Plasma returns the perceptually uniform map from blue over red to yellow by N. Smith and S. van der Walt (2015):
// ten of its colors, equally spaced.
func Plasma() Colormap {
	return Colormap{Colors: hex(
		0x0d0887, 0x46039f, 0x7201a8, 0x9c179e, 0xbd3786, 0xd8576b, 0xed7953, 0xfb9f3a, 0xfdca26, 0xf0f921,
	)}
}

// Inferno returns the perceptually uniform map from black over red to light yellow by N. Smith and S. van der Walt
// (2015): ten of its colors, equally spaced.
func Inferno() Colormap {
	return Colormap{Colors: hex(
		0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4,
	)}
}

// Cividis returns the map from blue over gray to yellow of J. Nuñez, C. Anderton and R. Renslow, "Optimizing colormaps with
// consideration for color vision deficiency" (2018), which looks alike to viewers with and without it: ten of its colors,
// equally spaced.
func Cividis() Colormap {
	return Colormap{Colors: hex(
		0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838,
	)}
}

// CoolWarm returns the diverging map from blue over gray to red of K. Moreland,
// "Diverging Color Maps for Scientific Visualization" (2009): every other
// color of its table of 33.
func CoolWarm() Colormap {
	return Colormap{Diverging: true, Colors: hex(
		0x3b4cc0, 0x4e68d7, 0x6282ea, 0x779af7, 0x8db0fe, 0xa3c2ff, 0xb8d0f9, 0xccd9ee,
		0xdddddd,
		0xecd3c5, 0xf5c4ad, 0xf7b194, 0xf49a7b, 0xec7f63, 0xde604d, 0xcb3e38, 0xb40426,
	)}
}

// hex returns colors given as 0xRRGGBB.
func hex(rgb ...uint32) []color.RGBA {
	out := make([]color.RGBA, len(rgb))
	for i, v := range rgb {
		out[i] = color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
	}
	return out
}
