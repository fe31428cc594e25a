package run

import (
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/profile"
)

// meter counts the calls of a loop. It is separate from the loop because a device's queue refers to
// it.
type meter struct {
	own   profile.Stats
	total *profile.Stats // of all loops of the kernel over the set

	// The meters that share the time, for a fused loop whose figures are those of its parts.
	of     []*meter
	shares []float64
}

// addTime counts the time of a call.
func (m *meter) addTime(d time.Duration) {
	m.own.Time += d
	m.total.Time += d
	for i, part := range m.of {
		part.addTime(time.Duration(float64(d) * m.shares[i]))
	}
}

// traffic is what a call moves and computes at least.
type traffic struct {
	bytes int64
	flops int64 // 0: not known
}

// addCall counts a call.
func (m *meter) addCall(t traffic) {
	for _, s := range []*profile.Stats{&m.own, m.total} {
		s.Calls++
		s.Bytes += t.bytes
		s.Flops += t.flops
	}
}

// addWait counts the time that a call waited for other threads.
func (m *meter) addWait(d time.Duration) {
	m.own.Waited += d
	m.total.Waited += d
}

// recordHow records how the loop runs, and where its machine code came from.
func (m *meter) recordHow(how, code string) {
	m.own.How, m.own.Code = how, code
	m.total.How, m.total.Code = how, code
}

// recordChoices records the choices that the loop runs with.
func (m *meter) recordChoices(taken choice.Made) {
	m.own.Choices = taken.String()
	m.total.Choices = m.own.Choices
}

// addHalo counts an update of halos, and the time that the call waited for it.
func (m *meter) addHalo(u *exchange.Update) {
	for _, s := range []*profile.Stats{&m.own, m.total} {
		s.Messages += int64(len(u.Sends.List))
		s.Sent += u.Sends.Bytes
	}
	m.addAwaited(u.Waited)
}

// addReduction counts the time that the program waited for results of other ranks.
func (m *meter) addReduction(d time.Duration) {
	m.addTime(d)
	m.addAwaited(d)
}

// addAwaited counts the time that a call waited for other ranks.
func (m *meter) addAwaited(d time.Duration) {
	m.own.Awaited += d
	m.total.Awaited += d
}

// epoch is the origin of call times: reading only the monotonic clock takes half as long as
// time.Now.
var epoch = time.Now()
