package jit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/filelock"
)

// The endings of the files in a cache folder.
const (
	librarySuffix  = ".op2lib" // a record with a shared library
	compilerSuffix = ".op2cc"  // a record with a compiler's version
	sourceSuffix   = ".c"      // the source of the library of the same name, for people and debuggers; never read
	programSuffix  = ".op2dev" // a record with a program for a device
	tempSuffix     = ".op2tmp" // a record being written

	programSourceSuffix = ".src" // the source of the program of the same name
)

// sourceOf maps the ending of an entry to that of its source.
var sourceOf = map[string]string{librarySuffix: sourceSuffix, programSuffix: programSourceSuffix}

const (
	touchAfter   = 24 * time.Hour // how far the modification time, which records the last use, may lag behind
	staleAfter   = time.Hour      // age from which a temporary file cannot belong to a live process
	maxCacheFile = 1 << 30        // bytes; larger files are not from this package
)

// A store is the cache folder. It stores records and knows nothing of their payload. With an empty
// dir it stores nothing.
type store struct {
	dir string
}

// DefaultCacheDir returns the folder that an empty Config.CacheDir stands for: op2 in the user's
// cache directory.
func DefaultCacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "op2"), nil
}

// openStore returns the cache in a folder; in DefaultCacheDir if that is empty.
func openStore(dir string) (store, error) {
	var err error
	if dir == "" {
		dir, err = DefaultCacheDir()
	}
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return store{}, err
	}
	return store{dir}, nil
}

func cacheFile(name string, k key, suffix string) string {
	return fileName(name) + "-" + k.short() + suffix
}

// read returns the record of k. Whatever is wrong with the file is a miss.
func (s store) read(file string, k key) (m metadata, payload []byte, ok bool) {
	if s.dir == "" {
		return m, nil, false
	}
	path := filepath.Join(s.dir, file)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCacheFile {
		return m, nil, false // opening a named pipe would block forever
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return m, nil, false
	}
	found, m, payload, err := decodeRecord(data)
	if err != nil || found != k {
		return metadata{}, nil, false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > touchAfter {
		_ = os.Chtimes(path, now, now) // a read-only folder is fine, too
	}
	return m, payload, true
}

// write stores a record under its name; readers see it complete or not at all.
func (s store) write(file string, k key, m metadata, payload []byte) error {
	if s.dir == "" {
		return nil
	}
	data, err := encodeRecord(k, m, payload)
	if err != nil {
		return err
	}
	err = s.replace(file, data)
	if errors.Is(err, fs.ErrNotExist) {
		err = s.replace(file, data) // someone cleared the folder in the meantime
	}
	return err
}

func (s store) replace(file string, data []byte) (err error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	temp := filepath.Join(s.dir, fmt.Sprintf("tmp-%016x%s", rand.Uint64(), tempSuffix))
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
		}
	}()
	// No sync: after a power failure the file may contain anything, and its checksum reveals that.
	if _, err := out.Write(data); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	path := filepath.Join(s.dir, file)
	err = os.Rename(temp, path)
	if err != nil && isDirectory(path) && os.Remove(path) == nil { // an empty directory was in the way
		err = os.Rename(temp, path)
	}
	return err
}

// writeSource writes the source next to the library, afterward and in place: only people read it.
func (s store) writeSource(file string, k key, source string) {
	if s.dir == "" {
		return
	}
	path := filepath.Join(s.dir, file)
	if err := os.WriteFile(path, []byte(source+sourceMark(k.short())), 0o644); err != nil && !isDirectory(path) {
		_ = os.Remove(path)
	}
}

// sourceMark ends each source file in the cache and identifies it as one. It comes last so that
// line numbers match what the compiler saw.
func sourceMark(short string) string { return "\n/* op2 jit " + short + " */\n" }

// Patterns for the names of files in a cache folder, and of private folders.
var (
	cacheFilePattern = regexp.MustCompile(`^([A-Za-z0-9_]{1,40})-([0-9a-f]{32})(\.op2lib|\.op2cc|\.c|\.op2dev|\.src)$`)
	tempFilePattern  = regexp.MustCompile(`^tmp-[0-9a-f]{16}\.op2tmp$`)
	workDirPattern   = regexp.MustCompile(`^op2-jit-[0-9]+$`)
)

