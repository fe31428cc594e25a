1i\
// Code generated from degree3.go by go generate. DO NOT EDIT.\

/go:generate/,+1d
s/ 3; go generate makes degree2.go of them/ 2/
s/modes3 = 10/modes3 = 6/
s/\([a-z]\)3\b/\12/g
