package mesh

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// square is a mesh of two cells: a unit square split in half, its left side the wall.
const square = `6 2 1 6
0.000000 0.000000
0.500000 0.000000
1.000000 0.000000
0.000000 1.000000
0.500000 1.000000
1.000000 1.000000
0 1 4 3
1 2 5 4
1 4 1 0
0 3 0 1
3 4 0 2
4 5 1 2
5 2 1 2
2 1 1 2
1 0 0 2
`

// squareMesh returns the same.
func squareMesh() *Mesh {
	a := &airfoilArrays{
		points:     []float64{0, 0, 0.5, 0, 1, 0, 0, 1, 0.5, 1, 1, 1},
		cells:      []int32{0, 1, 4, 3, 1, 2, 5, 4},
		edgeNodes:  []int32{4, 1},
		edgeCells:  []int32{1, 0},
		bedgeNodes: []int32{3, 0, 4, 3, 5, 4, 2, 5, 1, 2, 0, 1},
		bedgeCell:  []int32{0, 0, 1, 1, 1, 0},
		bound:      []int32{1, 2, 2, 2, 2, 2},
	}
	return a.mesh()
}

func TestReadAirfoil(t *testing.T) {
	tests := []struct{ name, text string }{
		{"plain", square},
		{"no newline at the end", strings.TrimSuffix(square, "\n")},
		{"carriage returns", strings.ReplaceAll(square, "\n", "\r\n")},
		{"blank lines", "\n \t\r\n" + strings.ReplaceAll(square, "\n", "\n\n")},
		{"blank lines without end", square + strings.Repeat(" \n", 100_000)},
		{"spaces around fields", " " + strings.ReplaceAll(strings.ReplaceAll(square, "\n", " \n  "), " ", "\t ")},
		{"signs and exponents", strings.Replace(square, "0.500000 0.000000", "+5E-1 -0", 1)},
		{"short decimals", strings.ReplaceAll(square, ".000000", ".")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// A reader that gives half of what is asked puts line ends anywhere in the buffer.
			m, err := ReadAirfoil(iotest.HalfReader(strings.NewReader(tt.text)))
			if err != nil {
				t.Fatal(err)
			}
			for k := range m.Points {
				m.Points[k] += 0 // a mesh with -0 is as good, but not deeply equal
			}
			if !reflect.DeepEqual(m, squareMesh()) {
				t.Errorf("got\n%+v\nwant\n%+v", m, squareMesh())
			}
		})
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	if err := squareMesh().WriteAirfoil(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != square {
		t.Errorf("got\n%s\nwant\n%s", got, square)
	}
}

func TestRoundTrip(t *testing.T) {
	large := squareMesh()
	large.Points = []float64{-18, 1e-6, 4294967295.999999, -4294967296, 1e15, 1e300, -1e300, 0, -0.000001, 8, 7, 6}
	for name, m := range map[string]*Mesh{
		"large":       large,
		"naca0012 60": mustNACA0012(t, 60, 30), // more lines than there is room for at first
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := m.WriteAirfoil(&b); err != nil {
				t.Fatal(err)
			}
			got, err := ReadAirfoil(&b)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, m) {
				t.Error("the mesh read is not the one written")
			}
		})
	}
}

