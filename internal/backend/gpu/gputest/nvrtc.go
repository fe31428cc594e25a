package gputest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/cuda/offline"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// CheckNVRTC compiles with NVRTC, for all of offline.Archs, everything that the process has
// compiled on the stand-in so far and what other processes have left in SourcesFolder; a warning is
// an error. Unless OP2_HEAVY is set, it compiles only some of the programs, for one architecture
// each. Without NVRTC the test is skipped, unless OP2_REQUIRE has nvrtc.
func CheckNVRTC(t *testing.T) {
	t.Helper()
	all, err := sources(os.Getenv(SourcesFolder))
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(s device.Source) bool { return slices.Contains(faulty, s.Name) })
	if len(all) == 0 {
		t.Skip("nothing has been compiled on the stand-in")
	}
	check(t, all)
}

// faulty are programs of tests about sources that do not compile.
var faulty = []string{"broken", "misnamed"}

// some is the number of programs in a partial check.
const some = 12

func check(t *testing.T, sources []device.Source) {
	t.Helper()
	c, err := offline.Compiler()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
			t.Fatalf("nvrtc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no nvrtc: %v", err)
	}
	start := time.Now()
	most := some
	switch {
	case heavy.On():
		most = 0
	case testing.Short():
		most = 3
	}
	all := jobs(sources, most)
	spilled := 0
	for _, r := range offline.Compile(c, all) {
		if r.Err != nil {
			t.Errorf("%v\n%s", r.Err, r.Source.Text)
		}
		for _, u := range r.Usages {
			if u.Spilled > 0 {
				spilled++
			}
		}
	}
	t.Logf("NVRTC %s: %d compilations of %d programs in %.1f s; kernels that spill registers: %d",
		c.Version(), len(all), len(sources), time.Since(start).Seconds(), spilled)
}

// jobs returns at most most of the programs, for one architecture each; or, if most is 0, all of
// them for all architectures.
func jobs(sources []device.Source, most int) []offline.Job {
	var jobs []offline.Job
	if most == 0 {
		for _, s := range sources {
			for _, arch := range offline.Archs {
				jobs = append(jobs, offline.Job{Source: s, Arch: arch})
			}
		}
		return jobs
	}
	n := min(len(sources), most)
	for i := range n {
		jobs = append(jobs, offline.Job{Source: sources[i*len(sources)/n], Arch: offline.Archs[i%len(offline.Archs)]})
	}
	return jobs
}
