package suites

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

const openNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// canNamespace reports whether it is worth trying to give workers a process namespace of their own. There the worker is the
// first process: code under test cannot kill it, and the kernel kills everything with it.
func canNamespace() bool {
	_, err := os.Stat("/proc/self/ns/pid")
	return err == nil
}

// startProcess starts a worker in a session of its own, in its own process namespace where asked, and without address
// randomisation unless that is wanted. Randomisation is a property that a process passes on, so the starting thread takes it
// on for the time of the start; where the kernel refuses, it stays on.
func startProcess(cmd *exec.Cmd, namespace, randomize bool) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if namespace {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWPID
		if os.Geteuid() != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		}
	}
	if !randomize {
		const query, addrNoRandomize = 0xffffffff, 0x0040000
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if old, _, errno := syscall.Syscall(syscall.SYS_PERSONALITY, query, 0, 0); errno == 0 {
			if _, _, errno := syscall.Syscall(syscall.SYS_PERSONALITY, old|addrNoRandomize, 0, 0); errno == 0 {
				defer syscall.Syscall(syscall.SYS_PERSONALITY, old, 0, 0)
			}
		}
	}
	return cmd.Start()
}

// killTree kills a process and everything below it, children first lest they lose their parent unseen.
func killTree(p *os.Process) {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		parent, err := strconv.Atoi(string(fields[1]))
		if err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	var below func(pid int)
	below = func(pid int) {
		for _, c := range children[pid] {
			below(c)
			syscall.Kill(c, syscall.SIGKILL)
		}
	}
	below(p.Pid)
	p.Kill()
}

// killMarked kills processes that carry the mark in their environment: what was left when a worker was killed by the code
// it ran. A process that was started with another environment escapes it; only a namespace or sandbox holds such.
func killMarked(marker string) {
	for range 20 {
		found := false
		entries, _ := os.ReadDir("/proc")
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil || pid == os.Getpid() {
				continue
			}
			env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
			if err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+marker+"\x00")) {
				found = true
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if !found {
			return
		}
	}
}
