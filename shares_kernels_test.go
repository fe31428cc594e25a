package op2_test

// shareAdd adds to both ends of an edge what the other has, with the edge's weight.
func shareAdd(w *float64, a, b *[2]float64, sumA, sumB *float64) {
	*sumA += *w * b[0]
	*sumB += *w * a[0]
}

func shareSum(v, all *float64) { *all += *v }
