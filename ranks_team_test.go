package op2_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// teamProgram runs a ring on each of two teams beside a sum over all ranks.
func teamProgram(options ...op2.Option) error {
	options = append(options, op2.WithBackend("go"))
	world, err := op2.Open(options...)
	if err != nil {
		return err
	}
	defer world.Close()
	members, name := (world.Ranks()+1)/2, "even"
	if world.Rank()%2 == 1 {
		members, name = world.Ranks()/2, "odd"
	}
	team, err := op2.Open(append(options, op2.WithTeam(name))...)
	if err != nil {
		return err
	}
	defer team.Close()
	if team.Ranks() != members || team.Rank() != world.Rank()/2 {
		return fmt.Errorf("rank %d of the world is %d of %d in the team %s", world.Rank(), team.Rank(), team.Ranks(), name)
	}
	ring, err := newRingProgram(team)
	if err != nil {
		return err
	}
	if err := ring.x.Fill(1); err != nil {
		return err
	}
	odd := world.Rank() % 2
	if err := ring.run(3 + odd); err != nil { // as often as the team likes
		return err
	}
	// Each run but the first triples all values: a node keeps its own, and gets those of its neighbors.
	data, err := ring.x.DataRO()
	if err != nil {
		return err
	}
	value := data[0]
	if want := []float64{18, 54}[odd]; value != want {
		return fmt.Errorf("team %s: the value is %v, want %v", name, value, want)
	}
	values := op2.NewDat(world.NewSetShare(1, "members"), 1, []float64{value}, "values")
	ones := op2.NewDat(values.Set(), 1, []float64{1}, "ones")
	sum, err := values.Inner(ones)
	if err != nil {
		return err
	}
	if want := float64(18*((world.Ranks()+1)/2) + 54*(world.Ranks()/2)); sum != want {
		return fmt.Errorf("the sum over all ranks is %v, want %v", sum, want)
	}
	return team.Close()
}

// Teams of ranks compute for themselves, beside what all ranks do together.
func TestTeams(t *testing.T) {
	t.Parallel()
	for _, ranks := range []int{1, 2, 5} {
		optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) error { return teamProgram(rank) }))
	}
}

// What fails in one team ends all.
func TestTeamFails(t *testing.T) {
	t.Parallel()
	err := op2.RunRanks(4, func(rank op2.Option) error {
		world, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		team, err := op2.Open(rank, op2.WithBackend("go"), op2.WithTeam(fmt.Sprint(world.Rank()/2)))
		if err != nil {
			return err
		}
		if world.Rank() == 3 {
			return errors.New("no such file") // without Close
		}
		for range 2 {
			if _, err := team.AnyRank(false); err != nil {
				return err
			}
		}
		_, err = world.AnyRank(false)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "rank 3: no such file") {
		t.Errorf("it ends with %v", err)
	}
}
