package loop

import "reflect"

// Type stands for a Go type where generic code calls code that is not: it is a nil pointer to that type. A package
// compiles wrappers of reflect.Type's 40 methods if the types that it uses mention it, in a method's parameters, say,
// or if a function that does is inlined.
type Type any

// TypeFor returns what stands for T.
func TypeFor[T any]() Type { return (*T)(nil) }

// Reflect returns the type that t stands for.
func Reflect(t Type) reflect.Type { return reflect.TypeOf(t).Elem() }

// LayoutFor returns the layout of the type that t stands for, as LayoutOf does.
//
//go:noinline
func LayoutFor(t Type) (*Layout, error) { return LayoutOf(Reflect(t)) }
