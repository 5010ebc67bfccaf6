package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt stops validate while a suite hangs, as Ctrl-C and a job's end do: it exits with 130 at once, says so, and leaves no
// process, no folder and no half report behind.
func TestInterrupt(t *testing.T) {
	python := findPython()
	if python == "" {
		t.Skip("no Python 3.11")
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			dir, temp := t.TempDir(), t.TempDir()
			favorbench, run := inFolder(t, dir, "FAVORBENCH_PYTHON="+python, "TMPDIR="+temp)
			run("new monorepo postline --dir m")
			run("new family booking-limit --dir f")
			hang := "import unittest\n\n\nclass Hang(unittest.TestCase):\n    def test_it(self):\n        while True:\n            pass\n"
			if err := os.WriteFile(filepath.Join(dir, "m/postline/repo/orders/tests/test_hang.py"), []byte(hang), 0o644); err != nil {
				t.Fatal(err)
			}
			run("generate --families f --monorepos m --family booking-limit --monorepo postline --out set")

			cmd := favorbench("validate", "--monorepos", "m", "--set", "set", "--timeout", "10m", "--junit", "report.xml")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			exited := make(chan error, 1)
			go func() { exited <- cmd.Wait() }()
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			give := time.After(time.Minute)
			var below []process
			engine := ""
			for engine == "" {
				select {
				case err := <-exited:
					t.Fatalf("validate ended before it was interrupted: %v\n%s%s", err, &stdout, &stderr)
				case <-give:
					cmd.Process.Kill()
					t.Fatal("no suite has started within a minute")
				case <-tick.C:
				}
				below = descendants(cmd.Process.Pid)
				engine = engineFolder(below)
			}

			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			select {
			case <-exited:
			case <-time.After(20 * time.Second):
				cmd.Process.Kill()
				t.Fatal("validate still runs 20 seconds after the signal")
			}
			if got := cmd.ProcessState.ExitCode(); got != exitInterrupted {
				t.Errorf("exit status %d, want %d", got, exitInterrupted)
			}
			if got, want := stderr.String(), "favorbench: interrupted\n"; got != want {
				t.Errorf("stderr %q, want %q", got, want)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q, want nothing", &stdout)
			}
			for _, p := range below {
				if p.alive() {
					t.Errorf("process %d is still there, in %s", p.pid, p.cwd)
				}
			}
			if _, err := os.Lstat(engine); !os.IsNotExist(err) {
				t.Errorf("the engine's folder %s is still there", engine)
			}
			for _, name := range []string{temp, dir} {
				entries, err := os.ReadDir(name)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range entries {
					if name == temp || e.Name() != "m" && e.Name() != "f" && e.Name() != "set" {
						t.Errorf("left behind: %s", filepath.Join(name, e.Name()))
					}
				}
			}
		})
	}
}

// TestClosedPipe has a reader that goes away, as head does: the process ends where it prints, and leaves no folder behind.
func TestClosedPipe(t *testing.T) {
	python := findPython()
	if python == "" {
		t.Skip("no Python 3.11")
	}
	dir := t.TempDir()
	favorbench, run := inFolder(t, dir, "FAVORBENCH_PYTHON="+python)
	run("new monorepo postline --dir m")
	run("new family booking-limit --dir f")
	run("generate --families f --monorepos m --family booking-limit --monorepo postline --out set")
	cmd := favorbench("validate", "--monorepos", "m", "--set", "set", "--kind", "safe")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	engine := ""
	for running := true; running; {
		select {
		case err := <-exited:
			if running = false; err == nil {
				t.Error("exit status 0, and nobody has read the output")
			}
		case <-tick.C:
			if engine == "" {
				engine = engineFolder(descendants(cmd.Process.Pid))
			}
		}
	}
	if engine == "" {
		t.Fatal("no suite was seen running")
	}
	if _, err := os.Lstat(engine); !os.IsNotExist(err) {
		t.Errorf("the engine's folder %s is still there", engine)
	}
}

// inFolder returns functions that make a command of favorbench in a folder, and that run one which must succeed.
func inFolder(t *testing.T, dir string, env ...string) (command func(args ...string) *exec.Cmd, run func(line string)) {
	command = func(args ...string) *exec.Cmd {
		cmd := exec.Command("favorbench", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), env...)
		return cmd
	}
	return command, func(line string) {
		t.Helper()
		if out, err := command(strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Fatalf("favorbench %s: %v\n%s", line, err, out)
		}
	}
}

// engineFolder returns the folder of the test engine in which one of the processes runs, or nothing.
func engineFolder(processes []process) string {
	for _, p := range processes {
		if root, ok := strings.CutSuffix(p.cwd, "/tree"); ok {
			return filepath.Dir(root)
		}
	}
	return ""
}

// process is a process as /proc shows it. A pid is used again; with the time of its start it is not.
type process struct {
	pid, parent int
	start       string
	cwd         string
}

// alive reports whether the process still runs. One that is dead and not yet reaped does not.
func (p process) alive() bool {
	now, state, err := readProcess(p.pid)
	return err == nil && now.start == p.start && state != "Z" && state != "X"
}

func readProcess(pid int) (p process, state string, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, "", err
	}
	// The name, in parentheses, may hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return p, "", fmt.Errorf("/proc/%d/stat: %q", pid, stat)
	}
	p.pid, p.start = pid, fields[19]
	p.parent, err = strconv.Atoi(fields[1])
	p.cwd, _ = os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return p, fields[0], err
}

// descendants lists the processes below one.
func descendants(root int) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	byParent := map[int][]process{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, _, err := readProcess(pid); err == nil {
				byParent[p.parent] = append(byParent[p.parent], p)
			}
		}
	}
	var out []process
	next := []int{root}
	for len(next) > 0 {
		children := byParent[next[0]]
		next = next[1:]
		for _, c := range children {
			out = append(out, c)
			next = append(next, c.pid)
		}
	}
	return out
}
