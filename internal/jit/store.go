package jit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// The endings of the files in a cache folder.
const (
	librarySuffix  = ".op2lib" // a record with a shared library
	compilerSuffix = ".op2cc"  // a record with what a compiler says about itself
	sourceSuffix   = ".c"      // the source of the library of the same name, for people and debuggers; never read
	programSuffix  = ".op2dev" // a record with a program for a device
	tempSuffix     = ".op2tmp" // a record that is being written

	programSourceSuffix = ".src" // the source of the program of the same name
)

// sourceOf is what the source of an entry ends in.
var sourceOf = map[string]string{librarySuffix: sourceSuffix, programSuffix: programSourceSuffix}

const (
	touchAfter   = 24 * time.Hour // how far the modification time, which is the last use, may lag behind
	staleAfter   = time.Hour      // age at which a temporary file cannot belong to a live process any more
	maxCacheFile = 1 << 30        // bytes; nothing that this package wrote is larger
)

// A store is the cache folder. It keeps records and knows nothing of their payload. An empty dir keeps nothing.
type store struct {
	dir string
}

// DefaultCacheDir returns the folder that an empty Config.CacheDir means: op2 in the user's cache directory.
func DefaultCacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "op2"), nil
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
		return m, nil, false // opening a named pipe would wait for ever
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
		_ = os.Chtimes(path, now, now) // a folder that is only readable is as good
	}
	return m, payload, true
}

// write keeps a record under its name, from where readers see it complete or not at all.
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
		err = s.replace(file, data) // someone cleared the folder meanwhile
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
	// No sync: after a loss of power the file may hold anything, and its checksum tells.
	if _, err := out.Write(data); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	path := filepath.Join(s.dir, file)
	err = os.Rename(temp, path)
	if err != nil && isDirectory(path) && os.Remove(path) == nil { // an empty directory lay there
		err = os.Rename(temp, path)
	}
	return err
}

// writeSource keeps the source beside the library. It is written after it, in place: nothing reads it but people.
func (s store) writeSource(file string, k key, source string) {
	if s.dir == "" {
		return
	}
	path := filepath.Join(s.dir, file)
	if err := os.WriteFile(path, []byte(source+sourceMark(k.short())), 0o644); err != nil && !isDirectory(path) {
		_ = os.Remove(path)
	}
}

// sourceMark ends each source file in the cache, by which it is known as one. It comes last so that the numbers of
// the lines are those that the compiler saw.
func sourceMark(short string) string { return "\n/* op2 jit " + short + " */\n" }

// The names of what lies in a cache folder, and of private folders.
var (
	cacheFilePattern = regexp.MustCompile(`^([A-Za-z0-9_]{1,40})-([0-9a-f]{32})(\.op2lib|\.op2cc|\.c|\.op2dev|\.src)$`)
	tempFilePattern  = regexp.MustCompile(`^tmp-[0-9a-f]{16}\.op2tmp$`)
	workDirPattern   = regexp.MustCompile(`^op2-jit-[0-9]+$`)
)

// workDirMark is the first file in a private folder, by which it is known as one.
const workDirMark = "op2-jit.mark"

// workRoots returns the folders in which private folders may be made, the best first: the system's temporary one, which
// is local to the host; where that is full, the cache folder; and memory, where the disk of both is full.
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

// sharedMemoryDir is a folder in memory that Linux systems have.
const sharedMemoryDir = "/dev/shm"

// makeWorkDir makes a private folder below root.
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

// sweepEvery is how many compilations there are, on average, to one look for what killed processes left.
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

// sweep removes what killed processes left behind in dir: the temporary files of a cache, and private folders.
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

// removeWorkDir removes a private folder, and its mark last: a process that is killed here leaves what is known as one.
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

// isWorkDir reports whether a folder has the mark, or is empty: its process was killed before it made the mark, or
// after it removed it.
func isWorkDir(path string) bool {
	found, err := os.ReadDir(path)
	return err == nil && (len(found) == 0 || slices.ContainsFunc(found, func(f fs.DirEntry) bool {
		return f.Name() == workDirMark && f.Type().IsRegular()
	}))
}

// startsLikeRecord reports whether a file begins with the magic, or is the beginning of it: an empty file is what a
// process leaves that was killed before it wrote.
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
