package comm

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Run runs body on n connected ranks, a goroutine each, as Local connects them, and waits for all.
// A rank whose body returns an error, or ends its goroutine, has failed: the calls of others return
// a *Failure. A panic fails the rank too, and Run panics with it. Run returns what ranks have
// failed with, other than the failures of others.
func Run(n int, delay time.Duration, body func(Comm) error) error {
	var (
		mu       sync.Mutex
		failures []*Failure
		panicked *Failure
		all      sync.WaitGroup
	)
	for _, c := range Local(n, delay) {
		all.Go(func() {
			defer c.Close()
			err, panics := errors.New("its goroutine has ended"), false // without a return
			defer func() {
				if err == nil || Reported(err) {
					return
				}
				c.Fail(err)
				mu.Lock()
				defer mu.Unlock()
				if failure := Fails(c.Rank(), err); panics && panicked == nil {
					panicked = failure
				} else {
					failures = append(failures, failure)
				}
			}()
			defer func() {
				if p := recover(); p != nil {
					err, panics = fmt.Errorf("panic: %v\n\n%s", p, debug.Stack()), true
				}
			}()
			err = body(c)
		})
	}
	all.Wait()
	if panicked != nil {
		panic(panicked.Error())
	}
	return Join(failures)
}
