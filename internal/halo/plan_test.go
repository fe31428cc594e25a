package halo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// program is a mesh, dats and loops, which ranks run as Plan says.
type program struct {
	*whole
	depth  int
	dats   []int // sets
	loops  []testLoop
	chains int // run as chains of that many loops; 0: one by one
}

type testLoop struct {
	set    int
	args   []testArg
	subset []bool // by element; nil: all

	restricted bool // ranks exchange only what the loop reaches
}

type testArg struct {
	Arg
	through int // map; meaningful if Mapped
}

// randomProgram returns a program of a few loops over a random mesh.
func randomProgram(rng *rand.Rand) *program {
	p := &program{whole: random(rng), depth: 1 + rng.IntN(3)}
	p.addPairs(rng)
	for range 1 + rng.IntN(5) {
		p.dats = append(p.dats, rng.IntN(len(p.sizes)))
	}
	body := make([]testLoop, 1+rng.IntN(5))
	for i := range body {
		body[i] = p.randomLoop(rng)
	}
	p.loops = slices.Repeat(body, 3)
	return p
}

// addPairs adds a map that leads to each element once at most, so that loops can write through it.
func (p *program) addPairs(rng *rand.Rand) {
	m := wholeMap{from: rng.IntN(len(p.sizes)), to: rng.IntN(len(p.sizes)), arity: 1}
	targets := rng.Perm(p.sizes[m.to])
	for i := range p.sizes[m.from] {
		if m.values = append(m.values, -1); i < len(targets) {
			m.values[i] = int64(targets[i])
		}
	}
	p.maps = append(p.maps, m)
}

func (p *program) randomLoop(rng *rand.Rand) testLoop {
	l := testLoop{set: rng.IntN(len(p.sizes)), restricted: rng.IntN(3) == 0}
	if rng.IntN(4) == 0 {
		l.subset = make([]bool, p.sizes[l.set])
		for e := range l.subset {
			l.subset[e] = rng.IntN(2) == 0
		}
	}
	written := loop.Access(rng.IntN(7)) // what most of the arguments do
	for d, set := range p.dats {
		var ways []testArg
		access := written
		if access < loop.Read || rng.IntN(2) == 0 {
			access = loop.Read + loop.Access(rng.IntN(6))
		}
		if set == l.set {
			ways = append(ways, testArg{Arg: Arg{d, access, false}})
		}
		for i, m := range p.maps {
			once := i == len(p.maps)-1
			if m.from == l.set && m.to == set && (once || access != loop.Write && access != loop.RW) {
				ways = append(ways, testArg{Arg{d, access, true}, i})
			}
		}
		rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
		for i, a := range ways {
			if i == 0 || access != loop.Write && access != loop.RW && rng.IntN(2) == 0 {
				l.args = append(l.args, a)
			}
		}
	}
	if rng.IntN(8) == 0 {
		l.args = append(l.args, testArg{Arg: Arg{NoDat, loop.Inc, true}})
	}
	return l
}

// mix returns a number that depends on all given.
func mix(numbers ...uint64) uint64 {
	h := uint64(1)
	for _, n := range numbers {
		h = (h^n)*0x9E3779B97F4A7C15 + 1
		h ^= h >> 29
	}
	return h
}

// run runs the loop for an element: number is the one in the whole mesh, element the one that is
// used with the rows of maps and the values.
func (l *testLoop) run(number uint64, element int, row func(m int) []int32, values [][]uint64) {
	h := mix(number)
	targets := func(a testArg) []int32 {
		if !a.Mapped {
			return []int32{int32(element)}
		}
		return row(a.through)
	}
	for _, a := range l.args {
		if a.Dat != NoDat && (a.Access == loop.Read || a.Access == loop.RW) {
			for _, t := range targets(a) {
				if t >= 0 {
					h = mix(h, values[a.Dat][t])
				}
			}
		}
	}
	for i, a := range l.args {
		if a.Dat == NoDat || a.Access == loop.Read {
			continue
		}
		for j, t := range targets(a) {
			if t < 0 {
				continue
			}
			v, given := &values[a.Dat][t], mix(h, uint64(i), uint64(j))
			switch a.Access {
			case loop.Write:
				*v = given
			case loop.RW:
				*v = mix(*v, given)
			case loop.Inc:
				*v += given
			case loop.Min:
				*v = min(*v, given)
			case loop.Max:
				*v = max(*v, given)
			}
		}
	}
}

// serial returns the values of all dats after each loop; first those at the start.
func (p *program) serial() [][][]uint64 {
	values := make([][]uint64, len(p.dats))
	for d, set := range p.dats {
		for e := range p.sizes[set] {
			values[d] = append(values[d], mix(uint64(d), uint64(e)))
		}
	}
	after := [][][]uint64{clone(values)}
	for _, l := range p.loops {
		for e := range p.sizes[l.set] {
			if l.subset != nil && !l.subset[e] {
				continue
			}
			l.run(uint64(e), e, func(m int) (row []int32) {
				for _, t := range p.maps[m].row(int64(e)) {
					row = append(row, int32(t))
				}
				return row
			}, values)
		}
		after = append(after, clone(values))
	}
	return after
}

