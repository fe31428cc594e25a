// Command port is plate.cpp of the folder op2, a program for OP2, ported: its kernels are used as they are, and each
// declaration and loop is a line for a line. With -against it compares its result with a file that the original has
// written. The page docs/port.md goes through it.
package main

import (
	"bufio"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
)

//go:embed op2/*.h
var files embed.FS

// The consts, which kernels read by name.
var kappa, transfer, air, heater, dt = 1.0, 0.5, 20.0, 100.0, 4e-4

func main() {
	log.SetFlags(0)
	backend := flag.String("backend", "", "go, sequential, openmp, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	against := flag.String("against", "", "a `file` that op_print_dat_to_txtfile has written, to compare the temperatures with")
	flag.Parse()
	if err := run(os.Stdout, *backend, *against); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, backend, against string) error {
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	p := newPlate(60, 40)

	nodes := rt.NewSet(len(p.x)/2, "nodes")
	edges := rt.NewSet(len(p.edge)/2, "edges")
	bedges := rt.NewSet(len(p.bound), "bedges")
	cells := rt.NewSet(len(p.cell)/4, "cells")
	pcell := op2.NewMap(cells, nodes, 4, p.cell, "pcell")
	pedge := op2.NewMap(edges, nodes, 2, p.edge, "pedge")
	pecell := op2.NewMap(edges, cells, 2, p.ecell, "pecell")
	pbedge := op2.NewMap(bedges, nodes, 2, p.bedge, "pbedge")
	pbecell := op2.NewMap(bedges, cells, 1, p.becell, "pbecell")

	x := op2.NewDat(nodes, 2, p.x, "p_x")
	bound := op2.NewDat(bedges, 1, p.bound, "p_bound")
	area := op2.NewDat[float64](cells, 1, nil, "p_area")
	center := op2.NewDat[float64](cells, 2, nil, "p_center")
	t := op2.NewDat[float64](cells, 1, nil, "p_t")
	q := op2.NewDat[float64](cells, 1, nil, "p_q")
	sum := op2.NewGlobal(rt, []float64{0}, "sum")
	most := op2.NewGlobal(rt, []float64{0}, "most")

	op2.NewConst(rt, "kappa", &kappa)
	op2.NewConst(rt, "transfer", &transfer)
	op2.NewConst(rt, "air", &air)
	op2.NewConst(rt, "heater", &heater)
	op2.NewConst(rt, "dt", &dt)

	kernels := ckernel.Files(files)
	geometry := op2.NewLoop(kernels.Func("geometry"), cells,
		x.Read(pcell),
		area.Write(),
		center.Write())
	flux := op2.NewLoop(kernels.Func("flux"), edges,
		x.Read(pedge.At(0)),
		x.Read(pedge.At(1)),
		center.Read(pecell.At(0)),
		center.Read(pecell.At(1)),
		t.Read(pecell.At(0)),
		t.Read(pecell.At(1)),
		q.Inc(pecell.At(0)),
		q.Inc(pecell.At(1)))
	boundary := op2.NewLoop(kernels.Func("boundary"), bedges,
		x.Read(pbedge.At(0)),
		x.Read(pbedge.At(1)),
		t.Read(pbecell.At(0)),
		q.Inc(pbecell.At(0)),
		bound.Read())
	update := op2.NewLoop(kernels.Func("update"), cells,
		area.Read(),
		q.RW(),
		t.RW(),
		sum.Inc(),
		most.Max())
	if err := errors.Join(rt.Err(), t.Fill(20), geometry.Compute()); err != nil {
		return err
	}

	out := rt.Output(w) // op_printf: once, also under mpirun
	for step := 1; step <= 1000; step++ {
		if err := errors.Join(sum.Set(0), most.Set(0), flux.Compute(), boundary.Compute(), update.Compute()); err != nil {
			return err
		}
		if step%200 == 0 {
			hottest, err1 := most.Value()
			change, err2 := sum.Value()
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			fmt.Fprintf(out, "%6d %10.6f %14.6e\n", step, hottest, math.Sqrt(change/float64(cells.Size())))
		}
	}
	if against == "" {
		return nil
	}
	values, err := t.InDeclaredOrder()
	if err != nil {
		return err
	}
	return compare(out, values, against)
}

// compare writes the largest difference between values and those in a file of op_print_dat_to_txtfile.
func compare(out io.Writer, values []float64, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var size, dim int
	if _, err := fmt.Fscan(in, &size, &dim); err != nil {
		return fmt.Errorf("%s: expected a size and a dim: %w", path, err)
	}
	if size*dim != len(values) {
		return fmt.Errorf("%s has %d times %d values, here are %d", path, size, dim, len(values))
	}
	largest, at := 0.0, 0
	for i, v := range values {
		var theirs float64
		if _, err := fmt.Fscan(in, &theirs); err != nil {
			return fmt.Errorf("%s: value %d: %w", path, i, err)
		}
		if d := math.Abs(v-theirs) / math.Abs(theirs); !(d <= largest) {
			largest, at = d, i
		}
	}
	_, err = fmt.Fprintf(out, "the largest relative difference is %.1e, in cell %d\n", largest, at)
	return err
}
