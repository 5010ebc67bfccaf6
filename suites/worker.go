package suites

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed worker.py
var workerSource string

// maxReply bounds what the driver reads of one reply.
const maxReply = 256 << 20

// worker is a warm Python process and the pipes to it.
type worker struct {
	cmd    *exec.Cmd
	to     *os.File
	from   *os.File
	stderr *tail
	marker string // stands in the environment of the process and of its descendants
	waited chan struct{}
	hello  hello
	once   sync.Once
}

type hello struct {
	Version   string `json:"version"`
	Python    string `json:"python"`
	Namespace bool   `json:"namespace"`
}

// startWorker starts a Python process whose folder is dir. It is gone once kill returned.
func startWorker(ctx context.Context, p *pool, dir string) (*worker, error) {
	childIn, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	from, childOut, err := os.Pipe()
	if err != nil {
		to.Close()
		return nil, err
	}
	defer childOut.Close()
	w := &worker{to: to, from: from, stderr: &tail{}, marker: "FAVORBENCH_WORKER=" + dir, waited: make(chan struct{})}
	tmp := filepath.Join(dir, "tmp")
	// -S, -s and -P keep site packages, .pth files and the working folder out; -B writes no .pyc. The worker's own code gets
	// a copy of the builtins, which code under test cannot patch by importing them.
	const bootstrap = `import sys, builtins
exec(compile(sys.argv.pop(), "<worker>", "exec"), {"__name__": "__main__", "__builtins__": dict(vars(builtins))})`
	w.cmd = exec.Command(p.python, "-S", "-s", "-P", "-B", "-c", bootstrap, dir, workerSource)
	w.cmd.Dir = dir
	// Nothing is inherited: no secret of the driver may reach code under test.
	w.cmd.Env = []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC", "HOME=" + tmp, "TMPDIR=" + tmp,
		"PYTHONHASHSEED=" + strconv.Itoa(p.options.HashSeed), w.marker,
	}
	w.cmd.Stderr = w.stderr
	w.cmd.ExtraFiles = []*os.File{childIn, childOut} // descriptors 3 and 4
	w.cmd.WaitDelay = time.Second
	if err := startProcess(w.cmd, p.namespace, p.options.Randomize); err != nil {
		to.Close()
		from.Close()
		return nil, fmt.Errorf("start %s: %w", p.python, err)
	}
	go func() {
		w.cmd.Wait()
		close(w.waited)
	}()
	childOut.Close() // so that the worker's end is seen as the end of the pipe
	if err := w.receive(ctx, 30*time.Second, &w.hello); err != nil {
		w.kill()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("start %s: %w%s", p.python, err, w.stderr.quote())
	}
	if old := tooOld(w.hello.Version); old != nil {
		w.kill()
		return nil, old
	}
	return w, nil
}

// exchange sends one message and reads the answer.
func (w *worker) exchange(ctx context.Context, limit time.Duration, request, reply any) error {
	data, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if err := w.to.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32(make([]byte, 0, len(data)+4), uint32(len(data)))
	if _, err := w.to.Write(append(frame, data...)); err != nil {
		return fmt.Errorf("send: %w%s", err, w.stderr.quote())
	}
	if err := w.receive(ctx, limit, reply); err != nil {
		return fmt.Errorf("receive: %w%s", err, w.stderr.quote())
	}
	return nil
}

// receive reads one message. The end of ctx makes it return at once.
func (w *worker) receive(ctx context.Context, limit time.Duration, into any) error {
	if err := w.from.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { w.from.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := ctx.Err(); err != nil {
		return err
	}
	var head [4]byte
	if _, err := io.ReadFull(w.from, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxReply {
		return fmt.Errorf("a reply of %d bytes", n)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(w.from, data); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// kill ends the worker and every process below it, and returns when they are gone.
func (w *worker) kill() {
	w.once.Do(func() {
		// The end of its input makes a sane worker kill what it started; one that is not sane gets no long grace.
		// The empty frame before it says that the driver lives, so that the engine's folder is not the worker's to remove.
		w.to.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		w.to.Write(make([]byte, 4))
		w.to.Close()
		select {
		case <-w.waited:
		case <-time.After(killGrace(w.hello.Namespace)):
			killTree(w.cmd.Process)
			<-w.waited
		}
		if !w.hello.Namespace {
			killMarked(w.marker)
		}
		w.from.Close()
	})
	<-w.waited
}

// killGrace is short where the kernel kills everything with the worker.
func killGrace(namespace bool) time.Duration {
	if namespace {
		return 100 * time.Millisecond
	}
	return 3 * time.Second
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - 2000; over > 0 {
		t.data = append([]byte(nil), t.data[over:]...)
	}
	return len(p), nil
}

// quote returns the text for the end of an error message.
func (t *tail) quote() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(t.data), "\uFFFD"))
	if text == "" {
		return ""
	}
	return ": " + text
}

// findPython returns the interpreter to start: a real binary, never a script that looks for one, which can cost a third of a
// second at each start.
func findPython(ctx context.Context, name string) (string, error) {
	if name == "" {
		name = os.Getenv("FAVORBENCH_PYTHON")
	}
	if name == "" {
		name = "python3"
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w; install Python 3.11 or later, or name it in FAVORBENCH_PYTHON", err)
	}
	if found, err = filepath.Abs(found); err != nil {
		return "", err
	}
	file, err := os.Open(found)
	if err != nil {
		return "", err
	}
	var magic [2]byte
	_, err = io.ReadFull(file, magic[:])
	file.Close()
	if err != nil || string(magic[:]) != "#!" {
		return found, nil
	}
	out, err := exec.CommandContext(ctx, found, "-I", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its interpreter: %w", found, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// diagnosePython says why an interpreter did not start as a worker, where the reason is its age.
func diagnosePython(ctx context.Context, python string) error {
	out, err := exec.CommandContext(ctx, python, "-c", "import sys; sys.stdout.write('.'.join(map(str, sys.version_info[:3])))").Output()
	if err != nil {
		return nil
	}
	if old := tooOld(strings.TrimSpace(string(out))); old != nil {
		return fmt.Errorf("%s: %w", python, old)
	}
	return nil
}

func tooOld(version string) error {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if errors.Join(err1, err2) != nil || a < 3 || a == 3 && b < 11 {
		return fmt.Errorf("Python %s is too old: install Python 3.11 or later, or name it in FAVORBENCH_PYTHON", version)
	}
	return nil
}
