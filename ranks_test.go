package op2_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed shares_kernels_test.go
var shareSource string

// Sets that ranks declare in shares compute what sets that each declares whole do: with the shares
// as they are, and with parts found by coordinates, or given.
func TestShares(t *testing.T) {
	const nodes, edges = 57, 131
	random := rand.New(rand.NewPCG(1, 2))
	var ends []int64
	var at []float64
	for range edges {
		ends = append(ends, random.Int64N(nodes), random.Int64N(nodes))
	}
	for range nodes {
		at = append(at, random.Float64(), random.Float64())
	}
	weights := make([]float64, edges)
	for i := range weights {
		weights[i] = float64(random.IntN(9))
	}
	sum, want := make([]float64, nodes), 0.0
	for e := range edges {
		a, b := ends[2*e], ends[2*e+1]
		sum[a] += weights[e] * at[2*b]
		sum[b] += weights[e] * at[2*a]
	}
	for i, v := range sum {
		if i%3 == 0 {
			want += v
		}
	}
	kernels := op2.Kernels(shareSource)
	for n := 1; n <= 5; n++ {
		owners := make([]int32, nodes)
		for i := range owners {
			owners[i] = random.Int32N(int32(n))
		}
		for _, by := range []string{"", "coordinates", "owners"} {
			err := optest.OnRanks(n, func(rt *op2.Runtime) error {
				share := func(size int) (first, last int) { return rt.Rank() * size / n, (rt.Rank() + 1) * size / n }
				steps := optest.Steps(rt)
				firstNode, lastNode := share(nodes)
				firstEdge, lastEdge := share(edges)
				nodeSet, edgeSet := rt.NewSetShare(lastNode-firstNode, "nodes"), rt.NewSetShare(lastEdge-firstEdge, "edges")
				edge2node := op2.NewMap(edgeSet, nodeSet, 2, ends[2*firstEdge:2*lastEdge], "edge2node")
				x := op2.NewDat(nodeSet, 2, at[2*firstNode:2*lastNode], "x")
				w := op2.NewDat(edgeSet, 1, weights[firstEdge:lastEdge], "w")
				total := op2.NewDat[float64](nodeSet, 1, nil, "total")
				var third []int
				for i := firstNode; i < lastNode; i++ {
					if i%3 == 0 {
						third = append(third, i)
					}
				}
				thirds := op2.NewSubset(nodeSet, third, "thirds")
				late := thirds
				all := op2.NewGlobal(rt, []float64{0}, "all")
				switch by {
				case "coordinates":
					steps.Check(rt.Partition(x))
				case "owners":
					steps.Check(rt.PartitionBy(op2.NewDat(nodeSet, 1, owners[firstNode:lastNode], "owner")))
				}
				if err := steps.Err(); err != nil {
					return err
				}
				if by == "owners" {
					if err := ownsGiven(rt.Rank(), nodeSet, owners); err != nil {
						return err
					}
				}
				if nodeSet.Size() != nodes || thirds.Size() != (nodes+2)/3 {
					return fmt.Errorf("%d nodes, %d thirds", nodeSet.Size(), thirds.Size())
				}
				if err := op2.ParLoop(kernels.Func(shareAdd), edgeSet, w.Read(), x.Read(edge2node.At(0)), x.Read(edge2node.At(1)), total.Inc(edge2node.At(0)), total.Inc(edge2node.At(1))); err != nil {
					return err
				}
				if by != "" { // the mesh has been distributed
					late = op2.NewSubset(nodeSet, third, "late")
				}
				if err := op2.ParLoop(kernels.Func(shareSum), late, total.Read(), all.Inc()); err != nil {
					return err
				}
				if !slices.Equal(late.Elements(), thirds.Elements()) {
					return fmt.Errorf("a late subset has %v, want %v", late.Elements(), thirds.Elements())
				}
				got, err := total.InDeclaredOrder()
				if err != nil {
					return err
				}
				for i := range got {
					if d := got[i] - sum[i]; d > 1e-12 || d < -1e-12 {
						return fmt.Errorf("node %d is %g, want %g", i, got[i], sum[i])
					}
				}
				v, err := all.Value()
				if err == nil && (v-want > 1e-11 || want-v > 1e-11) {
					err = fmt.Errorf("the sum is %g, want %g", v, want)
				}
				return err
			})
			optest.OK(t, err)
		}
	}
}