func TestReadAirfoilErrors(t *testing.T) {
	// swap returns the text of the square with one line, counted from 1, replaced.
	swap := func(line int, text string) string {
		lines := strings.SplitAfter(square, "\n")
		lines[line-1] = text + "\n"
		return strings.Join(lines, "")
	}
	upTo := func(line int) string { return strings.Join(strings.SplitAfter(square, "\n")[:line], "") }

	tests := []struct{ name, text, want string }{
		{"empty", "", "mesh: input:1: expected the counts: nodes cells edges bedges, found the end of the file after 0 of 1"},
		{"blank", "\n\n", "mesh: input:3: expected the counts: nodes cells edges bedges, found the end of the file after 0 of 1"},
		{"three counts", swap(1, "6 2 1"), `mesh: input:1: expected the counts: nodes cells edges bedges, found "6 2 1"`},
		{"five counts", swap(1, "6 2 1 6 0"), `mesh: input:1: expected the counts: nodes cells edges bedges, found "6 2 1 6 0"`},
		{"text as a count", swap(1, "six 2 1 6"), `mesh: input:1: expected the counts: nodes cells edges bedges, found "six 2 1 6"`},
		{"fraction as a count", swap(1, "6 2.0 1 6"), `mesh: input:1: expected the counts: nodes cells edges bedges, found "6 2.0 1 6"`},
		{"negative count", swap(1, "6 2 -1 6"), "mesh: input:1: expected counts for which the file has room, found -1"},
		{"count above 32 bits", swap(1, "6 2 1 2147483648"), "mesh: input:1: expected counts for which the file has room, found 2147483648"},
		{"count above 64 bits", swap(1, "36893488147419103232 2 1 6"), `mesh: input:1: expected the counts: nodes cells edges bedges, found "36893488147419103232 2 1 6"`},
		{"too many nodes", swap(1, "2147483647 2 1 6"), "mesh: input:1: expected counts for which the file has room, found 2147483647"},
		{"too many cells", swap(1, "6 4 1 6"), "mesh: input:17: expected a boundary edge: n0 n1 c bound, found the end of the file after 4 of 6"},
		{"too many edges", swap(1, "6 2 2147483647 6"), "mesh: input:1: expected counts for which the file has room, found 2147483647"},
		{"too many boundary edges", swap(1, "6 2 1 2147483647"), "mesh: input:1: expected counts for which the file has room, found 2147483647"},
		{"too few boundary edges", swap(1, "6 2 1 5"), `mesh: input:16: expected the end of the file after 5 boundary edges, found "1 0 0 2"`},
		{"truncated in the nodes", upTo(3), "mesh: input:4: expected a node: x y, both finite, found the end of the file after 2 of 6"},
		{"truncated before the cells", upTo(7), "mesh: input:8: expected a cell: n0 n1 n2 n3, found the end of the file after 0 of 2"},
		{"truncated in the cells", upTo(8), "mesh: input:9: expected a cell: n0 n1 n2 n3, found the end of the file after 1 of 2"},
		{"truncated before the edges", upTo(9), "mesh: input:10: expected an edge: n0 n1 c0 c1, found the end of the file after 0 of 1"},
		{"truncated in the boundary", upTo(13), "mesh: input:14: expected a boundary edge: n0 n1 c bound, found the end of the file after 3 of 6"},
		{"truncated in a line", upTo(12) + "4 5", `mesh: input:13: expected a boundary edge: n0 n1 c bound, found "4 5"`},
		{"one coordinate", swap(2, "0.5"), `mesh: input:2: expected a node: x y, both finite, found "0.5"`},
		{"three coordinates", swap(4, "0 0 0"), `mesh: input:4: expected a node: x y, both finite, found "0 0 0"`},
		{"text as a coordinate", swap(2, "0.0 zero"), `mesh: input:2: expected a node: x y, both finite, found "0.0 zero"`},
		{"comma in a coordinate", swap(2, "0,5 1"), `mesh: input:2: expected a node: x y, both finite, found "0,5 1"`},
		{"not a number", swap(3, "nan 0"), `mesh: input:3: expected a node: x y, both finite, found "nan 0"`},
		{"infinite", swap(3, "0 -Inf"), `mesh: input:3: expected a node: x y, both finite, found "0 -Inf"`},
		{"infinite by size", swap(3, "1e999 0"), `mesh: input:3: expected a node: x y, both finite, found "1e999 0"`},
		{"long word", swap(3, strings.Repeat("a", 1000)+" 0"), `mesh: input:3: expected a node: x y, both finite, found "` + strings.Repeat("a", 32) + `"...`},
		{"three corners", swap(8, "0 1 4"), `mesh: input:8: expected a cell: n0 n1 n2 n3, found "0 1 4"`},
		{"corner beyond the last", swap(8, "0 1 6 3"), "mesh: input:8: expected a node index in [0,6), found 6"},
		{"negative corner", swap(9, "-1 2 5 4"), "mesh: input:9: expected a node index in [0,6), found -1"},
		{"text as a corner", swap(9, "1 b 5 4"), `mesh: input:9: expected a cell: n0 n1 n2 n3, found "1 b 5 4"`},
		{"corner above 64 bits", swap(9, "1 2 5 18446744073709551616"), `mesh: input:9: expected a cell: n0 n1 n2 n3, found "1 2 5 18446744073709551616"`},
		{"five fields of an edge", swap(10, "1 4 1 0 0"), `mesh: input:10: expected an edge: n0 n1 c0 c1, found "1 4 1 0 0"`},
		{"edge with a wrong node", swap(10, "1 9 1 0"), "mesh: input:10: expected a node index in [0,6), found 9"},
		{"edge with a wrong cell", swap(10, "1 4 1 2"), "mesh: input:10: expected a cell index in [0,2), found 2"},
		{"boundary edge with a wrong node", swap(11, "0 6 0 1"), "mesh: input:11: expected a node index in [0,6), found 6"},
		{"boundary edge with a wrong cell", swap(11, "0 3 -2 1"), "mesh: input:11: expected a cell index in [0,2), found -2"},
		{"bound 0", swap(11, "0 3 0 0"), "mesh: input:11: expected 1 (wall) or 2 (far field), found 0"},
		{"bound 3", swap(16, "1 0 0 3"), "mesh: input:16: expected 1 (wall) or 2 (far field), found 3"},
		{"bound as text", swap(16, "1 0 0 wall"), `mesh: input:16: expected a boundary edge: n0 n1 c bound, found "1 0 0 wall"`},
		{"trailing line", square + "\nend of mesh\n", `mesh: input:18: expected the end of the file after 6 boundary edges, found "end of mesh"`},
		{"trailing byte", square + "\x00", `mesh: input:17: expected the end of the file after 6 boundary edges, found "\x00"`},
		{"blank lines count", "\n\r\n" + swap(2, "x y"), `mesh: input:4: expected a node: x y, both finite, found "x y"`},
		{"a line too long", "6 2 1 6" + strings.Repeat(" ", 1<<20), "mesh: input:1: expected a node: x y, both finite, found the end of the file after 0 of 6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ReadAirfoil(strings.NewReader(tt.text))
			if m != nil || err == nil || err.Error() != tt.want {
				t.Fatalf("got  %v, %v\nwant %s", m, err, tt.want)
			}
			var format *FormatError
			if !errors.As(err, &format) || format.File != "input" || format.Line < 1 {
				t.Errorf("the error is a %T, want a *FormatError with file and line", err)
			}
		})
	}
}

