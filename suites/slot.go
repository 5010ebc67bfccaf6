package suites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"favorbench/tree"
)

// slot is a place for one worker: its folder, and what the worker knows of it. One goroutine at a time owns a slot, but for
// kill, which Close calls at any time.
type slot struct {
	pool   *pool
	dir    string
	folder *folder
	known  tree.Files // the Python files as the worker last read them; nil where it knows nothing

	mu     sync.Mutex // guards worker against kill
	worker *worker
	dead   bool // kill was called: no worker may start any more
}

// The messages to a worker.
type (
	runRequest struct {
		Op         string      `json:"op"`
		Reset      bool        `json:"reset"` // forget every source known so far
		Changed    []string    `json:"changed"`
		Removed    []string    `json:"removed"`
		PythonPath []string    `json:"python_path"`
		Suites     []suiteSpec `json:"suites"`
		Trace      []string    `json:"trace"`
		Shuffle    int64       `json:"shuffle"`
		Time       float64     `json:"time"`
		Memory     int64       `json:"memory"`
		Output     int         `json:"output"`
		Dry        bool        `json:"dry"` // run nothing, say what the suites hold
	}
	suiteSpec struct {
		Name    string            `json:"name"`
		Modules map[string]string `json:"modules"`
		Known   []string          `json:"known"`  // test files of the tree that need not run
		Record  bool              `json:"record"` // say what each test file's outcome rests on
	}
	runReply struct {
		Results []resultReply `json:"results"`
	}
	resultReply struct {
		Suite      string              `json:"suite"`
		End        End                 `json:"end"`
		Message    string              `json:"message"`
		Tests      []testReply         `json:"tests"`
		Lines      map[string][]int    `json:"lines"`
		Executable map[string][]int    `json:"executable"`
		Reads      map[string][]string `json:"reads"`
	}
	testReply struct {
		ID        string   `json:"id"`
		Outcome   Outcome  `json:"outcome"`
		Exception string   `json:"exception"`
		Message   string   `json:"message"`
		Frames    []string `json:"frames"`
	}
	inspectRequest struct {
		Op    string            `json:"op"`
		Files map[string]string `json:"files"`
	}
	inspectReply struct {
		Sources []struct {
			Path    string   `json:"path"`
			Syntax  string   `json:"syntax"`
			Tests   []string `json:"tests"`
			Imports []string `json:"imports"`
			Names   []string `json:"names"`
			Units   []Unit   `json:"units"`
		} `json:"sources"`
	}
)

// alike counts the files of a tree that the slot's folder holds already.
func (s *slot) alike(want tree.Files) int {
	n := 0
	for p, content := range s.known {
		if want[p] == content {
			n++
		}
	}
	return n
}

func (p *pool) run(ctx context.Context, r Request, l Limits) ([]Result, error) {
	s, err := p.acquire(ctx, r.Tree)
	if err != nil {
		return nil, err
	}
	defer p.release(s)
	return s.run(ctx, r, l)
}

// run serves a request. A worker that fails is replaced and the request tried once more; if that fails too, it is the
// request that kills workers: each suite is then tried alone, and is typed Died if its worker fails again.
func (s *slot) run(ctx context.Context, r Request, l Limits) ([]Result, error) {
	var failure *workerError
	for range 2 {
		results, err := s.attempt(ctx, r, l, false)
		if err == nil || !errors.As(err, &failure) {
			return results, err
		}
	}
	var results []Result
	for _, suite := range r.Suites {
		alone := r
		alone.Suites = []Suite{suite}
		one, err := s.attempt(ctx, alone, l, len(r.Suites) == 1)
		if err != nil && errors.As(err, &failure) && len(r.Suites) > 1 {
			one, err = s.attempt(ctx, alone, l, true)
		}
		if errors.As(err, &failure) {
			// Not even reading the suite's source went well: there are no tests to name.
			one, err = []Result{{Suite: suite.Name, End: Died, Message: failure.Error()}}, nil
		}
		if err != nil {
			return nil, err
		}
		results = append(results, one...)
	}
	return results, nil
}

// workerError says that a worker died, hung or talked nonsense.
type workerError struct{ err error }

func (e *workerError) Error() string { return "worker: " + e.err.Error() }
func (e *workerError) Unwrap() error { return e.err }

