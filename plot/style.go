package plot

import "image/color"

// Colors of everything except data. The contrast of the text to the page is at least 7 to 1.
var (
	pageColor    = color.RGBA{0xff, 0xff, 0xff, 255}
	outsideColor = color.RGBA{0xf1, 0xf3, 0xf5, 255}
	bodyColor    = color.RGBA{0x2e, 0x36, 0x40, 255}
	invalidColor = color.RGBA{0xff, 0x00, 0xc8, 255}
	titleColor   = color.RGBA{0x16, 0x1d, 0x26, 255}
	textColor    = color.RGBA{0x3a, 0x44, 0x50, 255}
	lineColor    = color.RGBA{0x6b, 0x76, 0x83, 255}
)

// Sizes in units.
const (
	margin       = 34
	lineHeight   = 1.35 // of titles, relative to their sizes
	titleSize    = 36
	subtitleSize = 24
	labelSize    = 24
	axisLabel    = 1.5 * labelSize // room for a label at an axis
	tickSize     = 21
	tickLength   = 8
	tickGap      = 8  // between a tick and its text
	tickSpacing  = 78 // least distance of two ticks
	barWidth     = 28
	barGap       = 36 // between mesh and bar
	scaleWidth   = 86 // least room for the texts at the bar: enough for "not finite"
)
