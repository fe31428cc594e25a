package lazy_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/recordtest"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/lazy"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/userkernel"
)

// Calls run when somebody needs what they compute, in an order that keeps what depends on each other, and
// not at all if it is in vain. Steps are loops ("y = x", "x + 1", "a += x" for the global a, and "x !",
// which fails) and what the program does with values in between.
func TestWhatRuns(t *testing.T) {
	for _, test := range []struct{ name, steps, want string }{
		{"what is read runs what it depends on",
			"x + 1; y = x; a += z; read a; read y; read x",
			"a += z; read a; x + 1; y = x; read y; read x"},
		{"what uses values runs before these change",
			"y = x; z = x; x + 1; read x; read y",
			"y = x; z = x; x + 1; read x; read y"},
		{"what uses values runs before the program writes them",
			"y = x; z + 1; write x",
			"y = x; write x"},
		{"what is replaced is not computed",
			"x + 1; x = z; read x",
			"x = z; read x"},
		{"unless it is read before",
			"x + 1; y = x; x = z; read y; read x",
			"x + 1; y = x; read y; x = z; read x"},
		{"what the program replaces is not computed",
			"x + 1; y = x; replace x; read y; x + 1; replace x; read x",
			"x + 1; y = x; replace x; read y; replace x; read x"},
		{"a loop that runs at once comes after what it needs",
			"x + 1; z + 1; now y = x; read z",
			"x + 1; now y = x; z + 1; read z"},
		{"so does a task",
			"x + 1; z + 1; task x; read z",
			"x + 1; task x; z + 1; read z"},
		{"all that waits",
			"x + 1; y = z; all",
			"x + 1; y = z; all"},
		{"what depends on a failure is lost until it is computed anew",
			"x !; y = x; z + 1; read y; read z; read x; z = y; x = z; y = x; read y",
			"x !; read y fails; z + 1; read z; read x fails; z = y fails; x = z; y = x; read y"},
		{"a verb without a result leaves its error to the next",
			"y = x; x !; z = x; replace y; replace x; late",
			"replace y; x !; replace x; late"},
		{"what is repeated becomes a chain",
			strings.Repeat("x + 1; y = x; read y; ", 4) + "chains",
			strings.Repeat("x + 1; y = x; read y; ", 2) + strings.Repeat("x_add_y_set_x; read y; ", 2) + "1 chains"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t)
			for step := range strings.SplitSeq(test.steps, "; ") {
				p.do(t, step)
			}
			if got := strings.Join(p.Trace, "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// The queue does not grow without bound.
func TestQueueIsBounded(t *testing.T) {
	p := open(t)
	for range 1000 {
		p.do(t, "x + 1")
		p.do(t, "y = x")
	}
	if n := p.queue.Waiting(); n < 2 || n > 256 || len(p.Trace) < 700 {
		t.Errorf("%d calls wait, %d have run", n, len(p.Trace))
	}
}

// program is a lazy runtime with some data, on a backend that computes nothing and records what runs.
type program struct {
	recordtest.Backend
	rt      *entity.Runtime
	queue   *lazy.Queue
	set     *entity.Set
	data    map[string]*entity.Data
	kernels map[string]*userkernel.Kernel // by step
	steps   map[string]string             // by name of the kernel
}

func open(t *testing.T) *program {
	p := &program{data: map[string]*entity.Data{}, kernels: map[string]*userkernel.Kernel{}, steps: map[string]string{}}
	p.rt = run.Open("record", &p.Backend, entity.Config{Lazy: true, Chains: tune.Fuse})
	p.Name = func(kernel string) string { return cmp.Or(p.steps[kernel], kernel) }
	lazy.Attach(p.rt)
	p.queue = run.QueueOf(p.rt).(*lazy.Queue)
	set, err := p.rt.NewSet(halo.All(10), "elements")
	if err != nil {
		t.Fatal(err)
	}
	p.set = set
	for _, name := range []string{"x", "y", "z"} {
		if p.data[name], err = entity.NewDat(set, 1, make([]float64, 10), name); err != nil {
			t.Fatal(err)
		}
	}
	if p.data["a"], err = entity.NewGlobal(p.rt, []float64{0}, "a"); err != nil {
		t.Fatal(err)
	}
	return p
}

// do does a step, and notes those that are no calls of loops that wait.
func (p *program) do(t *testing.T, step string) {
	words := strings.Fields(step)
	d := p.data[words[len(words)-1]]
	var err error
	switch words[0] {
	case "read":
		err = d.Bring(false)
	case "write":
		err = d.Bring(true)
	case "replace":
		entity.Overwriting[float64](d)
	case "task":
		err = run.Task{Uses: func() run.Uses { return run.Uses{Changes: []*entity.Data{d}} }, Do: func() error { return nil }}.Run(p.rt)
	case "all":
		err = p.rt.Force()
	case "late":
		if p.late() == nil {
			t.Error("there is no error")
		}
	case "chains":
		step = string(rune('0'+p.queue.Chains())) + " chains"
	case "now":
		k, args := p.loop(words[1:])
		p.steps[k.Name()] = step
		if err := run.ParLoop(p.rt, k, p.set.All(), args...); err != nil {
			t.Error(err)
		}
		return
	default:
		k, args := p.loop(words)
		if err = run.Call(p.rt, k, p.set.All(), args...); err == nil {
			return
		}
	}
	if err != nil {
		step += " fails"
	}
	p.Trace = append(p.Trace, step)
}

// late returns the error that a verb returns that runs nothing.
func (p *program) late() (err error) {
	p.rt.LeaveWith(&err)
	return err
}

// loop returns the kernel and the arguments of a step.
func (p *program) loop(words []string) (*userkernel.Kernel, []entity.Arg) {
	to, from := p.data[words[0]], p.data[words[len(words)-1]]
	name, body, args := words[0]+"_add", "(double *x) { *x += 1; }", []entity.Arg{to.RW()}
	switch words[1] {
	case "=":
		name, body, args = words[0]+"_set_"+words[2], "(double *y, const double *x) { *y = *x; }", []entity.Arg{to.Write(), from.Read()}
	case "+=":
		name, body, args = words[0]+"_sum_"+words[2], "(double *a, const double *x) { *a += *x; }", []entity.Arg{to.Inc(), from.Read()}
	case "!":
		name = words[0] + "_fail"
	}
	if p.kernels[name] == nil {
		p.kernels[name], p.steps[name] = (*userkernel.Kernel)(ckernel.New(name, "static void "+name+body)), strings.Join(words, " ")
	}
	return p.kernels[name], args
}