// attempt makes the folder equal to the tree and has the worker run the suites. With dry set nothing runs, and the result of
// each suite is Died with its tests not run.
func (s *slot) attempt(ctx context.Context, r Request, l Limits, dry bool) ([]Result, error) {
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	if err := s.folder.sync(r.Tree); err != nil {
		return nil, fmt.Errorf("write the tree: %w", err)
	}
	request := runRequest{
		Op: "run", Reset: s.known == nil, Changed: []string{}, Removed: []string{}, PythonPath: r.PythonPath, Trace: r.Trace,
		Shuffle: r.Shuffle, Time: l.Time.Seconds(), Memory: l.Memory, Output: l.Output, Dry: dry,
	}
	if request.PythonPath == nil {
		request.PythonPath = []string{}
	}
	if request.Trace == nil {
		request.Trace = []string{}
	}
	sources := r.Tree.Filter(func(p string) bool { return strings.HasSuffix(p, ".py") })
	for _, c := range tree.Diff(s.known, sources) {
		if c.Deleted {
			request.Removed = append(request.Removed, c.Path)
		} else {
			request.Changed = append(request.Changed, c.Path)
		}
	}
	for _, suite := range r.Suites {
		request.Suites = append(request.Suites, suiteSpec{suite.Name, suite.Modules, append([]string{}, suite.Known...), suite.Record})
	}
	s.known = nil // until the reply is in, what the worker knows is not sure
	limit := time.Duration(len(r.Suites))*(l.Time+time.Second) + 15*time.Second
	var reply runReply
	if err := s.exchange(ctx, limit, request, &reply); err != nil {
		return nil, err
	}
	if len(reply.Results) != len(r.Suites) {
		return nil, s.nonsense(fmt.Errorf("%d results for %d suites", len(reply.Results), len(r.Suites)))
	}
	s.known = sources
	results := make([]Result, len(reply.Results))
	for i, rr := range reply.Results {
		if rr.Suite != r.Suites[i].Name || !slices.Contains(ends(), rr.End) {
			return nil, s.nonsense(fmt.Errorf("result %d is of suite %q with end %q", i, rr.Suite, rr.End))
		}
		results[i] = Result{Suite: rr.Suite, End: rr.End, Message: rr.Message, Executable: rr.Executable, Reads: rr.Reads}
		if len(r.Trace) > 0 {
			results[i].Lines = rr.Lines
		}
		for _, t := range rr.Tests {
			results[i].Tests = append(results[i].Tests, Test(t))
		}
		slices.SortFunc(results[i].Tests, func(a, b Test) int { return strings.Compare(a.ID, b.ID) })
	}
	return results, nil
}

func ends() []End { return []End{OK, Fail, Broken, NoTests, Timeout, Died, OutputLimit, Protocol} }

func (p *pool) inspect(ctx context.Context, files map[string]string) ([]Source, error) {
	request := inspectRequest{Op: "inspect", Files: map[string]string{}}
	var sources []Source
	for name, content := range files {
		if !utf8.ValidString(content) || !utf8.ValidString(name) {
			// JSON cannot carry it, and none of the formats that are read may hold it.
			sources = append(sources, Source{Path: name, Syntax: "line 1: not UTF-8"})
			continue
		}
		request.Files[name] = content
	}
	s, err := p.acquire(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer p.release(s)
	var reply inspectReply
	for try := range 2 {
		if err = s.start(ctx); err != nil {
			return nil, err
		}
		if err = s.exchange(ctx, 2*time.Minute, request, &reply); err == nil {
			break
		}
		var failure *workerError
		if try == 1 || !errors.As(err, &failure) {
			return nil, err
		}
	}
	if len(reply.Sources) != len(request.Files) {
		return nil, s.nonsense(fmt.Errorf("%d sources for %d files", len(reply.Sources), len(request.Files)))
	}
	for _, source := range reply.Sources {
		sources = append(sources, Source(source))
	}
	slices.SortFunc(sources, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	return sources, nil
}

// exchange sends a request and waits for its reply. After an error other than of the encoding the worker is gone.
func (s *slot) exchange(ctx context.Context, limit time.Duration, request, reply any) error {
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w == nil {
		return errClosed
	}
	err := w.exchange(ctx, limit, request, reply)
	if err == nil {
		return nil
	}
	s.drop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return errClosed
	}
	return &workerError{err}
}

// nonsense drops a worker whose reply does not fit its request.
func (s *slot) nonsense(err error) error {
	s.drop()
	return &workerError{err}
}

// start makes the folder and the worker if there is none.
func (s *slot) start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return errClosed
	}
	if s.worker != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := removeAll(s.dir); err != nil { // a worker that ends removes its folder, a killed one does not
		return err
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "tmp"), 0o755); err != nil {
		return err
	}
	s.folder, s.known = &folder{dir: s.dir}, nil
	w, err := startWorker(ctx, s.pool, s.dir)
	if err != nil {
		return err
	}
	s.worker = w
	return nil
}

// drop kills the slot's worker; the next request starts another.
func (s *slot) drop() {
	s.mu.Lock()
	w := s.worker
	s.worker = nil
	s.mu.Unlock()
	s.known = nil
	if w != nil {
		w.kill()
	}
}

// kill ends the slot for good.
func (s *slot) kill() {
	s.mu.Lock()
	w := s.worker
	s.dead, s.worker = true, nil
	s.mu.Unlock()
	if w != nil {
		w.kill()
	}
}
