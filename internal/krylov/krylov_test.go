package krylov

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// dense is a Space over plain slices and a dense matrix.
type dense struct {
	a       [][]float64
	m       []float64 // the diagonal of M⁻¹
	vectors [][]float64
	calls   int
	fail    int // the number of the call that fails; 0: none
	err     error
}

var errFailed = errors.New("the operation failed")

// works counts a call, and reports whether it does anything.
func (d *dense) works() bool {
	if d.err == nil {
		if d.calls++; d.calls == d.fail {
			d.err = errFailed
		}
	}
	return d.err == nil
}

func (d *dense) Err() error { return d.err }

func (d *dense) New() Vector {
	if !d.works() {
		return -1
	}
	v := make([]float64, len(d.a))
	for i := range v {
		v[i] = math.NaN() // shows if it is read before it is written
	}
	d.vectors = append(d.vectors, v)
	return Vector(len(d.vectors) - 1)
}

func (d *dense) Zero(x Vector) {
	if d.works() {
		clear(d.vectors[x])
	}
}

func (d *dense) Apply(y, x Vector) {
	if !d.works() {
		return
	}
	for i, row := range d.a {
		d.vectors[y][i] = 0
		for j, a := range row {
			d.vectors[y][i] += a * d.vectors[x][j]
		}
	}
}

func (d *dense) ApplyDot(y, x Vector) float64 {
	if d.Apply(y, x); d.err != nil {
		return 0
	}
	return d.dot(y, x)
}

func (d *dense) Precondition(z, r Vector) {
	if !d.works() {
		return
	}
	for i := range d.m {
		d.vectors[z][i] = d.m[i] * d.vectors[r][i]
	}
}

func (d *dense) Scale(y, x Vector, a float64) {
	if !d.works() {
		return
	}
	for i := range d.m {
		d.vectors[y][i] = a * d.vectors[x][i]
	}
}

func (d *dense) Add(z, x, y Vector, a float64) {
	if !d.works() {
		return
	}
	for i := range d.m {
		d.vectors[z][i] = d.vectors[x][i] + a*d.vectors[y][i]
	}
}

func (d *dense) dot(x, y Vector) (sum float64) {
	for i := range d.m {
		sum += d.vectors[x][i] * d.vectors[y][i]
	}
	return sum
}

func (d *dense) Dots(x, y Vector) (xy, xx float64) {
	if !d.works() {
		return 0, 0
	}
	return d.dot(x, y), d.dot(x, x)
}

func (d *dense) UpdateResidual(r, z, w Vector, alpha float64) (zr, zz float64) {
	if !d.works() {
		return 0, 0
	}
	for i := range d.m {
		d.vectors[r][i] -= alpha * d.vectors[w][i]
		d.vectors[z][i] = math.NaN() // which UpdateSolution does not read
		v := d.m[i] * d.vectors[r][i]
		zr += v * d.vectors[r][i]
		zz += v * v
	}
	return zr, zz
}

func (d *dense) UpdateSolution(x, p, _, r Vector, alpha, beta float64) {
	if !d.works() {
		return
	}
	for i := range d.m {
		d.vectors[x][i] += alpha * d.vectors[p][i]
		d.vectors[p][i] = d.m[i]*d.vectors[r][i] + beta*d.vectors[p][i]
	}
}

func (d *dense) UpdateDirection(p, r, v Vector, beta, omega float64) {
	if !d.works() {
		return
	}
	for i := range d.m {
		d.vectors[p][i] = d.vectors[r][i] + beta*(d.vectors[p][i]-omega*d.vectors[v][i])
	}
}

func (d *dense) Stabilize(x, r, p, s, t, q Vector, alpha, omega float64) (rq, rr float64) {
	if !d.works() {
		return 0, 0
	}
	for i := range d.m {
		d.vectors[x][i] += alpha*d.vectors[p][i] + omega*d.vectors[s][i]
		d.vectors[r][i] = d.vectors[s][i] - omega*d.vectors[t][i]
	}
	return d.dot(r, q), d.dot(r, r)
}

func (d *dense) Project(w Vector, vs []Vector, dots []float64) {
	if !d.works() {
		return
	}
	for i, v := range vs {
		dots[i] = d.dot(w, v)
	}
}

