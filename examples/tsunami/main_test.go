package main

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// closed returns the mesh of the sea with a coast all around.
func closed(refine int) *mesh.Mesh {
	m := optest.Must(readSea(refine))
	m.Groups = nil
	if err := m.Mark("coast", func([]float64) bool { return true }); err != nil {
		panic(err)
	}
	return m
}

// level is a surface without slope.
func level(z float64) height { return func(x, y float64) float64 { return z } }

// hill is a surface with a hill beside the island, whose waves flood it.
func hill(x, y float64) float64 {
	return 10 * math.Exp(-square((x-14000)/2000)-square((y-17000)/2000))
}

// A lake at rest stays at rest, around dry islands, over flooded ones, and where the sea is open.
func TestLakeAtRest(t *testing.T) {
	open := optest.Must(readSea(0))
	open.Group("inflow").Name = "nothing flows in"
	for _, test := range []struct {
		name    string
		mesh    *mesh.Mesh
		surface float64
	}{
		{"around an island", closed(0), 0},
		{"at another level", closed(0), 0.37},
		{"over the island", closed(0), 41.3},
		{"ponds", closed(0), -180.123},
		{"open sea", open, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt := optest.Must(op2.Open(op2.WithLog(nil)))
			defer rt.Close()
			w := optest.Must(newWater(rt, test.mesh, bed, level(test.surface)))
			for range 200 {
				if err := w.step(math.Inf(1)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.show.Compute(); err != nil {
				t.Fatal(err)
			}
			q, surface, u := optest.Must(w.q.DataRO()), optest.Must(w.surface.DataRO()), optest.Must(w.velocity.DataRO())
			wet, land, worst := 0, 0, 0.0
			for c, s := range surface {
				still := max(test.surface, q[4*c+3])
				worst = max(worst, math.Abs(s-still), math.Abs(u[2*c]), math.Abs(u[2*c+1]))
				if s > q[4*c+3] {
					wet++
				} else {
					land++
				}
			}
			if !(worst <= 1e-12) || wet < 100 || land == 0 && test.surface < 41 || land > 0 && test.surface > 41 {
				t.Errorf("the surface has moved by %.1e m, or as much in a second; %d cells are wet, %d dry", worst, wet, land)
			}
		})
	}
}

// No water gets lost or made, though it floods land and flows back.
func TestMass(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	m := closed(0)
	areas := optest.Must(m.Measures())
	w := optest.Must(newWater(rt, m, bed, hill))
	drag = 0.0025
	volume := func() *big.Float {
		q := optest.Must(w.q.InDeclaredOrder())
		sum := new(big.Float).SetPrec(200)
		for c, area := range areas {
			if q[4*c] < 0 {
				t.Errorf("cell %d has a height of %g m", c, q[4*c])
			}
			sum.Add(sum, new(big.Float).Mul(big.NewFloat(q[4*c]).SetPrec(200), big.NewFloat(area)))
		}
		return sum
	}
	first := volume()
	for _, time := range []float64{60, 300, 600, 900, 1500} {
		if err := w.advance(time); err != nil {
			t.Fatal(err)
		}
		change, _ := new(big.Float).Quo(new(big.Float).Sub(volume(), first), first).Float64()
		if !(math.Abs(change) < 1e-14) {
			t.Errorf("after %v s the volume has changed by %.1e of it", time, change)
		}
	}
	flooded, fallen := 0, 0
	q, highest := optest.Must(w.q.DataRO()), optest.Must(w.highest.DataRO())
	for c, top := range highest {
		if z := q[4*c+3]; z > 0 && top-z > 0.1 {
			flooded++
			if q[4*c] < 0.5*(top-z) {
				fallen++
			}
		}
	}
	if flooded < 30 || fallen < 10 {
		t.Errorf("%d cells were flooded, from %d of which the water has gone", flooded, fallen)
	}
}

// The water behind a dam that breaks is where the exact solutions have it, more so on finer meshes.
func TestDams(t *testing.T) {
	for _, d := range dams {
		var errors []float64
		for _, n := range []int{100, 200} {
			rt := optest.Must(op2.Open(op2.WithLog(nil)))
			errors = append(errors, optest.Must(d.breaks(rt, n)))
			if err := rt.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if order := math.Log2(errors[0] / errors[1]); !(errors[1] < 5e-3) || !(order > 0.65) {
			t.Errorf("%s: order %.2f, from errors %.3e", d.name, order, errors)
		}
	}
}

// The exact solutions, by hand: in the middle of Ritter's the height is 4/9 and the discharge 8/27 of
// what the speed of a wave makes of it; Stoker's height behind the bore is in many books.
func TestExact(t *testing.T) {
	c := math.Sqrt(gravity)
	for _, test := range []struct {
		d          dam
		x, t, want float64
	}{
		{dams[0], 0.5, 0.05, 4. / 9},
		{dams[0], 0.5 - 1.001*c*0.05, 0.05, 1},
		{dams[0], 0.5 + 0.5*c*0.05, 0.05, 0.25},
		{dams[0], 0.5 + 2.001*c*0.05, 0.05, 0},
		{dams[1], 0.5 + 0.5*c*0.05, 0.05, 0.39617},
		{dams[1], 0.5 + 1.2*c*0.05, 0.05, 0.1},
	} {
		if h := test.d.exact(test.x, test.t); !(math.Abs(h-test.want) < 1e-5) {
			t.Errorf("%s, x %v: %.6f, want %v", test.d.name, test.x, h, test.want)
		}
	}
}

// A wave comes in with its height, and leaves again.
func TestInflow(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithLog(nil)))
	defer rt.Close()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 200, 2, 20000, 200))
	for i := 1; i < len(m.Points); i += 2 {
		m.Points[i] += 14900 // the middle of the wave
	}
	for from, to := range map[string]string{"left": "inflow", "right": "open sea", "bottom": "coast", "top": "other coast"} {
		m.Group(from).Name = to
	}
	w := optest.Must(newWater(rt, m, level(-200), calm))
	extremes := func() (low, high float64) {
		if err := w.show.Compute(); err != nil {
			t.Fatal(err)
		}
		s := optest.Must(w.surface.DataRO())
		return slices.Min(s), slices.Max(s)
	}
	highest := 0.0
	for time := 300.0; time <= 1800; time += 100 {
		if err := w.advance(time); err != nil {
			t.Fatal(err)
		}
		_, high := extremes()
		highest = max(highest, high)
	}
	if low, high := extremes(); !(highest > 2.7 && highest < 3.01) || !(low > -0.03 && high < 0.03) {
		t.Errorf("a wave of %.3f m, after which the sea is between %.3f and %.3f m", highest, low, high)
	}
}

