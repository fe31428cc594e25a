package tuning

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/wisdom"
)

// Facts are what candidates depend on.
type Facts struct {
	choice.Subject
	Taken      choice.Choices  // by the estimate
	Bytes      int64           // that a call moves, at least
	Compilers  []string        // other ones than that of the subject
	Strategies []tune.Strategy // that a device has for it
	CPU        bool            // the device is one: packs run blocks there, and the size of groups is nothing to it
	Block      int             // elements in one by the host's estimate
	Cache      int             // bytes of a core's own cache
}

// An axis is a choice with the values that it may have besides what is estimated.
type axis struct {
	field  choice.Field
	values []string
	alone  bool // not together with choices before
}

// Overridden returns the choices for all loops that tuning may override. Flags and compilers may be meant for all code, and so stay.
func Overridden() []choice.Field {
	return []choice.Field{choice.Block, choice.Threads, choice.Schedule, choice.SIMD, choice.Width, choice.Strategy, choice.Layout, choice.Group, choice.PerItem}
}

// Candidates returns choices to try for a loop, apart from its estimate, in an order in which what differs in one choice
// comes before what differs in several. The user's choices are not among them.
func Candidates(f Facts, m Mode) []choice.Choices {
	axes := f.axes(m)
	var all []choice.Choices
	for at := []choice.Choices{{}}; len(axes) > 0; axes = axes[1:] {
		var more []choice.Choices
		for _, c := range at {
			if axes[0].alone && c != (choice.Choices{}) {
				break
			}
			for _, value := range axes[0].values {
				if with, ok := with(c, axes[0].field, value); ok && f.fits(with) {
					more = append(more, with)
				}
			}
		}
		all, at = append(all, more...), append(at, more...)
	}
	return all
}

// with returns choices with one more, and whether it is possible.
func with(c choice.Choices, f choice.Field, value string) (choice.Choices, bool) {
	more, err := choice.Parse(fmt.Sprintf("%s %s=%s", c, f, value))
	return more, err == nil
}

// axes returns what may be chosen for the loop.
func (f *Facts) axes(m Mode) []axis {
	patient, wide := m.Rigor == wisdom.Patient, m.Breadth != Likely
	var all []axis
	put := func(alone bool, field choice.Field, values []string) {
		taken := field.Of(f.Taken)
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == taken })
		if len(values) > 0 && f.User.Who(field) != choice.User {
			all = append(all, axis{field, values, alone})
		}
	}
	add := func(field choice.Field, values ...string) { put(false, field, values) }
	switch f.Backend {
	case "openmp", "sequential", "translated":
		add(choice.SIMD, string(tune.SIMDOff), string(tune.SIMDOn))
		add(choice.Compiler, f.compilers(wide)...)
		if f.Backend != "sequential" && f.Threads > 1 && patient {
			schedule := tune.Dynamic
			if f.Start.Schedule == tune.Dynamic {
				schedule = tune.Static
			}
			add(choice.Schedule, string(schedule))
		}
		if wide {
			add(choice.Width, "2", "4", "8")
			add(choice.HostFlags, "-O2", "-funroll-loops", "-mprefer-vector-width=512")
		} else if patient && f.Taken.Width > 2 {
			put(true, choice.Width, []string{strconv.Itoa(f.Taken.Width / 2)})
		}
	case "opencl", "cuda":
		var strategies []string
		for _, s := range f.Strategies {
			strategies = append(strategies, string(s))
		}
		add(choice.Strategy, strategies...)
		if patient && !f.CPU || wide {
			add(choice.Group, "64", "128", "256", "512")
		}
		if f.CPU {
			put(!wide, choice.SIMD, []string{string(tune.SIMDOff), string(tune.SIMDOn)})
		}
		if wide {
			add(choice.PerItem, "2", "4")
		}
	}
	switch { // since beside busy neighbors fewer are faster, which will not always be there
	case f.onHost() && f.Start.Threads != 0:
		add(choice.Threads, f.numbersOfThreads()...)
	case f.onHost() && wide:
		put(true, choice.Threads, f.numbersOfThreads())
	}
	if m.Blocks && f.Backend != "sequential" {
		add(choice.Block, f.blocks()...)
	}
	return all
}

// onHost reports whether the loop runs on threads of the host.
func (f *Facts) onHost() bool { return f.Backend != "opencl" && f.Backend != "cuda" }

// compilers returns those to try: all, or the first of another family, since versions differ less.
func (f *Facts) compilers(all bool) []string {
	if all {
		return f.Compilers
	}
	for _, path := range f.Compilers {
		if strings.Contains(filepath.Base(path), "clang") != strings.Contains(f.Compiler, "clang") {
			return []string{path}
		}
	}
	return nil
}

// numbersOfThreads returns the numbers of threads that may do better than all: one, as threads wait more than they work, and half, as
// they share what is scarce.
func (f *Facts) numbersOfThreads() (numbers []string) {
	if f.Threads > 1 {
		numbers = append(numbers, "1")
	}
	if f.Threads >= 4 {
		numbers = append(numbers, strconv.Itoa(f.Threads/2))
	}
	if f.Start.Threads != 0 && f.Threads > 1 {
		numbers = append(numbers, strconv.Itoa(f.Threads))
	}
	return numbers
}

// What blocks are tried.
const (
	leastBlock = 64
	mostBlock  = 1 << 16
)

// blocks returns the sizes of blocks that may be worthwhile by the model of bytes: what a block moves fits into a core's own
// cache some times over, and each thread has several blocks.
func (f *Facts) blocks() (sizes []string) {
	if f.Start.Block != 0 && f.onHost() {
		sizes = append(sizes, strconv.Itoa(f.Block))
	}
	for size := leastBlock; size <= mostBlock; size *= 4 {
		perElement := int(f.Bytes / int64(max(1, f.Elements)))
		if (size == leastBlock || size*perElement <= 4*f.Cache) && f.Elements/size >= 2*f.Threads {
			sizes = append(sizes, strconv.Itoa(size))
		}
	}
	return sizes
}

// fits reports whether choices are within the limits of what is possible together.
func (f *Facts) fits(c choice.Choices) bool {
	return !(c.Width > 0 && c.SIMD == tune.SIMDOff) && !(c.Strategy == tune.Atomic && f.User.NoAtomics)
}
