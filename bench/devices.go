package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/airfoil/flow"
	"github.com/go-op2/op2/internal/cuda"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/opencl"
	"github.com/go-op2/op2/mesh"
)

// kind is a kind of device that can be measured.
type kind struct {
	backend string
	open    func(device.Config) (device.Device, error)
	choice  string // the variable that selects the device
}

var kinds = []kind{
	{"cuda", cuda.Open, "OP2_CUDA_DEVICE"},
	{"opencl", opencl.Open, "OP2_OPENCL_DEVICE"},
}

// deviceSettings control the measurements on devices.
type deviceSettings struct {
	only  string        // only this backend; empty: all available ones
	cells []int         // of the meshes; empty: depending on the device
	ways  string        // comma-separated prefixes of the ways to measure; empty: all
	turns int           // rounds of each measurement
	limit time.Duration // time after which nothing new is started; 0: none

	describe bool // only list what is available
	quick    bool // the first mesh, one layout, and few calls
}

// parseCells reads "43200,720000".
func parseCells(list string) ([]int, error) {
	var cells []int
	for _, s := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 6 {
			return nil, fmt.Errorf("-cells %s: expected numbers from 6 with commas between them", list)
		}
		cells = append(cells, n)
	}
	return cells, nil
}

// devices measures every selected device.
func devices(out io.Writer, s deviceSettings) error {
	var errs []error
	measured := 0
	for _, k := range kinds {
		if s.only != "" && s.only != k.backend {
			continue
		}
		err := k.measure(out, s)
		var missing *missingError
		if errors.As(err, &missing) {
			errs = append(errs, err)
			continue
		}
		if err != nil {
			return err
		}
		measured++
	}
	if measured == 0 && len(errs) == 0 {
		return fmt.Errorf("-backend %s: expected cuda or opencl", s.only)
	}
	if measured == 0 {
		return errors.Join(errs...)
	}
	for _, err := range errs {
		first, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintf(out, "not measured: %s\n", first)
	}
	return nil
}

// missingError reports that there is no device to measure.
type missingError struct {
	backend string
	err     error
}

func (e *missingError) Error() string { return "backend " + e.backend + ": " + e.err.Error() }
func (e *missingError) Unwrap() error { return e.err }

// measure measures a device; if there is none, the error is a *missingError.
func (k kind) measure(out io.Writer, s deviceSettings) error {
	d, err := k.open(device.Config{Choice: os.Getenv(k.choice)})
	if err != nil {
		return &missingError{k.backend, err}
	}
	b := &deviceBench{kind: k, deviceSettings: s, device: d, info: d.Info(), out: out, begun: time.Now()}
	return errors.Join(b.run(), d.Close())
}

// deviceBench measures one device.
type deviceBench struct {
	kind
	deviceSettings
	device device.Device
	info   device.Info
	out    io.Writer
	begun  time.Time
}

func (b *deviceBench) run() error {
	i := b.info
	fmt.Fprintf(b.out, "device: %s, %s%s, %d units, %.1f GB, by the backend %s\n", i.Name, i.Driver, prefixed(", ", i.Arch), i.Units, float64(i.Memory)/1e9, b.backend)
	if b.describe {
		return nil
	}
	if len(b.cells) == 0 {
		b.cells = []int{smallMesh, 720_000}
		if !b.info.CPU {
			b.cells = append(b.cells, 2_880_000, 11_520_000)
		}
	}
	if b.quick {
		b.cells = b.cells[:1]
	}
	if err := b.calls(min(b.cells[0], smallMesh)); err != nil {
		return err
	}
	for _, cells := range b.cells {
		if b.late() {
			fmt.Fprintf(b.out, "\nairfoil, %d cells: left out, since %v are over\n", cells, b.limit)
			continue
		}
		if err := b.airfoil(cells); err != nil {
			return err
		}
	}
	return nil
}

// smallMesh is the number of cells of the mesh on which calls are measured, small enough for the
// device to finish them quickly.
const smallMesh = 43_200

// late reports whether nothing new should be started.
func (b *deviceBench) late() bool { return b.limit > 0 && time.Since(b.begun) > b.limit }