// workDirMark is the first file in a private folder, and identifies it as one.
const workDirMark = "op2-jit.mark"

// workRoots returns the folders in which private folders may be created, best first: the system's
// temporary folder, which is local to the host; the cache folder, if that is full; and memory, if
// both disks are full.
func (s store) workRoots() []string {
	roots := []string{os.TempDir()}
	if s.dir != "" {
		roots = append(roots, s.dir)
	}
	if isDirectory(sharedMemoryDir) {
		roots = append(roots, sharedMemoryDir)
	}
	return roots
}

// sharedMemoryDir is an in-memory folder of Linux systems.
const sharedMemoryDir = "/dev/shm"

// makeWorkDir creates a private folder below root.
func (s store) makeWorkDir(root string) (string, error) {
	if root == s.dir {
		if err := os.MkdirAll(root, 0o755); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp(root, "op2-jit-")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, workDirMark), nil, 0o600); err != nil {
		_ = os.Remove(dir)
		return "", err
	}
	return dir, nil
}

// sweepEvery is the average number of compilations per sweep for what killed processes left.
const sweepEvery = 16

func (s store) sweepSometimes() {
	if rand.IntN(sweepEvery) != 0 {
		return
	}
	go func() {
		for _, dir := range s.workRoots() {
			sweep(dir, time.Now())
		}
	}()
}

// sweep removes what killed processes left in dir: a cache's temporary files, and private folders.
func sweep(dir string, now time.Time) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range found {
		isTemp := f.Type().IsRegular() && tempFilePattern.MatchString(f.Name())
		isWork := f.IsDir() && workDirPattern.MatchString(f.Name())
		if !isTemp && !isWork {
			continue
		}
		info, err := f.Info()
		if err != nil || now.Sub(info.ModTime()) < staleAfter {
			continue
		}
		path := filepath.Join(dir, f.Name())
		switch {
		case isWork && isWorkDir(path):
			removeWorkDir(path)
		case isTemp && startsLikeRecord(path):
			_ = os.Remove(path)
		}
	}
}

// removeWorkDir removes a private folder, its mark last: if the process is killed here, the rest is
// still recognizable.
func removeWorkDir(path string) {
	found, _ := os.ReadDir(path)
	for _, f := range found {
		if f.Name() != workDirMark {
			_ = os.RemoveAll(filepath.Join(path, f.Name()))
		}
	}
	if left, err := os.ReadDir(path); err == nil && len(left) <= 1 {
		_ = os.Remove(filepath.Join(path, workDirMark))
	}
	_ = os.Remove(path)
}

// isWorkDir reports whether a folder has the mark, or is empty: its process was killed before it
// created the mark, or after it removed it.
func isWorkDir(path string) bool {
	found, err := os.ReadDir(path)
	return err == nil && (len(found) == 0 || slices.ContainsFunc(found, func(f fs.DirEntry) bool {
		return f.Name() == workDirMark && f.Type().IsRegular()
	}))
}

// startsLikeRecord reports whether a file starts with the magic, or is a prefix of it: a process
// that was killed before it wrote leaves an empty file.
func startsLikeRecord(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, len(magic))
	n, _ := file.Read(start)
	return bytes.HasPrefix([]byte(magic), start[:n])
}

func isDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// locks is the folder, in the cache folder, of the files that processes lock: a fixed number, which nobody has to remove.
const locks = ".locks"

// lock takes the lock of a key: no other process compiles that unit until unlock is called, or this process ends.
// Where files cannot be locked, processes do not wait for each other: each compiles for itself.
func (s store) lock(ctx context.Context, k key) (unlock func()) {
	if s.dir == "" {
		return func() {}
	}
	unlock, _ = filelock.Lock(ctx, filepath.Join(s.dir, locks, fmt.Sprintf("%.2s", k.String())))
	return unlock
}
