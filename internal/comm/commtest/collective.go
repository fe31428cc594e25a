package commtest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// sum returns a reduction of n int64s.
func sum(n int) loop.Reduction {
	return loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: n}
}

func address[T any](values []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(values)) }

// consensus sends random messages to random ranks, many times without a pause between.
func consensus(c comm.Comm) error {
	// sent returns the message from one rank to another, which all ranks know.
	sent := func(round, from, to int) (length int, is bool) {
		b := filled(2, round, from, to)
		return []int{0, 1, 100, 70_000}[b[0]%4], b[1]%3 == 0
	}
	for round := range 8 {
		var sends, want []comm.Message
		for other := range c.Size() {
			if n, is := sent(round, c.Rank(), other); is {
				sends = append(sends, comm.Message{Rank: other, Tag: round, Data: filled(n, c.Rank(), other)})
			}
			if n, is := sent(round, other, c.Rank()); is {
				want = append(want, comm.Message{Rank: other, Tag: round, Data: filled(n, other, c.Rank())})
			}
		}
		slices.Reverse(sends)
		got, err := c.Consensus(sends)
		if err != nil {
			return err
		}
		if !slices.EqualFunc(got, want, same) {
			return fmt.Errorf("round %d: %d messages came, want %d", round, len(got), len(want))
		}
	}
	return nil
}

func same(a, b comm.Message) bool {
	return a.Rank == b.Rank && a.Tag == b.Tag && bytes.Equal(a.Data, b.Data)
}

// late tests that the messages of a Consensus reach rank 0 while it waits for something else, and
// are kept until it takes part.
func late(c comm.Comm) error {
	last, note := c.Size()-1, make([]byte, 1)
	if c.Size() > 1 && c.Rank() == last {
		time.Sleep(2 * time.Millisecond)
		if err := comm.Once(c, []comm.Message{{Rank: 0, Data: note}}, nil); err != nil {
			return err
		}
	} else if c.Size() > 1 && c.Rank() == 0 {
		if err := comm.Once(c, nil, []comm.Message{{Rank: last, Data: note}}); err != nil {
			return err
		}
	}
	for round := range 3 {
		got, err := c.Consensus([]comm.Message{{Rank: (c.Rank() + last) % c.Size(), Tag: round}})
		if err != nil {
			return err
		}
		if len(got) != 1 || got[0].Tag != round || got[0].Rank != (c.Rank()+1)%c.Size() {
			return fmt.Errorf("round %d: %+v", round, got)
		}
	}
	return nil
}

// reduceAll combines values of all types in all ways.
func reduceAll(c comm.Comm) error {
	for _, access := range []loop.Access{loop.Inc, loop.Min, loop.Max} {
		for _, dim := range []int{1, 3, 1000} {
			if err := first(reduce[int8](c, access, dim), reduce[int16](c, access, dim), reduce[int32](c, access, dim),
				reduce[int64](c, access, dim), reduce[uint8](c, access, dim), reduce[uint16](c, access, dim),
				reduce[uint32](c, access, dim), reduce[uint64](c, access, dim), reduce[float32](c, access, dim),
				reduce[float64](c, access, dim)); err != nil {
				return err
			}
		}
	}
	return nil
}

type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// reduce combines small integers, for which all orders give the same result.
func reduce[T number](c comm.Comm, access loop.Access, dim int) error {
	given := func(rank, i int) T { return T(filled(1, rank, i)[0]%64) - T(rank%2) }
	r := loop.Reduction{Access: access, Type: loop.Of[T](), Dim: dim}
	values, want := make([]T, dim), make([]T, dim)
	for i := range values {
		values[i], want[i] = given(c.Rank(), i), given(0, i)
		for rank := 1; rank < c.Size(); rank++ {
			switch v := given(rank, i); access {
			case loop.Inc:
				want[i] += v
			case loop.Min:
				want[i] = min(want[i], v)
			case loop.Max:
				want[i] = max(want[i], v)
			}
		}
	}
	request, err := c.Reduce(r, address(values))
	if err := first(err, request.Wait()); err != nil {
		return err
	}
	for i := range values {
		if values[i] != want[i] {
			return fmt.Errorf("%v of %v: value %d of %d is %v, want %v", access, r.Type, i, dim, values[i], want[i])
		}
	}
	return nil
}

