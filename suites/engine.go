package suites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"favorbench/tree"
)

// Options configure an Engine. The zero value is the engine every verdict is made with.
type Options struct {
	// Python is the interpreter, 3.11 or later. Empty means $FAVORBENCH_PYTHON, else python3 from PATH; a shim of a version
	// manager is resolved to the interpreter behind it.
	Python string
	// Workers is how many interpreters run at once; 0 is one for each processor. They start when they are first needed.
	Workers int
	// HashSeed is PYTHONHASHSEED of the workers; the default 0 fixes the order of sets.
	HashSeed int
	// Limits bound each run of one suite. Zero fields take their defaults.
	Limits Limits
	// Dir is where the engine makes its own folder for trees; empty means /dev/shm where it can be written to, else the
	// system's temporary folder.
	Dir string
	// Randomize leaves address randomisation on, as a check for flakes wants it.
	Randomize bool
}

// Engine runs suites on trees. Its methods are safe for concurrent use; Close ends it.
type Engine struct {
	backend backend
	memory  *memory
	limits  Limits
}

// backend is where runs happen. The Engine checks requests and fills in limits before a backend sees them.
type backend interface {
	run(ctx context.Context, r Request, l Limits) ([]Result, error)
	inspect(ctx context.Context, files map[string]string) ([]Source, error)
	describe() string
	close() error
}

// New starts an engine and its first worker. When ctx ends, so do all of the engine's processes and folders.
func New(ctx context.Context, o Options) (*Engine, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Limits.Time <= 0 {
		o.Limits.Time = 20 * time.Second
	}
	if o.Limits.Memory <= 0 {
		o.Limits.Memory = 1 << 30
	}
	if o.Limits.Output <= 0 {
		o.Limits.Output = 1 << 20
	}
	p, err := newPool(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("start the test engine: %w", err)
	}
	return &Engine{backend: p, memory: newMemory(p), limits: o.Limits}, nil
}

// Run runs the suites of a request, one after the other, on its tree, and returns a result for each in the request's order.
// It waits for a free worker. An error means that the work could not be done and says nothing of the tree; what the tree's
// code does, however bad, is a result.
//
// The suites of one request share a process as long as they leave it as they found it. A caller that must keep them from
// seeing one another puts them into requests of their own.
func (e *Engine) Run(ctx context.Context, r Request) ([]Result, error) {
	if err := check(r); err != nil {
		return nil, fmt.Errorf("run suites: %w", err)
	}
	run := e.backend.run
	if r.Reuse && r.Shuffle == 0 {
		run = e.memory.run
	}
	results, err := run(ctx, r, e.limits)
	if err != nil {
		return nil, fmt.Errorf("run suites: %w", err)
	}
	return results, nil
}

// Source is what a file says of itself without being run.
type Source struct {
	Path string
	// Syntax is empty, or the syntax error as "line 3: invalid syntax". It is read for .py, .toml, .json, .ini and .cfg.
	Syntax string
	// Tests lists the unittest tests of a Python file as Class.method, in the order of the source. Tests inherited from
	// other files given in the same call count, tests of classes that are only imported do not: they belong to their file.
	Tests []string
	// Imports lists absolute dotted modules, sorted, from any depth of the file: "from a import b" gives a and a.b.
	Imports []string
	// Names lists, sorted, what a Python file uses of others: attributes, keyword arguments, imported names, and strings that
	// look like identifiers. Names that the file defines itself and those of the standard library's types are left out.
	Names []string
	// Units lists the functions of a Python file, methods as Class.method, and last, without a name, what stands outside of them.
	Units []Unit
}

// Unit is a function, or what a file holds outside of functions.
type Unit struct {
	Name  string   `json:"name"`
	Line  int      `json:"line"`
	Shape []string `json:"shape"` // the types of its syntax tree's nodes in preorder, without names, values and docstrings
}

// Inspect reads files without running any, and returns a Source for each, sorted by path.
func (e *Engine) Inspect(ctx context.Context, files map[string]string) ([]Source, error) {
	sources, err := e.backend.inspect(ctx, files)
	if err != nil {
		return nil, fmt.Errorf("inspect sources: %w", err)
	}
	return sources, nil
}

// Python returns the interpreter's version and path, for reports.
func (e *Engine) Python() string { return e.backend.describe() }

// Close kills every process of the engine and removes its folder. Runs under way return an error.
func (e *Engine) Close() error { return e.backend.close() }

