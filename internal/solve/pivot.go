package solve

import (
	"errors"

	"github.com/go-op2/op2/internal/precondition"
)

// badPivot says where a preconditioner found a pivot that is zero or missing on this rank.
type badPivot struct{ where string }

func (p *badPivot) Error() string { return p.where }

// pivotAt returns the error for a row of a part, by its declared number.
func (e *native) pivotAt(part, row int, missing bool) error {
	where := e.space[part].Where(row) + e.space.in(part)
	if missing {
		return &badPivot{"there is no nonzero on the diagonal at " + where}
	}
	return &badPivot{"the preconditioner " + e.config.Preconditioner + " has a pivot of zero at " + where}
}

// found returns a *badPivot for a *PivotError that is about a row here, of a part, or of all parts'
// rows, one part's after another's; other errors it returns as they are.
func (e *native) found(part int, err error) error {
	p := (*precondition.PivotError)(nil)
	if !errors.As(err, &p) {
		return err
	}
	row := p.Row
	if part == allParts {
		for part = 0; row >= e.space[part].Here(); part++ {
			row -= e.space[part].Here()
		}
	}
	return e.pivotAt(part, e.space[part].Declared(row), p.Missing)
}

// allParts stands for all parts of the vectors.
const allParts = -1
