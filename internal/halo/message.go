package halo

import "github.com/go-op2/op2/internal/comm"

// tag is that of all messages of this package, apart from those of exchanges of values.
const tag = comm.MaxTag

// ask sends questions to ranks that do not expect them, and returns their answers, in the order of
// the questions, which have ascending ranks and the given sizes in bytes. Questions may be for this
// rank itself.
func ask(c comm.Comm, questions []comm.Message, sizes []int, answer func(from int, question []byte) ([]byte, error)) ([][]byte, error) {
	answers := make([][]byte, len(questions))
	var others, receives, sends []comm.Message
	for i, q := range questions {
		if q.Rank == c.Rank() {
			var err error
			if answers[i], err = answer(q.Rank, q.Data); err != nil {
				return nil, err
			}
			continue
		}
		others = append(others, q)
		answers[i] = make([]byte, sizes[i])
		if sizes[i] > 0 {
			receives = append(receives, comm.Message{Rank: q.Rank, Tag: tag, Data: answers[i]})
		}
	}
	came, err := c.Consensus(others)
	if err != nil {
		return nil, err
	}
	for _, q := range came {
		a, err := answer(q.Rank, q.Data)
		if err != nil {
			return nil, err
		}
		if len(a) > 0 {
			sends = append(sends, comm.Message{Rank: q.Rank, Tag: tag, Data: a})
		}
	}
	return answers, comm.Once(c, sends, receives)
}
