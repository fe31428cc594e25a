package stop_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/stop"
)

func TestNeverRaised(t *testing.T) {
	for _, test := range []struct {
		name string
		ctx  context.Context
	}{{"nil", nil}, {"background", context.Background()}} {
		f := stop.New(test.ctx)
		if f != nil || f.Raised() || f.Err() != nil || f.Word() != nil || f.Context() != context.Background() {
			t.Errorf("%s: not the nil flag", test.name)
		}
		f.Release()
	}
}

func TestRaised(t *testing.T) {
	cause := errors.New("the user pressed a key")
	ctx, cancel := context.WithCancelCause(context.Background())
	f := stop.New(ctx)
	word := (*atomic.Int32)(f.Word())
	if f.Raised() || f.Err() != nil || word.Load() != 0 || f.Context() != ctx {
		t.Error("raised before its context ends")
	}
	cancel(cause)
	if err := f.Err(); err != cause { // at once
		t.Errorf("error %v", err)
	}
	for !f.Raised() {
		time.Sleep(time.Microsecond)
	}
	if word.Load() == 0 {
		t.Error("C does not see it")
	}
	f.Release()
}

func TestReleased(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	released, kept := stop.New(ctx), stop.New(ctx)
	released.Release()
	cancel()
	for !kept.Raised() {
		time.Sleep(time.Microsecond)
	}
	if released.Raised() || released.Err() != context.Canceled {
		t.Error("a released flag follows its context only when asked for the error")
	}
}
