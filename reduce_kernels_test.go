package op2_test

type nearest struct {
	Distance float64
	Cell     int32
}

func foundNearest(best *nearest) { *best = nearest{1, 2} }

func counted(n *int32) { *n = 1 }

func countedTwice(m, n *int32) { *m, *n = 1, 1 }

func closer(into, from *nearest) {
	if from.Distance < into.Distance || from.Distance == into.Distance && from.Cell < into.Cell {
		*into = *from
	}
}

func plus(into, from *int32)   { *into += *from }
func times(into, from *int32)  { *into *= *from }
func larger(into, from *int32) { *into = max(*into, *from) }

func alone(into *nearest)             { into.Cell++ }
func three(into, from, more *nearest) { *into = *more }
func pairs(into, from *[2]nearest)    { *into = *from }
func resulting(into, from *nearest) bool {
	*into = *from
	return true
}

func swap(into, from *nearest) { *into, *from = *from, *into }

var weight = 2.0

func weighted(into, from *nearest) { into.Distance += weight * from.Distance }

func table(into, from *int32) {
	var squares [4]int32
	*into += squares[*from]
}

func divided(into, from *int32) { *into /= *from }
func shift(into, from *int32)   { *into <<= *from }

func farther(into, from *nearest) {
	into.Distance = max(into.Distance, from.Distance)
	into.Cell += from.Cell + 1
}
