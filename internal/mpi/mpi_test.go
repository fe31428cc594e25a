package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/comm/commtest"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/mpi/mpitest"
)

func TestMain(m *testing.M) {
	if program := programs[os.Args[len(os.Args)-1]]; mpitest.Inside() && program != nil {
		program()
		return
	}
	mpitest.Main(m)
}

// quick are short times: the launcher does not end ranks that fail on purpose.
var quick = mpi.Config{Collect: 20 * time.Millisecond, Patience: time.Millisecond, Suspect: 20 * time.Millisecond, Slow: 50 * time.Millisecond}

// Ranks of MPI jobs pass the tests of every Comm.
func TestComm(t *testing.T) {
	if mpitest.Inside() {
		testComm(t)
		return
	}
	for _, test := range []struct {
		kind  string
		ranks []int
	}{{mpitest.OpenMPI, []int{1, 2, 3, 4, 7}}, {mpitest.MPICH, []int{1, 2, 3}}} {
		for _, n := range test.ranks {
			t.Run(fmt.Sprint(test.kind, "/", n), func(t *testing.T) {
				if testing.Short() && n != 2 {
					t.Skip("not with -short")
				}
				t.Parallel()
				mpitest.Run(t, test.kind, n, "TestComm")
			})
		}
	}
}

func testComm(t *testing.T) {
	l, err := mpi.Find()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %s ABI, in %s", l.Name, l.ABI, l.Path)
	for _, test := range commtest.Cases() {
		testCase(t, test)
	}
	// Messages of more than 2 GiB travel in pieces, as shorter ones here.
	defer mpi.SetPiece(1000)()
	for _, test := range commtest.Cases() {
		if slices.Contains([]string{"exchange", "consensus", "broadcast", "fail/length"}, test.Name) {
			testCase(t, test)
		}
	}
}

func testCase(t *testing.T, test commtest.Case) {
	c, err := mpi.Open(quick)
	if test.Fails && comm.Reported(err) {
		return // another rank was faster, and has failed already
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := test.Run(c); err != nil {
		t.Errorf("rank %d: %s: %v", c.Rank(), test.Name, err)
		c.Fail(err)
	}
	if err := c.Close(); err != nil && !test.Fails {
		t.Errorf("rank %d: %s: Close: %v", c.Rank(), test.Name, err)
	}
}

// Messages move while a rank computes and does not call MPI: such long ones need both ranks several
// times.
func TestProgress(t *testing.T) {
	if !mpitest.Inside() {
		t.Setenv("OMPI_MCA_btl", "tcp,self")
		mpitest.Run(t, mpitest.OpenMPI, 2, "TestProgress")
		return
	}
	c, err := mpi.Open(quick)
	if err != nil {
		t.Fatal(err)
	}
	other := 1 - c.Rank()
	e, err := c.Prepare([]comm.Message{{Rank: other, Data: make([]byte, 1<<20)}}, []comm.Message{{Rank: other, Data: make([]byte, 1<<20)}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 3 {
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		c.Computes(time.Second)
		for !mpi.Landed(e) {
			runtime.Gosched()
		}
		if err := e.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// A rank that has lost its core to another program sleeps at once while it waits: giving way would cost
// it the other's whole time.
func TestWaitBesideBusyProcesses(t *testing.T) {
	for lost, want := range map[time.Duration]bool{time.Hour: true, 10 * time.Millisecond: false} {
		if got := mpi.Gives(lost); got != want {
			t.Errorf("lost %v ago: gives way %v, want %v", lost, got, want)
		}
	}
}

// What libraries say of themselves.
func TestIdentify(t *testing.T) {
	for _, test := range []struct {
		version, name string
		family        launch.Family
	}{
		{"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022", "Open MPI 4.1.4", launch.OpenMPI},
		{"MPICH Version: 4.0.2 MPICH Release date: Thu Apr 7 12:34:45 CDT 2022 MPICH ABI: 14:2:2", "MPICH 4.0.2", launch.MPICH},
		{"Intel(R) MPI Library 2021.19 for Linux* OS", "Intel(R) MPI Library 2021.19", launch.MPICH},
		{"MVAPICH Version : 3.0 MVAPICH Release date : 07/10/2023", "MVAPICH 3.0", launch.MPICH},
		{"MPI VERSION : CRAY MPICH version 8.1.28.29 (ANL base 3.4a2) MPI BUILD INFO : Wed", "CRAY MPICH 8.1.28.29", launch.MPICH},
		{"Some MPI 1.0, of the future", "Some MPI 1.0, of", launch.AnyMPI},
		{"", "", launch.AnyMPI},
	} {
		if name, family := mpi.Identify(test.version); name != test.name || family != test.family {
			t.Errorf("%q is %q of %q, want %q of %q", test.version, name, family, test.name, test.family)
		}
	}
}

// Without a library, the error says what to install.
func TestNotFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(mpi.Variable, dir)
	for _, test := range []struct {
		launch launch.Launch
		want   string
	}{
		{launch.Launch{}, "no MPI library: looked for libmpi_abi.so.1, libmpi_abi.so.0, libmpi.so.40, libmpi.so.20, libmpi.so.12, libmpich.so.12 in " +
			dir + " (OP2_MPI_LIBRARY)\n" +
			"  hint: apt install openmpi-bin, or mpich (Debian, Ubuntu), or set OP2_MPI_LIBRARY to the path of the library"},
		{launch.Launch{Launcher: "Open MPI's mpirun", Family: launch.OpenMPI},
			"no MPI library that works with Open MPI's mpirun, which started this process: looked for libmpi_abi.so.1, libmpi_abi.so.0, libmpi.so.40, libmpi.so.20 in " +
				dir + " (OP2_MPI_LIBRARY)\n" +
				"  hint: apt install openmpi-bin (Debian, Ubuntu), or set OP2_MPI_LIBRARY to the path of the library"},
	} {
		if _, err := mpi.FindFor(test.launch); runtime.GOOS == "linux" && (err == nil || err.Error() != test.want) {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// Memory of messages that nobody else refers to stays reachable whenever they are under way.
func TestMemoryOfMessages(t *testing.T) {
	if !mpitest.Inside() {
		mpitest.Run(t, mpitest.OpenMPI, 2, "TestMemoryOfMessages")
		return
	}
	c, err := mpi.Open(quick)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var gone atomic.Int32
	message := func() []comm.Message {
		data := make([]byte, 1<<16)
		runtime.AddCleanup(&data[0], func(int) { gone.Add(1) }, 0)
		return []comm.Message{{Rank: 1 - c.Rank(), Data: data}}
	}
	e, err := c.Prepare(message(), message())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		err := e.Start()
		for range 3 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if n := gone.Load(); n > 0 {
			t.Errorf("exchange %d: the memory of %d messages has been collected", i, n)
		}
		if err := errors.Join(err, e.Wait()); err != nil {
			t.Fatal(err)
		}
	}
}