// ownsGiven returns an error unless a rank owns the elements that the owners say.
func ownsGiven(at int, set *op2.Set, owners []int32) error {
	rank, want := int32(at), 0
	for _, owner := range owners {
		if owner == rank {
			want++
		}
	}
	numbers := set.DeclaredNumbers()
	if i := slices.IndexFunc(numbers, func(e int32) bool { return owners[e] != rank }); i >= 0 {
		return fmt.Errorf("element %d is on rank %d, should be on %d", numbers[i], rank, owners[numbers[i]])
	}
	if len(numbers) != want {
		return fmt.Errorf("%d elements on rank %d, should be %d", len(numbers), rank, want)
	}
	return nil
}

// A mesh that is declared whole is divided as the program says, whichever set it names, also after Renumber.
func TestOwners(t *testing.T) {
	for _, renumber := range []bool{false, true} {
		for _, of := range []string{"nodes", "edges", "both"} {
			optest.ResultsOnRanks(t, []string{"go", "sequential"}, func(rt *op2.Runtime, f *optest.Found) error {
				const n = 40
				random := rand.New(rand.NewPCG(2, 7))
				var ends []int32
				at, weights := make([]float64, 2*n), make([]float64, n)
				owners := make([]int32, n)
				for i := range n {
					ends = append(ends, random.Int32N(n), random.Int32N(n))
					at[2*i], at[2*i+1], weights[i] = random.Float64(), random.Float64(), random.Float64()
					owners[i] = random.Int32N(int32(rt.Ranks()))
				}
				steps := optest.Steps(rt)
				nodes, edges := rt.NewSet(n, "nodes"), rt.NewSet(n, "edges")
				edge2node := op2.NewMap(edges, nodes, 2, ends, "edge2node")
				x, w := op2.NewDat(nodes, 2, at, "x"), op2.NewDat(edges, 1, weights, "w")
				total := op2.NewDat[float64](nodes, 1, nil, "total")
				if renumber {
					steps.Check(rt.Renumber(x))
				}
				sets := map[string][]*op2.Set{"nodes": {nodes}, "edges": {edges}, "both": {edges, nodes}}[of]
				var dats []op2.AnyDat
				for _, s := range sets {
					dats = append(dats, op2.NewDat(s, 1, owners, "owner"))
				}
				steps.Check(rt.PartitionBy(dats...))
				for _, s := range sets {
					steps.Check(ownsGiven(rt.Rank(), s, owners))
				}
				k := op2.Kernels(shareSource)
				steps.Check(op2.ParLoop(k.Func(shareAdd), edges, w.Read(), x.Read(edge2node.At(0)), x.Read(edge2node.At(1)), total.Inc(edge2node.At(0)), total.Inc(edge2node.At(1))))
				steps.Check(f.Dat("total", total))
				return steps.Err()
			})
		}
	}
}

