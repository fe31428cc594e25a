package device

import (
	"os"
	"strconv"
)

// ranks are the variables by which launchers of parallel programs number the processes of
// a machine: Open MPI, MPICH and its kin, MVAPICH2, Slurm, Cray.
var ranks = []string{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "PALS_LOCAL_RANKID"}

// Share is which of n equal devices is this process's: those that were started together on
// a machine take them in turn, and a single one the first.
func Share(n int) int {
	for _, name := range ranks {
		if rank, err := strconv.Atoi(os.Getenv(name)); err == nil && rank >= 0 {
			return rank % n
		}
	}
	return 0
}
