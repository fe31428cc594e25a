package sparse

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Multiply sets y to the product of the matrix with x.
func Multiply[T Number](p *Pattern, b Blocks, values, x, y []T, workers int) {
	MultiplyRows(p, b, values, x, y, p.Divide(AllRows(p.Rows), workers))
}

// random returns a matrix, and its full form row by row.
func random(t *testing.T, rows, cols, elements int, b Blocks) (p *Pattern, values, full []float64) {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	p = build(t, []Pair{{anywhere(r, elements, 3, rows, false), anywhere(r, elements, 2, cols, false)}}, rows, cols, rows == cols)
	values, full = make([]float64, p.Nonzeros()*b.Size()), make([]float64, rows*b.Rows*cols*b.Cols)
	for i := range values {
		values[i] = float64(r.IntN(19) - 9)
	}
	for row := range rows {
		for k, c := range p.Row(row) {
			for i := range b.Rows {
				for j := range b.Cols {
					at := (int(p.RowPtr[row])+k)*b.Size() + j*b.Rows + i
					full[(row*b.Rows+i)*cols*b.Cols+int(c)*b.Cols+j] = values[at]
				}
			}
		}
	}
	return p, values, full
}

func TestMultiply(t *testing.T) {
	for _, b := range []Blocks{{1, 1}, {2, 2}, {3, 3}, {1, 3}, {4, 2}, {5, 5}} {
		for _, size := range [][3]int{{1, 1, 1}, {40, 40, 60}, {60, 20, 70}, {20, 60, 30}, {9000, 9000, 5000}} {
			if size[0] > 100 && b.Size() > 4 {
				continue
			}
			t.Run(fmt.Sprint(b, size), func(t *testing.T) {
				rows, cols := size[0], size[1]
				if rows > 100 { // too large for the full form
					p, values, _ := random(t, rows, cols, size[2], Blocks{1, 1})
					x, want := make([]float64, cols), make([]float64, rows)
					for i := range x {
						x[i] = float64(i % 11)
					}
					Multiply(p, Blocks{1, 1}, values, x, want, 1)
					y := make([]float64, rows)
					Multiply(p, Blocks{1, 1}, values, x, y, 3)
					if !slices.Equal(y, want) {
						t.Error("another product on three workers")
					}
					return
				}
				p, values, full := random(t, rows, cols, size[2], b)
				x, xt := make([]float64, cols*b.Cols), make([]float64, rows*b.Rows)
				for i := range x {
					x[i] = float64(i%7 - 3)
				}
				for i := range xt {
					xt[i] = float64(i%5 - 2)
				}
				want, wantT := make([]float64, len(xt)), make([]float64, len(x))
				for i := range xt {
					for j := range x {
						want[i] += full[i*len(x)+j] * x[j]
						wantT[j] += full[i*len(x)+j] * xt[i]
					}
				}
				got, gotT := make([]float64, len(xt)), make([]float64, len(x))
				got[0], gotT[0] = math.NaN(), math.NaN() // previous values do not matter
				Multiply(p, b, values, x, got, 2)
				if !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				MultiplyTransposed(p.Transpose(), b, values, xt, gotT, 2)
				if !slices.Equal(gotT, wantT) {
					t.Errorf("transposed: got %v, want %v", gotT, wantT)
				}
			})
		}
	}
}

// The rows are divided into parts of about equal weight, in order, and stages of a product make the
// whole product: the rows without columns of a halo, then the others.
func TestStages(t *testing.T) {
	for _, size := range [][3]int{{0, 0, 1}, {1, 3, 1}, {40, 50, 60}, {9000, 9100, 5000}} {
		rows, cols := size[0], size[1]
		p := &Pattern{RowPtr: []int32{0}}
		values := []float64{}
		if rows > 0 {
			p, values, _ = random(t, rows, cols, size[2], Blocks{1, 1})
		}
		owned := p.Leading(rows - rows/8)
		inner, outer := owned.Split(cols - cols/10)
		x, want, got := make([]float64, cols), make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = float64(i % 11)
		}
		Multiply(owned, Blocks{1, 1}, values, x, want, 1)
		covered := make([]int, owned.Rows)
		for stage, runs := range [][]Run{inner, outer} {
			for _, r := range runs {
				for row := r.First; row < r.Last; row++ {
					covered[row]++
					outside := slices.ContainsFunc(p.Row(int(row)), func(c int32) bool { return int(c) >= cols-cols/10 })
					if outside != (stage == 1) {
						t.Fatalf("row %d with columns %v is in stage %d", row, p.Row(int(row)), stage)
					}
				}
			}
			for _, parts := range []int{1, 3, 7} {
				d := Divide(p.RowPtr, runs, parts)
				if len(d.Ends) != parts+1 {
					t.Fatalf("%d parts, want %d", len(d.Ends)-1, parts)
				}
				MultiplyRows(p, Blocks{1, 1}, values, x, got, d)
				whole := float64(Nonzeros(p.RowPtr, runs))
				for i := range parts {
					if n := float64(Nonzeros(p.RowPtr, d.Of(i))); whole > 5000 && math.Abs(n-whole/float64(parts)) > whole/4 {
						t.Errorf("part %d of %d has %v nonzeros, of %v", i, parts, n, whole)
					}
				}
			}
		}
		if i := slices.IndexFunc(covered, func(n int) bool { return n != 1 }); i >= 0 {
			t.Errorf("row %d is in %d stages", i, covered[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: another product in stages", size)
		}
	}
}

// A plain reader of the format reads back what is written.
func TestWriteMarket(t *testing.T) {
	b := Blocks{2, 3}
	p, values, full := random(t, 20, 30, 25, b)
	values[5] /= 3
	Each(p, b, func(r, c, at int) { full[r*90+c] = values[at] })
	var text strings.Builder
	if err := WriteMarket(&text, p, b, values); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(strings.NewReader(text.String()))
	lines.Scan()
	if got := lines.Text(); got != "%%MatrixMarket matrix coordinate real general" {
		t.Errorf("the first line is %q", got)
	}
	lines.Scan()
	if got, want := lines.Text(), fmt.Sprintf("40 90 %d", len(values)); got != want {
		t.Errorf("the second line is %q, want %q", got, want)
	}
	read, count := make([]float64, len(full)), 0
	for lines.Scan() {
		var r, c int
		var v float64
		if _, err := fmt.Sscan(lines.Text(), &r, &c, &v); err != nil {
			t.Fatal(err)
		}
		read[(r-1)*90+c-1] = v
		count++
	}
	if count != len(values) || !slices.Equal(read, full) {
		t.Errorf("%d nonzeros were read, of %d, or others than written", count, len(values))
	}
}

func TestWriteMarketOfIntegers(t *testing.T) {
	p := &Pattern{Rows: 2, Cols: 2, RowPtr: []int32{0, 1, 3}, ColIdx: []int32{1, 0, 1}}
	var text strings.Builder
	if err := WriteMarket(&text, p, Blocks{1, 1}, []uint64{math.MaxUint64, 0, 3}); err != nil {
		t.Fatal(err)
	}
	const want = "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 2 18446744073709551615\n2 1 0\n2 2 3\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
}
