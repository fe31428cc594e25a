package device

import (
	"os"
	"strconv"
)

// ranks are the environment variables with which launchers of parallel programs number the
// processes of a machine: Open MPI, MPICH and its derivatives, MVAPICH2, Slurm, Cray.
var ranks = []string{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "PALS_LOCAL_RANKID"}

// Share returns which of n equal devices this process should use: processes started together on a
// machine take them in turn, and a single process takes the first.
func Share(n int) int {
	for _, name := range ranks {
		if rank, err := strconv.Atoi(os.Getenv(name)); err == nil && rank >= 0 {
			return rank % n
		}
	}
	return 0
}