// Owners that are none are refused on all ranks.
func TestWrongOwners(t *testing.T) {
	for _, c := range []struct {
		owners func(rt *op2.Runtime, nodes *op2.Set) []op2.AnyDat
		want   string
	}{
		{func(*op2.Runtime, *op2.Set) []op2.AnyDat { return nil }, "op2: ranks 0-1: PartitionBy: there are no owners\n  hint: Partition finds them…"},
		{func(*op2.Runtime, *op2.Set) []op2.AnyDat { return []op2.AnyDat{nil} }, "op2: ranks 0-1: PartitionBy: owners 1 are nil…"},
		{func(_ *op2.Runtime, nodes *op2.Set) []op2.AnyDat {
			return []op2.AnyDat{op2.NewDat(nodes, 1, []float64{0, 1}, "x")}
		}, "op2: ranks 0-1: PartitionBy: dat x: a rank, one whole number, is needed for each element, it has 1 float64…"},
		{func(rt *op2.Runtime, nodes *op2.Set) []op2.AnyDat {
			return []op2.AnyDat{op2.NewDat(nodes, 1, []int8{0, int8(2 * rt.Rank())}, "owner")}
		}, "op2: rank 1: PartitionBy: dat owner: the owner of element 3 of nodes is 2, there are 2 ranks\n  hint: ranks are numbered from 0…"},
		{func(rt *op2.Runtime, nodes *op2.Set) []op2.AnyDat {
			owner := op2.NewDat(nodes, 1, []int32{0, 0}, "owner")
			return []op2.AnyDat{owner, owner}
		}, "op2: ranks 0-1: PartitionBy: dat owner: owners of nodes were given already…"},
		{func(rt *op2.Runtime, nodes *op2.Set) []op2.AnyDat {
			_ = rt.Partition()
			return []op2.AnyDat{op2.NewDat(nodes, 1, []int32{0, 0}, "owner")}
		}, "op2: ranks 0-1: PartitionBy: the mesh has been distributed already, by Partition…"},
	} {
		err := optest.OnRanks(2, func(rt *op2.Runtime) error {
			return rt.PartitionBy(c.owners(rt, rt.NewSetShare(2, "nodes"))...)
		})
		(&rankError{name: c.want}).expect(t, err, c.want)
	}
}

// Two ranks have a path of four nodes and three edges, each with two nodes and the edges that lead
// to them.
func readyPath(rt *op2.Runtime) (nodes, edges *op2.Set, ends *op2.Map) {
	other := 1 - rt.Rank()
	// Edge 1 belongs to rank 0, and leads to nodes 1 and 2.
	here := []op2.LocalSet{
		{Owned: 2, Core: 2, ReadOnly: []int{1}, Numbers: []int64{0, 1, 2},
			Sends: map[int][]int32{other: {1}}, Receives: map[int][]int32{other: {2}}},
		{Owned: 2, Core: 2, ReadOnly: []int{1}, Numbers: []int64{2, 3, 1},
			Sends: map[int][]int32{other: {0}}, Receives: map[int][]int32{other: {2}}},
	}[rt.Rank()]
	edgesHere := []op2.LocalSet{
		{Owned: 2, Core: 1, Executed: []int{0}, Numbers: []int64{0, 1}, Sends: map[int][]int32{other: {1}}},
		{Owned: 1, Core: 1, Executed: []int{1}, Numbers: []int64{2, 1}, Receives: map[int][]int32{other: {1}}},
	}[rt.Rank()]
	nodes, edges = rt.NewLocalSet(here, "nodes"), rt.NewLocalSet(edgesHere, "edges")
	ends = op2.NewMap(edges, nodes, 2, [][]int32{{0, 1, 1, 2}, {0, 1, 2, 0}}[rt.Rank()], "ends")
	return nodes, edges, ends
}

// Sets that come distributed are used as they are.
func TestReadySets(t *testing.T) {
	kernels := op2.Kernels(shareSource)
	optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
		steps := optest.Steps(rt)
		nodes, edges, ends := readyPath(rt)
		x := op2.NewDat(nodes, 2, [][]float64{{1, 0, 2, 0, 3, 0}, {3, 0, 4, 0, 2, 0}}[rt.Rank()], "x")
		w := op2.NewDat(edges, 1, []float64{1, 1}, "w")
		sum := op2.NewDat[float64](nodes, 1, nil, "sum")
		for range 2 { // the second after an update of the halo
			if steps.Err() != nil {
				return steps.Err()
			}
			steps.Check(op2.ParLoop(kernels.Func(shareAdd), edges, w.Read(), x.Read(ends.At(0)), x.Read(ends.At(1)), sum.Inc(ends.At(0)), sum.Inc(ends.At(1))))
			values, err := x.Data()
			steps.Check(err)
			for i := range values {
				values[i] *= 10
			}
		}
		got, err := sum.InDeclaredOrder()
		steps.Check(err)
		if want := []float64{22, 44, 66, 33}; !slices.Equal(got, want) {
			return fmt.Errorf("the sums are %v, want %v", got, want)
		}
		if nodes.Size() != 4 || nodes.Owned() != 2 || nodes.Halo() != 1 || edges.Size() != 3 {
			return fmt.Errorf("%d nodes, %d owned, %d in the halo; %d edges", nodes.Size(), nodes.Owned(), nodes.Halo(), edges.Size())
		}
		return steps.Err()
	}))
}

