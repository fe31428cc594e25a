package cuda

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
)

// image is a compiled source. All devices of the process that need the same one share it.
type image struct {
	key       [sha256.Size]byte
	done      chan struct{} // closed once the following fields are set
	cubin     []byte
	err       error
	fromCache bool
	// translated is what the cubin, which is PTX then, is for; "" if it is a cubin.
	translated string

	users int // counted by images
}

// images holds the images in use, by their key.
type images struct {
	mu    sync.Mutex
	all   map[[sha256.Size]byte]*image
	slots chan struct{} // limits concurrent compilations
}

func newImages() *images {
	return &images{all: map[[sha256.Size]byte]*image{}, slots: make(chan struct{}, runtime.NumCPU())}
}

// use returns an existing image, or creates one, which the caller must compile.
func (s *images) use(key []string) (i *image, made bool) {
	h := jit.Digest(key...)
	s.mu.Lock()
	defer s.mu.Unlock()
	i = s.all[h]
	if i == nil {
		i, made = &image{key: h, done: make(chan struct{})}, true
		s.all[h] = i
	}
	i.users++
	return i, made
}

// release gives up an image; one that did not compile is dropped at once, to be tried again.
func (s *images) release(i *image) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.users--; i.users == 0 && s.all[i.key] == i {
		delete(s.all, i.key)
	}
}

func (s *images) forget(i *image) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[i.key] == i {
		delete(s.all, i.key)
	}
}

// recipe describes how to make an image.
type recipe struct {
	images   *images
	compiler compiler
	cache    device.Cache
	progress *jit.Progress
	missing  error // why there is no compiler
	arch     string
	flags    []string
	source   device.Source
}

// key returns everything that determines an image.
func (r *recipe) key() []string {
	switch {
	case r.source.PTX != nil:
		return []string{"PTX", r.source.PTX.Text}
	case r.compiler == nil:
		return []string{"no compiler", r.source.Text}
	}
	key := append([]string{"cuda", r.compiler.Version(), r.arch}, r.flags...)
	return append(key, r.source.Text)
}

// make makes an image.
func (r *recipe) make(i *image) {
	defer close(i.done)
	if ptx := r.source.PTX; ptx != nil {
		i.cubin, i.translated = append([]byte(ptx.Text), 0), ptx.For
		return
	}
	if i.cubin, i.fromCache, i.err = r.find(); i.err != nil {
		r.images.forget(i)
	}
}

// find returns the cubin in the cache, or compiles the source.
func (r *recipe) find() (cubin []byte, fromCache bool, err error) {
	if r.cache != nil && r.compiler != nil {
		if cubin, fromCache = r.cache.Load(r.source.Name, r.key()...); fromCache {
			return cubin, true, nil
		}
	}
	cubin, err = r.compile()
	return cubin, false, err
}

// errNoCompiler is wrapped by the error for what must be compiled without NVRTC.
var errNoCompiler = errors.New("it must be compiled")

// compile compiles the source and caches the result.
func (r *recipe) compile() ([]byte, error) {
	if r.compiler == nil {
		return nil, fmt.Errorf("%s: %w: %w", r.source.Name, errNoCompiler, r.missing)
	}
	defer r.progress.Started(r.source.Name)()
	r.images.slots <- struct{}{}
	defer func() { <-r.images.slots }()

	cubin, log, err := r.compiler.Compile(r.source.Name+".cu", r.source.Text, r.arch, r.flags)
	if err != nil {
		reason := err.Error()
		var refused *nvrtc.Error
		if errors.As(err, &refused) && log != "" {
			reason = nvrtc.FirstError(log)
		}
		return nil, &jit.CompileError{
			Name: r.source.Name, Reason: reason, Compiler: jit.Compiler{Path: "nvrtc", Version: r.compiler.Version(), Family: jit.Unknown},
			Flags: r.compiler.Arguments(r.arch, r.flags), Source: r.source.Text, Log: log,
		}
	}
	if r.cache != nil {
		r.cache.Keep(r.source.Name, r.source.Text, slices.Clone(cubin), r.key()...)
	}
	return cubin, nil
}
