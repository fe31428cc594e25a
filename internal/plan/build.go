package plan

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/go-op2/op2/internal/parallel"
)

// ErrBlockTooLarge is wrapped by errors about blocks that reach more targets than local numbers can
// distinguish. A smaller block size avoids it.
var ErrBlockTooLarge = errors.New("block too large")

// Build builds the plan of an input, in time and memory linear in the references of the elements.
// Equal inputs give equal plans, whatever the number of workers.
func Build(in *Input) (*Plan, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	return in.build(in.structure())
}

// build builds the plan of a valid input.
func (in *Input) build(s structure) (*Plan, error) {
	if err := in.checkValues(&s); err != nil {
		return nil, err
	}
	b := builder{in: in, structure: s, plan: in.cut()}
	b.prepare()
	if err := b.run(); err != nil {
		return nil, err
	}
	return b.plan, nil
}

// Pack is the number of elements that stay together if it divides the block size: vectors of elements
// then fill blocks, and the memory of a block starts at a multiple of a cache line.
const Pack = 16

// cut returns a plan that has blocks and nothing else. Between boundaries, blocks are as few as their
// size allows, and of equal size within one element, or one pack: the
// first ones are larger.
func (in *Input) cut() *Plan {
	size, unit := in.blockElements(), 1
	if in.BlockSize%Pack == 0 {
		unit = Pack
	}
	p := &Plan{First: in.First, Last: in.Last, BlockSize: in.BlockSize}
	p.BlockOffsets = make([]int32, 0, (in.Last-in.First)/size+len(in.Boundaries)+2)
	first := in.First
	for _, end := range slices.Concat(in.Boundaries, []int{in.Last}) {
		units, blocks := (end-first+unit-1)/unit, (end-first+size-1)/size
		for b := range blocks {
			p.BlockOffsets = append(p.BlockOffsets, int32(first+(b*(units/blocks)+min(b, units%blocks))*unit))
		}
		first = end
	}
	p.BlockOffsets = append(p.BlockOffsets, int32(in.Last))
	return p
}

// blockElements returns the most elements that a block may have.
func (in *Input) blockElements() int { return max(1, min(in.BlockSize, in.Last-in.First)) }

// builder holds a plan under construction.
type builder struct {
	in *Input
	structure
	plan       *Plan
	numberings []numbering
	targets    int // size of the largest target set of the numberings
	buffer     int // length of a buffer for the targets of a span in a block

	chunkBlocks int // blocks that a worker takes at a time
	chunks      []chunk
}

// chunk holds the results for a run of blocks.
type chunk struct {
	targets [][]int32 // of each table
	refs    []int64   // of each table
	bound   int       // see Plan.ElementBound
	err     error
}

// prepare allocates everything of known size and lists what is to be numbered.
func (b *builder) prepare() {
	p, in := b.plan, b.in
	blocks, elements := p.Blocks(), in.Last-in.First
	p.BlockColors = make([]int32, blocks)
	for _, slots := range b.colored {
		p.Colored = append(p.Colored, Reach{Slots: slots})
	}
	for i, slots := range b.staged {
		p.Tables = append(p.Tables, Table{
			Reach:   Reach{Slots: slots},
			Offsets: make([]int32, blocks+1),
			Local:   make([]uint16, elements*len(slots)),
		})
		b.number(slots).table = i
	}
	if in.ElementColors && len(b.colored) > 0 {
		p.ElementColors = make([]int32, elements)
		p.ElementColorCounts = make([]int32, blocks)
		if in.ByColor {
			p.ElementsByColor = make([]int32, elements)
		}
		for i, slots := range b.colored {
			b.number(slots).layer = i
		}
	}
	const chunkElements = 1 << 14
	b.chunkBlocks = max(1, chunkElements/in.blockElements())
	if len(b.numberings) > 0 {
		b.chunks = make([]chunk, (blocks+b.chunkBlocks-1)/b.chunkBlocks)
	}
}

// number returns the numbering of the slots, creating it if necessary.
func (b *builder) number(slots []Ref) *numbering {
	i := slices.IndexFunc(b.numberings, func(n numbering) bool {
		return n.table >= 0 && slices.Equal(b.plan.Tables[n.table].Slots, slots)
	})
	if i < 0 {
		i = len(b.numberings)
		n := numbering{spans: b.in.spansOf(slots), width: len(slots), table: -1, layer: -1}
		b.numberings = append(b.numberings, n)
		b.targets = max(b.targets, b.in.targetsOf(slots))
		b.buffer = max(b.buffer, room(n.spans, b.in.blockElements()))
	}
	return &b.numberings[i]
}

// run colors the blocks, which is sequential, while workers number and color within the blocks;
// then it assembles their results.
func (b *builder) run() error {
	workers := b.in.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(b.chunks)+1)
	var next atomic.Int64
	parallel.Run(workers, func(worker int) {
		if worker == 0 {
			b.colorBlocks()
		}
		b.work(&next)
	})
	for i := range b.chunks {
		b.plan.ElementBound = max(b.plan.ElementBound, b.chunks[i].bound)
		if err := b.chunks[i].err; err != nil {
			return err
		}
	}
	for i := range b.plan.Tables {
		if err := b.assemble(i); err != nil {
			return err
		}
	}
	return nil
}

// work takes chunks until none are left.
func (b *builder) work(next *atomic.Int64) {
	var w *worker
	for {
		i := int(next.Add(1)) - 1
		if i >= len(b.chunks) {
			return
		}
		if w == nil {
			w = b.newWorker()
		}
		first := i * b.chunkBlocks
		w.chunk(&b.chunks[i], first, min(first+b.chunkBlocks, b.plan.Blocks()))
	}
}

// assemble joins the targets that the chunks found for table i, and turns the counts that the
// workers left in its offsets into offsets.
func (b *builder) assemble(i int) error {
	t := &b.plan.Tables[i]
	for c := range b.chunks {
		t.References += b.chunks[c].refs[i]
		t.Distinct += int64(len(b.chunks[c].targets[i]))
	}
	if t.Distinct > math.MaxInt32 {
		return fmt.Errorf("plan: the blocks reach %d targets, offsets go to %d", t.Distinct, math.MaxInt32)
	}
	t.Targets = make([]int32, 0, t.Distinct)
	for c := range b.chunks {
		t.Targets = append(t.Targets, b.chunks[c].targets[i]...)
		b.chunks[c].targets[i] = nil
	}
	for block := range b.plan.Blocks() {
		t.Offsets[block+1] += t.Offsets[block]
	}
	return nil
}