func clone(values [][]uint64) [][]uint64 {
	c := make([][]uint64, len(values))
	for i := range values {
		c[i] = slices.Clone(values[i])
	}
	return c
}

// rank runs the program on one rank, and compares what Plan says is valid with the serial values.
func (p *program) rank(c comm.Comm, serial [][][]uint64) error {
	m, err := p.mesh(c)
	if err != nil {
		return err
	}
	mesh, err := Build(c, m, p.depth)
	if err != nil {
		return err
	}
	values, states := make([][]uint64, len(p.dats)), make([]Values, len(p.dats))
	for d, set := range p.dats {
		for _, number := range mesh.Sets[set].Numbers {
			values[d] = append(values[d], serial[0][d][number])
		}
		states[d].Valid = 2 * p.depth
	}
	var chained []Step // of the loops that run after an exchange
	for i, l := range p.loops {
		if p.chains > 0 && i%p.chains == 0 {
			for _, e := range PlanChain(p.described(i, min(i+p.chains, len(p.loops))), states, p.depth) {
				for n := range e.Steps[1:] {
					if !slices.Equal(e.Steps[n+1].Before, validOf(e.Steps[n].After)) {
						return fmt.Errorf("chain from loop %d: %v and then %v: a second exchange", i, e.Steps[n], e.Steps[n+1])
					}
				}
				chained = append(chained, e.Steps...)
			}
		}
		var step Step
		restricted := l.restricted && p.chains == 0
		if p.chains == 0 {
			step = Plan(p.described(i, i+1)[0], states, p.depth)
		} else {
			step, chained = chained[0], chained[1:]
		}
		for d, set := range p.dats {
			parts := mesh.Sets[set].Parts
			if restricted {
				if parts, err = Restrict(c, &mesh.Sets[set], l.reached(p, mesh, d, step.Execute)); err != nil {
					return err
				}
			}
			for part := states[d].Valid; part < step.Before[d]; part++ {
				if err := transfer(c, &parts[part], values[d]); err != nil {
					return err
				}
			}
		}
		s := &mesh.Sets[l.set]
		for e := range s.Prefix(step.Execute) {
			if l.subset == nil || l.subset[s.Numbers[e]] {
				l.run(uint64(s.Numbers[e]), e, func(m int) []int32 {
					arity := p.maps[m].arity
					return mesh.Maps[m][e*arity:][:arity]
				}, values)
			}
		}
		states = step.After
		for d, set := range p.dats {
			s := &mesh.Sets[set]
			valid := s.Prefix(states[d].Valid)
			for e, v := range values[d][:valid] {
				if want := serial[i+1][d][s.Numbers[e]]; v != want {
					return fmt.Errorf("rank %d, after loop %d: dat %d, element %d is %x, want %x", c.Rank(), i, d, s.Numbers[e], v, want)
				}
			}
			for e := range values[d][valid:] {
				values[d][valid+e] = 0xBAD
			}
		}
	}
	return nil
}

// described returns loops as Plan takes them.
func (p *program) described(first, last int) (loops []Loop) {
	for _, l := range p.loops[first:last] {
		var args []Arg
		for _, a := range l.args {
			args = append(args, a.Arg)
		}
		loops = append(loops, Loop{args, l.subset != nil, slices.Repeat([]bool{l.restricted}, len(p.dats))})
	}
	return loops
}

func validOf(values []Values) (valid []int) {
	for _, v := range values {
		valid = append(valid, v.Valid)
	}
	return valid
}

// reached reports which elements the loop reads of a dat when it executes a prefix.
func (l *testLoop) reached(p *program, mesh *Local, dat, prefix int) []bool {
	needed := make([]bool, mesh.Sets[p.dats[dat]].Total())
	s := &mesh.Sets[l.set]
	for e := range s.Prefix(prefix) {
		if l.subset != nil && !l.subset[s.Numbers[e]] {
			continue
		}
		for _, a := range l.args {
			switch {
			case a.Dat != dat:
			case !a.Mapped:
				needed[e] = true
			default:
				arity := p.maps[a.through].arity
				for _, t := range mesh.Maps[a.through][e*arity:][:arity] {
					if t >= 0 {
						needed[t] = true
					}
				}
			}
		}
	}
	return needed
}

// transfer sends and receives the messages of a part.
func transfer(c comm.Comm, p *Part, values []uint64) error {
	var sends, receives []comm.Message
	for _, s := range p.Sends {
		var data []int64
		for _, e := range s.Elements {
			data = append(data, int64(values[e]))
		}
		sends = append(sends, comm.Message{Rank: s.Rank, Data: comm.Bytes(data)})
	}
	for _, r := range p.Receives {
		receives = append(receives, comm.Message{Rank: r.Rank, Data: make([]byte, 8*r.Count)})
	}
	if err := comm.Once(c, sends, receives); err != nil {
		return err
	}
	for i, r := range p.Receives {
		for j, v := range comm.Values[int64](receives[i].Data) {
			values[r.Element(j)] = uint64(v)
		}
	}
	return nil
}

