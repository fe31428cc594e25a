package main

import (
	"math"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/command"
	"github.com/go-op2/op2/internal/optest"
)

// Ranks of small webs, by hand.
func TestKnownAnswers(t *testing.T) {
	for _, test := range []struct {
		name, links string
		want        map[string]float64
	}{
		{"a page by itself", "A A", map[string]float64{"A": 1}},
		{"a page without links", "A B", map[string]float64{"A": 1 / 2.85, "B": 1.85 / 2.85}},
		{"three pages", "# A and B link to each other\nA B\nB A\n\nC A\n",
			map[string]float64{"A": 18. / 37, "B": 0.05 + 0.85*18/37, "C": 0.05}},
		{"two links count twice", "A B\nA B\nA C\n",
			map[string]float64{"A": 1 / 3.85, "B": (1 + 0.85*2/3) / 3.85, "C": (1 + 0.85/3) / 3.85}},
		// The picture in Wikipedia's article on PageRank, whose figures have three digits.
		{"eleven pages", "B C\nC B\nD A\nD B\nE B\nE D\nE F\nF B\nF E\nG B\nG E\nH B\nH E\nI B\nI E\nJ E\nK E\n",
			map[string]float64{"A": 0.0328, "B": 0.384, "C": 0.343, "D": 0.0391, "E": 0.0809, "F": 0.0391,
				"G": 0.0162, "H": 0.0162, "I": 0.0162, "J": 0.0162, "K": 0.0162}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := optest.Must(read(strings.NewReader(test.links)))
			rt := optest.Must(op2.Open(op2.WithBackend("go")))
			defer rt.Close()
			ranks, _, err := pageRank(rt, g, 1e-13)
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-12
			if len(test.want) > 3 {
				tolerance = 6e-4
			}
			for p, rank := range ranks {
				if want := test.want[g.name(p)]; !(math.Abs(rank-want) < tolerance) {
					t.Errorf("page %s: %v, want %v", g.name(p), rank, want)
				}
			}
		})
	}
}

// On every backend the ranks are those of the dense matrix, and their sum is 1.
func TestDense(t *testing.T) {
	g := generate(300)
	want := dense(g)
	command.OnEachBackendAndRanks(t, func(t *testing.T, rt *op2.Runtime) {
		ranks, steps, err := pageRank(rt, g, 1e-14)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for p, rank := range ranks {
			sum += rank
			if !(math.Abs(rank-want[p]) < 1e-14) {
				t.Errorf("page %d: %v, want %v", p, rank, want[p])
			}
		}
		if !(math.Abs(sum-1) < 1e-14) || steps > 200 {
			t.Errorf("sum %v after %d steps", sum, steps)
		}
	})
}

// dense returns the eigenvector, with sum 1, to the eigenvalue 1 of the matrix of all moves between
// pages: (1 - damping) / n + damping * what the links move, where a page without links has one to each page.
// It is the solution of a system of equations, by Gaussian elimination.
func dense(g *graph) []float64 {
	n, perLink := g.pages(), g.perLink()
	a := make([][]float64, n) // the identity minus damping * links, and the right-hand side
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range n {
			if perLink[j] == 0 {
				a[i][j] = -damping / float64(n)
			}
		}
		a[i][i]++
		a[i][n] = (1 - damping) / float64(n)
		for _, j := range g.from[g.into[i]:g.into[i+1]] {
			a[i][j] -= damping * perLink[j]
		}
	}
	for i := range n { // the matrix is diagonally dominant by columns: no pivoting
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = a[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}

func TestWrong(t *testing.T) {
	damped := damping
	defer func() { damping = damped }()
	for _, test := range []struct {
		s       settings
		damping float64
		want    string
	}{
		{settings{pages: -3, tolerance: 1}, 0.85, "pagerank: -pages -3: at least 1 is needed"},
		{settings{pages: 3, tolerance: 1}, 1, "pagerank: -damping 1: expected a number between 0 and 1"},
		{settings{pages: 3, tolerance: -1}, 0.85, "pagerank: -tolerance -1: expected a number above 0"},
		{settings{pages: 3, tolerance: 1, links: "/no/such/file"}, 0.85, "open /no/such/file: no such file or directory"},
	} {
		damping = test.damping
		if err := run(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
	for text, want := range map[string]string{
		"A B\nA B C\n": `line 2: expected the names of two pages, found "A B C"`,
		"# none\n":     "expected links, found none",
	} {
		if _, err := read(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%v, not %q", err, want)
		}
	}
}
