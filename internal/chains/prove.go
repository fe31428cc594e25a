package chains

import (
	"fmt"

	"github.com/go-op2/op2/internal/problem"
)

// With diagnostics the loops of a chain run one by one, as values are checked before and after each. The
// schedules that they would follow without are made and proved all the same.

// prove proves the schedules of a group whose loops diagnostics keep apart.
func (c *group) prove() error {
	if !c.oneByOne() {
		return nil
	}
	as := c.with(c.choice, c.temporaries)
	as.proof, as.learned = true, c.learned
	loops, _, err := as.bind()
	if err != nil {
		return err
	}
	segments, _, err := as.arrange(loops)
	if err != nil {
		return err
	}
	tiles, places := 0, 0
	for _, s := range segments {
		if s.inspected != nil {
			tiles += s.inspected.schedule.Tiles()
			places += width(s.loops)
		}
	}
	c.proved = ""
	if tiles > 0 {
		c.proved = fmt.Sprintf("; %d tiles, by which %d of %s run without them, are proved", tiles, places, problem.Count(len(c.places), "loop"))
	}
	return nil
}
