package op2

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// messages writes warnings, and on a terminal the progress of compilation, as they happen.
// Compilers run on other goroutines.
type messages struct {
	mu   sync.Mutex
	w    io.Writer
	past int // compilations that ended before the current ones started
}

func (m *messages) warn(text string) { m.say("warning: " + text) }

func (m *messages) say(text string) {
	if m.w == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.w, "op2: %s\n", text)
}

// progress rewrites one line, and removes it when everything is compiled.
func (m *messages) progress(name string, started, done int) {
	f, ok := m.w.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if done == started {
		m.past = done
		fmt.Fprint(f, "\r\x1b[K")
		return
	}
	fmt.Fprintf(f, "\r\x1b[Kop2: compiling %s (%d of %d)", name, done+1-m.past, started-m.past)
}
