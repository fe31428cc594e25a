package fromc

import "github.com/go-op2/op2/internal/kernel"

// within calls do inside a scope, and returns the scope, which knows then how it was left.
func (f *lowering) within(s *scope, do func()) *scope {
	f.around = append(f.around, s)
	do()
	f.around = f.around[:len(f.around)-1]
	return s
}

// emitBreak emits a break: out of the innermost scope, a loop or a switch.
func (f *lowering) emitBreak(pos kernel.Pos) {
	if len(f.around) == 0 {
		f.lost = true
		return
	}
	s := f.around[len(f.around)-1]
	s.left = true
	f.Emit(&kernel.Branch{Target: s.leave, Pos: pos})
}

// emitContinue emits a continue: of the innermost loop, past switches around it. Where the loop has statements after its
// body, it leaves the Switch of continuable.
func (f *lowering) emitContinue(pos kernel.Pos) {
	for i := len(f.around) - 1; i >= 0; i-- {
		if s := f.around[i]; s.next != nil {
			s.continued = true
			f.Emit(&kernel.Branch{Continue: !s.once, Target: s.next, Pos: pos})
			return
		}
	}
	f.lost = true
}
