package partition

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/spell"
)

// Options say how to partition. The zero value of all but Parts is good for most.
type Options struct {
	Parts int
	// Weights are the shares of the parts, relative to each other; nil: equal ones. They are
	// finite and not negative, and a part of weight 0 owns what only it can own.
	Weights []float64
	Method  string            // one of Methods; "": auto
	Warn    func(text string) // gets what went wrong with a library; nil: nobody
	Workers int               // goroutines; GOMAXPROCS if 0. The result does not depend on it
	// Elements are the weights of the elements of the set that Shares or Lead divides, from 1: parts get equal sums of
	// them, or sums in proportion to Weights; nil: 1 for each.
	Elements []int64
	// Owners are those of sets that Whole need not divide, by set; nil for the others.
	Owners [][]int32
	// Stopped, if not nil, ends the work early with ErrStopped when it returns true.
	Stopped func() bool
}

// Methods are the names of the methods.
var Methods = []string{
	"auto",       // bisect where coordinates are known, else metis where installed, else graph
	"bisect",     // recursive coordinate bisection
	"curve",      // pieces of a Hilbert curve
	"metis",      // METIS, of the graph that maps make
	"scotch",     // Scotch, of the same graph
	"graph",      // recursive bisection of that graph by walks through it
	"contiguous", // pieces of the order in which elements are numbered
}

// ErrStopped is the error of work that Options.Stopped ended.
var ErrStopped = errors.New("the partitioning was stopped")

// check returns an error unless the options are valid, and go with the mesh.
func (o *Options) check(m *order.Mesh) error {
	if err := o.checkParts(); err != nil {
		return err
	}
	known := false
	for i, s := range m.Sets {
		if s.Coordinates == nil {
			continue
		}
		known = true
		if s.Dim < 1 || len(s.Coordinates) != s.Size*s.Dim {
			return fmt.Errorf("%d coordinates are not %d for each of the %d elements of set %d", len(s.Coordinates), s.Dim, s.Size, i)
		}
		if e := notFinite(s.Coordinates); e >= 0 {
			return fmt.Errorf("element %d of set %d is at %v, which is no place", e/s.Dim, i, s.Coordinates[e])
		}
	}
	if !known && (o.Method == "bisect" || o.Method == "curve") {
		return fmt.Errorf("method %s: the coordinates of no set are known", o.Method)
	}
	return nil
}

// checkParts returns an error unless the options are valid.
func (o *Options) checkParts() error {
	if o.Parts < 1 || o.Parts > math.MaxInt32 {
		return fmt.Errorf("%d parts: expected at least 1", o.Parts)
	}
	if o.Method != "" && !slices.Contains(Methods, o.Method) {
		return fmt.Errorf("there is no method %q%s; there are %s", o.Method, spell.DidYouMean(o.Method, Methods), strings.Join(Methods, ", "))
	}
	if o.Weights == nil {
		return nil
	}
	if len(o.Weights) != o.Parts {
		return fmt.Errorf("%d weights for %d parts", len(o.Weights), o.Parts)
	}
	sum := 0.0
	for p, weight := range o.Weights {
		if !(weight >= 0) {
			return fmt.Errorf("the weight of part %d is %v: expected a number from 0", p, weight)
		}
		sum += weight
	}
	if sum == 0 || math.IsInf(sum, 0) {
		return fmt.Errorf("the weights add up to %v", sum)
	}
	return nil
}

func (o *Options) stopped() bool { return o.Stopped != nil && o.Stopped() }

// warnOf warns that a library failed, unless the mesh is so small that any method will do.
func (o *Options) warnOf(name string, err error) {
	if err != errTiny {
		o.warn("%s: %v; another method is used instead", name, err)
	}
}

func (o *Options) warn(format string, args ...any) {
	if o.Warn != nil {
		o.Warn(fmt.Sprintf(format, args...))
	}
}

// notFinite returns the index of the first value that is not finite, or -1.
func notFinite(values []float64) int {
	return slices.IndexFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// shares returns the number of elements that each part should have of n, which need not be whole.
func (o *Options) shares(n int) []float64 {
	shares := make([]float64, o.Parts)
	if o.Weights == nil {
		for p := range shares {
			shares[p] = float64(n) / float64(o.Parts)
		}
		return shares
	}
	sum := 0.0
	for _, weight := range o.Weights {
		sum += weight
	}
	for p, weight := range o.Weights {
		shares[p] = float64(n) * (weight / sum)
	}
	return shares
}

// cut returns the ends of the parts of n elements in a row.
func (o *Options) cut(n int) []int {
	if o.Weights != nil {
		return cut(n, o.Weights)
	}
	ends := make([]int, o.Parts)
	for p := range ends {
		ends[p] = int(int64(n) * int64(p+1) / int64(o.Parts))
	}
	return ends
}

// cut returns the ends of pieces of n elements in a row, in proportion to the weights. If there are
// enough elements, each piece that has a weight has one.
func cut(n int, weights []float64) []int {
	sum, positive := 0.0, 0
	for _, weight := range weights {
		sum += weight
		if weight > 0 {
			positive++
		}
	}
	ends := make([]int, len(weights))
	before := 0.0
	for p, weight := range weights {
		before += weight
		ends[p] = int(math.Round(float64(n) * (before / sum)))
	}
	ends[len(ends)-1] = n
	// Rounding may leave a piece empty: one pass forward gives each its least number of elements, another one
	// backward takes those that were given beyond the end from the pieces before.
	least := func(p int) int {
		if weights[p] > 0 && positive <= n {
			return 1
		}
		return 0
	}
	last := 0
	for p := range ends {
		ends[p] = max(ends[p], last+least(p))
		last = ends[p]
	}
	next := n
	for p := len(ends) - 1; p >= 0; p-- {
		ends[p] = min(ends[p], next)
		next = ends[p] - least(p)
	}
	return ends
}

// dealt gives the elements, which are in a row, to the parts that end there.
func dealt(elements []int32, ends []int) []int32 {
	owners := make([]int32, len(elements))
	first := 0
	for p, end := range ends {
		for _, e := range elements[first:end] {
			owners[e] = int32(p)
		}
		first = end
	}
	return owners
}

// errTiny is the error for a mesh so small that a library leaves parts empty.
var errTiny = errors.New("the mesh is too small for the library")