// TestPlan runs random loops on ranks, with just the messages that Plan asks for.
func TestPlan(t *testing.T) {
	for seed := range uint64(300) {
		if err := checkPlan(seed); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func checkPlan(seed uint64) error {
	p := randomProgram(rand.New(rand.NewPCG(seed, 2)))
	if seed%2 == 1 {
		p.chains = 1 + int(seed/2)%5
	}
	serial := p.serial()
	return onRanks(p.ranks, func(c comm.Comm) error { return p.rank(c, serial) })
}

func FuzzPlan(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) {
		if err := checkPlan(seed); err != nil {
			t.Fatal(err)
		}
	})
}

// TestPlanChoices checks what ranks with one layer do in loops where the answer is known.
func TestPlanChoices(t *testing.T) {
	direct := func(dat int, access loop.Access) Arg { return Arg{dat, access, false} }
	mapped := func(dat int, access loop.Access) Arg { return Arg{dat, access, true} }
	for _, test := range []struct {
		name   string
		loop   Loop
		before []Values
		depth  int
		want   string // prefix executed, prefixes before, values after
	}{
		{"direct, nobody wants more", Loop{Args: []Arg{direct(0, loop.Read), direct(1, loop.Write)}}, []Values{{2, 2}, {2, 0}}, 1,
			"0 [2 2] [{2 2} {0 0}]"},
		{"direct, wanted later", Loop{Args: []Arg{direct(0, loop.Read), direct(1, loop.Write)}}, []Values{{2, 0}, {0, 2}}, 1,
			"2 [2 0] [{2 2} {2 2}]"},
		{"direct, wanted later, not ready", Loop{Args: []Arg{direct(0, loop.Read), direct(1, loop.Write)}}, []Values{{1, 0}, {0, 2}}, 1,
			"0 [1 0] [{1 0} {0 2}]"},
		{"direct, some wanted ones can be had", Loop{Args: []Arg{direct(0, loop.Read), direct(1, loop.Write), direct(2, loop.Write)}}, []Values{{1, 0}, {0, 1}, {0, 2}}, 1,
			"1 [1 0 0] [{1 1} {1 1} {1 2}]"},
		{"direct, over a subset", Loop{Args: []Arg{direct(0, loop.Write)}, Subset: true}, []Values{{1, 2}}, 2,
			"0 [1] [{0 2}]"},
		{"direct, over a subset, all valid", Loop{Args: []Arg{direct(0, loop.Write)}, Subset: true}, []Values{{2, 2}}, 2,
			"2 [2] [{2 2}]"},
		{"gather", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}}, []Values{{0, 0}, {0, 0}}, 1,
			"0 [2 0] [{2 2} {0 0}]"},
		{"gather, partly valid", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}}, []Values{{1, 0}, {0, 2}}, 1,
			"0 [2 0] [{2 2} {0 2}]"},
		{"gather, wanted directly in E_1", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}}, []Values{{2, 2}, {0, 1}}, 1,
			"1 [2 0] [{2 2} {1 1}]"},
		{"gather of what it reaches", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}, Restricted: []bool{true, true}}, []Values{{0, 2}, {0, 1}}, 1,
			"0 [2 0] [{0 2} {0 1}]"},
		{"gather of everything", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}}, []Values{{0, 2}, {0, 1}}, 1,
			"1 [2 0] [{2 2} {1 1}]"},
		{"gather in two layers", Loop{Args: []Arg{mapped(0, loop.Read), direct(1, loop.Write)}}, []Values{{4, 2}, {0, 2}}, 2,
			"2 [4 0] [{4 4} {2 2}]"},
		{"scatter", Loop{Args: []Arg{direct(0, loop.Read), mapped(1, loop.Inc)}}, []Values{{0, 0}, {2, 2}}, 1,
			"1 [1 2] [{1 1} {0 2}]"},
		{"scatter in two layers", Loop{Args: []Arg{direct(0, loop.Read), mapped(1, loop.Inc)}}, []Values{{3, 0}, {2, 2}}, 2,
			"3 [3 2] [{3 3} {2 2}]"},
		{"scatter never to the last part", Loop{Args: []Arg{mapped(0, loop.Max), direct(1, loop.Write)}}, []Values{{2, 0}, {0, 2}}, 1,
			"1 [2 0] [{0 0} {1 2}]"},
		{"assembly", Loop{Args: []Arg{mapped(0, loop.Read), {NoDat, loop.Inc, true}}}, []Values{{0, 0}}, 1,
			"1 [2] [{2 2}]"},
		{"airfoil's res_calc", Loop{Args: []Arg{mapped(0, loop.Read), mapped(1, loop.Read), mapped(2, loop.Read), mapped(3, loop.Inc)}},
			[]Values{{2, 2}, {0, 2}, {1, 2}, {0, 0}}, 1,
			"1 [2 2 2 0] [{2 2} {2 2} {2 2} {0 0}]"},
	} {
		s := Plan(test.loop, test.before, test.depth)
		if got := fmt.Sprint(s.Execute, s.Before, s.After); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