func (d *dense) Combine(w Vector, vs []Vector, a []float64) (ww float64) {
	if !d.works() {
		return 0
	}
	for k, v := range vs {
		for i := range d.m {
			d.vectors[w][i] += a[k] * d.vectors[v][i]
		}
	}
	return d.dot(w, w)
}

// newDense returns a Space with a matrix, Jacobi's preconditioner, and two vectors: x, of ones, and
// b.
func newDense(a [][]float64, b []float64) *dense {
	d := &dense{a: a}
	for i := range a {
		m := 1.0
		if a[i][i] != 0 {
			m = 1 / a[i][i]
		}
		d.m = append(d.m, m)
	}
	ones := slices.Repeat([]float64{1}, len(b))
	d.vectors = [][]float64{ones, slices.Clone(b)}
	return d
}

const x, b Vector = 0, 1

var methods = []struct {
	name      string
	new       func(Space, Limits) Method
	symmetric bool
}{
	{"cg", NewCG, true}, {"bicgstab", NewBiCGStab, false}, {"gmres", NewGMRES, false},
	{"fgmres", NewFGMRES, false}, {"minres", NewMINRES, true},
}

var limits = Limits{RTol: 1e-10, ATol: 1e-50, DivTol: 1e4, MaxIterations: 500, Restart: 7}

// random returns a well-conditioned matrix, symmetric or not.
func random(n int, symmetric bool) [][]float64 {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	for i := range a {
		for j := range i {
			a[i][j] = r.NormFloat64() / float64(n)
			a[j][i] = r.NormFloat64() / float64(n)
			if symmetric {
				a[j][i] = a[i][j]
			}
		}
		a[i][i] = 2 + r.Float64()
	}
	return a
}

func solve(t *testing.T, d *dense, method func(Space, Limits) Method, l Limits) (Outcome, error) {
	t.Helper()
	return method(d, l).Solve(x, b, l)
}

func TestMethods(t *testing.T) {
	for _, method := range methods {
		for _, n := range []int{0, 1, 2, 3, 10, 40} {
			for _, guess := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d/%v", method.name, n, guess), func(t *testing.T) {
					a := random(n, method.symmetric)
					want := make([]float64, n)
					for i := range want {
						want[i] = math.Cos(float64(5 * i))
					}
					d := newDense(a, make([]float64, n))
					d.vectors = append(d.vectors, want)
					d.Apply(b, 2)
					l := limits
					l.Guess = guess
					var seen []float64
					l.Monitor = func(i int, norm float64) error {
						if i != len(seen) {
							t.Errorf("iteration %d after %d", i, len(seen))
						}
						seen = append(seen, norm)
						return nil
					}
					m := method.new(d, l)
					for range 2 {
						for i := range n {
							d.vectors[x][i] = 1
						}
						seen = nil
						out, err := m.Solve(x, b, l)
						if err != nil || !out.Reason.Converged() {
							t.Fatalf("%+v, %v", out, err)
						}
						if !slices.Equal(seen, out.Residuals) || out.Iterations != len(seen)-1 {
							t.Errorf("%+v, seen %v", out, seen)
						}
						for i, w := range want {
							if math.Abs(d.vectors[x][i]-w) > 1e-8 {
								t.Errorf("x[%d] = %g, want %g", i, d.vectors[x][i], w)
							}
						}
					}
				})
			}
		}
	}
}

// PreOnly is one application of the preconditioner, to the residual of a guess if there is one.
func TestPreOnly(t *testing.T) {
	for _, test := range []struct {
		guess bool
		want  []float64
	}{{false, []float64{2, 3}}, {true, []float64{1.5, 2}}} {
		d := newDense([][]float64{{2, 1}, {4, 4}}, []float64{4, 12})
		l := limits
		l.Guess = test.guess
		out, err := solve(t, d, NewPreOnly, l)
		if err != nil || out.Reason != ConvergedIterations || out.Iterations != 1 || !slices.Equal(d.vectors[x], test.want) {
			t.Errorf("guess %v: %v, %+v, %v", test.guess, d.vectors[x], out, err)
		}
	}
}