// prefixed returns the text with a prefix, unless it is empty.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// newMesh returns the mesh around the airfoil with that many cells, or nearly that many.
func newMesh(cells int) (*mesh.Mesh, error) {
	third := max(3, cells/3)
	i := max(3, int(math.Sqrt(float64(third)*2/3)))
	for k := i; k >= max(3, i*9/10); k-- { // a divisor, if there is one nearby
		if third%k == 0 {
			i = k
			break
		}
	}
	return mesh.NACA0012(i, third/i)
}

// flow prepares the airfoil program on the device, where it runs loop by loop.
func (b *deviceBench) flow(m *mesh.Mesh, options ...op2.Option) (*op2.Runtime, *flow.Flow, error) {
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend(b.backend), op2.WithChains(op2.Off)}, options...)...)
	if err != nil {
		return nil, nil, err
	}
	f, err := flow.New(rt, m, flow.AsGiven)
	if err != nil {
		return nil, nil, errors.Join(err, rt.Close())
	}
	return rt, f, nil
}

// way is one way to run loops on a device, and its measurements.
type way struct {
	strategy, layout string
	ready            time.Duration // from the declaration of the program to the end of its first run
	host             []float64     // seconds per iteration on the host, measured in turn
	chosen           []string      // how each loop runs
	apart, together  []float64     // seconds per iteration without its residual: loop by loop, and as a chain
	chain            string        // how the chain runs
	rounds
}

func (w *way) name() string { return w.strategy + "/" + w.layout }

func names(ways []*way) []string {
	var all []string
	for _, w := range ways {
		all = append(all, w.name())
	}
	return all
}

// rounds holds seconds, by round: per call of each loop, and per iteration.
type rounds struct {
	loops     [5][]float64
	iteration []float64
}

// add adds a round of n iterations.
func (r *rounds) add(n int, f *flow.Flow) {
	before := figures(f)
	r.iteration = append(r.iteration, timeIterations(n, f))
	for l, after := range figures(f) {
		r.loops[l] = append(r.loops[l], (after.Time-before[l].Time).Seconds()/float64(after.Calls-before[l].Calls))
	}
}

// print prints the shortest in milliseconds.
func (r *rounds) print(t io.Writer, name string) {
	fmt.Fprintf(t, "%s\t", name)
	for _, s := range r.loops {
		fmt.Fprintf(t, "%.4f\t", 1e3*slices.Min(s))
	}
	fmt.Fprintf(t, "%.4f\t", 1e3*slices.Min(r.iteration))
}

// allWays returns all the ways.
func (b *deviceBench) allWays() []*way {
	all := []*way{{strategy: "auto", layout: "auto"}}
	strategies := []string{"staged", "atomic", "global-color", "gather"}
	if b.info.CPU { // where a work-item is as fast as a core
		strategies = append([]string{"blocks"}, strategies...)
	}
	layouts := []string{"aos", "soa"}
	if b.quick {
		layouts = []string{"auto"}
	}
	for _, s := range strategies {
		for _, l := range layouts {
			all = append(all, &way{strategy: s, layout: l})
		}
	}
	return all
}

// chosenWays returns the ways to measure.
func (b *deviceBench) chosenWays() []*way {
	words := strings.Split(b.ways, ",")
	return slices.DeleteFunc(b.allWays(), func(w *way) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(w.name(), word) })
	})
}

// hostFlow is the airfoil program on the best host backend, the reference for a device.
type hostFlow struct {
	*flow.Flow
	rt   *op2.Runtime
	name string
	rms  float64 // after the first iterations
	rounds
}

const firstIterations = 3

func newHostFlow(m *mesh.Mesh) (*hostFlow, error) {
	rt, err := op2.Open(op2.WithChains(op2.Off))
	if err != nil {
		return nil, err
	}
	h := &hostFlow{rt: rt, name: fmt.Sprintf("%s(%d)", rt.Backend(), runtime.GOMAXPROCS(0))}
	h.Flow, err = flow.New(rt, m, flow.AsGiven)
	for range firstIterations {
		if err == nil {
			h.rms, err = h.Iterate()
		}
	}
	if err != nil {
		return nil, errors.Join(err, rt.Close())
	}
	return h, nil
}