// Every backend computes the same waves, and where there are vectors, kernels run in packs.
func TestBackends(t *testing.T) {
	var first []float64
	command.OnEachBackend(t, func(t *testing.T, rt *op2.Runtime) {
		drag = 0.0025
		w := optest.Must(newWater(rt, optest.Must(readSea(0)), bed, hill))
		if err := w.advance(120); err != nil {
			t.Fatal(err)
		}
		q := optest.Must(w.q.InDeclaredOrder())
		if first == nil {
			first = q
		}
		worst := 0.0
		for i := range q {
			worst = max(worst, math.Abs(q[i]-first[i]))
		}
		if !(worst < 1e-9) {
			t.Errorf("the state differs by %.1e", worst)
		}
		for _, s := range rt.Stats() {
			if s.Kernel != "update" && strings.HasPrefix(s.How, "scalar") && !strings.Contains(s.How, "no vectors") {
				t.Errorf("%s runs %s", s.Kernel, s.How)
			}
		}
	})
}

// The series has all times, the film those from when a wave is in sight, and the picture is there.
func TestOutputs(t *testing.T) {
	for _, c := range []struct {
		start func(x, y float64) float64
		film  int
	}{{hill, frames + 1}, {calm, 1}} {
		rt := optest.OpenBackend(t, "auto")
		m := optest.Must(readSea(0))
		w := optest.Must(newWater(rt, m, bed, c.start))
		dir := t.TempDir()
		out := outputs{filepath.Join(dir, "levels.png"), filepath.Join(dir, "film.png"), filepath.Join(dir, "waves")}
		o := optest.Must(newWriter(rt, m, m, w, out))
		optest.OK(t, o.follow(10))
		optest.OK(t, o.close())
		index, err := os.ReadFile(out.series + ".pvd")
		if err != nil || strings.Count(string(index), "<DataSet ") != frames+1 {
			t.Errorf("%v\n%s", err, index)
		}
		film, err := os.ReadFile(out.film)
		if err != nil || bytes.Count(film, []byte("fcTL")) != c.film {
			t.Errorf("%v, a film of %d pictures, want %d", err, bytes.Count(film, []byte("fcTL")), c.film)
		}
		if _, err := os.Stat(out.picture); err != nil {
			t.Error(err)
		}
	}
}

