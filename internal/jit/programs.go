package jit

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// Programs stores the output of device compilers, in the same folder and format as the libraries:
// by name and key, verified each time it is read, and listed, pruned and cleared with them. Its
// methods may be called from any goroutine.
type Programs struct {
	store store
	once  sync.Once // guards warn
	warn  func(string)
}

// NewPrograms opens the cache in dir; if that is empty, in DefaultCacheDir. If the cache cannot be
// written, warn, which may be nil, is called once with a line about it.
func NewPrograms(dir string, warn func(string)) *Programs {
	p := &Programs{warn: warn}
	var err error
	if p.store, err = openStore(dir); err != nil {
		p.warnNoCache(err)
	}
	return p
}

// Load returns the image stored under the name and the key. Whatever is wrong with the file is a
// miss.
func (p *Programs) Load(name string, key ...string) (image []byte, ok bool) {
	k := programKey(name, key)
	_, image, ok = p.store.read(cacheFile(name, k, programSuffix), k)
	return image, ok
}

// Keep stores an image under a name and a key, which contains everything that determines the image,
// and its source next to it.
func (p *Programs) Keep(name, source string, image []byte, key ...string) {
	k := programKey(name, key)
	about := metadata{Name: name, Compiler: describeKey(key)}
	if err := p.store.write(cacheFile(name, k, programSuffix), k, about, image); err != nil {
		p.warnNoCache(err)
		return
	}
	p.store.writeSource(cacheFile(name, k, programSourceSuffix), k, source)
	p.store.sweepSometimes()
}

func (p *Programs) warnNoCache(err error) {
	p.once.Do(func() {
		if p.warn != nil {
			p.warn(noCacheWarning(p.store.dir, err))
		}
	})
}

func programKey(name string, parts []string) key {
	return newKey(append([]string{"program", fmt.Sprint(formatVersion), runtime.GOOS, runtime.GOARCH, name}, parts...)...)
}

// describeKey returns the readable part of a key for a list: compiler and device, not the source.
func describeKey(parts []string) string {
	var short []string
	for _, part := range parts {
		if part != "" && len(part) <= 80 && !strings.ContainsAny(part, "\r\n") {
			short = append(short, part)
		}
	}
	return strings.Join(short, ", ")
}
