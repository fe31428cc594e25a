// Package halo gives each rank of a run its part of a distributed mesh: the elements that it
// owns, a halo of layers of other ranks' elements around them, and the lists of elements that ranks send each
// other. It knows nothing of loops, data and backends. Package distribute builds the halos of a mesh and
// gives its sets and maps their shares; package entity adopts sets that a program has divided itself;
// package exchange sends values by the lists.
//
// The elements of a set are in parts on each rank, one after the other: those that the rank owns,
// then for each layer k of the halo E_k, which loops execute, and R_k, which they only read. The
// prefix x of a set is its elements up to and including part x: 0 are the owned ones, 1 is E_1, 2 is
// R_1, 3 is E_2.
//
//   - E_k of a set are the elements, not in a part so far, from which some map leads to the prefix
//     2(k-1) of its target set: with them, increments through maps are complete in that prefix.
//   - R_k of a set are the elements, not in a part so far, to which some map leads from the prefix
//     2k-1 of any set: what executing E_k reads.
//
// Functions with a Comm are collective. The error of one is this rank's alone: the caller tells the
// other ranks, with Fail, that it does not go on.
package halo

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/problem"
)

// Mesh is one rank's part of a distributed mesh that has no halo. All ranks have the same sets
// and maps in the same order.
type Mesh struct {
	Sets []Set
	Maps []Map
}

// Set is one rank's part of a set.
type Set struct {
	Name  string
	Size  int64      // elements of the whole mesh
	Owned []int64    // numbers of those that this rank owns, in the order in which it wants them
	Home  *Directory // who owns the others
}

// Map is one rank's part of a map: the rows of the elements that it owns.
type Map struct {
	Name     string
	From, To int // sets, by their places in the mesh
	Arity    int
	Values   Numbers // [len(Owned of From)][Arity], in the whole mesh; negative: nowhere
}

// Local is a rank's mesh with its halo.
type Local struct {
	Sets []LocalSet
	Maps [][]int32 // [elements of From here][arity], local numbers; see Build
}

// LocalSet is the elements of a set on one rank. Its elements have local numbers, in the order of the parts.
type LocalSet struct {
	Size int64 // elements of the whole mesh
	Extents
	Numbers []int64 // numbers in the whole mesh, by local number
	Parts   []Part  // messages that fill E_1, R_1, E_2, R_2 and so on
}

// Part is the messages that fill one part of the halo, at most one message for each pair
// of ranks. Both lists are by ascending rank.
type Part struct {
	Sends    []Send
	Receives []Receive
}

// Send is a message to another rank.
type Send struct {
	Rank     int
	Elements []int32 // local numbers of owned elements, in the order of the receiver
}

// Receive is a message from another rank. Its elements are a run of local numbers, unless they are
// listed.
type Receive struct {
	Rank         int
	First, Count int
	Elements     []int32
}

// Times returns the messages of a set that has n elements in a row for each one.
func (p Part) Times(n int) (of Part) {
	for _, s := range p.Sends {
		of.Sends = append(of.Sends, Send{s.Rank, lists.Times(s.Elements, n)})
	}
	for _, r := range p.Receives {
		of.Receives = append(of.Receives, Receive{r.Rank, r.First * n, r.Count * n, lists.Times(r.Elements, n)})
	}
	return of
}

// Build returns the rank's mesh with depth layers of halo. It consumes m: the numbers of owned elements and the values of
// maps are gone afterwards, so that their memory is free for the result.
//
// The core comes first: the owned elements without targets in the halo. The others are sorted by the set of maps that
// have such targets, as a number in which bit i stands for the i-th map from the set, so that a loop over one map has
// a longer core. Equal elements keep their given order. Elements of a part of the halo are sorted by owner, then by
// number, so that a message fills a run of them.
//
// Rows of maps are -1 where they lead nowhere, and in R of the last layer also where the target is not here: no loop
// executes those rows.
//
// Source: the import/export exec and non-exec halos of OP2 (G. R. Mudalige et al., Design and initial performance of a
// high-level unstructured mesh framework on heterogeneous parallel systems, Parallel Computing 39, 2013), here in layers.
func Build(c comm.Comm, m *Mesh, depth int) (*Local, error) {
	b := &builder{c: c, mesh: m, sets: make([]region, len(m.Sets)), maps: make([]rows, len(m.Maps))}
	if err := b.read(); err != nil {
		return nil, err
	}
	for layer := 1; layer <= depth; layer++ {
		if err := b.layer(layer); err != nil {
			return nil, err
		}
	}
	return b.local(), nil
}

// check returns an error for a map that is not one of the mesh.
func (m *Mesh) check(mp *Map) error {
	if from := &m.Sets[mp.From]; mp.Values.Len() != len(from.Owned)*mp.Arity {
		return &problem.ShapeError{What: "map " + mp.Name, Msg: fmt.Sprintf("%d values are needed for %d owned %s with arity %d, %d were given",
			len(from.Owned)*mp.Arity, len(from.Owned), from.Name, mp.Arity, mp.Values.Len())}
	}
	return nil
}

// outside returns the error for a value of a map that is not an element.
func (m *Mesh) outside(mp *Map, at int) error {
	from, to := &m.Sets[mp.From], &m.Sets[mp.To]
	return &problem.ShapeError{What: "map " + mp.Name, Msg: fmt.Sprintf("value %d, of component %d for element %d, is not one of the %d %s",
		mp.Values.At(at), at%mp.Arity, from.Owned[at/mp.Arity], to.Size, to.Name)}
}

// tooMany returns the error for more elements of a set than have local numbers.
func (s *Set) tooMany(n int) error {
	return &problem.ShapeError{What: "set " + s.Name, Msg: fmt.Sprintf("a rank can have %d elements, here are %d with the halo", math.MaxInt32, n)}
}
