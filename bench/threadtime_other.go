//go:build !linux

package main

import "time"

var began = time.Now()

// threadTime returns the time, where that of a thread is not known.
func threadTime() time.Duration { return time.Since(began) }
