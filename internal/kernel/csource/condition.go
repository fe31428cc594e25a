package csource

import (
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// condition evaluates the expression after #if.
func (p *preprocessor) condition(line []token) bool {
	var known []token
	for i := 0; i < len(line); i++ {
		t := line[i]
		if !t.is("defined") || i+1 >= len(line) {
			known = append(known, t)
			continue
		}
		i++
		if line[i].is("(") && i+2 < len(line) {
			i += 2
			t = line[i-1]
		} else {
			t = line[i]
		}
		value := "0"
		if p.defined(t.text) {
			value = "1"
		}
		known = append(known, token{text: value, kind: number})
	}
	e := evaluation{tokens: p.expand(known)}
	return e.ternary() != 0
}

// evaluation is an integer expression that is being evaluated. What is not one is 0, as in C an
// unknown name.
type evaluation struct {
	tokens []token
}

func (e *evaluation) next() (t token) {
	if len(e.tokens) > 0 {
		t, e.tokens = e.tokens[0], e.tokens[1:]
	}
	return t
}

func (e *evaluation) peek() token {
	if len(e.tokens) > 0 {
		return e.tokens[0]
	}
	return token{}
}

// ternary evaluates a conditional expression. It evaluates both branches: they have no side effects, and
// operations without a value give 0.
func (e *evaluation) ternary() int64 {
	x := e.binary(0)
	if !e.peek().is("?") {
		return x
	}
	e.next()
	y := e.ternary()
	e.next() // :
	if z := e.ternary(); x == 0 {
		return z
	}
	return y
}

// levels lists the binary operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// binary evaluates a sequence of operators that bind at least as tightly as those of a level: recursive
// descent, one level of precedence after the other. Operators of one level associate to the left.
func (e *evaluation) binary(level int) int64 {
	if level == len(levels) {
		return e.unary()
	}
	x := e.binary(level + 1)
	for e.peek().is(levels[level]...) {
		op := e.next().text
		x = operate(op, x, e.binary(level+1))
	}
	return x
}

// operate returns x op y; 0 where that is not defined.
func operate(op string, x, y int64) int64 {
	o := kernel.BinaryOp(op)
	if o == kernel.Shl || o == kernel.Shr {
		y &= 63
	}
	v, _ := kernel.Fold(o, x, y)
	return v
}

func (e *evaluation) unary() int64 {
	switch t := e.next(); {
	case t.is("!"):
		return operate("==", e.unary(), 0)
	case t.is("-"):
		return -e.unary()
	case t.is("+"):
		return e.unary()
	case t.is("~"):
		return ^e.unary()
	case t.is("("):
		x := e.ternary()
		e.next() // )
		return x
	case t.kind == number:
		n, _ := strconv.ParseInt(strings.TrimRight(t.text, "uUlL"), 0, 64)
		return n
	case t.is("true"):
		return 1
	case t.kind == word && e.peek().is("("): // __has_include and the like
		if end := closing(e.tokens, 0); end >= 0 {
			e.tokens = e.tokens[end+1:]
		}
	}
	return 0
}
