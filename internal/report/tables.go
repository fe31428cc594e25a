package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

func writeJSON(w io.Writer, r *Report) error { return json.NewEncoder(w).Encode(r) }

// writeCSV writes a row for each loop of each rank.
func writeCSV(w io.Writer, r *Report) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"rank", "kernel", "set", "calls", "seconds", "bytes", "flops", "gb_per_s", "of_triad", "compile_seconds",
		"waited_for_threads_seconds", "waited_for_ranks_seconds", "messages", "halo_bytes_sent", "how", "code", "choices"}); err != nil {
		return err
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, rank := range r.Ranks {
		for _, l := range rank.Loops {
			share := ""
			if rank.Triad > 0 && l.Bytes > 0 {
				share = number(l.GBs / rank.Triad)
			}
			if err := c.Write([]string{strconv.Itoa(rank.Rank), l.Kernel, l.Set, count(l.Calls), number(l.Seconds), count(l.Bytes), count(l.Flops), number(l.GBs), share,
				number(l.Compile), number(l.Waited), number(l.Awaited), count(l.Messages), count(l.Sent), l.How, l.Code, l.Choices}); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}
