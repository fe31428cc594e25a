package tune

// Costs are what the estimate charges when it decides whether a loop runs packs of elements. The
// unit is one addition of floats.
type Costs struct {
	// The kernel's arithmetic, of which packs save all but a share.
	Division int  // also a square root
	Extreme  int  // min and max with Go's meaning: comparisons, selections, NaN
	Function int  // any other function of mathematics
	Form     int  // one that packs compute on vectors
	Trips    int  // iterations of a loop where their number is not known
	Floats   bool // integers are free

	// What single elements pay, and packs do not.
	Jump float64 // one that is mispredicted half of the time
	Wait float64 // a value of a reduction, which the next element waits for

	// What packs pay, and single elements do not.
	Pack     float64 // overhead of a pack
	Number   float64 // the element's number
	Beside   float64 // a value contiguous with that of the next element
	Load     float64 // a value that is gathered
	Store    float64 // a value that is stored
	Increase float64 // a value, or a pair of 8 bytes each, added in memory: it may wait for the previous one
	Row      float64 // 4 values added in memory at once
	Skip     float64 // a value or pair that a single element would often not add at all
	Combine  float64 // a minimum or maximum in memory
	Library  float64 // half a library call: packs call for all elements where only some would
	Spill    float64 // the multiple of Store for elements with more than Registers values

	Registers int // values of an element beyond which vectors are spilled
	Near      int // values of an element up to which compilers vectorize a loop over them
	Dear      int // arithmetic from which a pack first checks whether any element needs it
}

// ElementCosts returns the costs with which the work of an element is estimated, on which the size of
// blocks depends. Unlike for packs, the order of magnitude is enough.
func ElementCosts() Costs {
	c := DefaultCosts()
	c.Function, c.Form, c.Trips = 20, 20, 8
	return c
}

// OperationCosts returns the costs with which floating-point operations are counted, each of which is one.
func OperationCosts() Costs {
	return Costs{Division: 1, Extreme: 1, Function: 1, Form: 1, Trips: 1, Floats: true}
}

// DefaultCosts returns costs that were fitted to times of the 151 kernels of bench/kernels, on an
// EPYC of Zen 5 with gcc 12.2 and clang 14, for AVX-512 and AVX2. Where the optimum is flat they are
// round. docs/performance.md says how good the estimate is; after a change, measure with both
// compilers, at both widths:
//
//	go run ./bench -kernels
//	OP2_CFLAGS=-mno-avx512f go run ./bench -kernels
func DefaultCosts() Costs {
	return Costs{
		Division: 9, Extreme: 6, Function: 1, Form: 30, Trips: 1,
		Jump: 30, Wait: 20,
		Pack: 2, Number: 4, Beside: 0.3, Load: 0.5, Store: 2, Increase: 3, Row: 4, Skip: 9, Combine: 16, Library: 20, Spill: 3,
		Registers: 16, Near: 4, Dear: 40,
	}
}
