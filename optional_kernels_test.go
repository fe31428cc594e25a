package op2_test

// bar computes a bar of a frame from what is there: its weight, extra loads, the forces at its ends, the sum over all, its number.
func bar(sum *float64, x *[2]float64, weight *float64, loads []float64, force *[2][2]float64, total *float64, number *int) {
	*sum = x[0] + 2*x[1]
	if weight != nil {
		*sum *= *weight
	}
	for _, l := range loads {
		*sum += l
	}
	switch {
	case number == nil:
	default:
		*sum += float64(*number % 7)
	}
	if total != nil && *sum > -1e9 {
		*total += *sum
	}
	if force == nil {
		return
	}
	force[0][0] += *sum
	force[1][1] -= 1
}

func careless(sum *float64, weight *float64, loads []float64) {
	*sum = 1
	if len(loads) > 1 {
		*sum += loads[1]
	}
	*sum *= *weight
}
