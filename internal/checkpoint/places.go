package checkpoint

import "github.com/go-op2/op2/internal/callsite"

// places numbers the places of a program where it calls Checkpoint, in the order in which it reaches them.
type places struct {
	known map[callsite.Calls]int
	at    map[string]int
}

// number returns that of the place at hand.
func (p *places) number() int {
	var calls callsite.Calls
	calls.Capture()
	if n, is := p.known[calls]; is {
		return n
	}
	if p.known == nil {
		p.known, p.at = map[callsite.Calls]int{}, map[string]int{}
	}
	at := calls.Site().At
	if _, is := p.at[at]; !is {
		p.at[at] = len(p.at)
	}
	p.known[calls] = p.at[at]
	return p.at[at]
}
