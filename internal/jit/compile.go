package jit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// compileLimit ends a compiler that hangs. It is shorter than staleAfter, so that no folder in use
	// is ever swept.
	compileLimit = 5 * time.Minute
	// patience is how long a compiler may run before a warning says so.
	patience = 10 * time.Second

	maxLog     = 1 << 20  // bytes of a compiler's messages that are kept: the first half and the last
	mostOutput = 64 << 20 // bytes after which a compiler is ended
)

// arguments returns the compiler's arguments. The source comes first: libraries that flags name
// must follow what needs them.
func (b *Builder) arguments(u Unit) []string {
	name := fileName(u.Name)
	args := append(slices.Clone(b.compiler.Args), "-shared", "-fPIC")
	if runtime.GOOS != "darwin" && b.compiler.Family != Unknown {
		// A kernel may have the same name as a function of some library in the process (y1, gamma,
		// index): its calls must not go there.
		args = append(args, "-Wl,-Bsymbolic")
	}
	args = append(args, "-o", name+".so", name+".c")
	args = append(args, u.Flags...)
	args = append(args, b.cflags...)
	return append(args, "-lm")
}

// A task is one run of a compiler.
type task struct {
	unit    Unit
	args    []string
	private func(dir string) []string // further arguments, which depend on the folder
	collect func(dir string) error    // reads what the compiler wrote
	took    *time.Duration            // counts its processor time, unless nil
}

// compile runs the compiler on u and returns the bytes of the shared library. It counts the processor time.
func (b *Builder) compile(ctx context.Context, u Unit, k key, took *time.Duration) (image []byte, err error) {
	err = b.do(ctx, task{
		unit: u, args: b.arguments(u), took: took,
		private: func(dir string) []string { return b.debugMap(dir, u, k) },
		collect: func(dir string) error {
			image, err = os.ReadFile(filepath.Join(dir, fileName(u.Name)+".so"))
			if err != nil {
				return fmt.Errorf("%s reports success but wrote no library; is it a C compiler?", b.compiler.Path)
			}
			if err := checkImage(image); err != nil {
				return fmt.Errorf("%s reports success but its library is damaged (%w)", b.compiler.Path, err)
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	return image, nil
}

// do does t, in the first folder that has room.
func (b *Builder) do(ctx context.Context, t task) error {
	defer b.progress.Started(t.unit.Name)()
	select {
	case b.registry.slots <- struct{}{}:
		defer func() { <-b.registry.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}

	var failed *CompileError
	for _, root := range b.store.workRoots() {
		err := b.doIn(ctx, root, t)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if failed == nil {
			failed = err
		}
		if !err.noRoom {
			break
		}
	}
	return failed
}

// doIn does t in a private folder below root, and removes the folder.
func (b *Builder) doIn(ctx context.Context, root string, t task) *CompileError {
	name := fileName(t.unit.Name)
	fail := func(reason string, err error) *CompileError {
		return &CompileError{
			Name: t.unit.Name, Reason: reason, Compiler: b.compiler, Flags: t.args[len(b.compiler.Args):], Source: t.unit.Source,
			err: err, noRoom: isNoRoom(err), userFlags: b.cflags,
		}
	}
	noTemp := func(err error) *CompileError {
		e := fail("no temporary file can be written: "+err.Error(), err)
		e.noRoom = true // whatever the problem is, the next root may not have it
		return e
	}

	dir, err := b.store.makeWorkDir(root)
	if err != nil {
		return noTemp(err)
	}
	defer removeWorkDir(dir)
	files := maps.Clone(t.unit.Headers)
	if files == nil {
		files = map[string]string{}
	}
	files[name+".c"] = t.unit.Source
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			return noTemp(err)
		}
	}

	log, err := b.runCompiler(ctx, dir, append(slices.Clone(t.args), t.private(dir)...), t.took)
	log = strings.ReplaceAll(log, dir+string(filepath.Separator), "")
	if err != nil {
		e := fail(failureReason(b.compiler, log, err), err)
		e.Log = log
		e.noRoom = e.noRoom || strings.Contains(log, "No space left on device") || strings.Contains(log, "Disk quota exceeded")
		return e
	}
	if err := t.collect(dir); err != nil {
		e := fail(err.Error(), err)
		e.Log = log
		e.noRoom = true // perhaps: not every compiler notices a full disk
		return e
	}
	return nil
}

func (b *Builder) runCompiler(ctx context.Context, dir string, args []string, took *time.Duration) (log string, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, b.limit, fmt.Errorf("did not finish within %v", b.limit))
	defer cancel()
	defer b.warnOfWaiting("to compile "+args[slices.Index(args, "-o")+2], b.limit)()
	cmd := exec.CommandContext(ctx, b.compiler.Path, args...)
	cmd.Dir = dir
	// Messages in one language; intermediate files where they are removed even if the compiler is
	// killed.
	cmd.Env = append(slices.Clone(b.environ), "LC_ALL=C", "TMPDIR="+dir, "PWD="+dir)
	messages := cappedBuffer{full: func() { stop(fmt.Errorf("was ended after %d MB of messages", mostOutput>>20)) }}
	cmd.Stdout, cmd.Stderr = &messages, &messages
	cmd.WaitDelay = time.Second // for processes that outlive the compiler and hold its output open
	err = runApart(cmd)
	if took != nil && cmd.ProcessState != nil {
		*took += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded, but left a server behind, as compiler caches do
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return messages.String(), err
}

// debugMap returns flags that make debug information name the source kept in the cache instead of
// the one being compiled.
func (b *Builder) debugMap(dir string, u Unit, k key) []string {
	wanted := func(flag string) bool { return strings.HasPrefix(flag, "-g") && flag != "-g0" }
	if b.store.dir == "" || b.compiler.Family == Unknown ||
		!slices.ContainsFunc(u.Flags, wanted) && !slices.ContainsFunc(b.cflags, wanted) {
		return nil
	}
	return []string{
		"-fdebug-prefix-map=" + dir + "=" + b.store.dir,
		"-fdebug-prefix-map=" + fileName(u.Name) + ".c=" + cacheFile(u.Name, k, sourceSuffix),
	}
}

func isNoRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// A cappedBuffer keeps the start and the end of the output, together maxLog bytes.
type cappedBuffer struct {
	head, tail []byte
	written    int
	full       func() // called when that is mostOutput
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	rest := p[min(len(p), maxLog/2-len(b.head)):]
	b.head = append(b.head, p[:len(p)-len(rest)]...)
	b.tail = append(b.tail, rest...)
	if len(b.tail) > maxLog { // rarely, to move little
		b.tail = append(b.tail[:0], b.tail[len(b.tail)-maxLog/2:]...)
	}
	if b.written += len(p); b.written >= mostOutput && b.full != nil {
		b.full()
	}
	return len(p), nil
}

func (b *cappedBuffer) String() string {
	tail := b.tail[max(0, len(b.tail)-maxLog/2):]
	if left := b.written - len(b.head) - len(tail); left > 0 {
		return fmt.Sprintf("%s\n… %d bytes …\n%s", b.head, left, tail)
	}
	return string(b.head) + string(tail)
}

// warnOfWaiting warns if the compiler takes long for something, until the function that it returns is
// called.
func (b *Builder) warnOfWaiting(what string, limit time.Duration) (stop func() bool) {
	return time.AfterFunc(b.patience, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.warn != nil {
			b.warn(fmt.Sprintf("waiting for %s %s, for %v so far; it is ended after %v", b.compiler.Path, what, b.patience, limit))
		}
	}).Stop
}
