package fromgo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
)

// Of a kernel there is left what it does without the arguments that a call leaves out.
func TestLeaveOut(t *testing.T) {
	for _, test := range []struct {
		name, source string
		missing      []int
		want         string // the kernel, or where it uses what is missing
	}{
		{"nothing", `func k(x, y *float64) { if y != nil { *x = *y }; if x == nil { *y = 1 } }`, nil, `
func k(x *float64, y *float64) {
	if true {
		*x = *y
	}
	if false {
		*y = 1
	}
}`},
		{"branches", `func k(x, y *float64, z []float64) {
	if y != nil { *x = *y } else if z == nil { *x = 2 } else { z[0] = 1 }
	if y == nil && *x > 1 || z != nil { *x = 3 }
	if !(y == nil) { *x = *y }
	if *x > 2 && y != nil { *x = *y }
	for i, v := range z { *x += v * float64(i) }
	for i := 0; i < len(z); i++ { *x += z[i] }
	if *x > 0 { if len(z) > 1 { *x = z[1] } }
}`, []int{1, 2}, `
func k(x *float64) {
	{
		*x = 2
	}
	if (*x > 1) {
		*x = 3
	}
	if (*x > 0) {
	}
}`},
		{"early return", `func k(x, y *float64) { *x = 1; if y == nil { return }; *x = *y }`, []int{1}, `
func k(x *float64) {
	*x = 1
	{
		return
	}
}`},
		{"switch", `func k(x, y *float64) {
	switch { case y != nil: *x = *y; case *x > 1: *x = 2; default: *x = 3 }
	switch { case *x > 1: *x = 1; case y == nil: *x = 2; default: *x = *y }
}`, []int{1}, `
func k(x *float64) {
	switch1: switch {
	case (*x > 1):
		*x = 2
	default:
		*x = 3
	}
	switch2: switch {
	case (*x > 1):
		*x = 1
	case true:
		*x = 2
	}
}`},
		{"in another function", `func k(x, y *float64, z []float64) { if y != nil { f(x, y) }; if z != nil { g(x, z) } }
func f(x, y *float64) { *x = *y }
func g(x *float64, z []float64) { *x = z[0] }`, []int{1, 2}, `
func k(x *float64) {
}`},
		{"used", `func k(x, y *float64, z []float64) {
	*x += *y
	if *x > 0 { z[0] = *y }
}`, []int{1, 2}, "4:9: y is used, but the call leaves it out\n5:14: z is used, but the call leaves it out"},
		{"passed on", `func k(x, y *float64) { f(x, y) }; func f(x, y *float64) { *x = *y }`, []int{1}, "3:30: y is used, but the call leaves it out"},
	} {
		lengths, shapes := make([][]kernel.Length, 3), make([]kernel.Shape, strings.Count(test.source[:strings.Index(test.source, ")")], ",")+1)
		for i := range lengths {
			lengths[i] = []kernel.Length{{Most: 2}}
		}
		for _, at := range test.missing {
			lengths[at], shapes[at].LeftOut = []kernel.Length{{}}, true
		}
		k, err := Parse("package p\n\n"+test.source).Kernel("k", "", 0, lengths...)
		if err != nil {
			t.Fatal(test.name, err)
		}
		var found []string
		for _, p := range k.LeaveOut(shapes) {
			found = append(found, fmt.Sprintf("%d:%d: %s", p.Pos.Line, p.Pos.Col, p.Msg))
		}
		got := strings.Join(found, "\n")
		if found == nil {
			got = strings.ReplaceAll(dump(k), ".0", "")
		}
		if strings.TrimSpace(got) != strings.TrimSpace(test.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}