// A header that promises two billion of everything costs no memory before the lines come.
func TestReadAirfoilMemory(t *testing.T) {
	const huge = "2147483647"
	for _, text := range []string{
		huge + " " + huge + " " + huge + " " + huge + "\n0 0\n",
		"1 " + huge + " 0 0\n0 0\n0 0 0 0\n",
		"1 1 " + huge + " 0\n0 0\n0 0 0 0\n0 0 0 0\n",
		"1 1 0 " + huge + "\n0 0\n0 0 0 0\n0 0 0 1\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadAirfoil(strings.NewReader(text))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%q was read without an error", text)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%q: reading it took %d bytes, want less than a MiB", text, took)
		}
	}
}

func TestReadAirfoilReaderFails(t *testing.T) {
	broken := errors.New("the cable is out")
	r := io.MultiReader(strings.NewReader("6 2 1 6\n0 0\n"), iotest.ErrReader(broken))
	_, err := ReadAirfoil(r)
	if want := "mesh: input: the cable is out"; !errors.Is(err, broken) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	r = io.MultiReader(strings.NewReader(square), iotest.ErrReader(broken))
	if _, err := ReadAirfoil(r); !errors.Is(err, broken) {
		t.Errorf("after the last line: got %v, want %v", err, broken)
	}
}

