package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// row holds the figures of one loop on all ranks.
type row struct {
	Stats                 // sums over the ranks, except Calls, How and Code, which are those of the first
	times []time.Duration // of each rank
}

// Write writes the figures of all ranks as one table. Of several, it has the mean, the least and the greatest time of a
// rank for each loop, messages and their bytes, and the share of the time that ranks waited for each other.
func Write(w io.Writer, ranks ...[]Stats) error {
	several, rows := len(ranks) > 1, combine(ranks)
	var all sums
	var total row
	for _, stats := range ranks {
		var s Stats
		for i := range stats {
			s.Add(&stats[i])
		}
		total.add(&s)
	}
	for i := range rows {
		all.add(&rows[i].Stats)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(how string, first, ofRanks, rest, messages string) {
		if several {
			first, rest = first+ofRanks, rest+messages
		}
		fmt.Fprint(t, first, rest)
		if all.hasHow && how != "" {
			fmt.Fprint(t, "  ", how)
		}
		fmt.Fprintln(t)
	}
	line("how", "loop\tover\tcalls\ttime s\t", "least\tmost\t", "ms/call\tGB/s\tshare\t", "messages\tMB\twaiting\t")
	for _, r := range rows {
		together, mean := r.Stats, r.mean().Seconds()
		together.Time = r.mean()
		line(r.How, fmt.Sprintf("%s\t%s\t%d\t%.3f\t", r.Kernel, r.Set, r.Calls, mean), r.extremes(),
			fmt.Sprintf("%.4f\t%s\t%.1f %%\t", 1e3*mean/float64(r.Calls), together.bandwidth(), percent(r.Time, total.Time)), r.messages())
	}
	line("", fmt.Sprintf("all\t\t\t%.3f\t", total.mean().Seconds()), total.extremes(), "\t\t\t", total.messages())
	if err := t.Flush(); err != nil {
		return err
	}
	if several {
		if _, err := fmt.Fprintf(w, "%d ranks: time is the mean over them, least and most that of one rank; GB/s, messages and MB are of all together; "+
			"waiting is for other ranks\n", len(ranks)); err != nil {
			return err
		}
	}
	return all.writeNotes(w)
}

// combine returns the rows of a table, the longest time first.
func combine(ranks [][]Stats) []row {
	var rows []row
	for _, stats := range ranks {
		for _, s := range stats {
			i := slices.IndexFunc(rows, func(r row) bool { return r.Kernel == s.Kernel && r.Set == s.Set })
			if i < 0 {
				i = len(rows)
				rows = append(rows, row{Stats: Stats{Kernel: s.Kernel, Set: s.Set, Calls: s.Calls, How: s.How, Code: s.Code}})
			}
			rows[i].add(&s)
		}
	}
	sorting.By(rows, func(a, b row) int { return cmp.Compare(b.Time, a.Time) })
	return rows
}

// add adds the figures of a rank.
func (r *row) add(s *Stats) {
	r.Stats.Add(s)
	r.times = append(r.times, s.Time)
}

// Add adds times, bytes and messages of another.
func (s *Stats) Add(other *Stats) {
	s.Time += other.Time
	s.Bytes += other.Bytes
	s.Flops += other.Flops
	s.Compile += other.Compile
	s.Waited += other.Waited
	s.Messages += other.Messages
	s.Sent += other.Sent
	s.Awaited += other.Awaited
}

// mean returns the mean time of a rank.
func (r *row) mean() time.Duration { return r.Time / time.Duration(max(len(r.times), 1)) }

// extremes returns the columns of the least and the greatest time of a rank.
func (r *row) extremes() string {
	return fmt.Sprintf("%.3f\t%.3f\t", slices.Min(r.times).Seconds(), slices.Max(r.times).Seconds())
}

// messages returns the columns of messages and of the wait for them.
func (r *row) messages() string {
	return fmt.Sprintf("%d\t%.1f\t%.1f %%\t", r.Messages, float64(r.Sent)/1e6, percent(r.Awaited, r.Time))
}
