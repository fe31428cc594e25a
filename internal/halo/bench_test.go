package halo

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/comm"
)

// quads returns a grid of cells with its nodes and inner edges, in bands of rows among the ranks.
func quads(ranks, nx, ny int, shuffled bool) *whole {
	w := &whole{ranks: ranks, sizes: []int{(nx + 1) * (ny + 1), nx*(ny-1) + (nx-1)*ny, nx * ny}}
	band := func(y int) int32 { return int32(min(y, ny-1) * ranks / ny) }
	node := func(x, y int) int64 { return int64(y*(nx+1) + x) }
	cell := func(x, y int) int64 { return int64(y*nx + x) }
	edgeNodes, edgeCells := wholeMap{from: 1, to: 0, arity: 2}, wholeMap{from: 1, to: 2, arity: 2}
	cellNodes := wholeMap{from: 2, to: 0, arity: 4}
	w.owners = make([][]int32, 3)
	for y := range ny + 1 {
		for range nx + 1 {
			w.owners[0] = append(w.owners[0], band(y))
		}
	}
	edge := func(y int, nodes, cells [2]int64) {
		w.owners[1] = append(w.owners[1], band(y))
		edgeNodes.values, edgeCells.values = append(edgeNodes.values, nodes[:]...), append(edgeCells.values, cells[:]...)
	}
	for y := range ny {
		for x := range nx {
			w.owners[2] = append(w.owners[2], band(y))
			cellNodes.values = append(cellNodes.values, node(x, y), node(x+1, y), node(x+1, y+1), node(x, y+1))
			if x > 0 {
				edge(y, [2]int64{node(x, y), node(x, y+1)}, [2]int64{cell(x-1, y), cell(x, y)})
			}
			if y > 0 {
				edge(y, [2]int64{node(x, y), node(x+1, y)}, [2]int64{cell(x, y-1), cell(x, y)})
			}
		}
	}
	w.maps = []wholeMap{edgeNodes, edgeCells, cellNodes}
	w.orders = make([][]int64, 3)
	if shuffled {
		w.shuffle()
	}
	for i, size := range w.sizes {
		for e := range size {
			w.orders[i] = append(w.orders[i], int64(e))
		}
	}
	return w
}

// shuffle numbers all elements anew, at random.
func (w *whole) shuffle() {
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := make([][]int, len(w.sizes))
	for i, size := range w.sizes {
		numbers[i] = rng.Perm(size)
		owners := make([]int32, size)
		for e, n := range numbers[i] {
			owners[n] = w.owners[i][e]
		}
		w.owners[i] = owners
	}
	for i, m := range w.maps {
		values := make([]int64, len(m.values))
		for e := range w.sizes[m.from] {
			for j, t := range m.row(int64(e)) {
				values[numbers[m.from][e]*m.arity+j] = int64(numbers[m.to][t])
			}
		}
		w.maps[i].values = values
	}
}

// BenchmarkBuild builds the halos of a mesh of 720,000 cells. Bytes are those of all ranks: what they
// allocate on the way, and what is left.
func BenchmarkBuild(b *testing.B) {
	for _, test := range []struct {
		name         string
		shuffled     bool
		ranks, depth int
	}{{"two", false, 2, 1}, {"shuffled", true, 2, 1}, {"deep", false, 2, 2}, {"sixteen", false, 16, 1}} {
		b.Run(test.name, func(b *testing.B) {
			w := quads(test.ranks, 1200, 600, test.shuffled)
			meshes, built := make([]*Mesh, w.ranks), make([]*Local, w.ranks)
			err := onRanks(w.ranks, func(c comm.Comm) (err error) {
				meshes[c.Rank()], err = w.mesh(c)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			before := memory()
			for b.Loop() {
				err := onRanks(w.ranks, func(c comm.Comm) (err error) {
					m := meshes[c.Rank()]
					built[c.Rank()], err = Build(c, &Mesh{slices.Clone(m.Sets), slices.Clone(m.Maps)}, test.depth)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			after := memory()
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB-allocated")
			b.ReportMetric(float64(int64(after.HeapAlloc-before.HeapAlloc))/1e6, "MB-kept")
			runtime.KeepAlive(built)
			runtime.KeepAlive(meshes)
			runtime.KeepAlive(w)
		})
	}
}

// BenchmarkDirectory makes the directory of 1.4 million elements on two ranks.
func BenchmarkDirectory(b *testing.B) {
	w := quads(2, 1200, 600, true)
	owned := [][]int64{w.owned(1, 0), w.owned(1, 1)}
	for b.Loop() {
		err := onRanks(2, func(c comm.Comm) error {
			_, err := NewDirectory(c, "edges", int64(w.sizes[1]), owned[c.Rank()])
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// memory returns what is allocated, without garbage.
func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}