// A subset of rows of Data, which are other elements on each rank, is refused.
func TestSubsetOfRows(t *testing.T) {
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		steps := optest.Steps(rt)
		cells := rt.NewSet(7, "cells")
		steps.Check(rt.Partition())
		if op2.NewSubset(cells, []int{1, 5}, "same").Size() != 2 {
			return fmt.Errorf("the same elements: %v", steps.Err())
		}
		last := cells.Owned() - 1
		op2.NewSubset(cells, []int{last}, "last")
		return steps.Err()
	})
	optest.ExpectError(t, err, `op2: subset last of cells: ranks have given different elements: each names all of the whole mesh, by declared numbers
  hint: for rows of Data, DeclaredNumbers has these; bring what the ranks have found together, or declare the subset before the first loop`)
}

// For shares there are two methods without MPI, and those that stay as they are may be in bad order: warnings say so.
func TestMethodsOfShares(t *testing.T) {
	const n = 2000
	const halo = "op2: warning: rank 0 has copies of 1999 elements of other ranks, and 2000 of its own: the shares of ranks are far from compact\n" +
		"  hint: Partition with coordinates moves elements to other ranks\n"
	const only = "op2: warning: method %s divides sets that are declared whole; for shares, there are bisect, curve and scotch%s: "
	for _, c := range []struct {
		method   string
		step     int // between neighbors
		place    bool
		moved    bool
		err, log string
	}{
		{"auto", 1, false, false, "", ""},
		{"auto", 999, false, false, "", halo},
		{"contiguous", 999, true, false, "", halo},
		{"bisect", 999, true, true, "", ""},
		{"curve", 1, true, true, "", ""},
		{"graph", 1, true, true, "", fmt.Sprintf(only, "graph", "") + "bisect is used instead\n"},
		{"scotch", 1, true, true, "", fmt.Sprintf(only, "scotch", ", which needs PT-Scotch (the ranks are not those of an MPI)") + "bisect is used instead\n"},
		{"metis", 1, false, false, "", fmt.Sprintf(only, "metis", "") + "without coordinates for Partition, ranks keep their shares\n"},
		{"curve", 1, false, false, "op2: Partition: method curve: the coordinates of no set that is declared in shares are known\n  hint: pass them to Partition", ""},
	} {
		var log strings.Builder
		err := op2.RunRanks(2, func(rank op2.Option) error {
			var own strings.Builder
			rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithPartitioner(op2.Partitioner(c.method)), op2.WithLog(&own))
			if err != nil {
				return err
			}
			defer rt.Close()
			steps := optest.Steps(rt)
			nodes, edges := rt.NewSetShare(n/2, "nodes"), rt.NewSetShare(n/2, "edges")
			var ends []int
			at := make([]float64, n)
			for i := range n {
				at[i*c.step%n] = float64(-i)
			}
			first := rt.Rank() * n / 2
			for e := first; e < first+n/2; e++ {
				ends = append(ends, e, (e+c.step)%n)
			}
			op2.NewMap(edges, nodes, 2, ends, "ends")
			x := op2.NewDat(nodes, 1, at[first:first+n/2], "x")
			if c.place {
				steps.Check(rt.Partition(x))
			} else {
				steps.Check(rt.Partition())
			}
			if rt.Rank() == 0 {
				log = own
			}
			if moved := slices.Max(nodes.DeclaredNumbers()) >= n/2; steps.Err() == nil && rt.Rank() == 0 && moved != c.moved {
				return fmt.Errorf("moved: %v", moved)
			}
			return steps.Err()
		})
		if c.err == "" {
			optest.OK(t, err)
		} else {
			optest.ExpectError(t, err, c.err)
		}
		if log.String() != c.log {
			t.Errorf("%s: the log is\n%s, want\n%s", c.method, log.String(), c.log)
		}
	}
}

