//go:build linux && !android && !faketime

package jit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { childJobs["full disk"] = fullDiskJob }

// With no space on the disk for temporary files or the cache, everything works from memory.
func TestFullDisk(t *testing.T) {
	needCompiler(t)
	if !isDirectory(sharedMemoryDir) {
		t.Skip("no " + sharedMemoryDir)
	}
	for _, free := range []string{"0", "20000"} {
		t.Run(free+" bytes free", func(t *testing.T) {
			dir := t.TempDir()
			cmd := child("full disk", dir)
			cmd.Env = append(cmd.Env, "TMPDIR="+dir, "FREE="+free)
			// The disk is mounted in a mount namespace of the child's own, if permitted, and
			// disappears with it.
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			if _, ran := err.(*exec.ExitError); err != nil && !ran || strings.Contains(string(out), "cannot mount") {
				t.Skipf("%v %s", err, out)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			want := "the cache of compiled code in " + filepath.Join(dir, "cache") + " cannot be written (no space left on device): the next start compiles again\n"
			if string(out) != want {
				t.Errorf("it says\n%s\nwant\n%s", out, want)
			}
		})
	}
}

func fullDiskJob() error {
	dir := os.Getenv(childDir)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		return fmt.Errorf("cannot mount: %w", err)
	}
	full, err := os.Create(filepath.Join(dir, "full"))
	if err != nil {
		return err
	}
	chunk := make([]byte, 4096)
	for err == nil {
		_, err = full.Write(chunk)
	}
	if os.Getenv("FREE") != "0" { // enough for a source, too little for a library
		if err := full.Truncate(1<<20 - 5*4096); err != nil {
			return err
		}
	}
	b, err := New(Config{CacheDir: filepath.Join(dir, "cache"), Warn: func(text string) { fmt.Println(text) }})
	if err != nil {
		return err
	}
	return buildAll(b)
}
