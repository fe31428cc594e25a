package hdf5_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/hdf5"
)

// A program writes a mesh and what it has computed, and another one reads them by name.
func Example() {
	if err := example(); err != nil && !errors.Is(err, op2.ErrUnavailable) {
		fmt.Println(err)
	}
	// Output:
	// 3 edges, x of node 2: [2 0], gam 1.4
}

func example() error {
	rt, err := op2.Open(op2.WithBackend("go"))
	if err != nil {
		return err
	}
	defer rt.Close()
	dir, err := os.MkdirTemp("", "hdf5-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "line.h5")

	nodes, edges := rt.NewSet(4, "nodes"), rt.NewSet(3, "edges")
	pedge := op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3}, "pedge")
	x := op2.NewDat(nodes, 2, []float64{0, 0, 1, 0, 2, 0, 3, 0}, "p_x")
	gam := 1.4
	if err := rt.Err(); err != nil {
		return err
	}
	out, err := hdf5.Create(rt, path)
	if err != nil {
		return err
	}
	if err := errors.Join(out.Write(nodes, edges, pedge, x, hdf5.Value("gam", &gam)), out.Close()); err != nil {
		return err
	}

	in, err := hdf5.Open(rt, path)
	if err != nil {
		return err
	}
	nodes, edges = in.Set("nodes"), in.Set("edges")
	pedge = in.Map(edges, nodes, 2, "pedge")
	x = hdf5.Dat[float64](in, nodes, 2, "p_x")
	if err := rt.Err(); err != nil {
		return err
	}
	gam = 0
	if err := errors.Join(in.Read(hdf5.Value("gam", &gam)), in.Close()); err != nil {
		return err
	}
	values, err := x.DataRO()
	if err != nil {
		return err
	}
	fmt.Printf("%d edges, x of node %d: %v, gam %v\n", edges.Size(), pedge.Values()[3], values[4:6], gam)
	return nil
}
