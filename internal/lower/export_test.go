package lower

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// String formats the program for people, one item per line.
func (p *Program) String() string {
	var b strings.Builder
	line := func(head, format string, args ...any) {
		fmt.Fprintf(&b, "%-8s%s\n", head, fmt.Sprintf(format, args...))
	}
	for i, l := range p.Locals {
		line("local", "%s", p.declaration(i, l))
	}
	for _, s := range p.Staged {
		line("stage", "shared%d %s, then %s", s.Data, s.In, s.Out)
	}
	for _, r := range p.Reductions {
		line("begin", "%s", p.statement(r.Begin, p.name(r.Local), fmt.Sprintf("data%d", r.Data)))
	}
	p.writeMoves(line, First)
	p.writeMoves(line, Before)
	args := make([]string, len(p.Params))
	for i := range p.Params {
		args[i] = p.argument(&p.Params[i])
	}
	head := "call"
	if p.Turn {
		head = "in turn"
	}
	line(head, "%s(%s)", p.Kernel, strings.Join(args, ", "))
	p.writeMoves(line, After)
	p.writeMoves(line, Collide)
	for _, r := range p.Reductions {
		line("finish", "%s", p.statement(r.Finish, p.name(r.Local), fmt.Sprintf("data%d", r.Data)))
	}
	if len(p.Maps) > 0 {
		line("maps", "%s", strings.Trim(fmt.Sprint(p.Maps), "[]"))
	}
	return b.String()
}

// writeMoves writes the moves and scatters for one time.
func (p *Program) writeMoves(line func(head, format string, args ...any), when When) {
	for _, m := range p.Moves {
		if m.When != when {
			continue
		}
		local, place := "", p.place(m.Place, m.Rows)
		if m.Local >= 0 {
			local = p.name(m.Local)
			if !p.Whole(m) {
				local += fmt.Sprintf("[%d:%d]", m.Offset, m.Offset+m.Rows*m.Dim)
			}
		} else {
			local = place
		}
		s := p.statement(m.Do, local, place)
		if m.Atomic {
			s += ", atomically"
		}
		line(when.String(), "%s", s)
	}
	for _, s := range p.Scatters {
		if s.When != when {
			continue
		}
		text := p.statement(s.Do, p.name(s.Local), fmt.Sprintf("data%d[nonzeros%d]", s.Data, s.Nonzeros))
		text += fmt.Sprintf(", %d by %d blocks of %d by %d", s.Rows, s.Cols, s.RowDim, s.ColDim)
		if l := p.Locals[s.Local]; s.Rows*s.RowDim < l.Rows || s.Cols*s.ColDim < l.Dim {
			text += fmt.Sprintf(", from row %d and column %d", s.Row, s.Col)
		}
		if s.Search {
			text += fmt.Sprintf(", searched by map%d and map%d", s.Map, s.ColMap)
		}
		if s.Masked {
			text += ", masked"
		}
		if s.Atomic {
			text += ", atomically"
		}
		line(when.String(), "%s", text)
	}
}

// statement returns an operation on a local and a place as a statement.
func (p *Program) statement(op Op, local, place string) string {
	switch op {
	case Load:
		return local + " = " + place
	case Zero:
		return local + " = 0"
	case Poison:
		return local + " = poison"
	case Identity:
		return local + " = identity"
	case Store:
		return place + " = " + local
	}
	return fmt.Sprintf("%s %s= %s", place, map[Op]string{Add: "+", Min: "min", Max: "max", Combine: "operation"}[op], local)
}

// name returns the parameter's name and the local's role.
func (p *Program) name(l int) string {
	return p.Params[p.Locals[l].Param].Var.Name + "_" + p.Locals[l].Role.String()
}

func (p *Program) declaration(i int, l Local) string {
	dims := ""
	if l.Rows > 0 {
		dims = fmt.Sprintf("[%d]", l.Rows)
	}
	s := fmt.Sprintf("%s %s[%d]%s", p.name(i), dims, l.Dim, l.Type)
	if l.Loop {
		s += ", of the loop"
	}
	if l.Pack {
		s += ", of a pack"
	}
	return s
}

func (p *Program) argument(param *Param) string {
	switch param.Pass {
	case InPlace:
		return "&" + p.place(param.Place, 1)
	case InPlaceRows:
		rows := 1
		for _, part := range param.Parts {
			rows = part.Rows
		}
		return "rows of " + p.place(param.Place, rows)
	case OwnRows:
		return "rows of " + p.name(param.Local)
	}
	return "&" + p.name(param.Local)
}

// place returns the notation for rows of values at a place.
func (p *Program) place(at Place, rows int) string {
	columns := func(first int) string {
		if rows > 1 {
			return fmt.Sprintf("%d:%d", first, first+rows)
		}
		return fmt.Sprint(first)
	}
	switch at.Kind {
	case ElementNo:
		return "number"
	case Global:
		return fmt.Sprintf("data%d", at.Data)
	case Result:
		return p.name(at.Local)
	case Shared:
		return fmt.Sprintf("shared%d[local%d[%s]]", at.Data, at.Data, columns(at.Column))
	case Gathered:
		return fmt.Sprintf("gathered[column %s]", columns(at.Column))
	}
	if at.Map == loop.Direct {
		return fmt.Sprintf("data%d[n]", at.Data)
	}
	return fmt.Sprintf("data%d[map%d[%s]]", at.Data, at.Map, columns(at.Component))
}

func (r Role) String() string {
	return [...]string{"number", "value", "partial", "share", "copy", "packed", "matrix"}[r]
}

func (w When) String() string { return [...]string{"first", "before", "after", "collide"}[w] }