// airfoil measures all loops on a mesh in all ways, alternating with the host and with copies on
// the device.
func (b *deviceBench) airfoil(cells int) (err error) {
	m, err := newMesh(cells)
	if err != nil {
		return err
	}
	host, err := newHostFlow(m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.rt.Close()) }()
	copies, err := b.newCopies()
	if err != nil {
		return err
	}
	defer copies.free()
	var done []*way
	var bytes []float64
	for _, w := range b.chosenWays() {
		if b.late() && len(done) > 0 {
			fmt.Fprintf(b.out, "%s: left out, since %v are over\n", w.name(), b.limit)
			continue
		}
		if bytes, err = b.time(w, m, host, copies); err != nil {
			return fmt.Errorf("%s, %d cells: %w", w.name(), m.Cells(), err)
		}
		done = append(done, w)
		runtime.GC()
	}
	if len(done) == 0 {
		return fmt.Errorf("-ways %s: there are %s", b.ways, strings.Join(names(b.allWays()), ", "))
	}
	b.report(m, host, copies.bandwidth(), bytes, done)
	return nil
}

// time measures a way, and returns the minimal number of bytes that a call of each loop moves.
func (b *deviceBench) time(w *way, m *mesh.Mesh, host *hostFlow, copies *copies) (bytes []float64, err error) {
	start := time.Now()
	rt, f, err := b.flow(m, op2.WithStrategy(op2.Strategy(w.strategy)), op2.WithLayout(op2.Layout(w.layout)))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()
	var rms float64
	for n := range firstIterations {
		if rms, err = f.Iterate(); err != nil {
			return nil, err
		}
		if n == 0 {
			w.ready = time.Since(start)
		}
	}
	if d := math.Abs(rms - host.rms); !(d < 1e-9*host.rms+1e-12) {
		return nil, fmt.Errorf("wrong: rms %v after %d iterations, %v on the host", rms, firstIterations, host.rms)
	}
	// Enough iterations for a round to be long enough to time.
	iterations := int(min(max(1, 0.05/timeIterations(1, f)), 200))
	for range b.turns {
		w.add(iterations, f)
		host.add(iterations, host.Flow)
		w.host = append(w.host, host.iteration[len(host.iteration)-1])
		if err := copies.time(); err != nil {
			return nil, err
		}
	}
	for _, s := range figures(f) {
		bytes = append(bytes, float64(s.Bytes/max(1, s.Calls)))
		w.chosen = append(w.chosen, s.How)
	}
	return bytes, w.timeChain(iterations, b.turns, f)
}

// timeChain measures the iteration as a chain, in turn with loop by loop.
func (w *way) timeChain(iterations, turns int, f *flow.Flow) error {
	var err error
	together := f.Iteration().With(op2.WithChains(op2.Auto))
	run := func(c *op2.Chain) float64 {
		start := time.Now()
		for range iterations {
			if err = c.Compute(); err != nil {
				return math.NaN()
			}
		}
		c.Stats() // waits for the device
		return time.Since(start).Seconds() / float64(iterations)
	}
	for range 3 { // until the loops are queued together
		if err := together.Compute(); err != nil {
			return err
		}
	}
	for range turns {
		w.apart = append(w.apart, run(f.Iteration()))
		w.together = append(w.together, run(together))
		if err != nil {
			return err
		}
	}
	p, err := together.Plan()
	if len(p.Segments) > 0 {
		w.chain = p.Segments[0].Queue
	}
	return err
}

// figures returns the figures of each loop of an iteration, of which those after the first come up
// twice.
func figures(f *flow.Flow) []op2.Stats {
	all, _ := f.Iteration().Stats()
	s := all[:len(loopNames):len(loopNames)]
	for i, again := range all[len(loopNames):] {
		first := &s[1+i%(len(loopNames)-1)]
		first.Time += again.Time
		first.Calls += again.Calls
		first.Bytes += again.Bytes
	}
	return s
}

// timeIterations returns the mean time of n iterations in seconds, including their residuals.
func timeIterations(n int, f *flow.Flow) float64 {
	return timeCalls(n, func() error { _, err := f.Iterate(); return err })
}

