package progress

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	var out strings.Builder
	b := New(&out, 4)
	b.Show(1)
	if out.Len() > 0 {
		t.Errorf("on something that is no terminal: %q", out.String())
	}
	b.terminal, b.start = true, time.Now().Add(-time.Second)
	for _, step := range []struct {
		done int
		want string
	}{
		{1, "\r\x1b[K" + strings.Repeat("█", 10) + strings.Repeat("░", 30) + "  25 %, 3 s left"},
		{2, ""}, // it was just drawn
		{4, "\r\x1b[K" + strings.Repeat("█", 40) + " 100 %, 0 s left"},
		{9, "\r\x1b[K" + strings.Repeat("█", 40) + " 100 %, 0 s left"},
	} {
		out.Reset()
		if b.Show(step.done); out.String() != step.want {
			t.Errorf("%d: %q", step.done, out.String())
		}
	}
	out.Reset()
	if b.Clear(); out.String() != "\r\x1b[K" {
		t.Errorf("%q", out.String())
	}
	b = New(&out, 4)
	b.terminal = true
	out.Reset()
	b.Show(1)
	b.Clear()
	if out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	none := New(os.Stderr, 0)
	none.terminal, none.out, none.start = true, &out, b.start.Add(-time.Second)
	none.Show(0)
}
