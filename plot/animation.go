package plot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
)

// Animation is a series of pictures of one size, which becomes an animated PNG: with all colors, unlike a GIF, and
// shown by browsers wherever they show pictures. Programs that know only PNG show the first one.
//
// It keeps of each picture the part that differs from the one before, compressed.
type Animation struct {
	pause  uint16 // between pictures, in milliseconds
	last   *image.RGBA
	frames []animationFrame
}

// animationFrame is a part of a picture.
type animationFrame struct {
	rect image.Rectangle
	data []byte // compressed
}

// NewAnimation returns an animation without pictures that shows rate of them in a second, at most 1000.
func NewAnimation(rate float64) (*Animation, error) {
	pause := math.Round(1000 / rate)
	if !(rate > 0) || rate > 1000 || pause > math.MaxUint16 {
		return nil, fmt.Errorf("plot: %g pictures in a second, want from 0.016 to 1000", rate)
	}
	return &Animation{pause: uint16(pause)}, nil
}

// Add adds a picture. It returns err, so that the results of [Draw] and [Panels] can be its arguments:
//
//	err := a.Add(plot.Draw(field, options))
//
// Colors mean the same in all pictures if the options have the same Min and Max, and Longest for vectors: see [Limits].
func (a *Animation) Add(picture *image.RGBA, err error) error {
	if err != nil {
		return err
	}
	if picture == nil {
		return errors.New("plot: there is no picture")
	}
	picture = onPage(picture)
	rect := picture.Rect
	if a.last != nil {
		if rect != a.last.Rect {
			return fmt.Errorf("plot: a picture of %d x %d pixels in an animation of %d x %d", rect.Dx(), rect.Dy(), a.last.Rect.Dx(), a.last.Rect.Dy())
		}
		rect = changed(a.last, picture)
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture.SubImage(rect)); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	a.last = picture
	a.frames = append(a.frames, animationFrame{rect, chunks(encoded.Bytes(), "IDAT")})
	return nil
}

// onPage returns a copy of a picture on the color of a page: the program may draw the next picture into the same
// memory, and frames have no transparency.
func onPage(picture *image.RGBA) *image.RGBA {
	page := image.NewRGBA(picture.Rect)
	draw.Draw(page, page.Rect, image.NewUniform(pageColor), image.Point{}, draw.Src)
	draw.Draw(page, page.Rect, picture, picture.Rect.Min, draw.Over)
	return page
}

// changed returns the smallest rectangle outside of which two pictures are the same; not an empty one.
func changed(a, b *image.RGBA) image.Rectangle {
	var rect image.Rectangle
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		i, j := a.PixOffset(a.Rect.Min.X, y), b.PixOffset(b.Rect.Min.X, y)
		n := 4 * a.Rect.Dx()
		left, right := a.Pix[i:i+n], b.Pix[j:j+n]
		if bytes.Equal(left, right) {
			continue
		}
		first, last := 0, n-1
		for left[first] == right[first] {
			first++
		}
		for left[last] == right[last] {
			last--
		}
		rect = rect.Union(image.Rect(a.Rect.Min.X+first/4, y, a.Rect.Min.X+last/4+1, y+1))
	}
	if rect.Empty() {
		rect = image.Rectangle{a.Rect.Min, a.Rect.Min.Add(image.Pt(1, 1))}
	}
	return rect
}

// chunks returns the contents of a PNG file's chunks of a type, joined.
func chunks(file []byte, kind string) []byte {
	var out []byte
	for at := len(signature); at+12 <= len(file); {
		n := int(binary.BigEndian.Uint32(file[at:]))
		if string(file[at+4:at+8]) == kind {
			out = append(out, file[at+8:at+8+n]...)
		}
		at += 12 + n
	}
	return out
}

const signature = "\x89PNG\r\n\x1a\n"

// WriteFile writes the animation to a file, whose name must end in .png, as [WriteFile] does. It is an error if there
// are no pictures.
func (a *Animation) WriteFile(path string) error {
	if len(a.frames) == 0 {
		return fmt.Errorf("plot: %s: an animation without pictures", path)
	}
	return save(path, a.write)
}

// write writes the file: as PNG's third edition specifies, each frame but the first in chunks fdAT.
func (a *Animation) write(w io.Writer) error {
	out := chunkWriter{w: w}
	out.bytes([]byte(signature))
	size := a.last.Rect.Size()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y))
	out.chunk("IHDR", header, []byte{8, 2, 0, 0, 0}) // 8 bits for each of red, green and blue
	out.chunk("acTL", binary.BigEndian.AppendUint32(nil, uint32(len(a.frames))), make([]byte, 4))
	number := uint32(0) // of the chunks that belong to the animation
	next := func() []byte {
		number++
		return binary.BigEndian.AppendUint32(nil, number-1)
	}
	for i, f := range a.frames {
		control := next()
		for _, v := range [...]int{f.rect.Dx(), f.rect.Dy(), f.rect.Min.X - a.last.Rect.Min.X, f.rect.Min.Y - a.last.Rect.Min.Y} {
			control = binary.BigEndian.AppendUint32(control, uint32(v))
		}
		control = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(control, a.pause), 1000)
		out.chunk("fcTL", control, []byte{0, 0}) // stays, and covers what was there
		if i == 0 {
			out.chunk("IDAT", f.data)
		} else {
			out.chunk("fdAT", next(), f.data)
		}
	}
	out.chunk("IEND")
	return out.err
}

// chunkWriter writes chunks, and keeps the first error.
type chunkWriter struct {
	w   io.Writer
	err error
}

func (c *chunkWriter) bytes(data []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(data)
	}
}

// chunk writes a chunk: its length, its type, the parts of its content, and their checksum.
func (c *chunkWriter) chunk(kind string, parts ...[]byte) {
	n, sum := 0, crc32.ChecksumIEEE([]byte(kind))
	for _, p := range parts {
		n += len(p)
		sum = crc32.Update(sum, crc32.IEEETable, p)
	}
	c.bytes(append(binary.BigEndian.AppendUint32(nil, uint32(n)), kind...))
	for _, p := range parts {
		c.bytes(p)
	}
	c.bytes(binary.BigEndian.AppendUint32(nil, sum))
}