// A run that goes on from a checkpoint, with another order of the mesh, computes the same waves.
func TestRestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "waves.chk")
	var first []float64
	for _, options := range [][]op2.Option{{op2.WithCheckpoint(folder, 1)}, {op2.WithRestart(folder), op2.WithBackend("go")}} {
		var log strings.Builder
		rt := optest.Must(op2.Open(append(options, op2.WithLog(&log))...))
		m := optest.Must(readSea(0))
		w := optest.Must(newWater(rt, m, bed, hill))
		o := optest.Must(newWriter(rt, m, m, w, outputs{}))
		if err := o.follow(10); err != nil {
			t.Fatal(err)
		}
		q := optest.Must(w.q.InDeclaredOrder())
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = q
			if err := os.RemoveAll(filepath.Join(folder, fmt.Sprintf("%06d", frames+1))); err != nil {
				t.Fatal(err)
			}
			continue
		}
		worst := 0.0
		for i := range q {
			worst = max(worst, math.Abs(q[i]-first[i]))
		}
		if !(worst < 1e-12) || !strings.Contains(log.String(), fmt.Sprintf("frame %d, steps ", frames-1)) {
			t.Errorf("the state differs by %.1e: %s", worst, &log)
		}
	}
}

func TestWrong(t *testing.T) {
	for _, test := range []struct {
		s    settings
		want string
	}{
		{settings{refine: -1, time: 1}, "tsunami: -refine -1: expected 0 to 6"},
		{settings{time: math.NaN()}, "tsunami: -time NaN: expected a number above 0"},
	} {
		if err := run(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
}

// The shore of a calm sea is where the bed comes out of the water, whichever cells are wet: at most as far from it as the
// bed is curved within a cell.
func TestShore(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	m := optest.Must(readSea(0))
	w := optest.Must(newWater(rt, m, bed, calm))
	optest.OK(t, w.show.Compute())
	f := optest.Must((&writer{rt: rt, mesh: m, water: w}).field(w.surface))
	uses := map[[2]int32]int{} // of each side
	for c := range len(f.Mesh.Cells) / f.Mesh.Corners {
		cell := slices.Compact(slices.Clone(f.Mesh.Cells[c*f.Mesh.Corners : (c+1)*f.Mesh.Corners]))
		for i, a := range cell {
			b := cell[(i+1)%len(cell)]
			uses[[2]int32{min(a, b), max(a, b)}]++
		}
	}
	whole := map[[2]float64]bool{} // the nodes of the mesh
	for n := range m.Nodes() {
		whole[[2]float64(m.Point(int32(n)))] = true
	}
	shore := 0
	for side, n := range uses {
		x, y := f.Mesh.XY[2*side[0]:2*side[0]+2], f.Mesh.XY[2*side[1]:2*side[1]+2]
		if n != 1 || whole[[2]float64(x)] || whole[[2]float64(y)] {
			continue
		}
		shore++
		for _, p := range [][]float64{x, y} {
			if height := bed(p[0], p[1]); math.Abs(height) > 1.5 {
				t.Errorf("at %v the shore is %.2f m above the sea", p, height)
			}
		}
	}
	if shore < 100 {
		t.Errorf("the shore has %d sides", shore)
	}
}
