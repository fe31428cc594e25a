package language_test

import (
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/opencl"
)

// Random kernels run on devices in a process of their own: drivers that do not survive one end it.

// apart is what such a process is given, and apartResults what it leaves.
type apart struct {
	Device, Source string
	Names          []string
	A              [][6]int64
	X              [][6]float64
}

type apartResults struct {
	Results [][]outcome
	Why     map[string]string
}

// apartFolder is the environment variable that names the folder for both.
const apartFolder = "OP2_FUZZ_FOLDER"

// runApart runs the kernels as runC does, in another process. If that ends before its time, the kernels
// run one by one, to find the one to which this is due.
func (e *experiment) runApart(source string, names []string) [][]outcome {
	var found apartResults
	os.Remove(filepath.Join(e.dir, "results"))
	if err := store(filepath.Join(e.dir, "kernels.gob"), apart{e.onDevice, source, names, e.a, e.x}); err != nil {
		e.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	process := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestApart$", "-test.count=1")
	process.Env = append(os.Environ(), apartFolder+"="+e.dir, "OP2_TEST_CACHE_DIR="+os.Getenv("OP2_CACHE_DIR"))
	out, err := process.CombinedOutput()
	if err == nil {
		err = load(filepath.Join(e.dir, "results"), &found)
	}
	if err == nil {
		for name, why := range found.Why {
			e.why[name] = why
		}
		return found.Results
	}
	if len(names) == 1 {
		e.why[names[0]] = fmt.Sprintf("the process that runs it ends: %v\n%s", err, out[:min(len(out), 2000)])
		return make([][]outcome, 1)
	}
	var results [][]outcome
	for _, name := range names {
		results = append(results, e.runApart(source, []string{name})...)
	}
	return results
}

// TestApart is that process.
func TestApart(t *testing.T) {
	dir := os.Getenv(apartFolder)
	if dir == "" {
		t.Skip("part of random tests of devices")
	}
	var in apart
	if err := load(filepath.Join(dir, "kernels.gob"), &in); err != nil {
		t.Fatal(err)
	}
	driver, known := map[string]backend.Driver{"opencl": opencl.Driver, gputest.Standin: gputest.StandinDriver}[in.Device]
	if !known {
		t.Fatalf("no device %s", in.Device)
	}
	engine, err := driver.Open(backend.Config{CacheDir: os.Getenv("OP2_CACHE_DIR")})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	x := &experiment{t: t, engine: engine, onDevice: in.Device, a: in.A, x: in.X, why: map[string]string{}}
	results := x.runC(in.Source, in.Names)
	if err := store(filepath.Join(dir, "results"), apartResults{results, x.why}); err != nil {
		t.Fatal(err)
	}
}

// A process that ends before its time is a difference of each kernel that does it alone.
func TestApartEnds(t *testing.T) {
	x := &experiment{t: t, dir: t.TempDir(), onDevice: "broken", why: map[string]string{}}
	x.runApart("package main\n", []string{"k0", "k1"})
	for _, name := range []string{"k0", "k1"} {
		if why := x.why[name]; !strings.HasPrefix(why, "the process that runs it ends: exit status 1\n") || !strings.Contains(why, "no device broken") {
			t.Errorf("%s: %s", name, why)
		}
	}
}

func store(path string, v any) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return gob.NewEncoder(f).Encode(v)
}

func load(path string, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return gob.NewDecoder(f).Decode(v)
}
