package userkernel

import (
	"errors"
	"fmt"
	goconstant "go/constant"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
)

// coverage records how much of a Go kernel has been compared with its source.
type coverage struct {
	blocks   []*kernel.Block // of branches and loops
	lines    []string        // where they start: "12", or "gas/flux.go:12" in another package
	seen     map[*kernel.Block]bool
	ran      bool      // for some values
	long     bool      // for others it takes too many steps
	compared []float64 // the constants in its conditions
}

func newCoverage(ir *kernel.Kernel) *coverage {
	c := &coverage{seen: map[*kernel.Block]bool{}}
	note := func(e kernel.Expr) {
		if conversion, ok := e.(*kernel.Convert); ok {
			e = conversion.X
		}
		if l, ok := e.(*kernel.Lit); ok && l.Value.Kind() != goconstant.Bool {
			v, _ := goconstant.Float64Val(goconstant.ToFloat(l.Value))
			c.compared = append(c.compared, v)
		}
	}
	for _, f := range ir.Funcs {
		kernel.Walk(f.Body, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Block:
				if at := placeOfFirst(s); s != f.Body && at.Known() {
					at.Col = 0
					c.blocks, c.lines = append(c.blocks, s), append(c.lines, strings.TrimPrefix(at.String(), ir.File+":"))
				}
			case *kernel.Switch:
				for _, each := range s.Cases {
					for _, v := range each.Values {
						note(v)
					}
				}
			}
		}, func(e kernel.Expr) {
			if b, ok := e.(*kernel.Binary); ok && b.Op.Compares() {
				note(b.X)
				note(b.Y)
			}
		})
	}
	return c
}

// placeOfFirst returns where the first statement of a block is; the zero Pos if there is none.
func placeOfFirst(b *kernel.Block) (first kernel.Pos) {
	kernel.Walk(b, func(s kernel.Stmt) {
		pos := kernel.Pos{}
		switch s := s.(type) {
		case *kernel.Assign:
			pos = s.Pos
		case *kernel.Decl:
			pos = s.Pos
		case *kernel.Do:
			pos = s.Pos
		case *kernel.Branch:
			pos = s.Pos
		case *kernel.Return:
			pos = s.Pos
		}
		if !first.Known() {
			first = pos
		}
	}, nil)
	return first
}

// run interprets the source on one sample.
func (c *coverage) run(ir *kernel.Kernel, values, consts [][]uint64) error {
	seen := map[*kernel.Block]bool{}
	err := interp.Cover(ir, values, consts, verifySteps, seen)
	if err != nil {
		c.long = c.long || errors.Is(err, interp.ErrSteps)
		return err
	}
	c.ran = true
	for b := range seen {
		c.seen[b] = true
	}
	return nil
}

// decisive may set v to a value near one that the kernel compares with.
func decisive(c *coverage, v reflect.Value, random *rand.Rand, sample int) bool {
	if sample < enoughAgree || len(c.compared) == 0 || sample < samples && random.IntN(2) == 0 {
		return false
	}
	near := c.compared[random.IntN(len(c.compared))] + float64(random.IntN(3)-1)
	switch {
	case v.CanFloat():
		v.SetFloat(near)
	case v.CanInt() && !v.OverflowInt(int64(near)):
		v.SetInt(int64(near))
	case v.CanUint() && near >= 0 && !v.OverflowUint(uint64(near)):
		v.SetUint(uint64(near))
	default:
		return false
	}
	return true
}

// gap describes what has not been compared; "" if everything has.
func (c *coverage) gap() string {
	switch {
	case !c.ran && c.long:
		return fmt.Sprintf("it takes more than %d steps", verifySteps)
	case !c.ran:
		return "it would panic for the values that were tried"
	}
	var lines []string
	for i, b := range c.blocks {
		if line := c.lines[i]; !c.seen[b] && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "no value that was tried leads to what begins in line " + strings.Join(lines, ", ")
}
