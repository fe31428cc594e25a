package optest

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// OK fails the test on an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Last returns the error of a call with a value.
func Last[T any](_ T, err error) error { return err }

// Must returns the value, or panics with the error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// place is where a program has declared or called the loop of an error, and has declared what an argument passes.
var place = regexp.MustCompile(`\n  (called|declared|.* was declared) at \w+\.go:\d+`)

// ErrorText returns the text of an error without places in the program.
func ErrorText(err error) string { return place.ReplaceAllString(err.Error(), "") }

// Pointed returns the text of an error in a kernel in C with the line that it names, of the source, and a caret below the place.
func Pointed(text, source string) string {
	m := pointed.FindStringSubmatch(text)
	line, _ := strconv.Atoi(m[1])
	col, _ := strconv.Atoi(m[2])
	code := strings.Split(source, "\n")[line-1]
	return text + "\n    " + code + "\n    " + blank.ReplaceAllString(code[:col-1], " ") + "^"
}

var pointed, blank = regexp.MustCompile(`\.c:(\d+):(\d+): `), regexp.MustCompile(`[^\t]`)

// ExpectError fails the test if err has another text than want, which names no rank and no place of a loop.
func ExpectError(t testing.TB, err error, want string) {
	t.Helper()
	if failed := (*op2.RankError)(nil); errors.As(err, &failed) {
		err = errors.New("op2: " + failed.Why)
	}
	switch {
	case err == nil:
		t.Errorf("no error, want:\n%s", want)
	case ErrorText(err) != want:
		t.Errorf("got:\n%s\nwant:\n%s", err, want)
	}
}

// Holder has values: a dat or a global.
type Holder[T any] interface {
	DataRO() ([]T, error)
	Name() string
}

// Values returns the values of a dat or global. On several ranks, they are those of all elements of
// a dat, in declared order.
func Values[T any](t testing.TB, d Holder[T]) []T {
	t.Helper()
	get := d.DataRO
	if dat, is := d.(*op2.Dat[T]); is && runtimeOf(dat.Set()).Ranks() > 1 {
		get = dat.InDeclaredOrder
	}
	values, err := get()
	OK(t, err)
	return values
}

// runtimeOf returns the runtime of a set.
func runtimeOf(s *op2.Set) *entity.Runtime { return (*entity.Set)(s).Runtime() }

// Expect fails the test if a dat or global does not have exactly the given values; all NaNs are
// equal.
func Expect[T comparable](t testing.TB, d Holder[T], want []T) {
	t.Helper()
	got := Values(t, d)
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", d.Name(), len(got), len(want))
	}
	wrong, first := 0, 0
	for i := range got {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			if wrong++; wrong == 1 {
				first = i
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d values are wrong, the first at %d: %v, want %v",
			d.Name(), wrong, len(got), first, got[first], want[first])
	}
}

// Near fails the test if got is further from want than the relative tolerance, or than the smallest
// normal number.
func Near(t testing.TB, got, want, tolerance float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tolerance*math.Abs(want)+0x1p-1022) {
		t.Errorf("got %v, want %v: off by %.2g, more than %.2g", got, want, d/math.Abs(want), tolerance)
	}
}

// Within fails the test if a dat differs by more than the tolerance.
func Within(t testing.TB, d *op2.Dat[float64], want []float64, tolerance float64) {
	t.Helper()
	got := Values(t, d)
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance) {
			t.Fatalf("%s[%d] = %g, want %g to %g", d.Name(), i, got[i], w, tolerance)
		}
	}
}

// Moved fails the test unless this many transfers were counted since the last call.
func Moved(t testing.TB, rt *op2.Runtime, what string, want op2.Transfers) {
	t.Helper()
	if got := rt.Transfers(); got != want {
		t.Errorf("%s: moved %+v, want %+v", what, got, want)
	}
	rt.ResetStats()
}
