package entity

import "github.com/go-op2/op2/internal/store"

// ReorderRows reorders rows of some bytes each in place; nil leaves them unchanged.
func ReorderRows(values []byte, size int, o []int32) {
	if o != nil && values != nil {
		copy(values, gathered(values, size, o))
	}
}

// gathered returns rows of some bytes each in an order.
func gathered(values []byte, size int, o []int32) []byte {
	moved := store.Room(len(values))
	for i, e := range o {
		copy(moved[i*size:(i+1)*size], values[int(e)*size:])
	}
	return moved
}

func reorderMap(values []int32, arity int, o, numbers []int32) {
	ReorderRows(store.Bytes(values), 4*arity, o)
	if numbers != nil {
		for i, t := range values {
			if t >= 0 {
				values[i] = numbers[t]
			}
		}
	}
}
