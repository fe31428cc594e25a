package link

import (
	"regexp"
	"strconv"
	"strings"
)

// A StackUse is what a compiler says about the stack of a function, without those that it calls.
type StackUse struct {
	Bytes   int
	Dynamic bool // more than Bytes, by an amount known only at run time
}

// ParseStackUse reads what gcc and clang write for -fstack-usage: lines with place, function, bytes and kind. Of
// several functions with one name it returns the largest.
func ParseStackUse(su string) map[string]StackUse {
	stack := map[string]StackUse{}
	for line := range strings.Lines(su) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 {
			continue
		}
		bytes, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		name := fields[0][strings.LastIndexByte(fields[0], ':')+1:]
		other := stack[name]
		stack[name] = StackUse{max(bytes, other.Bytes), other.Dynamic || fields[2] == "dynamic"}
	}
	return stack
}

var copyNumber = regexp.MustCompile(`\.\d+$`)

// use returns the stack use of a function. Of the symbol f.constprop.0, gcc reports f.constprop.
func (o *Object) use(function string) (StackUse, bool) {
	u, ok := o.Stack[function]
	if !ok {
		u, ok = o.Stack[copyNumber.ReplaceAllString(function, "")]
	}
	return u, ok
}
