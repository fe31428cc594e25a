package wisdom

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func finding(loop, choice string, r Rigor) Finding {
	return Finding{
		Key: Key{loop, "EPYC", "gcc 12", "1024"}, Name: loop + " over cells", Choice: choice, Rigor: r, When: time.Unix(1, 0).UTC(),
		Tried: []Tried{{Choice: choice, Times: 12, Ratio: 0.8, Low: 0.7, High: 0.9}},
	}
}

func key(loop string) Key { return finding(loop, "", 0).Key }

// choices returns what is known, loop by loop.
func choices(w *Wisdom) string {
	var s []string
	for _, f := range w.All() {
		s = append(s, fmt.Sprintf("%s: %s (%s)", f.Loop, f.Choice, f.Rigor))
	}
	return strings.Join(s, ", ")
}

func save(t *testing.T, dir string, findings ...Finding) {
	t.Helper()
	w := Open(dir, func(text string) { t.Error(text) })
	for _, f := range findings {
		w.Add(f)
	}
	if err := w.Save(); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *Wisdom {
	t.Helper()
	return Open(dir, func(text string) { t.Error(text) })
}

// Of findings about the same, that of most rigor counts, and then the last; one is used for at most its own rigor.
func TestFindingsAreMerged(t *testing.T) {
	for _, test := range []struct {
		name     string
		findings []Finding
		want     string
	}{
		{"nothing", nil, ""},
		{"two loops", []Finding{finding("b", "simd=off", Measure), finding("a", "", Measure)}, "a:  (measure), b: simd=off (measure)"},
		{"the last", []Finding{finding("a", "simd=off", Measure), finding("a", "simd=on", Measure)}, "a: simd=on (measure)"},
		{"more rigor", []Finding{finding("a", "simd=off", Patient), finding("a", "simd=on", Measure)}, "a: simd=off (patient)"},
		{"forgotten", []Finding{finding("a", "simd=off", Patient), {Key: key("a"), Forgets: true}}, ""},
		{"learned again", []Finding{finding("a", "simd=off", Patient), {Key: key("a"), Forgets: true}, finding("a", "simd=on", Measure)}, "a: simd=on (measure)"},
	} {
		together, apart := t.TempDir(), t.TempDir()
		save(t, together, test.findings...)
		for _, f := range test.findings {
			save(t, apart, f)
		}
		for _, dir := range []string{together, apart} {
			if got := choices(open(t, dir)); got != test.want {
				t.Errorf("%s: got %s, want %s", test.name, got, test.want)
			}
		}
	}
	dir := t.TempDir()
	want := finding("a", "simd=off", Measure)
	save(t, dir, want)
	w := open(t, dir)
	if got, ok := w.Find(key("a"), Measure); !ok || got.Choice != want.Choice || !reflect.DeepEqual(got.Tried, want.Tried) || !got.When.Equal(want.When) {
		t.Errorf("got %v, want %v", got, want)
	}
	if f, ok := w.Find(key("a"), Patient); ok {
		t.Errorf("of less rigor: %v", f)
	}
}

// Whatever has happened to a file, the other findings in it are there.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	save(t, dir, finding("a", "simd=off", Measure), finding("b", "simd=on", Measure))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, first := string(text), strings.Index(string(text), "\n")+1
	for _, test := range []struct {
		name, text, want string
	}{
		{"empty", "", ""},
		{"last line cut", whole[:len(whole)-5], "a: simd=off (measure)"},
		{"end of line missing", whole[:len(whole)-1], "a: simd=off (measure), b: simd=on (measure)"},
		{"first line cut, and continued", whole[:first/2] + whole[first:], "b: simd=on (measure)"},
		{"cut twice", whole[:first/2] + whole[:first/3] + whole[first:], "b: simd=on (measure)"},
		{"changed", strings.Replace(whole, "simd=off", "simd=oof", 1), "b: simd=on (measure)"},
		{"another version", strings.Replace(whole, `{"op2wisdom":1`, `{"op2wisdom":2`, 1), "b: simd=on (measure)"},
		{"no line of it", "\x00\xff\n[]\n" + whole + "null\n", "a: simd=off (measure), b: simd=on (measure)"},
	} {
		if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := choices(open(t, dir)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		save(t, dir, finding("c", "", Patient))
		if got := choices(open(t, dir)); !strings.HasSuffix(got, "c:  (patient)") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: after another finding: got %s", test.name, got)
		}
	}
}

