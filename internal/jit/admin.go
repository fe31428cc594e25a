package jit

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// An Entry is one compiled unit in a cache folder.
type Entry struct {
	Name     string    // of the unit
	Key      string    // the part of the key that is in the file name
	Path     string    // the file; its source has the same name, ending in .c, or in .src for a device's program
	Size     int64     // in bytes, including the source
	LastUse  time.Time // to the day: when it was written or last read
	Compiler string    // path and version line, or the device; "" for a damaged entry
	OK       bool      // false: damaged, or from another version of this package; it will be compiled again
}

// Entries lists the contents of a cache folder, by name. An empty dir means DefaultCacheDir; a
// folder that does not exist is empty.
func Entries(dir string) ([]Entry, error) {
	dir, files, err := listCache(dir)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, f := range files {
		sourceSuffix, isEntry := sourceOf[f.suffix]
		if !isEntry {
			continue
		}
		e := Entry{Name: f.unit, Key: f.key, Path: filepath.Join(dir, f.name), Size: f.size, LastUse: f.modified}
		if source, err := os.Lstat(strings.TrimSuffix(e.Path, f.suffix) + sourceSuffix); err == nil && source.Mode().IsRegular() {
			e.Size += source.Size()
		}
		if data, err := os.ReadFile(e.Path); err == nil {
			if k, m, _, err := decodeRecord(data); err == nil && k.short() == f.key {
				e.Name, e.Compiler, e.OK = m.Name, m.Compiler, true
			}
		}
		entries = append(entries, e)
	}
	sorting.By(entries, func(a, b Entry) int { return strings.Compare(a.Name+a.Key, b.Name+b.Key) })
	return entries, nil
}

// Prune removes the entries of a cache folder that have not been used for longer than olderThan,
// and what killed processes left there. It returns the numbers of entries and bytes removed. It is
// safe while other processes use the folder, and leaves files alone that are not the cache's. An
// empty dir means DefaultCacheDir.
func Prune(dir string, olderThan time.Duration) (entries int, size int64, err error) {
	now := time.Now()
	return remove(dir, func(f cacheEntry) bool {
		if f.suffix == tempSuffix {
			return now.Sub(f.modified) > staleAfter
		}
		return now.Sub(f.modified) > olderThan
	})
}

// Clear removes all entries of a cache folder, as Prune does.
func Clear(dir string) (entries int, size int64, err error) {
	return remove(dir, func(cacheEntry) bool { return true })
}

// A cacheEntry is a file whose name is one that the cache gives.
type cacheEntry struct {
	name, unit, key, suffix string
	size                    int64
	modified                time.Time
}

func listCache(dir string) (string, []cacheEntry, error) {
	if dir == "" {
		var err error
		if dir, err = DefaultCacheDir(); err != nil {
			return "", nil, err
		}
	}
	found, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil, nil
	}
	if err != nil {
		return dir, nil, err
	}
	var files []cacheEntry
	for _, f := range found {
		entry := cacheEntry{name: f.Name()}
		if m := cacheFilePattern.FindStringSubmatch(f.Name()); m != nil {
			entry.unit, entry.key, entry.suffix = m[1], m[2], m[3]
		} else if tempFilePattern.MatchString(f.Name()) {
			entry.suffix = tempSuffix
		} else {
			continue
		}
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		entry.size, entry.modified = info.Size(), info.ModTime()
		files = append(files, entry)
	}
	return dir, files, nil
}

// remove removes unwanted cache files, and with each entry its source.
func remove(dir string, unwanted func(cacheEntry) bool) (entries int, size int64, err error) {
	dir, files, err := listCache(dir)
	if err != nil {
		return 0, 0, err
	}
	owners := map[string]cacheEntry{} // the cache's own entries, by the name of their source
	sources := map[string]bool{}      // file endings
	for _, f := range files {
		if source, isEntry := sourceOf[f.suffix]; isEntry && startsLikeRecord(filepath.Join(dir, f.name)) {
			owners[strings.TrimSuffix(f.name, f.suffix)+source] = f
		}
	}
	for _, source := range sourceOf {
		sources[source] = true
	}
	var failed []error
	unlink := func(f cacheEntry) bool {
		err := os.Remove(filepath.Join(dir, f.name))
		if err == nil {
			size += f.size
		} else if !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
		return err == nil
	}
	// Sources go first: a source without its entry would be recognizable only by its last line,
	// which it lacks if the process that wrote it was killed.
	for _, f := range files {
		if !sources[f.suffix] {
			continue
		}
		owner, hasOwner := owners[f.name]
		if hasOwner && unwanted(owner) || !hasOwner && unwanted(f) && endsWith(filepath.Join(dir, f.name), sourceMark(f.key)) {
			unlink(f)
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if sources[f.suffix] || !unwanted(f) || !startsLikeRecord(path) {
			continue
		}
		if _, isEntry := sourceOf[f.suffix]; unlink(f) && isEntry {
			entries++
		}
	}
	sweep(dir, time.Now())
	return entries, size, errors.Join(failed...)
}

func endsWith(path, mark string) bool {
	data, err := os.ReadFile(path)
	return err == nil && bytes.HasSuffix(data, []byte(mark))
}