// Sets are declared before the mesh is distributed.
func TestLateSets(t *testing.T) {
	err := optest.OnRanks(2, func(rt *op2.Runtime) error {
		steps := optest.Steps(rt)
		steps.Check(rt.Partition())
		rt.NewSet(4, "cells")
		return steps.Err()
	})
	(&rankError{}).expect(t, err, "…set cells: the mesh has been distributed already, by Partition\n"+
		"  hint: declare all sets before Partition and the first loop, sparsity and solver…")
}

// A mesh is divided in proportion to the weights of the ranks.
func TestRankWeights(t *testing.T) {
	const cells = 60
	for _, c := range []struct {
		weights []float64
		want    map[float64]int
	}{
		{[]float64{1, 2, 3}, map[float64]int{1: 10, 2: 20, 3: 30}},
		{[]float64{5, 0, 5}, map[float64]int{5: 30, 0: 0}},
		{[]float64{7, 7, 7}, map[float64]int{7: 20}},
	} {
		for _, shares := range []bool{false, true} {
			var next atomic.Int32
			optest.OK(t, op2.RunRanks(3, func(rank op2.Option) error {
				weight := c.weights[next.Add(1)-1]
				rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithRankWeight(weight))
				if err != nil {
					return err
				}
				defer rt.Close()
				steps := optest.Steps(rt)
				var set *op2.Set
				at := make([]float64, cells)
				for i := range at {
					at[i] = float64(i * 7 % cells)
				}
				if shares {
					set, at = rt.NewSetShare(cells/3, "cells"), at[rt.Rank()*cells/3:][:cells/3]
				} else {
					set = rt.NewSet(cells, "cells")
				}
				steps.Check(rt.Partition(op2.NewDat(set, 1, at, "x")))
				if set.Owned() != c.want[weight] {
					return fmt.Errorf("a rank of weight %g of %v owns %d cells", weight, c.weights, set.Owned())
				}
				return steps.Err()
			}))
		}
	}
	_, err := op2.Open(op2.WithRankWeight(-1))
	optest.ExpectError(t, err, "op2: the rank's weight is -1: expected a finite number, at least 0")
}

// Ranks whose options differ, as where a launcher passes no environment to other machines, hear of it.
func TestOptionsOfRanks(t *testing.T) {
	for _, c := range []struct {
		option op2.Option
		want   string
	}{
		{op2.WithDiags(true), "WithDiags (OP2_DIAGS)"},
		{op2.WithSameBits(true), "WithSameBits (OP2_SAME_BITS)"},
		{op2.WithStats(true), "WithStats (OP2_STATS)"},
		{op2.WithPartitioner(op2.Graph), "WithPartitioner (OP2_PARTITIONER)"},
		{op2.WithHaloDepth(2), "WithHaloDepth (OP2_HALO_DEPTH)"},
	} {
		var next atomic.Int32
		err := op2.RunRanks(2, func(rank op2.Option) error {
			options := []op2.Option{rank, op2.WithBackend("go")}
			if next.Add(1) == 1 {
				options = append(options, c.option)
			}
			rt, err := op2.Open(options...)
			if err == nil {
				rt.Close()
			}
			return err
		})
		optest.ExpectError(t, err, "op2: Open: the ranks differ in "+c.want+`
  hint: give all of them the same option; for environment variables on other machines, Open MPI's mpirun has the flag -x NAME`)
	}
	for depth, want := range map[int]string{0: "op2: halos of 0 layers: expected 1 to 64", 65: "op2: halos of 65 layers: expected 1 to 64"} {
		_, err := op2.Open(op2.WithHaloDepth(depth))
		optest.ExpectError(t, err, want)
	}
}

// A static runtime works alone, on a rank too, whatever has started it.
func TestStaticRank(t *testing.T) {
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.Static())
		if err != nil {
			return err
		}
		defer rt.Close()
		if rt.Rank() != 0 || rt.Ranks() != 1 {
			return fmt.Errorf("it is rank %d of %d", rt.Rank(), rt.Ranks())
		}
		return nil
	}))
}
