package op2

// CheckPlans proves every plan, as OP2_DIAGS does, without filling anything with NaN.
func CheckPlans() Option { return func(c *config) { c.checkPlans = true } }
