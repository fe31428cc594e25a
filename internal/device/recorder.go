package device

import "errors"

// Recorder is a Device that can record launches, and queue all of them again in one call.
type Recorder interface {
	Device
	// Record calls queue, which only launches kernels, and records the launches instead of queueing
	// them, with the values that their arguments have. The error wraps ErrNotRecorded if the library
	// cannot record, and is that of queue if it fails.
	Record(queue func() error) (Recording, error)
}

// ErrNotRecorded is wrapped by errors of Record that say that launching as usual remains possible.
var ErrNotRecorded = errors.New("launches are not recorded")

// Recording is recorded launches. The buffers and kernels that they use must still exist when they run.
type Recording interface {
	// Queue queues all of them.
	Queue() error
	Free()
}

// Batcher is a Device that can submit several operations at once.
type Batcher interface {
	Device
	// Batch calls queue, and submits at once what that queues after its first operation.
	Batch(queue func() error) error
}
