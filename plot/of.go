package plot

// Of returns a number of each value, to be drawn: a field of a struct, a component, or what a formula makes of them.
//
//	q, err := state.Gather(0) // of an *op2.Dat[Conserved]
//	field := plot.Field{Mesh: m, Values: plot.Of(q, func(q Conserved) float64 { return q.Rho })}
func Of[T any](values []T, part func(T) float64) []float64 {
	numbers := make([]float64, len(values))
	for i, v := range values {
		numbers[i] = part(v)
	}
	return numbers
}
