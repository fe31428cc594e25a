package userkernel

import "github.com/go-op2/op2/internal/choice"

// With returns the kernel with these choices for its loops. The same kernel with the same choices
// gives the same kernel.
func (k *Kernel) With(choices choice.Choices) *Kernel {
	if choices == k.choices {
		return k
	}
	base := k.untuned()
	return Get(&tunedKernels, tunedKernel{base, choices}, func() *Kernel { return base.tuned(choices) })
}

// Refused returns the kernel with an error, which its loops report.
func (k *Kernel) Refused(choices choice.Choices, err error) *Kernel {
	refused := k.untuned().tuned(choices)
	refused.err = err
	return refused
}

// tunedKernels caches the most recent kernels made by With.
var tunedKernels = Table[tunedKernel, *Kernel]{Most: 1024}

type tunedKernel struct {
	kernel  *Kernel
	choices choice.Choices
}

func (k *Kernel) tuned(choices choice.Choices) *Kernel {
	return &Kernel{name: k.name, err: k.err, fn: k.fn, function: k.function, source: k.source, file: k.file, line: k.line,
		read: k.read, own: k.own, base: k, choices: choices}
}

// untuned returns the kernel without options that k was made from.
func (k *Kernel) untuned() *Kernel {
	if k.base != nil {
		return k.base
	}
	return k
}
