//go:build !linux

package suites

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

const openNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

func canNamespace() bool { return false }

// startProcess starts a worker in a session of its own. Address randomisation cannot be turned off here.
func startProcess(cmd *exec.Cmd, _, _ bool) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd.Start()
}

// killTree kills the worker and its process group. A process that left the group lives on; only Linux offers more.
func killTree(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}

func killMarked(string) {}
