package gofunc

// stripLen is the largest number of elements in a strip: enough for what is done once
// for each strip to be shared by many, few enough for the table and the copies to stay
// in the first cache.
const stripLen = 128

// columnSize is the distance of a table's columns in bytes. The line between them keeps
// an element's addresses from competing for the same few places of the cache.
const columnSize = 8*stripLen + 64

// at is the address in row e of column i of a table. Tables hold addresses as numbers,
// which the runner's own pointers keep valid, since what changes for each element would
// otherwise have to be told to the garbage collector.
func at(table P, e, i int) P {
	return *(*P)(add(table, uintptr(8*e+columnSize*i)))
}

// column is a parameter that points at the data itself.
type column struct {
	slot  int
	place place
}

// fill writes the addresses for n elements from e on.
func (c *column) fill(table P, e uintptr, n int) {
	rows := (*[stripLen]uint64)(add(table, uintptr(columnSize*c.slot)))[:n]
	p := &c.place
	base, size := uintptr(p.base), p.size
	if p.targets == nil {
		address := base + e*size
		for i := range rows {
			rows[i] = uint64(address)
			address += size
		}
		return
	}
	target := e * p.arity
	for i := range rows {
		rows[i] = uint64(base + uintptr(*(*int32)(add(p.targets, target)))*size)
		target += p.arity
	}
}

// repeat fills a column with addresses that stay: from first on, size bytes apart.
func repeat(table P, slot int, first P, size uintptr) {
	c := column{slot: slot, place: place{base: first, size: size}}
	c.fill(table, 0, stripLen)
}
