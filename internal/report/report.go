// Package report writes what a runtime has measured: as a page to look at, as JSON and CSV to compute with, and as a trace
// for Perfetto. It takes plain data, and knows nothing of runtimes; package op2 collects it.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/timeline"
)

// Report holds the measurements of the ranks of a program. Its JSON is documented in
// docs/report.md.
type Report struct {
	Program  string `json:"program"`
	Written  string `json:"written"` // RFC 3339
	Platform string `json:"platform"`
	Go       string `json:"go"`
	Backend  string `json:"backend"` // of rank 0
	// Triad is the bandwidth of all ranks together in GB/s; 0 if it has not been measured.
	Triad float64 `json:"triad_gb_per_s,omitempty"`
	Ranks []Rank  `json:"ranks"`
	Codes []Code  `json:"code,omitempty"` // of the loops, as rank 0 has it
}

// Rank holds the measurements of one rank.
type Rank struct {
	Rank      int       `json:"rank"`
	Host      string    `json:"host"`
	Backend   string    `json:"backend"`
	Threads   int       `json:"threads"`
	Seconds   float64   `json:"seconds"` // since the runtime was opened
	Triad     float64   `json:"triad_gb_per_s,omitempty"`
	Loops     []Loop    `json:"loops"`
	Transfers Transfers `json:"transfers"`
	Memory    []Memory  `json:"memory"`
	Regions   []Region  `json:"regions,omitempty"`
	Timeline  *Timeline `json:"timeline,omitempty"`
}

// Loop holds the figures of all loops of one kernel over one set: those of profile.Stats.
type Loop struct {
	Kernel   string  `json:"kernel"`
	Set      string  `json:"set"`
	Calls    int64   `json:"calls"`
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`
	Flops    int64   `json:"flops"`
	GBs      float64 `json:"gb_per_s"`
	Compile  float64 `json:"compile_seconds"`
	Waited   float64 `json:"waited_for_threads_seconds"`
	Awaited  float64 `json:"waited_for_ranks_seconds"`
	Messages int64   `json:"messages"`
	Sent     int64   `json:"halo_bytes_sent"`
	How      string  `json:"how"`
	Code     string  `json:"code"`
	Choices  string  `json:"choices"`
}

// LoopOf returns the figures of a loop.
func LoopOf(s profile.Stats) Loop {
	return Loop{s.Kernel, s.Set, s.Calls, s.Time.Seconds(), s.Bytes, s.Flops, s.GBs(), s.Compile.Seconds(), s.Waited.Seconds(), s.Awaited.Seconds(),
		s.Messages, s.Sent, s.How, s.Code, s.Choices}
}

// Transfers counts transfers between the host and a device.
type Transfers struct {
	ToDevice      int64 `json:"to_device"`
	ToHost        int64 `json:"to_host"`
	BytesToDevice int64 `json:"bytes_to_device"`
	BytesToHost   int64 `json:"bytes_to_host"`
}

// Memory is what the values of something that has been declared take on a rank.
type Memory struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	On    string `json:"on,omitempty"`
	Holds string `json:"holds,omitempty"`
	Bytes int64  `json:"bytes"`
	// Digest is that of its values, where runs of a program are compared.
	Digest string `json:"digest,omitempty"`
}

// Region is the time of all calls of a region of the program.
type Region struct {
	Name    string  `json:"name"`
	Calls   int64   `json:"calls"`
	Seconds float64 `json:"seconds"`
}

// Timeline lists the last events of a rank.
type Timeline struct {
	Began   int64    `json:"began_unix_ns"`
	Dropped int      `json:"dropped"` // events before those
	Kinds   []string `json:"kinds"`
	Names   []string `json:"names"`
	// Events are the number of a kind, that of a name, the start and the duration in nanoseconds, and bytes.
	Events [][5]int64 `json:"events"`
}

// TimelineOf returns the events of a timeline; nil if there is none.
func TimelineOf(t *timeline.Timeline) *Timeline {
	if t == nil {
		return nil
	}
	events, dropped := t.Events()
	out := &Timeline{Began: t.Began().UnixNano(), Dropped: dropped, Kinds: timeline.Kinds, Names: []string{}, Events: [][5]int64{}}
	numbers := map[string]int64{}
	for _, e := range events {
		n, known := numbers[e.Name]
		if !known {
			n = int64(len(out.Names))
			numbers[e.Name], out.Names = n, append(out.Names, e.Name)
		}
		out.Events = append(out.Events, [5]int64{int64(e.Kind), n, int64(e.Start), int64(e.Took), e.Bytes})
	}
	return out
}

// RegionsOf returns the regions of a timeline.
func RegionsOf(t *timeline.Timeline) (all []Region) {
	for _, r := range t.Regions() {
		all = append(all, Region{r.Name, r.Calls, r.Time.Seconds()})
	}
	return all
}

// Code is what the loops of a kernel over a set compile to, and how the first of them is divided.
type Code struct {
	Kernel    string `json:"kernel"`
	Set       string `json:"set"`
	At        string `json:"at,omitempty"`        // where the kernel is: "kernels.go:12"
	Source    string `json:"source,omitempty"`    // the kernel's; "" if that is not known
	Generated string `json:"generated,omitempty"` // what the backend generates; "" if it generates nothing
	Plan      *Plan  `json:"plan,omitempty"`      // nil if the elements run in order
}

// Plan says how a loop is divided into blocks.
type Plan struct {
	Elements      int   `json:"elements"`
	Blocks        int   `json:"blocks"`
	BlockSize     int   `json:"block_size"`
	Colors        int   `json:"colors"`
	ColorBound    int   `json:"colors_at_least"`
	SmallColor    int   `json:"blocks_of_smallest_color"`
	LargeColor    int   `json:"blocks_of_largest_color"`
	ElementColors int   `json:"element_colors"`
	SharedBytes   int   `json:"shared_bytes"`
	Bytes         int64 `json:"plan_bytes"`
}

// formats are the endings of names of files, the longest first, and what writes those.
var formats = []struct {
	ending string
	write  func(w io.Writer, r *Report) error
}{
	{".trace.json", writeTrace},
	{".html", writePage},
	{".json", writeJSON},
	{".csv", writeCSV},
}

// Check returns an error unless the name of the file says what is to be written.
func Check(file string) error {
	_, err := writer(file)
	return err
}

// Write writes the report to w, in the form that the ending of a file's name says.
func Write(w io.Writer, file string, r *Report) error {
	write, err := writer(file)
	if err != nil {
		return err
	}
	return write(w, r)
}

func writer(file string) (func(io.Writer, *Report) error, error) {
	for _, f := range formats {
		if strings.HasSuffix(strings.ToLower(file), f.ending) {
			return f.write, nil
		}
	}
	return nil, fmt.Errorf("expected a name that ends in .html, .json, .csv or .trace.json")
}

// Numbered returns the name of the nth file where the first has the given one: out.html, out-2.html.
func Numbered(file string, n int) string {
	if n == 1 {
		return file
	}
	for _, f := range formats {
		if at := len(file) - len(f.ending); at >= 0 && strings.EqualFold(file[at:], f.ending) {
			return fmt.Sprintf("%s-%d%s", file[:at], n, file[at:])
		}
	}
	return file
}
