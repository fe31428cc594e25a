// Package lists holds lists of values one after another in memory: the rows of a graph or a sparse matrix, the
// elements that lead to each target of a map.
package lists

// Lists are lists of values: list i has Values[Starts[i]:Starts[i+1]].
type Lists[T any] struct {
	Starts []int
	Values []T
}

// Of returns list i.
func (l *Lists[T]) Of(i int32) []T { return l.Values[l.Starts[i]:l.Starts[i+1]] }

// Collect returns n lists of the values that each adds, in the order in which it adds them. It calls each twice, which
// must add the same: once to count.
func Collect[T any](n int, each func(add func(list int32, value T))) Lists[T] {
	next := make([]int, n+2) // of list i+1 the place of its next value; in the end, where list i+2 starts
	each(func(list int32, _ T) { next[list+2]++ })
	for i := range n {
		next[i+2] += next[i+1]
	}
	l := Lists[T]{next[:n+1], make([]T, next[n+1])}
	each(func(list int32, value T) {
		l.Values[next[list+1]] = value
		next[list+1]++
	})
	return l
}
