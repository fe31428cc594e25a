package plan

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// BenchmarkBuild prints, for the indirect loops of the airfoil program on the mesh of
// 720,000 cells, the best time for each element and distinct reference:
//
//	go test -run - -bench Build -benchtime 5x ./internal/plan
//
// The plans of "blocks" are for host backends, those of "staged" have local tables and element
// colors.
func BenchmarkBuild(b *testing.B) {
	m := airfoil(b, 400, 600)
	for _, loop := range []struct {
		name  string
		input func(int, bool) *Input
	}{{"adt_calc", m.adtCalc}, {"res_calc", m.resCalc}, {"bres_calc", m.bresCalc}} {
		for _, staging := range []bool{false, true} {
			for _, random := range []bool{false, true} {
				in := loop.input(1024, staging)
				name := loop.name + "/blocks"
				if staging {
					in = loop.input(256, staging)
					name = loop.name + "/staged"
				}
				if random {
					in = shuffled(in)
					name += "/shuffled"
				}
				for _, workers := range []int{1, 2} {
					in.Workers = workers
					b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) { benchmark(b, in) })
				}
			}
		}
	}
}

// BenchmarkHub has a million elements that all reach one target.
func BenchmarkHub(b *testing.B) {
	for _, blockSize := range []int{1, 256, 1 << 20} {
		in := allToOne(1<<20, blockSize)
		b.Run(fmt.Sprintf("block=%d", blockSize), func(b *testing.B) { benchmark(b, in) })
	}
}

func benchmark(b *testing.B, in *Input) {
	var p *Plan
	best := time.Duration(math.MaxInt64) // other programs can only make it slower
	for b.Loop() {
		start := time.Now()
		var err error
		if p, err = Build(in); err != nil {
			b.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	s, slots := in.structure(), map[Ref]bool{}
	for _, list := range append(s.colored, s.staged...) {
		for _, r := range list {
			slots[r] = true
		}
	}
	references := float64(max(1, len(slots)) * (in.Last - in.First))
	b.ReportMetric(float64(best.Nanoseconds())/references, "best-ns/ref")
	f := p.Report()
	b.ReportMetric(float64(f.Colors), "colors")
	b.ReportMetric(float64(f.Bytes)/1e6, "MB")
	b.Logf("\n%v", f)
}

// BenchmarkCheck measures the additional cost of checking a plan.
func BenchmarkCheck(b *testing.B) {
	m := airfoil(b, 400, 600)
	for _, staging := range []bool{false, true} {
		in := m.resCalc(256, staging)
		p, err := Build(in)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("res_calc/staged=%t", staging), func(b *testing.B) {
			for b.Loop() {
				if err := Check(in, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
