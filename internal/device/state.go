package device

// State says where the values of a Mirror are, and where they are valid.
type State uint8

// The states.
const (
	DeviceUnallocated State = iota // valid on the host only: the device has no memory for them
	HostUnallocated                // nowhere yet: all values are zero
	OnDevice                       // valid on the device only
	OnHost                         // valid on the host only: the device's copy is out of date
	OnBoth                         // valid on both
)

func (s State) String() string {
	return [...]string{"DeviceUnallocated", "HostUnallocated", "Device", "Host", "Both"}[s]
}

// Valid reports whether the device's copy is valid.
func (s State) Valid() bool { return s == OnDevice || s == OnBoth }

// Transfers counts the transfers of mirrors, and their bytes.
type Transfers struct {
	ToDevice, ToHost           int64
	BytesToDevice, BytesToHost int64
}
