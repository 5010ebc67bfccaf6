package validate

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"favorbench/suites"
	"favorbench/tree"
)

// reader reads sources without running them, and remembers what it has read: instances of a monorepo share most files.
type reader struct {
	runner Runner
	mu     sync.Mutex
	known  map[[2]string]suites.Source // by path and content
	words  map[string][]string         // by content
}

func newReader(r Runner) *reader {
	return &reader{runner: r, known: map[[2]string]suites.Source{}, words: map[string][]string{}}
}

// sources reads files, in the order of their paths.
func (r *reader) sources(ctx context.Context, files tree.Files) ([]suites.Source, error) {
	ask := map[string]string{}
	r.mu.Lock()
	for p, content := range files {
		if _, known := r.known[[2]string{p, content}]; !known {
			ask[p] = content
		}
	}
	r.mu.Unlock()
	if len(ask) > 0 {
		answers, err := r.runner.Inspect(ctx, ask)
		if err != nil {
			return nil, err
		}
		r.mu.Lock()
		for _, a := range answers {
			r.known[[2]string{a.Path, ask[a.Path]}] = a
		}
		r.mu.Unlock()
	}
	out := make([]suites.Source, 0, len(files))
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range files.Paths() {
		out = append(out, r.known[[2]string{p, files[p]}])
	}
	return out, nil
}

var wordRun = regexp.MustCompile(`[A-Za-z0-9_]+`)

// vocabulary returns the set of words in texts, where a word is a run of letters, digits and underscores.
func (r *reader) vocabulary(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, t := range texts {
		r.mu.Lock()
		words, known := r.words[t]
		r.mu.Unlock()
		if !known {
			words = wordRun.FindAllString(t, -1)
			r.mu.Lock()
			r.words[t] = words
			r.mu.Unlock()
		}
		for _, w := range words {
			out[w] = true
		}
	}
	return out
}

// meaningfulLines returns the lines of a source that say something of their own: no empty ones, no imports.
func meaningfulLines(source string) []string {
	var out []string
	for line := range strings.SplitSeq(source, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "from ") {
			out = append(out, line)
		}
	}
	return out
}
