package profile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// row holds the figures of one loop on all ranks.
type row struct {
	Stats                 // sums over the ranks, except Calls, How and Code, which are those of the first
	times []time.Duration // of each rank
}

// WriteRanks writes the figures of all ranks as one table: the mean, the least and the greatest time
// of a rank for each loop, messages and their bytes, and the share of the time that ranks waited for
// each other.
func WriteRanks(w io.Writer, ranks [][]Stats) error {
	rows := combine(ranks)
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
	fmt.Fprint(t, "loop\tover\tcalls\ttime s\tleast\tmost\tms/call\tGB/s\tshare\tmessages\tMB\twaiting\t")
	if all.hasHow {
		fmt.Fprint(t, "  how")
	}
	fmt.Fprintln(t)
	for _, r := range rows {
		r.write(t, percent(r.Time, total.Time))
		if all.hasHow {
			fmt.Fprintf(t, "  %s", r.How)
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "all\t\t\t%.3f\t%.3f\t%.3f\t\t\t\t%d\t%.1f\t%.1f %%\t\n", total.mean().Seconds(),
		slices.Min(total.times).Seconds(), slices.Max(total.times).Seconds(), total.Messages, float64(total.Sent)/1e6, percent(total.Awaited, total.Time))
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%d ranks: time is the mean over them, least and most that of one rank; GB/s, messages and MB are of all together; "+
		"waiting is for other ranks\n", len(ranks)); err != nil {
		return err
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
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.Time, a.Time) })
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
	s.Compile += other.Compile
	s.Waited += other.Waited
	s.Messages += other.Messages
	s.Sent += other.Sent
	s.Awaited += other.Awaited
}

// mean returns the mean time of a rank.
func (r *row) mean() time.Duration { return r.Time / time.Duration(max(len(r.times), 1)) }

func (r *row) write(w io.Writer, share float64) {
	together := r.Stats
	together.Time = r.mean()
	fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.4f\t%s\t%.1f %%\t%d\t%.1f\t%.1f %%\t", r.Kernel, r.Set, r.Calls,
		r.mean().Seconds(), slices.Min(r.times).Seconds(), slices.Max(r.times).Seconds(), 1e3*r.mean().Seconds()/float64(r.Calls),
		together.bandwidth(), share, r.Messages, float64(r.Sent)/1e6, percent(r.Awaited, r.Time))
}
