package native

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// searches are for the C library, which every Linux has.
func search(names ...string) Search {
	return Search{What: "no libc", Names: names, Variable: "OP2_TEST_LIBRARY", Hint: "apt install libc6"}
}

func linuxOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || !Supported {
		t.Skip("libraries have other names here")
	}
}

func TestFind(t *testing.T) {
	linuxOnly(t)
	dir := t.TempDir()
	text := filepath.Join(dir, "libtext.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	accept := func(*Library) error { return nil }
	refuse := func(l *Library) error { return errors.New("too old") }
	const hint = "\n  hint: apt install libc6"
	for _, test := range []struct {
		named, path string
		search      Search
		use         func(*Library) error
		want        string
	}{
		{"", "", search("libmissing.so", "libc.so.6"), accept, ""},
		{"libc.so.6", "", search("libmissing.so"), accept, ""},
		{"", "/lib/x", search("liba.so", "libb.so"), accept,
			"no libc: looked for liba.so, libb.so in the loader's path (LD_LIBRARY_PATH=/lib/x)" + hint},
		{"/nowhere/libc.so", "", search("libc.so.6"), accept, "no libc: looked for /nowhere/libc.so (OP2_TEST_LIBRARY)" + hint},
		{dir, "", search("libc.so.6", "libd.so"), accept, "no libc: looked for libc.so.6, libd.so in " + dir + " (OP2_TEST_LIBRARY)" + hint},
		{text, "", search("libc.so.6"), accept, "no libc: looked for " + text + " (OP2_TEST_LIBRARY): " + text + ": file too short" + hint},
		{"", "", search("libm.so.6", "libc.so.6"), refuse,
			"no libc: looked for libm.so.6, libc.so.6 in the loader's path: libm.so.6: too old\n  libc.so.6: too old" + hint},
	} {
		t.Setenv("OP2_TEST_LIBRARY", test.named)
		t.Setenv("LD_LIBRARY_PATH", test.path)
		err := test.search.Find(test.use)
		var missing *NotFoundError
		if test.want == "" && err != nil || test.want != "" && (!errors.As(err, &missing) || err.Error() != test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestBind(t *testing.T) {
	linuxOnly(t)
	var f struct{ strlen, abs Function }
	var none struct{ strlen, a, b, c, d, e, f Function }
	err := search("libc.so.6").Find(func(l *Library) error {
		if err := l.Bind(&f); err != nil {
			return err
		}
		err := l.Bind(&none)
		if err == nil || err.Error() != "libc.so.6 lacks a, b, c, d, and 2 others" || !none.strlen.Exists() || none.a.Exists() {
			t.Errorf("got %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text := CString("four")
	if n := f.strlen.Call(uintptr(unsafe.Pointer(&text[0]))); n != 4 || f.strlen.Name != "strlen" {
		t.Errorf("%s is %d", f.strlen.Name, n)
	}
	if path := f.abs.LibraryPath(); !strings.Contains(path, "libc") {
		t.Errorf("the library is %q", path)
	}
}
