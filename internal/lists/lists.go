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
	starts, values := Sort[int](n, each)
	return Lists[T]{starts, values}
}

// Sort is Collect with starts that are ints or int32s: it sorts values by counting.
func Sort[I int | int32, T any](n int, each func(add func(list int32, value T))) (starts []I, values []T) {
	next := make([]I, n+2) // of list i+1 the place of its next value; in the end, where list i+2 starts
	each(func(list int32, _ T) { next[list+2]++ })
	for i := range n {
		next[i+2] += next[i+1]
	}
	values = make([]T, next[n+1])
	each(func(list int32, value T) {
		values[next[list+1]] = value
		next[list+1]++
	})
	return next[:n+1], values
}

// UpTo returns the numbers from 0 to n-1.
func UpTo(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// Times returns n numbers in a row for each one, as if each were divided into n parts; nil for nil.
func Times[I int32 | int64](numbers []I, n int) []I {
	if numbers == nil {
		return nil
	}
	list := make([]I, 0, len(numbers)*n)
	for _, e := range numbers {
		for i := range n {
			list = append(list, e*I(n)+I(i))
		}
	}
	return list
}
