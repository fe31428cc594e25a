package host

import (
	"cmp"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

// runner is a prepared loop: its library, and the wrapper's args.
type runner struct {
	engine   *engine
	spec     backend.Spec
	memory   backend.Memory
	library  *library
	source   string // of the library, as it is generated
	listed   bool   // runs are those of places in the subset's list
	args     []unsafe.Pointer
	runs     []backend.Run
	blocks   []int32 // the first run of each block, and the end of the last
	count    int64   // of the runs
	combined int32   // number of blocks whose partial results the wrapper combines
	fault    record
	shared   *shared // nil: sequential
	shares   string  // number of threads, for Stats
	stop     *stop.Flag
	parts    *parts // nil until the first call in parts
}

// record is a fault as generated code records it: its kind, the position, two numbers, the element, the block and a
// lock.
type record [8]int64

// parts holds the wrapper's args for calls in parts, with runs, blocks, consts and results of their own.
type parts struct {
	pieces   backend.Pieces[*piece]
	consts   *backend.Consts
	results  []result
	totals   []unsafe.Pointer // of the results
	combined bool             // the totals are
	none     int32            // number of partial results that the wrapper combines
}

// piece is a prepared part.
type piece struct {
	args   []unsafe.Pointer
	runs   []backend.Run // sequential
	count  int64         // of them
	blocks *plan.Part    // with threads
	order  []int32       // its blocks, by color
	shared *shared
}

// result is the result of a reduction. Sequential code leaves it in the total, in place of the global, or
// apart if the part does not count; with threads each block has a partial result.
type result struct {
	loop.Reduction
	global, total, apart unsafe.Pointer
	arg                  int // the one that leads to the global
	partials             unsafe.Pointer
	stride               int
}

// Prepare starts to compile the loop, unless that was done, and prepares its args.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	if e.threads > 0 {
		var err error
		request := backend.PlanRequest{BlockSize: s.BlockSize(m.Last - m.First), Boundaries: m.Boundaries}
		if m.Plan, _, err = m.NewPlan(request); err != nil {
			return nil, err
		}
	}
	in := e.input(s)
	program := e.print(in)
	if in.Options.Listed = scattered(m.Subset, program); in.Options.Listed {
		program = e.print(in)
	}
	library, err := e.codeOf(program, s)
	if err != nil {
		return nil, err
	}
	m.NewPlan = nil // which may keep a lot alive
	r := &runner{engine: e, spec: s, memory: m, library: library, source: program.Text, listed: in.Options.Listed, stop: e.stop}
	r.runs, r.blocks = r.runsOf(m)
	r.count = int64(len(r.runs))
	if p := m.Plan; p != nil {
		r.combined = int32(p.Blocks())
		threads := e.threadsFor(p.LargestColor(), s.Chosen.Threads)
		r.shared = e.share(p.ColorOffsets, threads, s.Chosen.Schedule, m.ReportWait)
		r.shares = backend.Shares(threads, "threads", p)
	}
	for _, slot := range library.program.Slots {
		switch slot.What {
		case codegen.SlotRuns:
			r.args = append(r.args, unsafe.Pointer(unsafe.SliceData(r.runs)))
		case codegen.SlotCount:
			r.args = append(r.args, unsafe.Pointer(&r.count))
		case codegen.SlotElements:
			r.args = append(r.args, address(m.Subset))
		case codegen.SlotData:
			r.args = append(r.args, m.Data[slot.N])
		case codegen.SlotMap:
			r.args = append(r.args, m.Maps[slot.N])
		case codegen.SlotConst:
			r.args = append(r.args, m.Consts[slot.N])
		case codegen.SlotFault:
			r.args = append(r.args, unsafe.Pointer(&r.fault))
		case codegen.SlotJob:
			r.args = append(r.args, unsafe.Pointer(&r.shared.job))
		case codegen.SlotBlocks:
			r.args = append(r.args, address(r.blocks))
		case codegen.SlotOrder:
			r.args = append(r.args, address(m.Plan.BlocksByColor))
		case codegen.SlotTable:
			r.args = append(r.args, address(m.Nonzeros[slot.N].Table))
		case codegen.SlotRowPtr:
			r.args = append(r.args, address(m.Nonzeros[slot.N].RowPtr))
		case codegen.SlotColIdx:
			r.args = append(r.args, address(m.Nonzeros[slot.N].ColIdx))
		case codegen.SlotPartial:
			r.args = append(r.args, partials(slot.N, m.Plan.Blocks()))
		case codegen.SlotCombined:
			r.args = append(r.args, unsafe.Pointer(&r.combined))
		}
	}
	return r, nil
}

