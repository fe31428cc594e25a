package jit

import (
	"context"
	"errors"
	"fmt"
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

// compile runs the compiler on u and returns the bytes of the shared library.
func (b *Builder) compile(ctx context.Context, u Unit, k key) ([]byte, error) {
	b.count(u.Name, 1, 0)
	defer b.count(u.Name, 0, 1)
	select {
	case b.registry.slots <- struct{}{}:
		defer func() { <-b.registry.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}

	var failed *CompileError
	for _, root := range b.store.workRoots() {
		image, err := b.compileIn(ctx, root, u, k)
		switch {
		case err == nil:
			return image, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		if failed == nil {
			failed = err
		}
		if !err.noRoom {
			break
		}
	}
	return nil, failed
}

// compileIn compiles in a private folder below root, and removes the folder.
func (b *Builder) compileIn(ctx context.Context, root string, u Unit, k key) ([]byte, *CompileError) {
	name, args := fileName(u.Name), b.arguments(u)
	fail := func(reason string, err error) *CompileError {
		return &CompileError{
			Name: u.Name, Reason: reason, Compiler: b.compiler, Flags: args[len(b.compiler.Args):], Source: u.Source,
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
		return nil, noTemp(err)
	}
	defer removeWorkDir(dir)
	if err := os.WriteFile(filepath.Join(dir, name+".c"), []byte(u.Source), 0o600); err != nil {
		return nil, noTemp(err)
	}

	log, err := b.runCompiler(ctx, dir, append(slices.Clone(args), b.debugMap(dir, u, k)...))
	log = strings.ReplaceAll(log, dir+string(filepath.Separator), "")
	if err != nil {
		e := fail(failureReason(b.compiler, log, err), err)
		e.Log = log
		e.noRoom = e.noRoom || strings.Contains(log, "No space left on device") || strings.Contains(log, "Disk quota exceeded")
		return nil, e
	}
	image, err := os.ReadFile(filepath.Join(dir, name+".so"))
	reason := fmt.Sprintf("%s reports success but wrote no library; is it a C compiler?", b.compiler.Path)
	if err == nil {
		err = checkImage(image)
		reason = fmt.Sprintf("%s reports success but its library is damaged (%v)", b.compiler.Path, err)
	}
	if err != nil {
		e := fail(reason, err)
		e.Log = log
		e.noRoom = true // perhaps: not every compiler notices a full disk
		return nil, e
	}
	return image, nil
}

func (b *Builder) runCompiler(ctx context.Context, dir string, args []string) (log string, err error) {
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
