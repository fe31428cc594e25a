package mpi

import "github.com/go-op2/op2/internal/loop"

// An abi is the binary interface of a kind of MPI library: its constants, and the sizes of its
// handles and statuses.
type abi struct {
	name   string
	handle int // size of a handle
	status int // size of a status, and where its fields are
	source int
	tag    int
	err    int

	anySource, anyTag     int
	inPlace, ignoreStatus int
	serialized, multiple  int // support of threads
	tagBound              int // attribute
	inStatus, pending     int // error codes
	truncated             int

	// Predefined handles, by their names in Open MPI: addresses of these, or numbers.
	handles map[string]uintptr
}

// types are the names of the types of values, and ops those of reductions.
var (
	types = map[loop.Scalar]string{
		loop.Int8: "ompi_mpi_int8_t", loop.Int16: "ompi_mpi_int16_t", loop.Int32: "ompi_mpi_int32_t", loop.Int64: "ompi_mpi_int64_t",
		loop.Uint8: "ompi_mpi_uint8_t", loop.Uint16: "ompi_mpi_uint16_t", loop.Uint32: "ompi_mpi_uint32_t",
		loop.Uint64: "ompi_mpi_uint64_t", loop.Float32: "ompi_mpi_float", loop.Float64: "ompi_mpi_double",
	}
	ops = map[loop.Access]string{loop.Inc: "ompi_mpi_op_sum", loop.Min: "ompi_mpi_op_min", loop.Max: "ompi_mpi_op_max"}
)

const (
	commWorld    = "ompi_mpi_comm_world"
	commSelf     = "ompi_mpi_comm_self"
	typeByte     = "ompi_mpi_byte"
	errorsReturn = "ompi_mpi_errors_return"
	noInfo       = "ompi_mpi_info_null"
)

// openMPI is Open MPI 1.7 to 5: handles are addresses of its objects.
var openMPI = abi{
	name: "Open MPI's", handle: 8, status: 24, source: 0, tag: 4, err: 8,
	anySource: -1, anyTag: -1, inPlace: 1, ignoreStatus: 0, serialized: 2, multiple: 3, tagBound: 0,
	inStatus: 18, pending: 19, truncated: 15,
}

// mpich is that of MPICH 3.1 and later, Intel MPI, MVAPICH and Cray MPICH, which have agreed on it.
var mpich = abi{
	name: "MPICH's", handle: 4, status: 20, source: 8, tag: 12, err: 16,
	anySource: -2, anyTag: -1, inPlace: -1, ignoreStatus: 1, serialized: 2, multiple: 3, tagBound: 0x64400001,
	inStatus: 17, pending: 18, truncated: 14,
	handles: map[string]uintptr{
		commWorld: 0x44000000, commSelf: 0x44000001, typeByte: 0x4c00010d, errorsReturn: 0x54000001, noInfo: 0x1c000000,
		"ompi_mpi_int8_t": 0x4c000137, "ompi_mpi_int16_t": 0x4c000238, "ompi_mpi_int32_t": 0x4c000439, "ompi_mpi_int64_t": 0x4c00083a,
		"ompi_mpi_uint8_t": 0x4c00013b, "ompi_mpi_uint16_t": 0x4c00023c, "ompi_mpi_uint32_t": 0x4c00043d, "ompi_mpi_uint64_t": 0x4c00083e,
		"ompi_mpi_float": 0x4c00040a, "ompi_mpi_double": 0x4c00080b,
		"ompi_mpi_op_sum": 0x58000003, "ompi_mpi_op_min": 0x58000002, "ompi_mpi_op_max": 0x58000001,
	},
}

// standard is the ABI of MPI 5 (MPI: A Message-Passing Interface Standard, version 5.0, chapter 20).
var standard = abi{
	name: "the standard", handle: 8, status: 32, source: 0, tag: 4, err: 8,
	anySource: -1, anyTag: -2, inPlace: 1, ignoreStatus: 0, serialized: 2048, multiple: 4096, tagBound: 501,
	inStatus: 19, pending: 18, truncated: 15,
	handles: map[string]uintptr{
		commWorld: 0x101, commSelf: 0x102, typeByte: 0x247, errorsReturn: 0x143,
		"ompi_mpi_int8_t": 0x240, "ompi_mpi_int16_t": 0x248, "ompi_mpi_int32_t": 0x250, "ompi_mpi_int64_t": 0x258,
		"ompi_mpi_uint8_t": 0x241, "ompi_mpi_uint16_t": 0x249, "ompi_mpi_uint32_t": 0x251, "ompi_mpi_uint64_t": 0x259,
		"ompi_mpi_float": 0x210, "ompi_mpi_double": 0x214,
		"ompi_mpi_op_sum": 0x21, "ompi_mpi_op_min": 0x22, "ompi_mpi_op_max": 0x23,
	},
}
