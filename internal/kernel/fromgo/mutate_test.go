package fromgo

import (
	"flag"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var mutations = flag.Int("mutations", 3000, "how many mutated sources TestMutations tries")

// TestMutations lowers sources with a few tokens exchanged, which are closer to Go
// than what FuzzParse finds. A long search takes another seed:
//
//	go test -run Mutations ./internal/kernel/fromgo -mutations 1000000
func TestMutations(t *testing.T) {
	var pool [][]string
	for _, test := range lowerings {
		pool = append(pool, tokens(test.source))
	}
	for _, test := range refusals {
		pool = append(pool, tokens(test.source))
	}
	seed := uint64(1)
	if *mutations > 3000 {
		seed = rand.Uint64()
	}
	random := rand.New(rand.NewPCG(seed, 1))
	lowered := 0
	for range *mutations {
		source := mutate(pool, random)
		t.Run("", func(t *testing.T) {
			defer func() {
				if t.Failed() || recover() != nil {
					t.Fatal("source:\n", source)
				}
			}()
			k, err := Parse(source).Kernel("k", "k.go", 0)
			if err == nil {
				lowered++
				if text := dump(k); strings.ContainsAny(text, "@?") {
					t.Error("lowered to:\n", text)
				}
			}
		})
	}
	if lowered == 0 {
		t.Error("no mutated source was lowered")
	}
}

// tokens returns the tokens of a source, each semicolon with a line feed.
func tokens(source string) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(source)), []byte(source), nil, 0)
	var list []string
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
			text = ";\n"
		case text == "":
			text = tok.String()
		}
		list = append(list, text)
	}
}

// mutate changes one source of the pool at a few places.
func mutate(pool [][]string, random *rand.Rand) string {
	list := slices.Clone(pool[random.IntN(len(pool))])
	for range 1 + random.IntN(3) {
		other := pool[random.IntN(len(pool))]
		i, j, from := random.IntN(len(list)), random.IntN(len(list)), random.IntN(len(other))
		switch random.IntN(5) {
		case 0:
			list[i] = list[j]
		case 1:
			list[i] = other[from]
		case 2:
			list[i], list[j] = list[j], list[i]
		case 3:
			list = slices.Insert(list, i, other[from:min(from+1+random.IntN(12), len(other))]...)
		case 4:
			if len(list) > 1 {
				list = slices.Delete(list, i, i+1)
			}
		}
	}
	return "package p; import (\"math\"; \"fmt\"; \"unsafe\")\n" + strings.Join(list, " ")
}
