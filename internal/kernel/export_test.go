package kernel

// For the tests that go through the front ends, which import this package.
var (
	DescribeUses     = describe
	DescribeProblems = problems
	Unindent         = unindent
)