// The goals for a GPU as fractions of the bandwidth of copies, by loop.
var goals = map[string]float64{"save_soln": 0.85, "update": 0.85, "res_calc": 0.5}

// largeForGPU is the number of cells from which these goals apply: such meshes exceed all caches.
const largeForGPU = 2_000_000

// goalOnCPU is the goal for an iteration on the same cores, as a multiple of the host's time.
const goalOnCPU = 1.5

// report prints the measurements on a mesh.
func (b *deviceBench) report(m *mesh.Mesh, host *hostFlow, bandwidth float64, bytes []float64, ways []*way) {
	hostBest := slices.Min(host.iteration)
	total := 0.0
	for n := range bytes {
		total += perIteration[n] * bytes[n]
	}
	fmt.Fprintf(b.out, "\nairfoil, %d cells, %.0f MB an iteration; copies on the device: %.1f GB/s, read and written\n", m.Cells(), total/1e6, bandwidth)
	fmt.Fprintf(b.out, "milliseconds of a call of each loop, by the device's timers, and of an iteration with its residual on the host; the shortest of %d rounds, in turn with %s\n",
		b.turns, host.name)
	t := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "strategy/layout\t")
	for _, name := range loopNames {
		fmt.Fprintf(t, "%s\t", name)
	}
	fmt.Fprintf(t, "iteration\t/ %s\tready s\t\n", host.name)
	host.print(t, host.name)
	fmt.Fprint(t, "1.00\t\t\n")
	for _, w := range ways {
		w.print(t, w.name())
		fmt.Fprintf(t, "%.2f\t%.2f\t\n", slices.Min(w.iteration)/hostBest, w.ready.Seconds())
	}
	t.Flush()

	fmt.Fprintf(b.out, "the best way of each loop; GB/s count each byte once\n")
	t = tabwriter.NewWriter(b.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "loop\tms\tGB/s\tof copy\tgoal\tway\n")
	sum := 0.0
	for l, name := range loopNames {
		best := slices.MinFunc(ways, func(v, w *way) int { return cmp.Compare(slices.Min(v.loops[l]), slices.Min(w.loops[l])) })
		seconds := slices.Min(best.loops[l])
		gbs := bytes[l] / seconds / 1e9
		sum += perIteration[l] * seconds
		goal := ""
		if g, there := goals[name]; there && !b.info.CPU && m.Cells() >= largeForGPU {
			goal = fmt.Sprintf("%.0f %%: %s", 100*g, met(gbs/bandwidth >= g))
		}
		fmt.Fprintf(t, "%s\t%.4f\t%.1f\t%.0f %%\t%s\t%s\n", name, 1e3*seconds, gbs, 100*gbs/bandwidth, goal,
			fmt.Sprintf("%s (%s)", best.name(), best.chosen[l]))
	}
	fmt.Fprintf(t, "all of an iteration\t%.4f\t%.1f\t%.0f %%\t\t\n", 1e3*sum, total/sum/1e9, 100*total/sum/1e9/bandwidth)
	t.Flush()

	for _, w := range ways {
		fmt.Fprintf(b.out, "an iteration of %s without its residual as a chain (%s), over loop by loop: %.2f by the shortest rounds, %.2f by the median; %.4f ms\n",
			w.name(), w.chain, slices.Min(w.together)/slices.Min(w.apart), ratio(w.together, w.apart), 1e3*slices.Min(w.together))
	}
	if ways[0].strategy != "auto" {
		return
	}
	auto := slices.Min(ways[0].iteration) / hostBest
	fmt.Fprintf(b.out, "an iteration with %s, over %s: %.2f by the shortest rounds, %.2f by the median of %d rounds in turn",
		ways[0].name(), host.name, auto, ratio(ways[0].iteration, ways[0].host), b.turns)
	if b.info.CPU {
		fmt.Fprintf(b.out, " (goal: at most %.1f: %s)", goalOnCPU, met(auto <= goalOnCPU))
	}
	fmt.Fprintln(b.out)
}

func met(yes bool) string {
	if yes {
		return "met"
	}
	return "missed"
}
