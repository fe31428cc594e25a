package profile

import (
	"strings"
	"testing"
	"time"
)

func TestCounterIsSharedByKernelAndSet(t *testing.T) {
	var p Profile
	first := p.Counter("res", "edges")
	if again := p.Counter("res", "edges"); again != first {
		t.Error("two counters for one kernel and set")
	}
	if p.Counter("res", "cells") == first {
		t.Error("one counter for two sets")
	}
}

func TestTable(t *testing.T) {
	var p Profile
	*p.Counter("save", "cells") = Stats{Kernel: "save", Set: "cells", Calls: 100, Time: 500 * time.Millisecond, Bytes: 5e9, How: "packs of 8", Code: "found"}
	*p.Counter("res", "edges") = Stats{Kernel: "res", Set: "edges", Calls: 200, Time: 1500 * time.Millisecond, Bytes: 3e9, Compile: 250 * time.Millisecond, How: "scalar (indirect rw)", Code: "compiled"}
	*p.Counter("ilu of k", "nodes") = Stats{Kernel: "ilu of k", Set: "nodes", Calls: 10, Time: 500 * time.Millisecond}
	p.Counter("never", "cells")
	var b strings.Builder
	if err := Write(&b, p.Stats()); err != nil {
		t.Fatal(err)
	}
	const want = `
      loop   over  calls  time s  ms/call  GB/s   share  how
       res  edges    200   1.500   7.5000   2.0  60.0 %  scalar (indirect rw)
      save  cells    100   0.500   5.0000  10.0  20.0 %  packs of 8
  ilu of k  nodes     10   0.500  50.0000        20.0 %
       all                 2.500
code: 1 compiled, 1 found in the cache, waited 0.25 s for the compiler
`
	if got := trimLines(b.String()); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("the table is\n%s\nnot%s", got, want)
	}
}

func TestReset(t *testing.T) {
	var p Profile
	c := p.Counter("res", "edges")
	c.Calls, c.Time = 3, time.Second
	p.Reset()
	if len(p.Stats()) != 0 || c.Calls != 0 {
		t.Error("figures are left")
	}
	c.Calls++
	if got := p.Stats(); len(got) != 1 || got[0].Kernel != "res" || got[0].GBs() != 0 {
		t.Errorf("after a further call the figures are %+v", got)
	}
}

func TestWaitingIsReported(t *testing.T) {
	for _, test := range []struct {
		waited time.Duration
		want   string
	}{
		{0, ""},
		{90 * time.Millisecond, ""},
		{170 * time.Millisecond, "threads waited for each other for 34 % of the time: where other programs use the processors, " +
			"fewer threads wait less (OP2_THREADS); else blocks take unequal time (OP2_SCHEDULE=dynamic, or a smaller OP2_BLOCK_SIZE)\n"},
	} {
		var p Profile
		*p.Counter("res", "edges") = Stats{Kernel: "res", Set: "edges", Calls: 1, Time: 400 * time.Millisecond, Waited: test.waited}
		*p.Counter("save", "cells") = Stats{Kernel: "save", Set: "cells", Calls: 1, Time: 100 * time.Millisecond}
		var b strings.Builder
		if err := Write(&b, p.Stats()); err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(b.String(), "0.500")
		if _, got, _ = strings.Cut(got, "\n"); got != test.want {
			t.Errorf("after waiting %v: got %q, want %q", test.waited, got, test.want)
		}
	}
}

// trimLines removes the blanks at the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestTableOfRanks(t *testing.T) {
	res := func(ms, bytes int64) Stats {
		return Stats{Kernel: "res", Set: "edges", Calls: 200, Time: time.Duration(ms) * time.Millisecond, Bytes: bytes, Messages: 200, Sent: 5e6,
			Awaited: 150 * time.Millisecond, How: "scalar", Code: "found"}
	}
	save := Stats{Kernel: "save", Set: "cells", Calls: 100, Time: 500 * time.Millisecond, Bytes: 1e9, How: "packs of 8", Code: "compiled"}
	var b strings.Builder
	if err := Write(&b, []Stats{save, res(1000, 3e9)}, []Stats{res(2000, 6e9), save}); err != nil {
		t.Fatal(err)
	}
	const want = `
  loop   over  calls  time s  least   most  ms/call  GB/s   share  messages    MB  waiting  how
   res  edges    200   1.500  1.000  2.000   7.5000   6.0  75.0 %       400  10.0   10.0 %  scalar
  save  cells    100   0.500  0.500  0.500   5.0000   4.0  25.0 %         0   0.0    0.0 %  packs of 8
   all                 2.000  1.500  2.500                              400  10.0    7.5 %
2 ranks: time is the mean over them, least and most that of one rank; GB/s, messages and MB are of all together; waiting is for other ranks
code: 1 compiled, 1 found in the cache
`
	if got := trimLines(b.String()); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("the table is\n%s\nnot%s", got, want)
	}
}
