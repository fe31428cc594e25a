package device

import "testing"

func TestShare(t *testing.T) {
	for _, name := range ranks {
		t.Setenv(name, "")
	}
	for _, test := range []struct {
		name, rank string
		n, want    int
	}{
		{"OMPI_COMM_WORLD_LOCAL_RANK", "", 4, 0},
		{"OMPI_COMM_WORLD_LOCAL_RANK", "3", 4, 3},
		{"OMPI_COMM_WORLD_LOCAL_RANK", "5", 4, 1},
		{"SLURM_LOCALID", "2", 1, 0},
		{"SLURM_LOCALID", "1", 2, 1},
		{"PMI_LOCAL_RANK", "-1", 2, 0},
	} {
		t.Run(test.name+"="+test.rank, func(t *testing.T) {
			t.Setenv(test.name, test.rank)
			if got := Share(test.n); got != test.want {
				t.Errorf("%d of %d, want %d", got, test.n, test.want)
			}
		})
	}
}
