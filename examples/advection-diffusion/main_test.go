package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

// Against the solution on the plane: second order on the finest pair of meshes.
func TestSecondOrder(t *testing.T) {
	var errors []float64
	for _, n := range []int{20, 40, 80, 160} {
		rt, err := op2.Open()
		if err != nil {
			t.Fatal(err)
		}
		ignore := func(float64, *op2.Dat[float64]) error { return nil }
		l2, err := solve(rt, optest.Must(mesh.Rectangle(mesh.Triangle, n, n, 1, 1)), n, ignore)
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
		errors = append(errors, l2)
	}
	t.Logf("errors %.3e", errors)
	if order := math.Log2(errors[2] / errors[3]); order < 1.95 {
		t.Errorf("order %.3f, from errors %.3e", order, errors)
	}
}

// The series and the film have all steps.
func TestOutputs(t *testing.T) {
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 4, 4, 1, 1))
	dir := t.TempDir()
	w, err := newWriter(rt, m, 3, outputs{film: filepath.Join(dir, "film.png"), series: filepath.Join(dir, "cloud")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := solve(rt, m, 3, w.write); err != nil {
		t.Fatal(err)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "cloud.pvd"))
	if err != nil || strings.Count(string(index), "<DataSet ") != 4 {
		t.Errorf("%v\n%s", err, index)
	}
	film, err := os.ReadFile(filepath.Join(dir, "film.png"))
	if err != nil || bytes.Count(film, []byte("fcTL")) != 4 {
		t.Errorf("%v, a film of %d bytes", err, len(film))
	}
}
