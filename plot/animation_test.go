package plot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// shown returns the pictures that the frames of an animated PNG show, one after the other, and their pauses.
func shown(t *testing.T, file []byte) (pictures []*image.RGBA, pauses []string) {
	t.Helper()
	first, err := png.Decode(bytes.NewReader(file)) // as programs see it that know only PNG
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewRGBA(first.Bounds())
	number := uint32(0)
	next := func(data []byte) []byte {
		if got := binary.BigEndian.Uint32(data); got != number {
			t.Fatalf("chunk %d has number %d", number, got)
		}
		number++
		return data[4:]
	}
	var rect image.Rectangle
	show := func(data []byte) {
		alone := chunkWriter{w: new(bytes.Buffer)}
		alone.bytes([]byte(signature))
		size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(rect.Dx())), uint32(rect.Dy()))
		alone.chunk("IHDR", size, []byte{8, 2, 0, 0, 0})
		alone.chunk("IDAT", data)
		alone.chunk("IEND")
		picture, err := png.Decode(alone.w.(*bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		draw.Draw(canvas, rect, picture, image.Point{}, draw.Src)
		now := image.NewRGBA(canvas.Rect)
		copy(now.Pix, canvas.Pix)
		pictures = append(pictures, now)
	}
	for at := len(signature); at < len(file); {
		n := int(binary.BigEndian.Uint32(file[at:]))
		data := file[at+8 : at+8+n]
		switch string(file[at+4 : at+8]) {
		case "acTL":
			if frames := binary.BigEndian.Uint32(data); frames != 4 {
				t.Errorf("%d frames", frames)
			}
		case "fcTL":
			data = next(data)
			v := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
			rect = image.Rect(v(2), v(3), v(2)+v(0), v(3)+v(1))
			pauses = append(pauses, fmt.Sprint(binary.BigEndian.Uint16(data[16:]), "/", binary.BigEndian.Uint16(data[18:])))
		case "IDAT":
			show(data)
		case "fdAT":
			show(next(data))
		}
		at += 12 + n
	}
	return pictures, pauses
}

func TestAnimation(t *testing.T) {
	white := func() *image.RGBA {
		p := image.NewRGBA(image.Rect(0, 0, 40, 30))
		fill(p, p.Rect, pageColor)
		return p
	}
	var pictures []*image.RGBA
	a, err := NewAnimation(25)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []image.Rectangle{{}, image.Rect(3, 4, 10, 9), image.Rect(3, 4, 10, 9), image.Rect(39, 29, 40, 30)} {
		p := white()
		fill(p, r, color.RGBA{200, 100, 50, 255})
		pictures = append(pictures, p)
		if err := a.Add(p, nil); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := a.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, pauses := shown(t, file)
	if fmt.Sprint(pauses) != "[40/1000 40/1000 40/1000 40/1000]" {
		t.Error(pauses)
	}
	if len(got) != len(pictures) {
		t.Fatalf("%d pictures", len(got))
	}
	for i := range got {
		if !bytes.Equal(got[i].Pix, pictures[i].Pix) {
			t.Errorf("picture %d is not what was added", i)
		}
	}
	if n := a.frames[2].rect.Dx() * a.frames[2].rect.Dy(); n != 1 {
		t.Errorf("for a picture that is the same, %d pixels are written", n)
	}

	if err := a.Add(nil, nil); err == nil || err.Error() != "plot: there is no picture" {
		t.Error(err)
	}
	if err := Save("a.png", nil); err == nil || err.Error() != "plot: there is no picture" {
		t.Error(err)
	}
	wrong := errors.New("wrong")
	if err := a.Add(nil, wrong); err != wrong {
		t.Error(err)
	}
	if err := a.Add(image.NewRGBA(image.Rect(0, 0, 1, 2)), nil); err == nil || err.Error() != "plot: a picture of 1 x 2 pixels in an animation of 40 x 30" {
		t.Error(err)
	}
	if err := a.WriteFile("a.gif"); err == nil || err.Error() != "plot: a.gif: pictures are PNG files: name it a.png" {
		t.Error(err)
	}
	if err := new(Animation).WriteFile("a.png"); err == nil || err.Error() != "plot: a.png: an animation without pictures" {
		t.Error(err)
	}
	for _, rate := range []float64{0, -1, 0.01, 1001} {
		if _, err := NewAnimation(rate); err == nil {
			t.Errorf("rate %g is accepted", rate)
		}
	}
}

// A program may draw all pictures into one, and leave parts of it transparent, which are those of a page.
func TestAnimationOfOnePicture(t *testing.T) {
	a, err := NewAnimation(25)
	if err != nil {
		t.Fatal(err)
	}
	p := image.NewRGBA(image.Rect(5, 6, 45, 36))
	var want []*image.RGBA
	for i := range 4 {
		fill(p, image.Rect(8+i, 9, 12, 10), color.RGBA{0, uint8(60 * i), 0, 255})
		page := image.NewRGBA(image.Rect(0, 0, 40, 30))
		for at := 0; at < len(p.Pix); at += 4 {
			copy(page.Pix[at:], []byte{pageColor.R, pageColor.G, pageColor.B, 255})
			if p.Pix[at+3] == 255 {
				copy(page.Pix[at:], p.Pix[at:at+4])
			}
		}
		want = append(want, page)
		if err := a.Add(p, nil); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := a.write(&file); err != nil {
		t.Fatal(err)
	}
	got, _ := shown(t, file.Bytes())
	for i := range got {
		if !bytes.Equal(got[i].Pix, want[i].Pix) {
			t.Errorf("picture %d is not what was added", i)
		}
	}
}
