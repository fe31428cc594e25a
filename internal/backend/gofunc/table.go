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

// mark notes in a table which row, or element, the kernel is called for. It lies between the
// first two columns.
func mark(table P, e int) { *marked(table) = e }

func marked(table P) *int { return (*int)(add(table, 8*stripLen)) }

// column is a parameter that points at the data itself.
type column struct {
	slot  int
	place place
}

// rows are the first n addresses of the column.
func (c *column) rows(table P, n int) []uint64 {
	return (*[stripLen]uint64)(add(table, uintptr(columnSize*c.slot)))[:n]
}

// fillDirect writes the addresses for n elements from e on, where they are in a row.
func fillDirect(c *column, table P, e uintptr, n int) {
	rows, size := add(table, uintptr(columnSize*c.slot)), uint64(c.place.size)
	address := uint64(uintptr(c.place.base)) + uint64(e)*size
	i := 0
	for ; i+8 <= n; i += 8 {
		r, middle := (*[8]uint64)(add(rows, uintptr(8*i))), address+4*size
		r[0], r[1], r[2], r[3] = address, address+size, address+2*size, address+3*size
		r[4], r[5], r[6], r[7] = middle, middle+size, middle+2*size, middle+3*size
		address += 8 * size
	}
	for ; i < n; i++ {
		*(*uint64)(add(rows, uintptr(8*i))) = address
		address += size
	}
}

// fillIndirect writes the addresses for n elements from e on, where targets say which.
func fillIndirect(c *column, table P, e uintptr, n int) {
	rows := c.rows(table, n)
	base, size, arity := uintptr(c.place.base), c.place.size, c.place.arity
	targets := add(c.place.targets, e*arity)
	at := uintptr(0)
	for i := range rows {
		rows[i] = uint64(base + uintptr(*(*int32)(add(targets, at)))*size)
		at += arity
	}
}

// fillBoth is fillIndirect for two columns of the same map, which takes less than twice
// as long as for one.
func fillBoth(c, d *column, table P, e uintptr, n int) {
	rows := c.rows(table, n)
	others := d.rows(table, n)[:len(rows)]
	base, size, arity := uintptr(c.place.base), c.place.size, c.place.arity
	otherBase, otherSize := uintptr(d.place.base), d.place.size
	targets, otherTargets := add(c.place.targets, e*arity), add(d.place.targets, e*arity)
	at := uintptr(0)
	for i := range rows {
		rows[i] = uint64(base + uintptr(*(*int32)(add(targets, at)))*size)
		others[i] = uint64(otherBase + uintptr(*(*int32)(add(otherTargets, at)))*otherSize)
		at += arity
	}
}

// fill writes the addresses for n elements from e on.
func fill(columns []column, table P, e uintptr, n int) {
	for len(columns) > 0 {
		c := &columns[0]
		switch {
		case c.place.targets == nil:
			fillDirect(c, table, e, n)
		case len(columns) > 1 && columns[1].place.arity == c.place.arity:
			fillBoth(c, &columns[1], table, e, n)
			columns = columns[1:]
		default:
			fillIndirect(c, table, e, n)
		}
		columns = columns[1:]
	}
}

// repeat fills a column with addresses that stay: from first on, size bytes apart.
func repeat(table P, slot int, first P, size uintptr) {
	c := column{slot: slot, place: place{base: first, size: size}}
	fillDirect(&c, table, 0, stripLen)
}

// stride is the addresses of a parameter for one element after the other: the first, and the
// distance of the next. They are numbers, as in a table.
type stride struct{ first, step uintptr }

// advance begins the strides of the columns, which are direct, at element e.
func advance(columns []column, strides []stride, e uintptr) {
	for i := range columns {
		c := &columns[i]
		strides[c.slot] = stride{uintptr(c.place.base) + e*c.place.size, c.place.size}
	}
}