type brokenWriter struct{ after int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.after -= len(p); w.after < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestWriteWriterFails(t *testing.T) {
	m := mustNACA0012(t, 60, 30)
	for _, after := range []int{0, 100_000} {
		if err := m.WriteAirfoil(&brokenWriter{after}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d bytes: got %v, want %v", after, err, io.ErrClosedPipe)
		}
	}
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new_grid.dat")
	for _, m := range []*Mesh{mustNACA0012(t, 5, 4), squareMesh()} { // the second takes the place of the first
		if err := m.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadAirfoil(file)
		file.Close()
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("the mesh read is not the one written: %v", err)
		}
	}
	wantOnly(t, path)
}

func TestWriteFileKeepsWhatWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new_grid.dat")
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := &Mesh{Dim: 1}
	if err := bad.WriteFile(path); err == nil {
		t.Error("a wrong mesh was written")
	}
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("the file now holds %q", text)
	}
	wantOnly(t, path)
}

func TestWriteFileFollowsLink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target.dat"), filepath.Join(t.TempDir(), "link.dat")
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := squareMesh().WriteFile(link); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(target); string(text) != square {
		t.Errorf("the target of the link holds %q", text)
	}
	wantOnly(t, target)
}

func TestFileErrors(t *testing.T) {
	folder := t.TempDir()
	wrong := filepath.Join(folder, "wrong.dat")
	if err := os.WriteFile(wrong, []byte("1 0 0 0\n0 x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(wrong)
	if want := "mesh: " + wrong + `:2: expected a node: x y, both finite, found "0 x"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	missing := filepath.Join(folder, "missing", "new_grid.dat")
	if _, err := ReadFile(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading where there is no folder: %v", err)
	}
	if err := squareMesh().WriteFile(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("writing where there is no folder: %v", err)
	}
	folder += "/folder.dat"
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	err = squareMesh().WriteFile(folder)
	if want := "mesh: write " + folder + ": expected a regular file or none, found mode d"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s...", err, want)
	}
}

// wantOnly checks that the folder of path holds nothing else: no temporary file is left behind.
func wantOnly(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v (%v), want only %s", entries, err, filepath.Base(path))
	}
}

// FuzzReadAirfoil looks for a text that makes the reader panic or take memory out of proportion, and for a mesh read
// that does not come back from its own text unchanged.
func FuzzReadAirfoil(f *testing.F) {
	for _, seed := range []string{
		"", "0 0 0 0", square, strings.ReplaceAll(square, "\n", "\r\n"), square[:100],
		"2147483647 2147483647 2147483647 2147483647\n0 0\n",
		"1 1 1 1\n-1e-7 1e300\n0 0 0 0\n0 0 0 0\n0 0 0 2\n",
		"2 0 0 0\n0.1234567890123456789 -.5\n9007199254740993 4294967296.0000005\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := ReadAirfoil(bytes.NewReader(text))
		runtime.ReadMemStats(&after)
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+64*len(text)); took > most {
			t.Errorf("reading %d bytes took %d bytes of memory, want at most %d", len(text), took, most)
		}
		if err != nil {
			var format *FormatError
			if !errors.As(err, &format) || m != nil {
				t.Fatalf("got %v and a %T: %[2]v", m, err)
			}
			return
		}
		if _, err := m.Facets(); err != nil {
			return // edges that are not those of the cells
		}
		var first, second bytes.Buffer
		if err := m.WriteAirfoil(&first); err != nil {
			t.Fatal(err)
		}
		again, err := ReadAirfoil(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := again.WriteAirfoil(&second); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("written, read and written again:\n%s\n%s", first.Bytes(), second.Bytes())
		}
	})
}
