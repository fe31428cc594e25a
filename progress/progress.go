// Package progress shows how far a computation is, as a bar on a terminal with the time that is left:
//
//	bar := progress.New(rt.Output(os.Stderr), steps)
//	defer bar.Clear()
//	for step := range steps {
//		...
//		bar.Show(step + 1)
//	}
//
// Where the output is no terminal, as in a batch job or on the other ranks, it shows nothing.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	width = 40
	every = 100 * time.Millisecond // between two updates of the bar
	first = 250 * time.Millisecond // before it appears: what ends earlier needs none
)

// Bar is a line that is drawn over itself.
type Bar struct {
	out      io.Writer
	total    int
	start    time.Time
	last     time.Time
	terminal bool
}

// New returns a bar for the given number of steps.
func New(out io.Writer, total int) *Bar {
	b := &Bar{out: out, total: total, start: time.Now()}
	if f, is := out.(*os.File); is {
		info, err := f.Stat()
		b.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
	}
	return b
}

// Show draws the bar for the steps done so far, unless it was just drawn.
func (b *Bar) Show(done int) {
	now := time.Now()
	if !b.terminal || now.Sub(b.start) < first || done < b.total && now.Sub(b.last) < every {
		return
	}
	b.last = now
	done = min(max(done, 0), b.total)
	filled := width * done / max(1, b.total)
	left := time.Duration(0)
	if done > 0 {
		left = time.Duration(float64(now.Sub(b.start)) * float64(b.total-done) / float64(done))
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s%s %3d %%, %.0f s left", strings.Repeat("█", filled), strings.Repeat("░", width-filled),
		100*done/max(1, b.total), left.Seconds())
}

// Clear removes the bar, to make room for a line of text.
func (b *Bar) Clear() {
	if !b.last.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
