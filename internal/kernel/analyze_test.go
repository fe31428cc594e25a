package kernel

import (
	"strings"
	"testing"
)

func TestAnalyze(t *testing.T) {
	// The parameters of the kernels; q is input, x output by name only.
	q := newVar("q", ptr(arr(4, f64)))
	x := newVar("x", ptr(arr(3, f64)))
	m := newVar("m", ptr(arr(3, arr(2, f64))))
	n := newVar("n", ptr(i64)) // unknown values
	b := newVar("b", ptr(u8))
	i, j, l := newVar("i", i64), newVar("j", i64), newVar("l", i64)
	f := newVar("f", f64)
	unknown := bin(Lt, at(q, 0), 1.0)

	tests := []analyzeTest{
		{"straight line", func() *Kernel {
			return program(nil, []*Var{q, x},
				set(at(x, 0), at(q, 1)),
				set(at(x, 1), 2.0),
				set(at(x, 2), bin(Mul, at(x, 0), at(q, 3))))
		}, `
			q: read 1 not-add 1 early(1) 1 unset(0) 4
			x: read 3 write 1 not-add 1`},
		{"incomplete", func() *Kernel {
			return program(nil, []*Var{x}, set(at(x, 0), 1.0), set(at(x, 2), 1.0))
		}, `x: write 1 not-add 1 unset(1) 3`},
		{"only adds", func() *Kernel {
			return program(nil, []*Var{x}, incr(at(x, 0), 1.0), decr(at(x, 1), 2.0))
		}, `x: read 1 write 1 early(0) 1 unset(2) 3`},
		{"adds itself", func() *Kernel {
			return program(nil, []*Var{x}, incr(at(x, 0), 1.0), decr(at(x, 1), at(x, 0)))
		}, `x: read 1 write 1 not-add 2 early(0) 1 unset(2) 3`},
		{"scales", func() *Kernel {
			return program(nil, []*Var{n}, incr(deref(n), 1), scale(deref(n), 2))
		}, `n: read 1 write 1 not-add 2 early(0) 1`},
		{"whole array", func() *Kernel {
			a := newVar("a", arr(3, f64))
			return program(nil, []*Var{x, q}, zero(a), set(deref(x), a), set(at(a, 0), at(x, 2)))
		}, `
			x: read 3 write 2 not-add 2
			q: unset(0) 4`},
		{"whole array read", func() *Kernel {
			a := newVar("a", arr(3, f64))
			return program(nil, []*Var{x}, set(at(x, 0), 1.0), let(a, deref(x)))
		}, `x: read 2 write 1 not-add 1 early(1) 2 unset(1) 3`},
		{"composite", func() *Kernel {
			return program(nil, []*Var{x, m},
				set(deref(x), composite(arr(3, f64), 1.0, 2.0, 3.0)),
				set(at(m, 1), composite(arr(2, f64), 1.0, at(x, 0))))
		}, `
			x: read 2 write 1 not-add 1
			m: write 2 not-add 2 unset(0) 3`},

		{"loop", func() *Kernel {
			return program(nil, []*Var{x}, upTo(i, 0, 3, set(at(x, i), 0.0)))
		}, `x: write 2 not-add 2`},
		{"nested loops", func() *Kernel {
			return program(nil, []*Var{m},
				upTo(i, 0, 3, upTo(j, 0, 2, set(at(m, i, j), 0.0))))
		}, `m: write 3 not-add 3`},
		{"triangle", func() *Kernel {
			return program(nil, []*Var{x},
				upTo(i, 0, 3, upTo(j, 0, i, set(at(x, j), 0.0))))
		}, `x: write 3 not-add 3 unset(2) 4`},
		{"loop too far", func() *Kernel {
			return program(nil, []*Var{x}, upTo(i, 0, 4, set(at(x, i), 0.0)))
		}, `
			x: write 2 not-add 2
			unproven: 2`},
		{"unknown bound", func() *Kernel {
			return program(nil, []*Var{n, x}, upTo(i, 0, deref(n), set(at(x, i), 0.0)))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 3
			x: write 2 not-add 2
			unproven: 2`},
		{"bound known to be small", func() *Kernel {
			return program(nil, []*Var{n, x},
				let(l, bin(And, deref(n), 3)),
				upTo(i, 0, l, set(at(x, i), 0.0)))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 4
			x: write 3 not-add 3`},
		{"while", func() *Kernel {
			return program(nil, []*Var{q, x},
				let(f, 0.0),
				while(bin(Lt, f, at(q, 0)), incr(f, 1.0), set(at(x, 0), f)))
		}, `
			q: read 2 not-add 2 early(0) 2 unset(0) 5
			x: write 4 not-add 4 unset(0) 5`},
		{"read back in the second round", func() *Kernel {
			return program(nil, []*Var{q, x},
				upTo(i, 0, 3,
					when(bin(Gt, i, 0), set(at(q, i), at(x, bin(Sub, i, 1)))),
					set(at(x, i), 1.0)))
		}, `
			q: write 3 not-add 3 unset(0) 5
			x: read 3 write 4 not-add 4`},
		{"counts down", func() *Kernel {
			return program(nil, []*Var{x}, &For{
				Init: let(i, 2), Cond: bin(Ge, i, 0), Post: decr(i, 1),
				Body: block(set(at(x, i), 0.0)),
			})
		}, `x: write 2 not-add 2`},
		{"break", func() *Kernel {
			return program(nil, []*Var{q, x},
				upTo(i, 0, 3,
					when(unknown, stop()),
					set(at(x, i), 0.0)))
		}, `
			q: read 2 not-add 2 early(0) 2 unset(0) 5
			x: write 4 not-add 4 unset(0) 5`},
		{"continue", func() *Kernel {
			return program(nil, []*Var{x},
				upTo(i, 0, 3,
					when(bin(Eq, i, 1), next()),
					set(at(x, i), 0.0)))
		}, `x: write 4 not-add 4 unset(1) 5`},
		{"labels", func() *Kernel {
			inner := upTo(j, 0, 2)
			outer := upTo(i, 0, 5, inner, set(at(x, 2), 0.0))
			inner.Body = block(
				when(bin(Eq, i, 2), stopOf(outer)),
				when(bin(Eq, j, 1), nextOf(outer)),
				set(at(x, i), 0.0))
			return program(nil, []*Var{x}, outer)
		}, `
			x: write 7 not-add 7 unset(2) 9
			unproven: 8`},
		{"infinite", func() *Kernel {
			return program(nil, []*Var{x}, forever(set(at(x, 0), 0.0)), set(at(x, 1), 0.0))
		}, `
			x: write 2 not-add 2
			unproven: 3`},
		{"infinite until", func() *Kernel {
			return program(nil, []*Var{q, x},
				let(f, 0.0),
				let(i, 0),
				forever(
					set(at(x, 0), 0.0),
					when(unknown, stop()),
					incr(i, 1)),
				set(at(x, 1), 0.0),
				set(at(x, i), 0.0))
		}, `
			q: read 5 not-add 5 early(0) 5 unset(0) 10
			x: write 4 not-add 4
			unproven: 9`},
		{"infinite, counted", func() *Kernel {
			return program(nil, []*Var{x},
				let(i, 0),
				forever(
					when(bin(Eq, i, 3), stop()),
					set(at(x, i), 0.0),
					incr(i, 1)))
		}, `x: write 5 not-add 5`},
		{"over budget", func() *Kernel {
			return program(nil, []*Var{x},
				set(at(x, 0), 0.0),
				upTo(i, 0, 1_000_000, set(at(x, bin(Rem, i, 3)), 0.0)),
				set(at(x, 1), 0.0),
				set(at(x, 2), at(x, 1)))
		}, `x: read 5 write 1 not-add 1`},
		{"over budget, nested", func() *Kernel {
			return program(nil, []*Var{x},
				upTo(i, 0, 1000, upTo(j, 0, 1000, set(at(x, 1), 0.0))),
				upTo(i, 0, 3, set(at(x, i), 0.0)))
		}, `x: write 3 not-add 3`},

		{"if without else", func() *Kernel {
			return program(nil, []*Var{q, x}, when(unknown, set(at(x, 0), 0.0)))
		}, `
			q: read 1 not-add 1 early(0) 1 unset(0) 3
			x: write 2 not-add 2 unset(0) 3`},
		{"if with else", func() *Kernel {
			return program(nil, []*Var{q, n},
				when(unknown, set(deref(n), 0)).otherwise(set(deref(n), 1)))
		}, `
			q: read 1 not-add 1 early(0) 1 unset(0) 4
			n: write 2 not-add 2`},
		{"if decided", func() *Kernel {
			return program(nil, []*Var{n},
				let(i, 1),
				when(bin(LAnd, bin(Gt, i, 0), not(bin(Eq, i, 2))), set(deref(n), 0)))
		}, `n: write 3 not-add 3`},
		{"guarded", func() *Kernel {
			return program(nil, []*Var{n, q},
				let(i, deref(n)),
				when(bin(LAnd, bin(Ge, i, 0), bin(Lt, i, 4)), set(at(q, i), 0.0)),
				when(bin(LOr, bin(Lt, i, 0), bin(Ge, i, 4)), ret()),
				set(at(q, i), 0.0),
				set(at(q, bin(Sub, 3, i)), 0.0))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 5
			q: write 3 not-add 3`},
		{"early return", func() *Kernel {
			return program(nil, []*Var{q, n},
				when(unknown, ret()),
				set(deref(n), 0))
		}, `
			q: read 1 not-add 1 early(0) 1 unset(0) 2
			n: write 3 not-add 3 unset(0) 2`},
		{"return everywhere", func() *Kernel {
			return program(nil, []*Var{q, n},
				when(unknown, set(deref(n), 0), ret()).otherwise(set(deref(n), 1), ret()),
				incr(at(q, 0), 1.0))
		}, `
			q: read 1 not-add 1 early(0) 1 unset(0) 3
			n: write 2 not-add 2
			unproven: 6`},

		{"switch with default", func() *Kernel {
			return program(nil, []*Var{n, b},
				choose(deref(n),
					is(1, set(deref(b), 0)),
					otherwise(set(deref(b), 1)),
					is(2, set(deref(b), 2))))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 5
			b: write 2 not-add 2`},
		{"switch without default", func() *Kernel {
			return program(nil, []*Var{n, b},
				choose(deref(n), is(1, set(deref(b), 0)), is(2, set(deref(b), 2))))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 4
			b: write 2 not-add 2 unset(0) 4`},
		{"switch with everything", func() *Kernel {
			return program(nil, []*Var{n, b},
				let(i, bin(And, deref(n), 1)),
				choose(i, is(0, set(deref(b), 0)), is(1, set(deref(b), 2))))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 5
			b: write 3 not-add 3`},
		{"switch decided", func() *Kernel {
			return program(nil, []*Var{x},
				upTo(i, 0, 3, choose(i,
					is(0, set(at(x, 0), 0.0)),
					is(1, set(at(x, 1), 0.0)),
					otherwise(set(at(x, 2), 0.0)))))
		}, `x: write 3 not-add 3`},
		{"fallthrough", func() *Kernel {
			return program(nil, []*Var{n, x},
				choose(nil,
					is(bin(Lt, deref(n), 0), set(at(x, 0), 0.0)).falls(),
					is(bin(Lt, deref(n), 1), set(at(x, 1), 0.0)).falls(),
					otherwise(set(at(x, 2), 0.0))),
				set(at(x, 0), 0.0))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 6
			x: write 2 not-add 2 unset(1) 6`},
		{"break in switch", func() *Kernel {
			return program(nil, []*Var{q, n, b},
				choose(deref(n),
					is(1, when(unknown, stop()), set(deref(b), 0)),
					otherwise(set(deref(b), 1))))
		}, `
			q: read 2 not-add 2 early(0) 2 unset(0) 6
			n: read 1 not-add 1 early(0) 1 unset(0) 6
			b: write 4 not-add 4 unset(0) 6`},
		{"continue in switch", func() *Kernel {
			return program(nil, []*Var{x},
				upTo(i, 0, 3,
					choose(i, is(1, next())),
					set(at(x, i), 0.0)))
		}, `x: write 4 not-add 4 unset(1) 5`},

		{"unknown subscripts", func() *Kernel {
			return program(nil, []*Var{n, x, q},
				let(i, deref(n)),
				set(at(x, i), 1.0),
				set(at(x, bin(And, i, 1)), 1.0),
				set(at(q, 1), at(q, bin(And, i, 3))))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 5
			x: write 2 not-add 2
			q: read 4 write 4 not-add 4 early(-1) 4 unset(0) 5
			unproven: 2`},
		{"out of range", func() *Kernel {
			return program(nil, []*Var{x}, set(at(x, 3), 1.0), set(at(x, 2), 1.0))
		}, `
			x: write 1 not-add 1
			unproven: 1`},
		{"remainder", func() *Kernel {
			return program(nil, []*Var{n, b, q},
				let(i, deref(n)),
				incr(at(q, bin(Rem, i, 4)), 1.0),
				when(bin(Ge, i, 0), incr(at(q, bin(Rem, i, 4)), 1.0)),
				let(newVar("k", u8), deref(b)),
				incr(at(q, &Convert{At{T: i64}, bin(Shr, deref(b), &Convert{At{T: u8}, lit(6)})}), 1.0))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 7
			b: read 5 not-add 5 early(0) 5 unset(0) 7
			q: read 2 write 2 early(-1) 2
			unproven: 2`},
		{"shadowing", func() *Kernel {
			inner := newVar("i", i64)
			return program(nil, []*Var{x},
				let(i, 2),
				block(let(inner, 0), set(at(x, inner), 0.0)),
				set(at(x, i), 0.0))
		}, `x: write 4 not-add 4 unset(1) 6`},
		{"table of subscripts", func() *Kernel {
			table := newVar("table", arr(3, i64))
			return program(nil, []*Var{x},
				let(table, composite(arr(3, i64), 2, 0, 1)),
				upTo(i, 0, 3, set(at(x, at(table, i)), 0.0)))
		}, `x: write 3 not-add 3`},
		{"wraps", func() *Kernel {
			c := newVar("c", u8)
			small := func(v int) Expr { return &Convert{At{T: u8}, lit(v)} }
			return program(nil, []*Var{x},
				let(c, small(255)),
				incr(c, small(1)),
				set(at(x, c), 0.0))
		}, `x: write 3 not-add 3 unset(1) 4`},
		{"guarded by way of a conversion", func() *Kernel {
			c := newVar("c", u8)
			return program(nil, []*Var{b, q},
				let(c, deref(b)),
				when(bin(Lt, &Convert{At{T: i64}, lit(c)}, 4),
					incr(at(q, &Convert{At{T: i64}, lit(c)}), 1.0)))
		}, `
			b: read 1 not-add 1 early(0) 1 unset(0) 4
			q: read 3 write 3 early(-1) 3`},
		{"truths in variables", func() *Kernel {
			small, odd := newVar("small", flag), newVar("odd", flag)
			return program(nil, []*Var{n, x},
				let(i, bin(And, deref(n), 1)),
				let(small, bin(LAnd, bin(Lt, i, 2), bin(LOr, bin(Ge, i, 0), bin(Eq, i, 5)))),
				let(odd, bin(Eq, i, 1)),
				when(small, set(at(x, 0), 0.0)),
				when(odd, set(at(x, 1), 0.0)),
				when(not(odd), set(at(x, 1), 0.0), set(at(x, 2), 0.0)))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 11
			x: write 5 not-add 5 unset(1) 11`},
		{"min and max", func() *Kernel {
			least := func() Expr { return &Math{At{T: i64}, "min", []Expr{deref(n), lit(3), lit(i)}} }
			most := &Math{At{T: i64}, "max", []Expr{least(), lit(0)}}
			return program(nil, []*Var{n, q},
				let(i, 7),
				set(at(q, most), 0.0),
				set(at(q, least()), 0.0))
		}, `
			n: read 2 not-add 2 early(0) 2 unset(0) 4
			q: write 2 not-add 2
			unproven: 3`},
		{"zero elements", func() *Kernel {
			table := newVar("table", arr(2, arr(2, i64)))
			c := &Composite{At{T: arr(2, arr(2, i64))}, []Expr{nil, composite(arr(2, i64), 1, 2)}}
			return program(nil, []*Var{x},
				let(table, c),
				upTo(i, 0, 2, upTo(j, 0, 2, set(at(x, at(table, i, j)), 0.0))))
		}, `x: write 4 not-add 4`},
		{"default with values", func() *Kernel {
			both := otherwise(set(at(x, 1), 0.0))
			both.Values = []Expr{lit(1)}
			return program(nil, []*Var{n, x},
				choose(deref(n), is(0, set(at(x, 1), 0.0)), both))
		}, `
			n: read 1 not-add 1 early(0) 1 unset(0) 4
			x: write 2 not-add 2 unset(0) 4`},
		{"struct", func() *Kernel {
			pair := &Struct{"pair", []Var{{Name: "a", Type: f64}, {Name: "b", Type: arr(2, f64)}}}
			p := newVar("p", ptr(pair))
			v := newVar("v", pair)
			return program(nil, []*Var{p, x},
				set(at(field(p, "b"), 1), 1.0),
				let(v, composite(pair, 1.0, at(x, 0))),
				set(field(v, "a"), at(field(p, "b"), 0)))
		}, `
			p: read 3 write 1 not-add 1 early(1) 3 unset(0) 4
			x: read 2 not-add 2 early(0) 2 unset(0) 4`},
	}
	runAnalyze(t, tests)
}

func TestAnalyzeCalls(t *testing.T) {
	q := newVar("q", ptr(arr(4, f64)))
	x := newVar("x", ptr(arr(3, f64)))
	m := newVar("m", ptr(arr(3, arr(2, f64))))
	p := newVar("p", ptr(arr(2, f64)))
	r := newVar("r", ptr(f64))
	i, j, n := newVar("i", i64), newVar("j", i64), newVar("n", i64)

	clearRow := function("clearRow", []*Var{p}, nil, upTo(j, 0, 2, set(at(p, j), 0.0)))
	addTo := function("addTo", []*Var{r, n}, nil, incr(deref(r), 1.0))
	half := function("half", []*Var{n}, []Type{i64},
		when(bin(Eq, n, 0), ret(0)),
		ret(bin(Shr, n, 1)))
	first := newVar("first", i64)
	firstOf := function("firstOf", []*Var{first, newVar("second", i64)}, []Type{i64}, ret(first))

	tests := []analyzeTest{
		{"rows", func() *Kernel {
			return program([]*Func{clearRow}, []*Var{m},
				upTo(i, 0, 3, do(call(clearRow, addr(at(m, i))))))
		}, `m: write 2 not-add 2`},
		{"one row", func() *Kernel {
			return program([]*Func{clearRow}, []*Var{m},
				do(call(clearRow, addr(at(m, 1)))),
				set(at(m, 2, 0), at(m, 1, 1)),
				set(at(m, 2, 1), at(m, 0, 0)))
		}, `m: read 2 write 1 not-add 1 early(0) 3 unset(0) 4`},
		{"callee of a callee", func() *Kernel {
			all := newVar("all", ptr(arr(3, arr(2, f64))))
			clearAll := function("clearAll", []*Var{all}, nil,
				upTo(i, 0, 3, do(call(clearRow, addr(at(all, i))))))
			return program([]*Func{clearRow, clearAll}, []*Var{q, m}, do(call(clearAll, m)))
		}, `
			q: unset(0) 2
			m: write 1 not-add 1`},
		{"adds", func() *Kernel {
			return program([]*Func{addTo}, []*Var{x}, do(call(addTo, addr(at(x, 1)), 0)))
		}, `x: read 1 write 1 early(1) 1 unset(0) 2`},
		{"result", func() *Kernel {
			return program([]*Func{half}, []*Var{x},
				set(at(x, call(half, 4)), 1.0),
				set(at(x, call(half, call(half, 5))), 1.0),
				set(at(x, call(half, 0)), 1.0),
				set(at(x, call(half, 6)), 1.0))
		}, `
			x: write 1 not-add 1
			unproven: 4`},
		{"arguments that call the same", func() *Kernel {
			return program([]*Func{firstOf}, []*Var{x},
				set(at(x, call(firstOf, 2, call(firstOf, 1, 0))), 1.0))
		}, `x: write 1 not-add 1 unset(0) 2`},
		{"pointer to a local variable", func() *Kernel {
			to := newVar("to", ptr(i64))
			change := function("change", []*Var{to}, nil, set(deref(to), 2))
			l := newVar("l", i64)
			return program([]*Func{change}, []*Var{x},
				zero(l),
				do(call(change, addr(l))),
				set(at(x, l), 1.0))
		}, `x: write 3 not-add 3 unset(0) 4`},
		{"array by value", func() *Kernel {
			byValue := newVar("a", arr(3, i64))
			last := function("last", []*Var{byValue}, []Type{i64},
				incr(at(byValue, 2), 1),
				ret(at(byValue, 2)))
			table := newVar("table", arr(3, i64))
			return program([]*Func{last}, []*Var{x},
				let(table, composite(arr(3, i64), 0, 0, 1)),
				set(at(x, call(last, table)), 1.0),
				set(at(x, at(table, 2)), 1.0))
		}, `x: write 2 not-add 2 unset(0) 4`},
		{"results", func() *Kernel {
			two := function("two", nil, []Type{i64, i64}, ret(0, 2))
			l, h := newVar("l", i64), newVar("h", i64)
			return program([]*Func{two}, []*Var{x},
				zero(l), zero(h),
				&Do{Call: call(two), Into: []*Var{l, h}},
				set(at(x, l), 1.0),
				set(at(x, h), 1.0))
		}, `x: write 4 not-add 4 unset(1) 6`},
		{"never returns", func() *Kernel {
			hang := function("hang", nil, nil, forever())
			return program([]*Func{hang}, []*Var{x},
				when(bin(Lt, at(x, 0), 0.0), do(call(hang))),
				set(at(x, 0), 1.0))
		}, `x: read 1 write 3 not-add 1 early(0) 1 unset(1) 4`},
		{"changes on one side of a condition", func() *Kernel {
			to := newVar("to", ptr(f64))
			change := function("change", []*Var{to}, []Type{flag},
				set(deref(to), 2.0),
				ret(true))
			return program([]*Func{change}, []*Var{q, x},
				set(at(q, 0), 0.0),
				when(bin(LAnd, bin(Lt, at(q, 0), 0.0), call(change, addr(at(x, 0)))),
					set(at(q, 1), at(x, 0))),
				set(at(q, 2), at(x, 0)))
		}, `
			q: read 2 write 1 not-add 1 unset(1) 5
			x: read 3 write 2 not-add 2 early(0) 4 unset(0) 5`},
	}
	runAnalyze(t, tests)
}

func TestAnalyzeGivesUp(t *testing.T) {
	// Each function calls the one before it twice: 2^20 calls.
	x := newVar("x", ptr(arr(3, f64)))
	fs := []*Func{function("f", nil, nil, block())}
	for range 20 {
		f := fs[len(fs)-1]
		fs = append(fs, function("f", nil, nil, do(call(f)), do(call(f))))
	}
	k := program(fs, []*Var{x},
		set(at(x, 0), 1.0),
		do(call(fs[len(fs)-1])),
		set(at(x, 1), 1.0))
	Analyze(k, nil)
	want := unindent(`
		x: write 1 not-add 1 opaque 1
		unproven: 1 3`)
	if got := describe(k); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAnalyzeC(t *testing.T) {
	flat := newVar("flat", ptr(f64))                   // double *flat
	rows := newVar("rows", ptr(arr(3, ptr(f64))))      // double *rows[3]
	many := newVar("many", ptr(arr(0, ptr(f64))))      // double **many
	open := newVar("open", ptr(arr(0, arr(2, f64))))   // double open[][2]
	fixed := newVar("fixed", ptr(arr(3, arr(2, f64)))) // double fixed[3][2]
	row := newVar("row", ptr(f64))
	i, j := newVar("i", i64), newVar("j", i64)
	square := Shape{Rows: 3, Cols: 2}

	clear2 := function("clear2", []*Var{row}, nil, upTo(j, 0, 2, set(at(row, j), 0.0)))
	each := func(x *Var) Stmt {
		return upTo(i, 0, 3, upTo(j, 0, 2, set(at(x, i, j), 0.0)))
	}
	tests := []struct {
		name   string
		kernel *Kernel
		want   string
	}{
		{"flat", program(nil, []*Var{flat},
			upTo(i, 0, 6, set(at(flat, i), 0.0))), `flat: write 2 not-add 2`},
		{"flat, a row missing", program(nil, []*Var{flat},
			upTo(i, 0, 4, set(at(flat, i), 0.0))), `flat: write 2 not-add 2 unset(4) 3`},
		{"flat, too far", program(nil, []*Var{flat},
			set(at(flat, 6), 0.0)), `
			flat: write 1 not-add 1
			unproven: 1`},
		{"rows", program(nil, []*Var{rows}, each(rows)), `rows: write 3 not-add 3`},
		{"rows, one missing", program(nil, []*Var{rows},
			set(at(rows, 0, 0), 0.0), set(at(rows, 2, 1), 0.0), set(at(rows, 0, 1), at(rows, 2, 0))), `
			rows: read 3 write 1 not-add 1 early(4) 3 unset(2) 4`},
		{"pointer to pointers", program(nil, []*Var{many}, each(many)), `many: write 3 not-add 3`},
		{"open", program(nil, []*Var{open}, each(open)), `open: write 3 not-add 3`},
		{"fixed", program(nil, []*Var{fixed}, each(fixed)), `fixed: write 3 not-add 3`},
		{"row of a pointer", program([]*Func{clear2}, []*Var{rows},
			do(call(clear2, at(rows, 1)))), `rows: write 1 not-add 1 unset(0) 2`},
		{"row of an array", program([]*Func{clear2}, []*Var{fixed},
			do(call(clear2, addr(at(fixed, 0)))), do(call(clear2, addr(at(fixed, 1, 0)))),
			do(call(clear2, addr(at(fixed, 2, 0))))), `fixed: write 1 not-add 1`},
		{"into the middle", program([]*Func{clear2}, []*Var{flat},
			do(call(clear2, addr(at(flat, 3)))),
			do(call(clear2, flat))), `flat: write 1 not-add 1 unset(2) 3`},
		{"too far in the middle", program([]*Func{clear2}, []*Var{flat},
			do(call(clear2, addr(at(flat, 5))))), `
			flat: write 1 not-add 1
			unproven: 102`},
		{"opaque pointer", program(nil, []*Var{flat},
			set(at(flat, 0), at(flat, 1)), effect(opaque(flat))), `
			flat: read 1 write 1 not-add 1 opaque 2`},
		{"opaque row", program(nil, []*Var{rows},
			effect(opaque(at(rows, 1)))), `rows: opaque 1`},
		{"opaque place", program(nil, []*Var{fixed},
			effect(opaque(addr(at(fixed, 1, 1))))), `fixed: opaque 1`},
		{"opaque value", program(nil, []*Var{flat},
			effect(opaque(at(flat, 1)))), `
			flat: read 1 not-add 1 early(1) 1 unset(0) 2`},
		{"opaque and a variable", program(nil, []*Var{flat},
			let(i, 1), effect(opaque(i)), set(at(flat, i), 0.0)), `
			flat: write 3 not-add 3
			unproven: 3`},
		{"pointer arithmetic", program(nil, []*Var{flat},
			effect(bin(Add, flat, 1))), `flat: opaque 1`},
		{"pointer assigned to", program(nil, []*Var{flat},
			set(at(flat, 0), 0.0), set(flat, opaque())), `
			flat: opaque 1
			unproven: 1`},
		{"pointer variable", program(nil, []*Var{flat},
			let(row, addr(at(flat, 1))), set(at(row, 0), 0.0)), `
			flat: opaque 1
			unproven: 2`},
		{"declared without a value", program(nil, []*Var{flat},
			zero(i), set(at(flat, i), 0.0)), `
			flat: write 2 not-add 2
			unproven: 2`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := inC(test.kernel)
			k.Entry().Pos = Pos{Line: 1}
			Analyze(k, []Shape{square})
			if got, want := describe(k), unindent(test.want); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

type analyzeTest struct {
	name   string
	kernel func() *Kernel
	want   string
}

func runAnalyze(t *testing.T, tests []analyzeTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := test.kernel()
			Analyze(k, nil)
			if got, want := describe(k), unindent(test.want); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// unindent removes the leading tabs from the lines of s.
func unindent(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(s, "\t", ""))
}
