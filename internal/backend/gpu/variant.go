package gpu

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

func (m misfit) Error() string { return string(m) }

// variant is a loop prepared for one strategy, with its data on the device.
type variant struct {
	engine   *engine
	spec     backend.Spec
	memory   *backend.Memory
	elements int
	strategy tune.Strategy
	size     int // work-items in a group
	note     string
	program  *codegen.DeviceProgram
	text     string // source of it, including the values of consts defined there
	build    device.Program
	kernel   device.Kernel
	combine  device.Kernel
	args     []device.Arg
	combined []device.Arg
	launches []launch
	shared   int // bytes
	per      int // elements per group that keeps partial results
	groups   int // number of groups that produce partial results
	room     int // maximum number of partial results of a call, in parts or not
	plan     *plan.Plan
	list     []int32
	staging  *staging
	reach    *reach
	pieces   backend.Pieces[*piece]
	neutral  []device.Buffer // by loop.Args: partial results that change nothing, for calls in parts

	// The values of arguments for the current launch.
	offset   int32
	end      int32
	before   int32
	count    int32           // partial results to combine; in a launch of parts of a loop 0
	finished device.Buffer   // the number of groups of the current call that have finished, if its last one combines
	broken   bool            // finished is not 0, since part of a call was rejected
	partials []device.Buffer // by loop.Args
}

// remark adds to the variant's description.
func (v *variant) remark(text string) {
	if v.note != "" {
		v.note += ", "
	}
	v.note += text
}

// launch is a number of groups of work-items: they run blocks, elements, or elements of a list, from
// offset to end. Before it, other launches have left so many partial results.
type launch struct {
	groups              int
	offset, end, before int32
}

// piece holds the launches of a part.
type piece struct {
	launches []launch
	args     []device.Arg
	first    int // of its partial results, if they are those of blocks
	groups   int // number of partial results
}

// inBlocks reports whether work-groups run the blocks of a plan, which have one partial result each,
// so that it is the same one in every part.
func (v *variant) inBlocks() bool {
	return v.strategy == tune.Blocks || v.strategy.Stages()
}

func (v *variant) groupsOf(elements int) int { return (elements + v.per - 1) / v.per }

// find waits for the compiler and looks up the kernels.
func (v *variant) find() (err error) {
	if v.kernel, err = v.build.Kernel(v.program.Entry); err != nil || v.program.Combine == "" {
		return err
	}
	v.combine, err = v.build.Kernel(v.program.Combine)
	return err
}

// sizeLimit returns the maximum group size of the kernels, if that is less than they were generated
// for.
func (v *variant) sizeLimit() int {
	limit := v.size
	for _, k := range []device.Kernel{v.kernel, v.combine} {
		if k == nil {
			continue
		}
		if most := k.Figures().MaxGroup; most > 0 {
			limit = min(limit, most)
		}
	}
	return limit
}
