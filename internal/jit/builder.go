package jit

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/native"
)

// A Config says what to compile with and where to keep the results. The zero value is valid.
type Config struct {
	// CC is the name or the path of the compiler, optionally with arguments ("ccache gcc"). If it
	// is empty, the first of gcc, clang, gcc-NN, clang-NN (newest first) and cc is used.
	CC string

	// CFlags are appended to the flags of each unit. Paths in flags must be absolute: the compiler does not run
	// in the caller's folder.
	CFlags []string

	// CacheDir is the folder of the disk cache. If it is empty, DefaultCacheDir is used.
	CacheDir string

	// Rank and Ranks say which of several ranks the builder is for: those that need the same code share
	// it, see Ordered. Of 0 or 1 ranks, each builds by itself.
	Rank, Ranks int

	// Context stops compilations that only builders whose contexts have ended wait for. Nil: none.
	Context context.Context

	// Warn is called with a line about problems that cost time but affect no result, such as a
	// cache that cannot be written.
	Warn func(string)

	// Progress is called when the compilation of that name starts, or ends, successfully or not, with the numbers
	// of those that have started and ended so far. Started ones may wait for a free processor. Results found in
	// memory or on disk do not count as compilations.
	Progress func(name string, started, done int)

	// Warn and Progress are called from other goroutines, each one call at a time, and must not wait for a Build.
}

// A Builder compiles with one compiler into one cache folder. All its methods may be called from any goroutine.
type Builder struct {
	compiler Compiler
	cflags   []string
	environ  []string // of the compiler: the process's, when the builder was created
	identity []string // what all keys of this builder have in common
	store    store
	registry *registry
	limit    time.Duration // of one compilation
	patience time.Duration // before a warning about it
	ctx      context.Context
	ranks    ranks
	progress Progress

	mu     sync.Mutex // guards the following fields, and is held while warn runs
	warn   func(string)
	warned bool
}

// New finds the compiler and opens the cache; it compiles nothing. Without a compiler the error is
// a *native.NotFoundError; where compiled code cannot be loaded it is native.Unsupported.
//
// A compiler that is found may still fail. To find out, build a small unit with the flags in
// question; from the second time on, that is a read from the cache.
func New(config Config) (*Builder, error) { return newBuilder(config, processRegistry) }

func newBuilder(config Config, r *registry) (*Builder, error) {
	if !native.Supported {
		return nil, fmt.Errorf("compiled code cannot be loaded: %w", native.Unsupported)
	}
	b := &Builder{
		cflags:   slices.Clone(config.CFlags),
		environ:  os.Environ(),
		registry: r,
		limit:    compileLimit,
		patience: patience,
		ctx:      config.Context,
		ranks:    ranks{rank: config.Rank, size: config.Ranks},
		warn:     config.Warn,
		progress: Progress{Report: config.Progress},
	}
	if b.ctx == nil {
		b.ctx = context.Background()
	}
	var err error
	if b.compiler, err = findCompiler(config.CC); err != nil {
		return nil, err
	}
	if b.store, err = openStore(config.CacheDir); err != nil {
		b.warnNoCache(err)
	}
	stop := b.warnOfWaiting("to print its version", versionLimit)
	b.compiler.askVersion(b.ctx, b.environ, b.store, time.Now())
	stop()

	cpu, _ := cpuIdentity()
	b.identity = append(b.identity, "library", fmt.Sprint(formatVersion), runtime.GOOS, runtime.GOARCH, cpu, b.compiler.Version)
	b.identity = append(b.identity, b.compiler.identity()...)
	b.identity = append(b.identity, pickVariables(b.environ, compilerVariables)...)
	return b, nil
}

// Compiler returns the compiler that was found.
func (b *Builder) Compiler() Compiler {
	c := b.compiler
	c.Args = slices.Clone(c.Args)
	return c
}

// warnNoCache warns, once per builder, that the cache cannot be used.
func (b *Builder) warnNoCache(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.warned || b.warn == nil {
		return
	}
	b.warned = true
	b.warn(noCacheWarning(b.store.dir, err))
}

func noCacheWarning(dir string, err error) string {
	where := "there is no folder for the cache of compiled code"
	if dir != "" {
		where = "the cache of compiled code in " + dir + " cannot be written"
	}
	return fmt.Sprintf("%s (%v): the next start compiles again", where, innermost(err))
}
