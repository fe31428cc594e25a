package op2

import (
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/hook"
)

func init() {
	hook.CheckPlans = func() any { return Option(func(c *config) { c.CheckPlans = true }) }
	hook.NewParts = func(rt any, e core.Extents, name string) (any, error) {
		s, err := rt.(*Runtime).core().NewSet(e, name)
		return (*Set)(s), err
	}
}
