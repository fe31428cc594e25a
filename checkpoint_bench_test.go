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

// BenchmarkCheckpoint writes checkpoints of 256 MB and the same bytes with dd, in turn, and reports the medians: of both
// times, of their ratio, and of how long the program is held up; and the ratio of the shortest times.
//
//	go test -run '^$' -bench Checkpoint -benchtime 9x .
func BenchmarkCheckpoint(b *testing.B) {
	const megabytes = 256
	folder := filepath.Join(b.TempDir(), "run.chk")
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := rt.NewSet(megabytes<<20/64, "cells")
	q := op2.NewDat[float64](cells, 8, nil, "q")
	optest.OK(b, q.Fill(1.5))
	var writes, dds, ratios, held []float64
	number := 0
	for b.Loop() {
		plain := filepath.Join(b.TempDir(), "plain")
		start := time.Now()
		optest.OK(b, exec.Command("dd", "if=/dev/zero", "of="+plain, "bs=1M", "count="+strconv.Itoa(megabytes), "conv=fsync").Run())
		dd := time.Since(start).Seconds()
		optest.OK(b, os.Remove(plain))
		number++
		index := filepath.Join(folder, fmt.Sprintf("%06d", number), "index")
		start = time.Now()
		optest.OK(b, rt.Checkpoint(folder))
		hold := time.Since(start).Seconds()
		for {
			time.Sleep(time.Millisecond) // the step
			optest.OK(b, rt.Checkpoint(""))
			if _, err := os.Stat(index); err == nil {
				break
			}
		}
		write := time.Since(start).Seconds()
		writes, dds, ratios, held = append(writes, write), append(dds, dd), append(ratios, write/dd), append(held, hold)
	}
	runtime.KeepAlive(q) // what nobody has any more is not saved
	for unit, values := range map[string][]float64{"s/checkpoint": writes, "s/dd": dds, "ratio": ratios, "s-held-up": held} {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], unit)
	}
	b.ReportMetric(writes[0]/dds[0], "ratio-of-shortest")
}
