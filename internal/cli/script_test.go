package cli

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite golden files and generated docs")

// TestMain makes the test binary answer to the name favorbench, so that scripts run the whole command line in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"favorbench": func() {
			os.Exit(Main(os.Args[1:], os.Stdin, steadyWriter{os.Stdout}, os.Stderr))
		},
	})
}

// steadyWriter writes the interpreter's version and place, which differ from machine to machine, in a form that goldens can hold.
type steadyWriter struct{ w io.Writer }

var interpreter = regexp.MustCompile(`Python 3\.\d+\.\d+\S* \([^)]*\)`)

func (s steadyWriter) Write(p []byte) (int, error) {
	if _, err := s.w.Write(interpreter.ReplaceAll(p, []byte("Python 3.x (python3)"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// TestScripts runs the scripts of testdata/script: a script a command at least, and one a fault of a kind that other tools have
// had. They make what they work on with favorbench new, so that no golden depends on the published content. Beside what
// testscript brings they use
//
//	status N COMMAND...        run a command that must end with exit status N
//	scaffold                   make a monorepo m/postline, a family f/booking-limit, and set, their three instances
//	same DIR DIR               compare two folders byte by byte; ! same wants a difference
//	edit FILE OLD NEW          replace a text that stands in a file exactly once; \n is a line break
//	json FILE PATH WANT        compare a value in a JSON file, or stdout; len at the end of a path is a length
//	junit FILE CASES FAILED SKIPPED   hold a JUnit file to its own counts, and to these
//	page PAGE                  write the files that a page of docs tells: its fenced blocks with a path, those of one path joined
func TestScripts(t *testing.T) {
	python := findPython()
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			if python != "" {
				env.Setenv("FAVORBENCH_PYTHON", python)
				env.Setenv("PATH", filepath.Dir(python)+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "python" {
				return python != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":   scriptStatus,
			"scaffold": scriptScaffold,
			"same":     scriptSame,
			"edit":     scriptEdit,
			"json":     scriptJSON,
			"junit":    scriptJUnit,
			"page":     scriptPage,
		},
	})
}

// findPython returns the real interpreter behind $FAVORBENCH_PYTHON or python3, or nothing where there is none that validate takes.
func findPython() string {
	name := os.Getenv("FAVORBENCH_PYTHON")
	if name == "" {
		name = "python3"
	}
	out, err := exec.Command(name, "-c", "import sys; assert sys.version_info >= (3, 11); print(sys.executable)").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func scriptScaffold(ts *testscript.TestScript, neg bool, args []string) {
	for _, line := range []string{
		"new monorepo postline --dir m",
		"new family booking-limit --dir f",
		"generate --families f --monorepos m --family booking-limit --monorepo postline --out set",
	} {
		ts.Check(ts.Exec("favorbench", strings.Fields(line)...))
	}
}

func scriptPage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: page PAGE")
	}
	text, err := os.ReadFile(docFile(args[0]))
	ts.Check(err)
	files := map[string]string{}
	name := ""
	for line := range strings.Lines(string(text)) {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && name == "":
			_, name, _ = strings.Cut(info, " ")
			if name == "" {
				name = "-" // a block that is no file
			}
		case fence:
			name = ""
		case name != "" && name != "-":
			files[name] += line
		}
	}
	if len(files) == 0 {
		ts.Fatalf("%s tells no file", args[0])
	}
	for name, content := range files {
		ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(name)), 0o755))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(content), 0o644))
	}
}

func scriptSame(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same DIR DIR")
	}
	var read [2]tree.Files
	for n, dir := range args {
		read[n] = tree.Files{}
		root := ts.MkAbs(dir)
		ts.Check(filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			rel, _ := filepath.Rel(root, name)
			read[n][rel] = string(data)
			return err
		}))
		if len(read[n]) == 0 {
			ts.Fatalf("%s is empty", dir)
		}
	}
	diff := cmp.Diff(read[0], read[1])
	if neg && diff == "" {
		ts.Fatalf("%s and %s are the same", args[0], args[1])
	}
	if !neg && diff != "" {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], diff)
	}
}

