package gofunc

// stripLen is the maximum number of elements in a strip: large enough to share the work per strip
// among many, small enough for the table and the copies to stay in the L1 cache.
const stripLen = 128

// columnSize is the distance between a table's columns in bytes. The cache line between them
// prevents conflicts among an element's addresses in the cache.
const columnSize = 8*stripLen + 64

// at returns the address in row e of column i of a table. Tables hold addresses as numbers, which
// the runner's own pointers keep valid; storing pointers would require a write barrier for each
// element.
func at(table P, e, i int) P {
	return *(*P)(add(table, uintptr(8*e+columnSize*i)))
}

// mark records in a table which row, or element, the kernel is called for, between the first two
// columns.
func mark(table P, e int) { *marked(table) = e }

func marked(table P) *int { return (*int)(add(table, 8*stripLen)) }

// column is a parameter that points at the data itself.
type column struct {
	slot  int
	place place
}

// cells returns the first n addresses of the column.
func (c *column) cells(table P, n int) []uint64 {
	return (*[stripLen]uint64)(add(table, uintptr(columnSize*c.slot)))[:n]
}

// fillDirect writes the addresses for n elements from e on, which are equidistant.
func fillDirect(c *column, table P, e uintptr, n int) {
	size := c.place.size
	fillEven(table, c.slot, uint64(uintptr(c.place.base))+uint64(e)*uint64(size), uint64(size), n)
}

// fillEven writes n numbers into a column of a table: from address on, size apart.
func fillEven(table P, slot int, address, size uint64, n int) {
	rows := add(table, uintptr(columnSize*slot))
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

// fillIndirect writes the addresses for n elements from e on, which depend on targets.
func fillIndirect(c *column, table P, e uintptr, n int) {
	rows := c.cells(table, n)
	base, size, arity := uintptr(c.place.base), c.place.size, c.place.arity
	targets := add(c.place.targets, e*arity)
	at := uintptr(0)
	for i := range rows {
		rows[i] = uint64(base + uintptr(*(*int32)(add(targets, at)))*size)
		at += arity
	}
}

// fillColumns writes the addresses for n elements from e on.
func fillColumns(columns []column, table P, e uintptr, n int) {
	for i := range columns {
		if c := &columns[i]; c.place.targets == nil {
			fillDirect(c, table, e, n)
		} else {
			fillIndirect(c, table, e, n)
		}
	}
}

// repeat fills a column with words that stay: from first on, size apart.
func repeat(table P, slot int, first, size uintptr) {
	fillEven(table, slot, uint64(first), uint64(size), stripLen)
}

// stride describes the addresses of a parameter for consecutive elements: the first, and the
// distance. They are numbers, as in a table.
type stride struct{ first, step uintptr }

// advance starts the strides of the columns, which are direct, at element e.
func advance(columns []column, strides []stride, e uintptr) {
	for i := range columns {
		c := &columns[i]
		strides[c.slot] = stride{uintptr(c.place.base) + e*c.place.size, c.place.size}
	}
}
