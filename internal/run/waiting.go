package run

import "github.com/go-op2/op2/internal/entity"

// list is a queue that keeps all operations, none of which runs.
type list struct {
	Queue      // of the runtime, which is empty
	operations []Operation
}

// Add implements Queue.
func (l *list) Add(o Operation) (waits bool, err error) {
	l.operations = append(l.operations, o)
	return true, nil
}

// Record returns the operations that the program calls within a function, none of which runs.
func Record(rt *entity.Runtime, calls func() error) ([]Operation, error) {
	if err := rt.Seal("a chain has been recorded", "RecordChain"); err != nil {
		return nil, err
	}
	e, l := engineOf(rt), &list{Queue: QueueOf(rt)}
	e.queue = l
	defer func() { e.queue = l.Queue }()
	err := rt.Record(calls)
	return l.operations, err
}
