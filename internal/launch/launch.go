// Package launch finds out from the environment who started the process: a launcher of parallel
// programs, such as mpirun or srun, or a person. It is the only place that knows their variables.
package launch

import (
	"os"
	"strconv"
)

// A Launch describes the start of a process by a launcher.
type Launch struct {
	Launcher string // "Open MPI's mpirun"
	Family   Family
	Rank     int // of this process; -1 if unknown
	Ranks    int // processes of the job; 0 if unknown
	// Of the processes on this machine; -1 and 0 if unknown.
	LocalRank, LocalRanks int
}

// A Family is a family of MPI libraries that work with the same launchers.
type Family string

// The families.
const (
	AnyMPI  Family = ""
	OpenMPI Family = "Open MPI"
	MPICH   Family = "MPICH" // and what derives from it: Intel MPI, MVAPICH, Cray MPICH
)

// A launcher is known by a variable that it sets for the processes that it starts.
type launcher struct {
	name   string
	family Family
	sets   string
	// Where the numbers are; the first that is set counts.
	rank, ranks, localRank, localRanks []string
}

// launchers are in the order in which they are looked for: one may run under another.
var launchers = []launcher{
	{"Open MPI's mpirun", OpenMPI, "OMPI_COMM_WORLD_SIZE",
		[]string{"OMPI_COMM_WORLD_RANK"}, []string{"OMPI_COMM_WORLD_SIZE"},
		[]string{"OMPI_COMM_WORLD_LOCAL_RANK"}, []string{"OMPI_COMM_WORLD_LOCAL_SIZE"}},
	{"MVAPICH2's mpirun_rsh", MPICH, "MV2_COMM_WORLD_SIZE",
		[]string{"MV2_COMM_WORLD_RANK"}, []string{"MV2_COMM_WORLD_SIZE"},
		[]string{"MV2_COMM_WORLD_LOCAL_RANK"}, []string{"MV2_COMM_WORLD_LOCAL_SIZE"}},
	{"PALS of Cray", MPICH, "PALS_RANKID",
		[]string{"PALS_RANKID"}, []string{"PALS_SIZE", "PMI_SIZE"},
		[]string{"PALS_LOCAL_RANKID"}, []string{"PALS_LOCAL_SIZE"}},
	{"MPICH's mpiexec (Hydra)", MPICH, "MPI_LOCALRANKID",
		[]string{"PMI_RANK"}, []string{"PMI_SIZE"},
		[]string{"MPI_LOCALRANKID"}, []string{"MPI_LOCALNRANKS"}},
	// A step of a job: the script of the job has no such variable.
	{"Slurm's srun", AnyMPI, "SLURM_STEP_NUM_TASKS",
		[]string{"SLURM_PROCID"}, []string{"SLURM_STEP_NUM_TASKS"},
		[]string{"SLURM_LOCALID"}, nil},
	{"Flux", AnyMPI, "FLUX_TASK_RANK",
		[]string{"FLUX_TASK_RANK"}, []string{"FLUX_JOB_SIZE"},
		[]string{"FLUX_TASK_LOCAL_ID"}, nil},
	{"a launcher with PMI", MPICH, "PMI_RANK",
		[]string{"PMI_RANK"}, []string{"PMI_SIZE"}, []string{"PMI_LOCAL_RANK"}, []string{"PMI_LOCAL_SIZE"}},
	{"a launcher with PMIx", AnyMPI, "PMIX_RANK",
		[]string{"PMIX_RANK"}, nil, nil, nil},
}

// Detect reports whether a launcher of parallel programs has started the process, and which.
func Detect() (Launch, bool) {
	for _, l := range launchers {
		if os.Getenv(l.sets) != "" {
			return Launch{l.name, l.family, number(l.rank, -1), number(l.ranks, 0), number(l.localRank, -1), number(l.localRanks, 0)}, true
		}
	}
	return Launch{Rank: -1, LocalRank: -1}, false
}

// number returns the first number from 0 that one of the variables holds.
func number(names []string, otherwise int) int {
	for _, name := range names {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n >= 0 {
			return n
		}
	}
	return otherwise
}

// Variables returns the names of all variables that Detect reads: a process without them is not
// recognized as started by a launcher.
func Variables() []string {
	var names []string
	for _, l := range launchers {
		names = append(names, l.sets)
		for _, more := range [][]string{l.rank, l.ranks, l.localRank, l.localRanks} {
			names = append(names, more...)
		}
	}
	return names
}
