package vtu

// Convert returns values of any type of [Scalar] as values of type T. Floating-point numbers are truncated where T
// is an integer type.
func Convert[T int64 | float64](values any) []T {
	switch v := values.(type) {
	case []T:
		return v
	case []float64:
		return convert[T](v)
	case []float32:
		return convert[T](v)
	case []int64:
		return convert[T](v)
	case []int32:
		return convert[T](v)
	case []int16:
		return convert[T](v)
	case []int8:
		return convert[T](v)
	case []uint64:
		return convert[T](v)
	case []uint32:
		return convert[T](v)
	case []uint16:
		return convert[T](v)
	case []uint8:
		return convert[T](v)
	}
	return nil
}

func convert[T int64 | float64, S Scalar](values []S) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}
