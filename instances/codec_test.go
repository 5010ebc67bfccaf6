package instances_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// asWritten compares all that an instance's file carries. What the header claims of the tree is compared as bytes.
var asWritten = cmp.Options{
	cmpopts.IgnoreUnexported(instances.Sealed{}), cmpopts.IgnoreTypes(tree.Owners{}), cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
}

func parse(t testing.TB, data []byte) (*instances.Instance, error) {
	t.Helper()
	return instances.Parse("x.txtar", data, bases(t))
}

func TestFormatWritesWhatParseRead(t *testing.T) {
	for _, id := range []string{trapID, twinID, safeID} {
		data := sampleBytes(t, id)
		i, err := parse(t, data)
		if err != nil {
			t.Fatal(err)
		}
		if faults := i.DigestFaults(); len(faults) > 0 {
			t.Errorf("%s: %v", id, faults)
		}
		again, err := instances.Format(i)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(data), string(again)); d != "" {
			t.Errorf("%s: written again (-file +again):\n%s", id, d)
		}
	}
}

// full returns an instance that uses everything an instance can have.
func full(t testing.TB) *instances.Instance {
	i := sample(t, trapID)
	i.RequesterSafe = tree.Files{"stock/booking_limit_counter.py": "# by the safe way\n"}
	i.Deprecated = "its ticket named a number\nthat its tests did not"
	i.Promise = "Quotes \" and \"\"\" and \\ and \\n stay,\n\ttabs and caf\u00e9 too\rand \x01 \x7f."
	i.Requester.Task = "\n\n-- a dash more is no marker: -- \n-- nor is a comment of SQL\n\"\"\"\n"
	i.Owner.Title = `a title with "quotes" and \`
	i.Params = map[string]any{"n": int64(1), "f": 1.5, "s": "x", "b": true, "l": []any{int64(1), int64(2)}}
	i.Suites[favor.SuiteContract]["empty.py"] = ""
	i.Consumer = []instances.Line{{Path: "a.py", Line: 3, Text: `x["y"]`}}
	return i
}

func TestTextsSurvive(t *testing.T) {
	want := full(t)
	data, err := instances.Format(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parse(t, data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if d := cmp.Diff(want, got, asWritten); d != "" {
		t.Errorf("(-written +read):\n%s", d)
	}
}

// TestFormatRefusesWhatAnArchiveLoses: TPL-07. A txtar has no escape; what does not survive is named, with file and line.
func TestFormatRefusesWhatAnArchiveLoses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(i *instances.Instance)
		says   []string
	}{
		{"a marker line in a file", func(i *instances.Instance) { i.Overlay["docs/a.md"] = "one\n-- evil.py --\nthree\n" }, []string{"tree/docs/a.md line 2", "-- evil.py --"}},
		{"a file that is only a marker", func(i *instances.Instance) { i.Edits[favor.EditOwner]["a.md"] = "-- x --\n" }, []string{"edit/owner/a.md line 1"}},
		{"no line break at the end", func(i *instances.Instance) { i.Other["a.py"] = "x = 1" }, []string{"probe/other/a.py", "last line"}},
		{"a marker line in a suite", func(i *instances.Instance) { i.Suites[favor.SuiteOwner]["test_a.py"] = "x\n\n-- y --\n" }, []string{"suite/owner/test_a.py line 3"}},
		{"a blank around a name", func(i *instances.Instance) { i.Overlay["a.py "] = "x\n" }, []string{`"tree/a.py "`}},
		{"a marker line in a task", func(i *instances.Instance) { i.Requester.Task = "see\n-- tree/a.py --\n" }, []string{"header line", "-- tree/a.py --"}},
		{"a marker line in a promise", func(i *instances.Instance) { i.Promise = "-- p --" }, nil},
		{"bytes that are no text", func(i *instances.Instance) { i.Owner.Task = "x\xff\n" }, []string{"UTF-8"}},
		{"bytes that are no title", func(i *instances.Instance) { i.Owner.Title = "x\xff" }, nil},
		{"an edit without a file", func(i *instances.Instance) { i.RequesterSafe = tree.Files{} }, []string{"requester-safe"}},
		{"a seed that TOML cannot write", func(i *instances.Instance) { i.Seed = 1 << 63 }, []string{"header"}},
		{"a parameter with keys of its own", func(i *instances.Instance) { i.Params["m"] = map[string]any{"k": 1} }, []string{"params.m"}},
		{"a missing attempt", func(i *instances.Instance) { i.SelfHelp[1] = nil }, []string{"self-help"}},
		{"a suite that is none", func(i *instances.Instance) { i.Edits[favor.EditOwner][""] = "x\n" }, []string{"edit/owner/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := sample(t, trapID)
			c.change(i)
			data, err := instances.Format(i)
			if c.says == nil && err == nil { // no need to refuse what survives
				if back, err := parse(t, data); err != nil || cmp.Diff(i, back, asWritten) != "" {
					t.Errorf("neither refused nor read back: %v\n%s", err, cmp.Diff(i, back, asWritten))
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, says := range append(c.says, trapID) {
				if !strings.Contains(err.Error(), says) {
					t.Errorf("error %q does not say %q", err, says)
				}
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string // in the trap's file
		says     string
	}{
		{"an unknown key", "seed = 1\n", "seed = 1\nseeds = 2\n", "unknown key seeds"},
		{"an unknown key in a table", "[roles]\n", "[roles]\nreviewer = \"x\"\n", "unknown key roles.reviewer"},
		{"an unknown key in a list", "suite = \"owner\"\n", "suite = \"owner\"\nskip = true\n", "unknown key test.skip"},
		{"a key twice", "seed = 1\n", "seed = 1\nseed = 2\n", "seed"},
		{"a table twice", "[roles]\n", "[roles]\nowner = \"x\"\n[roles]\n", "roles"},
		{"a key twice in an inline table", "[params]\n", "[params]\nlimits = {cpu = 1, cpu = 4}\n", "cpu"}, // TPL-09
		{"another type", "seed = 1\n", "seed = \"one\"\n", "seed"},
		{"a negative seed", "seed = 1\n", "seed = -1\n", "seed"},
		{"an id of another plot", `plot = "shared-limit"`, `plot = "shared-limits"`, "its family, monorepo, plot and kind make"},
		{"an id of another kind", `kind = "trap"`, `kind = "twin"`, "its family, monorepo, plot and kind make"},
		{"a scope that is no pattern", `"stock/**"`, `"stock/["`, "requester: scope"},
		{"an unknown folder", "-- edit/owner/", "-- edits/owner/", "want tree/…, edit/…, probe/… or suite/…"},
		{"an unknown edit", "-- edit/owner/", "-- edit/bob/", "want tree/…"},
		{"an unknown suite", "-- suite/owner/", "-- suite/hidden/", "want tree/…"},
		{"an unknown probe", "-- probe/other/", "-- probe/others/", "probe/others"},
		{"a probe too far", "-- probe/self-help-3/", "-- probe/self-help-4/", "probe/self-help-4"},
		{"a file twice", "-- suite/owner/", "-- tree/accounts/booking_limit_log.py --\n-- suite/owner/", "given twice"},
		{"a folder alone", "-- suite/owner/", "-- tree/ --\n-- suite/owner/", "without a path"},
		{"an edit without a path", "-- suite/owner/", "-- edit/owner --\n-- suite/owner/", "without a path"},
		{"a rule of owners that names two", "-- suite/owner/", "-- tree/CODEOWNERS --\n* @a/b @a/c\n-- suite/owner/", "CODEOWNERS line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := string(sampleBytes(t, trapID))
			if !strings.Contains(text, c.old) {
				t.Fatalf("the sample does not hold %q", c.old)
			}
			_, err := parse(t, []byte(strings.Replace(text, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "x.txtar") {
				t.Errorf("error %v, want one that names x.txtar and says %q", err, c.says)
			}
		})
	}
}

func TestParseRefusesAKindThatIsNone(t *testing.T) {
	text := string(sampleBytes(t, safeID))
	text = strings.Replace(text, `kind = "safe"`, `kind = "sound"`, 1)
	text = strings.Replace(text, safeID, strings.TrimSuffix(safeID, "safe")+"sound", 1)
	if _, err := parse(t, []byte(text)); err == nil || !strings.Contains(err.Error(), `kind "sound"`) {
		t.Errorf("error %v, want one that names the kind", err)
	}
}

func TestParseSaysWhichMonorepoIsMissing(t *testing.T) {
	none := errors.New("no monorepo by this name")
	_, err := instances.Parse("x", sampleBytes(t, trapID), func(name string) (instances.Base, error) {
		if name != "postline" {
			t.Errorf("asked for %q", name)
		}
		return instances.Base{}, none
	})
	if !errors.Is(err, none) {
		t.Errorf("error %v", err)
	}
}

// TestDigestFaults: a tree that is not as its header says is a finding of check tree, not an error of Parse.
func TestDigestFaults(t *testing.T) {
	data := bytes.Replace(sampleBytes(t, trapID), []byte("Keeps bookings in the order"), []byte("Keeps bookings in an order"), 1)
	i, err := parse(t, data)
	if err != nil {
		t.Fatal(err)
	}
	if faults := i.DigestFaults(); len(faults) != 1 || !strings.Contains(faults[0], "materialized tree") {
		t.Errorf("a changed tree has faults %q", faults)
	}
	base, err := bases(t)("postline")
	if err != nil {
		t.Fatal(err)
	}
	base.Files = base.Files.Overlay(tree.Files{"README.md": "# Changed\n"})
	base.Digest = base.Files.Digest()
	i, err = instances.Parse("x", sampleBytes(t, trapID), func(string) (instances.Base, error) { return base, nil })
	if err != nil {
		t.Fatal(err)
	}
	if faults := i.DigestFaults(); len(faults) != 2 || !strings.Contains(faults[0], "generate it again") {
		t.Errorf("on a changed monorepo it has faults %q", faults)
	}
}

func TestSumSeesTreeAndHeader(t *testing.T) {
	i, data := sample(t, trapID), sampleBytes(t, trapID)
	sum := instances.Sum(i, data)
	if other := instances.Sum(i, append(bytes.Clone(data), '\n')); other == sum {
		t.Error("the sum is blind to the file")
	}
	i.Tree = i.Tree.Overlay(tree.Files{"README.md": "# Changed\n"})
	if other := instances.Sum(i, data); other == sum {
		t.Error("the sum is blind to the monorepo")
	}
}

// FuzzParse: Parse never panics, and what it reads, Format writes so that it reads the same again, or refuses.
func FuzzParse(f *testing.F) {
	for _, id := range []string{trapID, twinID, safeID} {
		f.Add(sampleBytes(f, id))
	}
	data, err := instances.Format(full(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("id = \"a/b-c-safe\"\nkind = \"safe\"\nfamily = \"a\"\nmonorepo = \"b\"\nplot = \"c\"\n-- probe/other/x --\n"))
	lay := bases(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		i, err := instances.Parse("fuzz", data, lay)
		if err != nil {
			return
		}
		written, err := instances.Format(i)
		if err != nil {
			return
		}
		back, err := instances.Parse("fuzz", written, lay)
		if err != nil {
			t.Fatalf("Format wrote what Parse refuses: %v\n%s", err, written)
		}
		if d := cmp.Diff(i, back, asWritten); d != "" {
			t.Fatalf("(-read +read again):\n%s", d)
		}
		again, err := instances.Format(back)
		if err != nil || !bytes.Equal(written, again) {
			t.Fatalf("written twice, the bytes differ (error %v):\n%s", err, cmp.Diff(string(written), string(again)))
		}
	})
}
