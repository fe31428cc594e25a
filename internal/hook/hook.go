// Package hook holds functions of the public package that tests of other packages of this module
// call, and that programs cannot. The public package sets them; package optest gives them types.
package hook

import "github.com/go-op2/op2/internal/core"

var (
	// CheckPlans returns an op2.Option that verifies every plan, as OP2_DIAGS does, but without
	// filling anything with NaN.
	CheckPlans func() (option any)
	// NewParts declares a set with a halo on an *op2.Runtime, and returns the *op2.Set.
	NewParts func(runtime any, e core.Extents, name string) (set any, err error)
)
