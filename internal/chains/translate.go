package chains

import "github.com/go-op2/op2/internal/tune"

// What a chain is turned into depends on the mesh, and on how often it runs. For op2 translate, which runs a program
// with small input, it is prepared as it may be elsewhere. Tiles run the code of their loops, and need none of their own.

// translate leaves the code of fused loops for op2 translate, if that runs the program.
func (c *group) translate() error {
	if c.rt.Config().Backend.Translate == "" || c.chosen() == tune.ChainsOff || c.unfused() != "" {
		return nil
	}
	for _, choice := range []tune.Chains{tune.Fuse, tune.Tile} { // Auto fuses no others
		if err := c.with(choice, c.temporaries).orderFused(); err != nil {
			return err
		}
	}
	return nil
}

// orderFused makes the backend start to prepare neighbors fused: all that may be, since what ends a group, an estimate or
// the order of a loop on a large mesh, decides where the next one begins.
func (c *group) orderFused() error {
	loops := make([]*member, len(c.places))
	for i, place := range c.places {
		l, err := place.Copy(true)
		if err != nil {
			return err
		}
		loops[i] = &member{Loop: l}
	}
	how := fusing{temporaries: c.temporaries}
	for first := range loops {
		for end := first + 1; end < len(loops); end++ {
			fused, err := c.fuseGroup(loops[first:end+1], loops[end+1:], &how)
			if err != nil {
				break
			}
			if err := fused.Order(); err != nil {
				return err
			}
		}
	}
	return nil
}