// Many processes add to one file, which one of them writes anew, and is killed again and again.
func TestManyWriters(t *testing.T) {
	dir := os.Getenv("WISDOM_TEST_DIR")
	if dir != "" {
		for i := range 50 {
			save(t, dir, finding(fmt.Sprintf("%s.%d", os.Getenv("WISDOM_TEST_WRITER"), i), "simd=off", Measure))
		}
		if os.Getenv("WISDOM_TEST_WRITER") == "killed" {
			for { // a test that ends would not have been killed
				save(t, dir, finding("killed", strings.Repeat("x", 10_000), Measure))
				open(t, dir).Compact()
			}
		}
		return
	}
	dir = t.TempDir()
	start := func(writer string) *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestManyWriters$")
		c.Env = append(os.Environ(), "WISDOM_TEST_DIR="+dir, "WISDOM_TEST_WRITER="+writer)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	var writers []*exec.Cmd
	for i := range 4 {
		writers = append(writers, start(fmt.Sprint(i)))
	}
	for range 3 {
		c := start("killed")
		time.Sleep(100 * time.Millisecond)
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	for _, c := range writers {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	w := open(t, dir)
	for writer := range 4 {
		for i := range 50 {
			if _, ok := w.Find(key(fmt.Sprintf("%d.%d", writer, i)), Measure); !ok {
				t.Errorf("writer %d's finding %d is missing", writer, i)
			}
		}
	}
}

// What cannot be written is told once, and kept for the next time.
func TestNoPlaceToWrite(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(t.TempDir(), FileName)
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{full, filepath.Join(blocked, FileName)} {
		if path == full {
			if _, err := os.Stat(path); err != nil {
				continue
			}
		}
		var told []string
		w := New(func(text string) { told = append(told, text) })
		w.path = path
		for _, name := range []string{"a", "b"} {
			w.Add(finding(name, "simd=off", Measure))
			if w.Save() == nil {
				t.Errorf("%s: no error", path)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0], "cannot be written") {
			t.Errorf("%s: told %q", path, told)
		}
		dir := t.TempDir()
		w.path = filepath.Join(dir, FileName)
		if err := w.Save(); err != nil {
			t.Error(err)
		}
		if got, want := choices(open(t, dir)), "a: simd=off (measure), b: simd=off (measure)"; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	told := ""
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	Open(dir, func(text string) { told = text })
	if !strings.Contains(told, "cannot be read (it is no regular file)") {
		t.Errorf("of a folder in its place: %q", told)
	}
}

// What one exports, another imports.
func TestText(t *testing.T) {
	from, to := New(nil), New(nil)
	from.Add(finding("a", "simd=off", Measure))
	from.Add(finding("b", "simd=off", Measure))
	to.Add(finding("b", "simd=on", Patient))
	to.Merge(from.Text())
	if got, want := choices(to), "a: simd=off (measure), b: simd=on (patient)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The file grows with what is learned, however often findings are added that say it all, and is written anew when most of it
// counts no more. What it says stays the same.
func TestFileStaysSmall(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	other := `{"op2wisdom":2,"sum":"0","of":{}}` + "\n"
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	size := func() int {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), other) {
			t.Fatalf("%v, another version's lines: %v", err, strings.Contains(string(text), other))
		}
		return len(text)
	}
	w := open(t, dir)
	f := finding("a", "", Measure)
	f.Tried = nil
	add := func(w *Wisdom, n int) {
		for range n {
			f.Tried = append(f.Tried, Tried{Choice: fmt.Sprintf("block=%d", len(f.Tried)+1), Times: 9, Ratio: 1.5, Low: 1, High: 2})
			w.Add(f)
			if err := w.Save(); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(w, 100)
	if got, most := size(), 2*100*len(encode([]Finding{finding("a", "block=100", Measure)})); got > most {
		t.Errorf("100 decisions take %d bytes, of at most %d", got, most)
	}
	add(open(t, dir), 1000) // also from what is read
	whole, compact := size(), len(other)+len(encode([]Finding{f}))
	if whole > small+worthCompacting*compact {
		t.Errorf("the file has %d bytes, of which %d count", whole, compact)
	}
	same := func(when string) {
		t.Helper()
		if got, ok := open(t, dir).Find(f.Key, Measure); !ok || !reflect.DeepEqual(got, f) {
			t.Errorf("%s: %d of %d have been tried, %s", when, len(got.Tried), len(f.Tried), got.Choice)
		}
	}
	same("as it has grown")
	open(t, dir).Compact()
	if got := size(); got != compact {
		t.Errorf("written anew, it has %d bytes, want %d", got, compact)
	}
	same("written anew")
	f.Tried[7].Refused, f.Choice = "results differ", "block=3"
	w = open(t, dir)
	w.Add(f)
	if err := w.Save(); err != nil {
		t.Fatal(err)
	}
	same("of another result")
	w.Forget(f.Key)
	w.Add(finding("a", "simd=off", Measure))
	if err := w.Save(); err != nil {
		t.Fatal(err)
	}
	if got, _ := open(t, dir).Find(f.Key, Measure); len(got.Tried) != 1 {
		t.Errorf("forgotten: %d have been tried", len(got.Tried))
	}
}
