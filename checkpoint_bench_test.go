package op2_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// BenchmarkCheckpoint writes checkpoints of 256 MB to 2 GB and the same bytes with dd, in turn, and reports the medians:
// of both times, of their ratio, and of how long the program is held up; and the ratio of the shortest times.
//
//	go test -run '^$' -bench Checkpoint -benchtime 9x .
func BenchmarkCheckpoint(b *testing.B) {
	for _, megabytes := range []int{256, 1024, 2048} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) { benchmarkCheckpoint(b, megabytes) })
	}
}

func benchmarkCheckpoint(b *testing.B, megabytes int) {
	folder := filepath.Join(b.TempDir(), "run.chk")
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := rt.NewSet(megabytes<<20/64, "cells")
	q := op2.NewDat[float64](cells, 8, nil, "q")
	optest.OK(b, q.Fill(1.5))
	var writes, dds, ratios, held []float64
	number, plain := 0, b.TempDir()
	dd := func() {
		start := time.Now()
		optest.OK(b, exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(plain, strconv.Itoa(number)), "bs=1M", "count="+strconv.Itoa(megabytes), "conv=fsync").Run())
		dds = append(dds, time.Since(start).Seconds())
		_ = os.Remove(filepath.Join(plain, strconv.Itoa(number-2))) // two stay, as of checkpoints
	}
	write := func() {
		index, start := filepath.Join(folder, fmt.Sprintf("%06d", number), "index"), time.Now()
		optest.OK(b, rt.Checkpoint(folder))
		held = append(held, time.Since(start).Seconds())
		for missing := error(os.ErrNotExist); missing != nil; _, missing = os.Stat(index) {
			time.Sleep(time.Millisecond) // the step
			optest.OK(b, rt.Checkpoint(""))
		}
		writes = append(writes, time.Since(start).Seconds())
	}
	for b.Loop() {
		number++
		first, second := dd, write
		if number%2 == 0 { // disks are slower after they have written something
			first, second = write, dd
		}
		first()
		second()
		ratios = append(ratios, writes[number-1]/dds[number-1])
	}
	runtime.KeepAlive(q) // what nobody has any more is not saved
	for unit, values := range map[string][]float64{"s/checkpoint": writes, "s/dd": dds, "ratio": ratios, "s-held-up": held} {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], unit)
	}
	b.ReportMetric(writes[0]/dds[0], "ratio-of-shortest")
}
