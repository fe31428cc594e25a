//go:build op2_static

package native

// Unsupported says why libraries cannot be loaded: a program without dynamic loader contains nothing that calls one.
var Unsupported error = &NotFoundError{What: "this program was built without what loads libraries", Hint: "build it without -tags op2_static"}