// check reports what makes a request impossible to carry out, before anything is touched.
func check(r Request) error {
	if faults := r.Tree.Check(); len(faults) > 0 {
		return fmt.Errorf("tree: %w", faults[0])
	}
	for _, p := range r.PythonPath {
		if p != "." {
			if err := tree.CheckPath(p); err != nil {
				return fmt.Errorf("python path: %w", err)
			}
		}
	}
	for _, p := range r.Trace {
		if _, has := r.Tree[p]; !has || !strings.HasSuffix(p, ".py") {
			return fmt.Errorf("trace %q: not a Python file of the tree", p)
		}
	}
	for _, s := range r.Suites {
		for name := range s.Modules {
			stem, isPython := strings.CutSuffix(name, ".py")
			if !isPython || stem == "" || path.Base(name) != name || strings.Contains(stem, ".") {
				return fmt.Errorf("suite %s: module file %q: want a name like test_x.py, without a folder", s.Name, name)
			}
		}
	}
	return nil
}

// pool is the Python backend: slots that each hold a warm worker and a folder.
type pool struct {
	options   Options
	python    string // the interpreter as it is started
	version   string
	dir       string // the engine's own folder
	namespace bool   // workers run in process namespaces of their own

	tokens chan struct{} // one for each free slot
	stop   func() bool

	mu     sync.Mutex
	free   []*slot // as a stack: the slot used last is warmest
	all    []*slot
	closed bool

	closing  sync.Once
	closeErr error
}

func newPool(ctx context.Context, o Options) (*pool, error) {
	python, err := findPython(ctx, o.Python)
	if err != nil {
		return nil, err
	}
	base := o.Dir
	if base == "" {
		base = defaultDir()
	}
	dir, err := os.MkdirTemp(base, "favorbench-suites-")
	if err != nil {
		return nil, err
	}
	// Python reports real paths, and messages are cleaned of the folder by its name.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	p := &pool{options: o, python: python, dir: dir, tokens: make(chan struct{}, o.Workers)}
	for i := range o.Workers {
		s := &slot{pool: p, dir: filepath.Join(dir, fmt.Sprintf("w%d", i))}
		p.all = append(p.all, s)
		p.free = append(p.free, s)
		p.tokens <- struct{}{}
	}
	slices.Reverse(p.free)
	first := p.all[0]
	p.namespace = canNamespace()
	err = first.start(ctx)
	if err != nil && p.namespace && ctx.Err() == nil {
		p.namespace = false
		err = first.start(ctx)
	}
	if err != nil {
		p.close()
		if diagnosis := diagnosePython(ctx, python); diagnosis != nil {
			return nil, diagnosis
		}
		return nil, err
	}
	p.version = first.worker.hello.Version
	p.stop = context.AfterFunc(ctx, func() { p.close() })
	return p, nil
}

// defaultDir prefers memory to disk.
func defaultDir() string {
	const shm = "/dev/shm"
	probe, err := os.MkdirTemp(shm, "favorbench-probe-")
	if err != nil {
		return os.TempDir()
	}
	os.Remove(probe)
	return shm
}

func (p *pool) describe() string { return "Python " + p.version + " (" + p.python + ")" }

var errClosed = errors.New("the engine is closed")

// acquire waits for a free slot and takes the one whose folder is nearest to the wanted tree.
func (p *pool) acquire(ctx context.Context, want tree.Files) (*slot, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.tokens:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.tokens <- struct{}{}
		return nil, errClosed
	}
	best, bestAlike := len(p.free)-1, -1
	for i := len(p.free) - 1; i >= 0; i-- {
		if alike := p.free[i].alike(want); alike > bestAlike {
			best, bestAlike = i, alike
		}
	}
	s := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	return s, nil
}

func (p *pool) release(s *slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, s)
	p.tokens <- struct{}{}
}

// close may be called by Close and by the end of the context at once; each call returns when everything is gone.
func (p *pool) close() error {
	p.closing.Do(func() { p.closeErr = p.shut() })
	return p.closeErr
}

func (p *pool) shut() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	if p.stop != nil {
		p.stop()
	}
	// Workers first: with them gone, a run under way fails and gives its slot back.
	var wg sync.WaitGroup
	for _, s := range p.all {
		wg.Go(s.kill)
	}
	wg.Wait()
	for range cap(p.tokens) {
		<-p.tokens
	}
	for range cap(p.tokens) {
		p.tokens <- struct{}{} // who still waits learns that the engine is closed
	}
	return removeAll(p.dir)
}