// special reduces NaN, infinities and signed zeros, and fractions, whose sums depend on the order:
// all ranks get the same bits.
func special(c comm.Comm) error {
	values := []float64{0, 1, math.Inf(-1), 0.1 * float64(c.Rank()+1), 1 / float64(c.Rank()+3), 7}
	singles := []float32{0, 1, float32(math.Inf(-1)), 0.1 * float32(c.Rank()+1), 1 / float32(c.Rank()+3), 7}
	if c.Rank()%2 == 1 {
		values[0], singles[0] = math.Copysign(0, -1), float32(math.Copysign(0, -1))
		values[1], singles[1] = math.NaN(), float32(math.NaN())
		values[2], singles[2] = math.Inf(1), float32(math.Inf(1))
	}
	for _, access := range []loop.Access{loop.Inc, loop.Min, loop.Max} {
		a, b := slices.Clone(values), slices.Clone(singles)
		first64, err := c.Reduce(loop.Reduction{Access: access, Type: loop.Float64, Dim: len(a)}, address(a))
		if err != nil {
			return err
		}
		first32, err := c.Reduce(loop.Reduction{Access: access, Type: loop.Float32, Dim: len(b)}, address(b))
		if err := first(err, first32.Wait(), first64.Wait()); err != nil {
			return err
		}
		if err := first(allSame(c, a), allSame(c, b)); err != nil {
			return fmt.Errorf("%v: %w", access, err)
		}
		if access == loop.Inc || c.Size() == 1 {
			continue
		}
		zero := math.Signbit(a[0]) == (access == loop.Min) && math.Signbit(float64(b[0])) == (access == loop.Min)
		infinite := math.IsInf(a[2], map[loop.Access]int{loop.Min: -1, loop.Max: 1}[access]) && a[2] == float64(b[2])
		if !zero || !math.IsNaN(a[1]) || b[1] == b[1] || !infinite || a[5] != 7 || b[5] != 7 {
			return fmt.Errorf("%v: %v and %v", access, a, b)
		}
	}
	return nil
}

// allSame returns an error if values are not bit for bit those of rank 0.
func allSame[T any](c comm.Comm, values []T) error {
	own := unsafe.Slice((*byte)(address(values)), len(values)*int(unsafe.Sizeof(values[0])))
	zeros := bytes.Clone(own)
	if err := c.Broadcast(0, zeros); err != nil {
		return err
	}
	if !bytes.Equal(own, zeros) {
		return fmt.Errorf("rank %d has %v, and other bits than rank 0", c.Rank(), values)
	}
	return nil
}

// broadcast copies from each rank in turn.
func broadcast(c comm.Comm) error {
	for root := range c.Size() {
		for _, n := range []int{0, 1, 100_000} {
			data := filled(n, c.Rank())
			if err := c.Broadcast(root, data); err != nil {
				return err
			}
			if !bytes.Equal(data, filled(n, root)) {
				return fmt.Errorf("%d wrong bytes from rank %d", n, root)
			}
		}
	}
	return nil
}

// functions tests the functions of package comm.
func functions(c comm.Comm) error {
	rank, size := int64(c.Rank()), int64(c.Size())
	low, high := []int64{rank, -rank}, []int64{rank, -rank}
	if err := first(comm.Min(c, low), comm.Max(c, high), comm.Sum(c, nil)); err != nil {
		return err
	}
	if !slices.Equal(low, []int64{0, 1 - size}) || !slices.Equal(high, []int64{size - 1, 0}) {
		return fmt.Errorf("the minimum is %d, the maximum %d", low, high)
	}
	all, err := comm.AllGather(c, rank*rank)
	if err != nil {
		return err
	}
	for i, v := range all {
		if v != int64(i*i) || len(all) != c.Size() {
			return fmt.Errorf("of all ranks: %d", all)
		}
	}
	for root := range c.Size() {
		gathered, err := comm.Gather(c, root, filled(1000*(c.Rank()%3), c.Rank(), root))
		if err != nil {
			return err
		}
		if c.Rank() != root {
			if gathered != nil {
				return fmt.Errorf("rank %d has what was gathered on rank %d", c.Rank(), root)
			}
			continue
		}
		for i, data := range gathered {
			if !bytes.Equal(data, filled(1000*(i%3), i, root)) || len(gathered) != c.Size() {
				return fmt.Errorf("%d wrong bytes were gathered from rank %d", len(data), i)
			}
		}
	}
	collected, err := comm.Collect(c, []string{"rank", strconv.Itoa(c.Rank())})
	if err != nil || (collected != nil) != (c.Rank() == 0) {
		return fmt.Errorf("rank %d: %q, %v were collected", c.Rank(), collected, err)
	}
	for i, texts := range collected {
		if !slices.Equal(texts, []string{"rank", strconv.Itoa(i)}) || len(collected) != c.Size() {
			return fmt.Errorf("of all ranks were collected: %q", collected)
		}
	}
	return nil
}
