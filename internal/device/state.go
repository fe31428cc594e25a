package device

// State says where the values of a Mirror are, and where they are valid.
type State uint8

// The states.
const (
	DeviceUnallocated State = iota // on the host alone: the device has no memory for them
	HostUnallocated                // nowhere yet: all values are zero
	OnDevice                       // valid on the device alone
	OnHost                         // valid on the host alone: what the device has is out of date
	OnBoth                         // valid on both
)

func (s State) String() string {
	return [...]string{"DeviceUnallocated", "HostUnallocated", "Device", "Host", "Both"}[s]
}

// Valid reports whether what the device has is valid.
func (s State) Valid() bool { return s == OnDevice || s == OnBoth }

// Transfers counts what mirrors moved, and how many bytes that were.
type Transfers struct {
	ToDevice, ToHost           int64
	BytesToDevice, BytesToHost int64
}
