package partition

import (
	"math"
	"slices"
)

// Machine describes ranks and their network, in seconds and bytes a second.
type Machine struct {
	Memory    float64 // bytes a second that the loops of one rank move
	Latency   float64 // seconds for each message
	Bandwidth float64 // bytes a second that one rank receives
	Reduction float64 // seconds for each of the log2(ranks) steps of a reduction
}

// Load is the cost of an iteration for the busiest rank.
type Load struct {
	Work      float64 // what it computes, as a part of the whole
	Neighbors float64 // ranks that it exchanges messages with
	Received  float64 // bytes
}

// Load returns the largest loads of any part, each by itself.
func (f *Figures) Load(it *Iteration) Load {
	work := make([]float64, f.Parts)
	for _, run := range it.Loops {
		set := &f.Sets[run.Set]
		size := 0
		for _, n := range set.Owned {
			size += n
		}
		for p := range work {
			n := set.Owned[p]
			if run.Halo {
				n += set.Executed[p]
			}
			work[p] += run.Bytes / max(1, it.Bytes) * float64(n) / float64(max(1, size))
		}
	}
	return Load{slices.Max(work), float64(slices.Max(f.Neighbors)), slices.Max(f.Received(it))}
}

// Received returns the bytes that each part receives in an iteration, all of the halo that is not valid.
func (f *Figures) Received(it *Iteration) []float64 {
	received := make([]float64, f.Parts)
	for _, t := range it.Transfers {
		of := f.Sets[t.Set].Executed
		if t.Read {
			of = f.Sets[t.Set].Read
		}
		for p, n := range of {
			received[p] += float64(n) * float64(t.Bytes)
		}
	}
	return received
}

// Time is the prediction for one iteration, in seconds.
type Time struct{ Compute, Messages, Bytes, Reductions float64 }

// Total returns the time of the iteration if nothing overlaps.
func (t Time) Total() float64 { return t.Compute + t.Messages + t.Bytes + t.Reductions }

// Time predicts an iteration on a number of ranks: the work of the busiest rank, and one after the
// other its messages, what they carry and reductions. Times is by how much the mesh is larger than
// the one of the iteration.
func (m *Machine) Time(it *Iteration, l Load, ranks int, times float64) Time {
	return Time{
		Compute:    l.Work * times * it.Bytes / m.Memory,
		Messages:   float64(it.Waits) * l.Neighbors * m.Latency,
		Bytes:      l.Received / m.Bandwidth,
		Reductions: float64(it.Reductions) * math.Log2(float64(ranks)) * m.Reduction,
	}
}

// Sample is a load that has been found, on parts with a mean number of elements of the leading
// set.
type Sample struct {
	Parts    int
	Elements float64
	Load     Load
}

// Law extrapolates loads: halos grow with the surface of a part, its elements to the power of
// (Dim-1)/Dim.
type Law struct {
	Dim       int
	Received  float64 // bytes for each element of surface
	Excess    float64 // work beyond an equal share, relative to it, at one element
	Neighbors float64
	From      []int // numbers of parts of the samples that it was fitted to
}

// NewLaw fits a law to samples: those of at least 8 parts, because most of fewer are at the boundary of
// the mesh, and of at least 64 elements each; where there are none, those of at least 8 parts, or of
// at least 2. Without these, it is nil.
func NewLaw(dim int, samples []Sample) *Law {
	for _, least := range []Sample{{Parts: 8, Elements: 64}, {Parts: 8}, {Parts: 2}} {
		l := &Law{Dim: dim}
		for _, s := range samples {
			if s.Parts < least.Parts || s.Elements < least.Elements {
				continue
			}
			l.Received += s.Load.Received / l.surface(s.Elements)
			l.Excess += (s.Load.Work*float64(s.Parts) - 1) * s.Elements / l.surface(s.Elements)
			l.Neighbors = max(l.Neighbors, s.Load.Neighbors)
			l.From = append(l.From, s.Parts)
		}
		if n := float64(len(l.From)); n > 0 {
			l.Received /= n
			l.Excess /= n
			return l
		}
	}
	return nil
}

// Exponent returns the exponent of the surface.
func (l *Law) Exponent() float64 { return float64(l.Dim-1) / float64(l.Dim) }

func (l *Law) surface(elements float64) float64 { return math.Pow(elements, l.Exponent()) }

// Load returns the load of ranks with a mean number of elements of the leading set.
func (l *Law) Load(ranks int, elements float64) Load {
	if ranks == 1 {
		return Load{Work: 1}
	}
	share := 1 / float64(ranks)
	if elements < 1 { // somebody has a whole one
		share, elements = share/elements, 1
	}
	return Load{
		Work:      (1 + l.Excess*l.surface(elements)/elements) * share,
		Neighbors: min(l.Neighbors, float64(ranks-1)),
		Received:  l.Received * l.surface(elements),
	}
}
