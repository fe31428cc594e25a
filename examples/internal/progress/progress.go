// Package progress shows the progress of a computation on a terminal. If the output is not a
// terminal, it shows nothing.
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
	every = 100 * time.Millisecond // time between two updates of the bar
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
		b.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return b
}

// Show draws the bar for the steps done so far, unless it was just drawn.
func (b *Bar) Show(done int) {
	now := time.Now()
	if !b.terminal || done < b.total && now.Sub(b.last) < every {
		return
	}
	b.last = now
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
	if b.terminal {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
