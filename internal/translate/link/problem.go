package link

import "strings"

// An Error lists everything that prevents linking.
type Error struct{ Problems []Problem }

// A Problem is a reason why an object cannot be linked.
type Problem struct {
	Object   string // Object.Name; "" for an entry that is in none
	Function string // the function, or the constant, that has the problem; "" if it is the object's
	What     string // such as "needs exp, which no object defines"
}

func (p Problem) String() string {
	text := p.What
	if p.Function != "" {
		text = p.Function + " " + text
	}
	if p.Object != "" {
		text = p.Object + ": " + text
	}
	return text
}

// Error lists the problems, one on a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
