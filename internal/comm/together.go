package comm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Once exchanges messages a single time.
func Once(c Comm, sends, receives []Message) error {
	if len(sends)+len(receives) == 0 {
		return nil
	}
	e, err := c.Prepare(sends, receives)
	if err != nil {
		return err
	}
	defer e.Free()
	if err := e.Start(); err != nil {
		return err
	}
	return e.Wait()
}

// Sum replaces values with their sums over all ranks. It is collective; all ranks pass the same
// number of values.
func Sum(c Comm, values []int64) error { return Reduce(c, loop.Inc, values) }

// Min and Max replace values with their minima and maxima over all ranks, as Sum does.
func Min(c Comm, values []int64) error { return Reduce(c, loop.Min, values) }
func Max(c Comm, values []int64) error { return Reduce(c, loop.Max, values) }

// Reduce combines values with those of all ranks, which get the results, and waits for them. It is
// collective; all ranks pass the same number of values.
func Reduce[T loop.Number](c Comm, access loop.Access, values []T) error {
	if len(values) == 0 {
		return nil
	}
	r, err := c.Reduce(loop.Reduction{Access: access, Type: loop.Of[T](), Dim: len(values)}, unsafe.Pointer(unsafe.SliceData(values)))
	if err != nil {
		return err
	}
	return r.Wait()
}

// AllGather returns the values of all ranks. It is collective.
func AllGather(c Comm, value int64) ([]int64, error) {
	values := make([]int64, c.Size())
	values[c.Rank()] = value
	return values, Sum(c, values)
}

// Gather returns the bytes that each rank passes, of any length, on the root, and nil on other
// ranks. It is collective.
func Gather(c Comm, root int, data []byte) ([][]byte, error) {
	if err := CheckRoot(c.Size(), root); err != nil {
		return nil, err
	}
	came, err := c.Consensus([]Message{{Rank: root, Data: data}})
	if err != nil {
		return nil, err
	}
	expected := 0
	if c.Rank() == root {
		expected = c.Size()
	}
	if len(came) != expected {
		return nil, errors.New("not all ranks gather on the same one")
	}
	if c.Rank() != root {
		return nil, nil
	}
	all := make([][]byte, c.Size())
	for _, m := range came {
		all[m.Rank] = m.Data
	}
	return all, nil
}

// Collect returns the objects that the ranks pass, as JSON has them, on rank 0, and nil on other ranks. It is
// collective.
func Collect[T any](c Comm, own T) ([]T, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	texts, err := Gather(c, 0, text)
	if err != nil || texts == nil {
		return nil, err
	}
	all := make([]T, len(texts))
	for rank, text := range texts {
		err = errors.Join(err, json.Unmarshal(text, &all[rank]))
	}
	return all, err
}

// Yield lets another rank speak of an error that this one has too: a launcher usually ends all
// processes of a job when one of them ends with an error. Goroutines have no launcher.
func Yield(c Comm) {
	if c, launched := c.(interface{ Linger() }); launched {
		c.Linger()
	}
}

// Agree returns the failures of all ranks on each of them, by ranks, if own is an error on any; that
// of the rank itself wraps its error. It is collective. Ranks can go on after it, unlike after Fail.
func Agree(c Comm, own error) (Failures, error) {
	failed := []int64{0}
	if own != nil {
		failed[0] = 1
	}
	if err := Sum(c, failed); err != nil || failed[0] == 0 {
		return nil, err
	}
	var sends []Message
	if own != nil {
		sends = []Message{{Data: []byte(own.Error())}}
	}
	came, err := c.Consensus(sends)
	if err != nil {
		return nil, err
	}
	var all Failures
	for _, m := range came {
		all = append(all, &Failure{Rank: m.Rank, Why: string(m.Data)})
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	if text, err = Spread(c, 0, text); err != nil {
		return nil, err
	}
	all = nil
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(f *Failure) bool { return f.Rank == c.Rank() }); i >= 0 {
		all[i] = Fails(c.Rank(), own)
	}
	return all, nil
}

// Spread returns the bytes of the root, of any length, on all ranks. It is collective.
func Spread(c Comm, root int, data []byte) ([]byte, error) {
	length := make([]byte, 8)
	binary.LittleEndian.PutUint64(length, uint64(len(data)))
	if err := c.Broadcast(root, length); err != nil {
		return nil, err
	}
	if c.Rank() != root {
		data = make([]byte, binary.LittleEndian.Uint64(length))
	}
	if len(data) == 0 { // on all ranks
		return nil, nil
	}
	return data, c.Broadcast(root, data)
}
