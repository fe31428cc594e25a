package entity

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
)

// Called adds to an error where the program has called the library: the caller's own verb.
func Called(err error) error {
	if err == nil {
		return nil
	}
	return Located(err, "called", callsite.Find())
}

// Located adds a place to an error that has none, unless ranks have told each other of it.
func Located(err error, done string, s callsite.Site) error {
	var failed *comm.Failure
	if s.At == "" || errors.As(err, &failed) || problem.HasPlace(err) {
		return err
	}
	return problem.At(err, done+" at "+s.At)
}

// About adds to an error of an argument where its data and its maps were declared.
func (a *Arg) About(err error) error {
	var places []string
	note := func(name string, at callsite.Calls) {
		if s := at.Site(); s.At != "" {
			places = append(places, name+" was declared at "+s.At)
		}
	}
	if a.Data != nil {
		note(a.Data.name, a.Data.site)
	}
	if a.Map != nil {
		note(a.Map.name, a.Map.site)
	}
	if a.Cols != nil && a.Cols != a.Map {
		note(a.Cols.name, a.Cols.site)
	}
	if err == nil || len(places) == 0 {
		return err
	}
	return problem.Errorf("%w\n  %s", err, strings.Join(places, ", "))
}

// Besides returns the name of data for a message that also names other data, with where it was declared if their names
// are equal.
func (d *Data) Besides(other *Data) string {
	if at := d.site.Site().At; d.name == other.name && d != other && at != "" {
		return fmt.Sprintf("%s (declared at %s)", d.name, at)
	}
	return d.name
}
