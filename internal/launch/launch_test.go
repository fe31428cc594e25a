package launch

import (
	"strings"
	"testing"
)

// Environments as launchers set them.
func TestDetect(t *testing.T) {
	for _, name := range Variables() {
		t.Setenv(name, "")
	}
	if l, is := Detect(); is || l != (Launch{Rank: -1, LocalRank: -1}) {
		t.Errorf("without a launcher: %+v, %v", l, is)
	}
	for _, test := range []struct {
		environment string
		want        Launch
	}{
		{"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2 PMIX_RANK=3",
			Launch{"Open MPI's mpirun", OpenMPI, 3, 4, 1, 2}},
		{"PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2 PMI_FD=8", Launch{"MPICH's mpiexec (Hydra)", MPICH, 1, 2, 1, 2}},
		// In a job of Slurm, Hydra starts a process on each machine with srun, and these the ranks.
		{"PMI_RANK=5 PMI_SIZE=8 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=4 SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1",
			Launch{"MPICH's mpiexec (Hydra)", MPICH, 5, 8, 1, 4}},
		{"MV2_COMM_WORLD_SIZE=2 MV2_COMM_WORLD_RANK=0 MV2_COMM_WORLD_LOCAL_RANK=0 MV2_COMM_WORLD_LOCAL_SIZE=2 PMI_RANK=0",
			Launch{"MVAPICH2's mpirun_rsh", MPICH, 0, 2, 0, 2}},
		{"SLURM_STEP_NUM_TASKS=16 SLURM_PROCID=9 SLURM_LOCALID=1 PMI_RANK=9 PMI_SIZE=16", Launch{"Slurm's srun", AnyMPI, 9, 16, 1, 0}},
		{"PALS_RANKID=9 PALS_LOCAL_RANKID=1 PALS_LOCAL_SIZE=8 PMI_RANK=9 PMI_SIZE=16", Launch{"PALS of Cray", MPICH, 9, 16, 1, 8}},
		{"FLUX_TASK_RANK=1 FLUX_JOB_SIZE=2 FLUX_TASK_LOCAL_ID=1 PMI_RANK=1", Launch{"Flux", AnyMPI, 1, 2, 1, 0}},
		{"PMI_RANK=1 PMI_SIZE=2", Launch{"a launcher with PMI", MPICH, 1, 2, -1, 0}},
		{"PMIX_RANK=1", Launch{"a launcher with PMIx", AnyMPI, 1, 0, -1, 0}},
	} {
		t.Run(test.want.Launcher, func(t *testing.T) {
			for _, v := range strings.Fields(test.environment) {
				name, value, _ := strings.Cut(v, "=")
				t.Setenv(name, value)
			}
			if got, is := Detect(); !is || got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
	// The script of a job of Slurm is no part of a step.
	t.Setenv("SLURM_PROCID", "0")
	t.Setenv("SLURM_NTASKS", "16")
	if l, is := Detect(); is {
		t.Errorf("the script of a job: %+v", l)
	}
}