// The norms that a method reports are those of the residual.
func TestResiduals(t *testing.T) {
	for _, method := range methods {
		d := newDense(random(30, method.symmetric), slices.Repeat([]float64{1}, 30))
		l := limits
		l.Restart = 3
		for l.MaxIterations = 0; l.MaxIterations < 5; l.MaxIterations++ {
			out, err := solve(t, d, method.new, l)
			if err != nil || out.Reason != DivergedIterations || out.Iterations != l.MaxIterations {
				t.Fatalf("%+v, %v", out, err)
			}
			r, u := Vector(len(d.vectors)), Vector(len(d.vectors)+1)
			d.New()
			d.New()
			difference(d, u, r, x, b, true)
			d.Precondition(r, u)
			norm := norm(d, r)
			switch method.name {
			case "fgmres":
				norm = math.Sqrt(d.dot(u, u))
			case "minres":
				norm = math.Sqrt(d.dot(u, r))
			}
			if reported := out.Residuals[l.MaxIterations]; math.Abs(norm-reported) > 1e-10*out.Residuals[0] {
				t.Errorf("%s: after %d iterations the residual is %g, not %g", method.name, out.Iterations, norm, reported)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	nan := math.NaN()
	identity := [][]float64{{1, 0}, {0, 1}}
	for _, test := range []struct {
		name   string
		method int
		a      [][]float64
		b      []float64
		change func(*Limits)
		want   Reason
		after  int
	}{
		{"zero", 0, identity, []float64{0, 0}, nil, ConvergedATol, 0},
		{"zero", 1, identity, []float64{0, 0}, nil, ConvergedATol, 0},
		{"zero", 2, identity, []float64{0, 0}, nil, ConvergedATol, 0},
		{"small", 0, identity, []float64{1e-9, 0}, func(l *Limits) { l.ATol = 1e-8 }, ConvergedATol, 0},
		{"guess", 2, identity, []float64{1, 1}, func(l *Limits) { l.Guess = true }, ConvergedATol, 0},
		{"NaN in b", 0, identity, []float64{1, nan}, nil, DivergedNaNOrInf, 0},
		{"NaN in b", 1, identity, []float64{1, nan}, nil, DivergedNaNOrInf, 0},
		{"NaN in b", 2, identity, []float64{1, nan}, nil, DivergedNaNOrInf, 0},
		{"NaN in A", 0, [][]float64{{1, nan}, {nan, 1}}, []float64{1, 1}, nil, DivergedNaNOrInf, 0},
		{"NaN in A", 1, [][]float64{{1, nan}, {nan, 1}}, []float64{1, 1}, nil, DivergedNaNOrInf, 0},
		{"NaN in A", 2, [][]float64{{1, nan}, {nan, 1}}, []float64{1, 1}, nil, DivergedNaNOrInf, 0},
		{"overflow", 0, [][]float64{{1, 0}, {0, 1}}, []float64{1e300, 1e300}, nil, DivergedNaNOrInf, 0},
		{"indefinite", 0, [][]float64{{1, 5}, {5, 1}}, []float64{1, 0}, nil, DivergedIndefiniteMat, 1},
		{"indefinite preconditioner", 0, [][]float64{{1, 0}, {0, -1}}, []float64{1, 1}, nil, DivergedIndefinitePC, 0},
		{"negative definite", 0, [][]float64{{-2, 1}, {1, -2}}, []float64{1, 5}, nil, ConvergedATol, 2},
		{"singular", 0, [][]float64{{1, 1}, {1, 1}}, []float64{1, -1}, nil, DivergedIndefiniteMat, 0},
		{"singular", 1, [][]float64{{1, 1}, {1, 1}}, []float64{1, -1}, nil, DivergedBreakdown, 0},
		{"singular", 2, [][]float64{{1, 1}, {1, 1}}, []float64{1, -1}, nil, DivergedBreakdown, 0},
		{"singular", 2, [][]float64{{1, 1, 0}, {1, 1, 0}, {0, 0, 3}}, []float64{1, 0, 1}, nil, DivergedBreakdown, 2},
		{"singular, consistent", 2, [][]float64{{1, 1}, {1, 1}}, []float64{1, 1}, nil, ConvergedRTol, 1},
		{"rotation", 1, [][]float64{{0, 1}, {-1, 0}}, []float64{1, 0}, nil, DivergedBreakdown, 0},
		{"rotation", 2, [][]float64{{0, 1}, {-1, 0}}, []float64{1, 0}, nil, ConvergedATol, 2},
		{"rotation, stagnant", 2, [][]float64{{0, 1}, {-1, 0}}, []float64{1, 0}, func(l *Limits) { l.Restart, l.MaxIterations = 1, 9 }, DivergedIterations, 9},
		{"divergence", 1, [][]float64{{1, 100}, {-100, 1}}, []float64{1, 1.0001}, func(l *Limits) { l.DivTol = 0.9 }, DivergedDTol, 0},
		{"singular", 3, [][]float64{{1, 1}, {1, 1}}, []float64{1, -1}, nil, DivergedBreakdown, 0},
		{"rotation", 3, [][]float64{{0, 1}, {-1, 0}}, []float64{1, 0}, nil, ConvergedATol, 2},
		{"NaN in A", 3, [][]float64{{1, nan}, {nan, 1}}, []float64{1, 1}, nil, DivergedNaNOrInf, 0},
		{"zero", 4, identity, []float64{0, 0}, nil, ConvergedATol, 0},
		{"saddle", 4, [][]float64{{2, 1}, {1, 0}}, []float64{1, 1}, nil, ConvergedRTol, 2},
		{"guess", 4, identity, []float64{1, 1}, func(l *Limits) { l.Guess = true }, ConvergedATol, 0},
		{"NaN in b", 4, identity, []float64{1, nan}, nil, DivergedNaNOrInf, 0},
		{"NaN in A", 4, [][]float64{{1, nan}, {nan, 1}}, []float64{1, 1}, nil, DivergedNaNOrInf, 0},
		{"indefinite preconditioner", 4, [][]float64{{1, 0}, {0, -1}}, []float64{0, 1}, nil, DivergedIndefinitePC, 0},
		{"singular", 4, [][]float64{{1, 1}, {1, 1}}, []float64{1, -1}, nil, DivergedBreakdown, 0},
		{"exact", 4, identity, []float64{3, 4}, func(l *Limits) { l.RTol, l.ATol = 0, 0 }, ConvergedHappyBreakdown, 1},
		{"exact", 2, identity, []float64{3, 4}, func(l *Limits) { l.RTol, l.ATol = 0, 0 }, ConvergedHappyBreakdown, 1},
	} {
		method := methods[test.method]
		d := newDense(test.a, test.b)
		l := limits
		if test.change != nil {
			test.change(&l)
		}
		out, err := solve(t, d, method.new, l)
		if err != nil || out.Reason != test.want || out.Iterations != test.after {
			t.Errorf("%s, %s: %+v, %v; want %s after %d", method.name, test.name, out, err, test.want, test.after)
		}
		if !finite(d.vectors[x]...) {
			t.Errorf("%s, %s: x = %v", method.name, test.name, d.vectors[x])
		}
	}
}

// Whatever operation fails, its error is returned, and so is the monitor's.
func TestFailures(t *testing.T) {
	for _, method := range methods {
		for _, guess := range []bool{false, true} {
			d := newDense(random(12, true), slices.Repeat([]float64{1}, 12))
			l := limits
			l.Guess = guess
			if guess {
				d.vectors[x][0] = 3
			}
			if _, err := solve(t, d, method.new, l); err != nil {
				t.Fatal(err)
			}
			for fail := 1; fail <= d.calls; fail++ {
				broken := newDense(d.a, d.vectors[b])
				broken.fail = fail
				if guess {
					broken.vectors[x][0] = 3
				}
				m := method.new(broken, l)
				made := broken.err == nil
				if out, err := m.Solve(x, b, l); err != errFailed {
					t.Fatalf("%s: call %d of %d failed: %+v, %v", method.name, fail, d.calls, out, err)
				}
				if !made {
					continue
				}
				broken.err = nil
				if out, err := m.Solve(x, b, l); err != nil || !out.Reason.Converged() {
					t.Fatalf("%s: after a failure of call %d of %d: %+v, %v", method.name, fail, d.calls, out, err)
				}
			}
			l.Monitor = func(i int, _ float64) error {
				if i == 3 {
					return errFailed
				}
				return nil
			}
			if out, err := solve(t, newDense(d.a, d.vectors[b]), method.new, l); err != errFailed {
				t.Errorf("%s: %+v, %v", method.name, out, err)
			}
		}
	}
}
