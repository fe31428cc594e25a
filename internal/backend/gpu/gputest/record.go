package gputest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/device"
)

// recorder is a device that records the sources it compiles.
type recorder struct{ device.Device }

// Build records the source.
func (r *recorder) Build(s device.Source) device.Program {
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.sources == nil {
		recorded.sources = map[string]device.Source{}
	}
	if key := keyOf(s); recorded.sources[key].Text == "" {
		recorded.sources[key] = s
		if err := leaveSource(key, s); err != nil {
			panic(err)
		}
	}
	return r.Device.Build(s)
}

// keyOf returns a file name that identifies what a source compiles to.
func keyOf(s device.Source) string {
	sum := sha256.Sum256([]byte(strings.Join(append(slices.Clone(s.Flags), s.Text), "\n")))
	return s.Name + "-" + hex.EncodeToString(sum[:8]) + ".json"
}

// SourcesFolder is the environment variable that names a folder where processes leave the sources
// they compile on the stand-in, for CheckNVRTC in another process.
const SourcesFolder = "OP2_TEST_SOURCES"

func leaveSource(key string, s device.Source) error {
	dir := os.Getenv(SourcesFolder)
	if dir == "" {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	private, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	_, err = private.Write(text)
	return errors.Join(err, private.Close(), os.Rename(private.Name(), filepath.Join(dir, key)))
}

// sourcesIn reads the sources left in a folder.
func sourcesIn(dir string) (map[string]device.Source, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	sources := map[string]device.Source{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s device.Source
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, err
		}
		sources[filepath.Base(file)] = s
	}
	return sources, nil
}

// recorded holds the sources so far, each once, by keyOf.
var recorded struct {
	sync.Mutex
	sources map[string]device.Source
}

// sources returns the programs that the process has compiled on the stand-in, and those left in the
// folder, each once, in the order of their names.
func sources(folder string) ([]device.Source, error) {
	all := map[string]device.Source{}
	if folder != "" {
		var err error
		if all, err = sourcesIn(folder); err != nil {
			return nil, err
		}
	}
	recorded.Lock()
	defer recorded.Unlock()
	maps.Copy(all, recorded.sources)
	var list []device.Source
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[key])
	}
	return list, nil
}