func scriptEdit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	for n := range args[1:] {
		args[n+1] = strings.ReplaceAll(args[n+1], `\n`, "\n")
	}
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times, want once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	var at any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	dec.UseNumber()
	ts.Check(dec.Decode(&at))
	if dec.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	for key := range strings.SplitSeq(args[1], ".") {
		switch v := at.(type) {
		case map[string]any:
			if key == "len" {
				at = len(v)
				continue
			}
			next, has := v[key]
			if !has {
				ts.Fatalf("%s: no %q; there are %v", args[1], key, slices.Sorted(maps.Keys(v)))
			}
			at = next
		case []any:
			if key == "len" {
				at = len(v)
				continue
			}
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(v) {
				ts.Fatalf("%s: no %q in a list of %d", args[1], key, len(v))
			}
			at = v[n]
		default:
			ts.Fatalf("%s: %q of %v", args[1], key, v)
		}
	}
	if got := fmt.Sprint(at); got != args[2] {
		ts.Fatalf("%s is %s, want %s", args[1], got, args[2])
	}
}

// junitFile is what readers of JUnit XML rely on, written without the library that makes it.
type junitFile struct {
	XMLName xml.Name `xml:"testsuites"`
	junitCounts
	Suites []struct {
		Name string `xml:"name,attr"`
		Time string `xml:"time,attr"`
		junitCounts
		Cases []struct {
			Name      string `xml:"name,attr"`
			Classname string `xml:"classname,attr"`
			Time      string `xml:"time,attr"`
			Failure   *struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
			Error *struct{} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

func (c *junitCounts) add(d junitCounts) {
	c.Tests += d.Tests
	c.Failures += d.Failures
	c.Errors += d.Errors
	c.Skipped += d.Skipped
}

// readJUnit reads a JUnit file and says how its counts differ from its entries, or what an entry lacks.
func readJUnit(data []byte) (all junitCounts, faults []string) {
	var f junitFile
	if err := xml.Unmarshal(data, &f); err != nil {
		return all, []string{err.Error()}
	}
	for _, s := range f.Suites {
		var counted junitCounts
		for _, c := range s.Cases {
			counted.Tests++
			if c.Name == "" || c.Classname != s.Name || c.Time == "" {
				faults = append(faults, fmt.Sprintf("%s: case %q: want a name, the suite as its class, and a time", s.Name, c.Name))
			}
			if c.Failure != nil {
				counted.Failures++
				if c.Failure.Message == "" || strings.TrimSpace(c.Failure.Text) == "" {
					faults = append(faults, fmt.Sprintf("%s: case %s fails without a reason", s.Name, c.Name))
				}
			}
			if c.Skipped != nil {
				counted.Skipped++
				if c.Skipped.Message == "" {
					faults = append(faults, fmt.Sprintf("%s: case %s is skipped without a reason", s.Name, c.Name))
				}
			}
			if c.Error != nil {
				counted.Errors++
			}
		}
		if counted != s.junitCounts {
			faults = append(faults, fmt.Sprintf("%s: says %+v and holds %+v", s.Name, s.junitCounts, counted))
		}
		all.add(counted)
	}
	if all != f.junitCounts {
		faults = append(faults, fmt.Sprintf("the file says %+v and holds %+v", f.junitCounts, all))
	}
	return all, faults
}

func scriptJUnit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: junit FILE CASES FAILED SKIPPED")
	}
	all, faults := readJUnit([]byte(ts.ReadFile(args[0])))
	if len(faults) > 0 {
		ts.Fatalf("%s", strings.Join(faults, "\n"))
	}
	if got, want := fmt.Sprint(all.Tests, all.Failures, all.Skipped), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %s cases, failures and skipped ones, want %s", args[0], got, want)
	}
}