// Lists of elements pay from a number of elements on, where runs have few of them in the mean: a run costs more than to
// look an element up, and leaves those of its elements that fill no pack one by one.
const (
	leastListed = 512
	shortRun    = 2 // of elements one by one
	shortPacked = 5 // with packs
)

// scattered reports whether a loop over a subset should look its elements up in the list.
func scattered(subset []int32, p *codegen.Program) bool {
	if len(subset) < leastListed {
		return false
	}
	short := shortRun
	if p.Pack > 0 {
		short = shortPacked
	}
	runs := 0
	for i, e := range subset {
		if i == 0 || e != subset[i-1]+1 {
			runs++
		}
	}
	return len(subset) <= short*runs
}

// runsOf returns the runs of elements of a part of the loop's memory, or of their places in the list.
func (r *runner) runsOf(m backend.Memory) (runs []backend.Run, offsets []int32) {
	if r.listed {
		m.Subset = nil
	}
	return m.Runs()
}

// Generate returns the source.
func (r *runner) Generate() string { return r.source }

// threadsFor returns the number of threads for loops whose largest color has that many blocks, of those that are
// chosen, or 0 for all: at least two blocks at a time for each thread, because threads that wait more than they work cost
// more than they gain.
func (e *engine) threadsFor(largest, chosen int) int {
	return max(1, min(e.threads, cmp.Or(chosen, e.threads), largest/2))
}

func address(s []int32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// partials returns memory for the partial results of that many blocks, aligned to cache lines.
func partials(stride, blocks int) unsafe.Pointer {
	memory := make([]uint64, (stride*blocks+64)/8)
	start := unsafe.Pointer(unsafe.SliceData(memory))
	return unsafe.Add(start, -uintptr(start)&63)
}

// Took returns the processor time of the compiler.
func (r *runner) Took() time.Duration {
	if r.library.build == nil {
		return 0
	}
	return r.library.build.Took()
}

// Waits reports whether Ready would wait.
func (r *runner) Waits() bool { return r.library.waits() }

// Ready waits for the compiler.
func (r *runner) Ready() error {
	if err := r.library.ready(); err != nil {
		return err
	}
	if err := r.shared.ready(); err != nil {
		return err
	}
	r.memory.ReportHow(r.library.how()+r.shares, r.library.origin())
	if r.memory.ReportChoices != nil {
		r.memory.ReportChoices(r.taken())
	}
	return nil
}

// taken returns the choices that the loop runs with.
func (r *runner) taken() choice.Made {
	fields := []choice.Field{choice.SIMD, choice.Width, choice.Compiler, choice.HostFlags}
	if r.shared != nil {
		fields = append(fields, choice.Block, choice.Threads, choice.Schedule)
	}
	m := r.spec.Chosen.Only(fields...)
	if r.shared != nil {
		m.Took(choice.Block, strconv.Itoa(r.memory.Plan.BlockSize))
		m.Took(choice.Threads, strconv.Itoa(r.shared.pace.Most()))
		m.Took(choice.Schedule, cmp.Or(string(r.spec.Chosen.Schedule), string(tune.Static)))
	}
	simd, width := tune.SIMDOff, ""
	if r.library.lanes > 1 {
		simd, width = tune.SIMDOn, strconv.Itoa(r.library.lanes)
	}
	m.Took(choice.SIMD, string(simd))
	m.Took(choice.Width, width)
	if r.spec.Chosen.Compiler == "" || r.library.linked != nil {
		m.Took(choice.Compiler, r.library.by)
	}
	return m
}

// Run calls the wrapper for all elements.
func (r *runner) Run() error { return r.call(r.args, r.shared) }

// call calls the wrapper.
func (r *runner) call(args []unsafe.Pointer, shared *shared) error {
	shared.run(r.library, unsafe.Pointer(&args[0]))
	runtime.KeepAlive(r)
	if r.fault[0] != 0 {
		f := r.takeFault()
		switch {
		case r.listed && f.Elements == 1:
			f.Element = int(r.memory.Subset[f.Element])
		case r.listed: // which of them is not known
			f.Element, f.Elements = 0, 0
		}
		return f
	}
	if shared != nil {
		return r.stop.Err() // which may have skipped blocks
	}
	return nil
}

func (r *runner) takeFault() *backend.Fault {
	kind, a, b, element := r.fault[0], r.fault[3], r.fault[4], r.fault[5]
	f := &backend.Fault{
		Pos: r.spec.Kernel.Place(int(r.fault[1]), int(r.fault[2])), Msg: codegen.FaultText(int(kind), a, b),
		Element: int(int32(element)), Elements: max(1, int(element>>32)),
	}
	r.fault = record{}
	return f
}
