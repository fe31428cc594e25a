package bind

// The steps of NewBinding.
var (
	Place    = place
	Check    = check
	Describe = describe
	Lower    = lower
	Fit      = fit
)
