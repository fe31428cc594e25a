package op2

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tune"
)

// With returns the kernel with options for its loops, which take precedence over the runtime's:
// WithBlockSize, WithSIMD, WithStrategy, WithDynamicSchedule and WithDeterministic.
//
//	op2.ParLoop(kernels.Func(flux).With(op2.WithSIMD("on")), edges, ...)
//
// The same kernel with the same options gives the same kernel. An option that does not apply to a
// single loop is an error of the loop.
func (k *Kernel) With(options ...Option) *Kernel {
	if k == nil {
		return nil
	}
	var c config
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	choices := k.given().Tune().With(c.Backend.Tune)
	err := c.wrong
	c.wrong, c.Backend.Tune = nil, tune.Options{}
	switch {
	case err != nil:
	case choices.Layout != 0 || !reflect.DeepEqual(c, config{}):
		err = errors.New("it takes WithBlockSize, WithSIMD, WithStrategy, WithDynamicSchedule and WithDeterministic: " +
			"the other options are for Open; a dat's layout is set by SetLayout")
	case choices.Block < 0:
		err = fmt.Errorf("blocks of %d elements: at least one is needed", choices.Block)
	}
	if err != nil {
		return (*Kernel)(k.given().Refused(choices, problem.Kernelf(k.Name(), "With: %s", strings.TrimPrefix(err.Error(), "op2: "))))
	}
	return (*Kernel)(k.given().With(choices))
}
