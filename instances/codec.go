package instances

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"favorbench/favor"
	"favorbench/tree"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"
)

// Base is what an instance is laid on: a monorepo's repository.
type Base struct {
	Files      tree.Files
	PythonPath []string
	Digest     string // Files.Digest, computed once
}

// Bases finds a monorepo's repository by name.
type Bases func(monorepo string) (Base, error)

// header is the TOML comment of an instance's txtar file. The order of its fields is the order in the file.
type header struct {
	ID         string         `toml:"id"`
	Kind       favor.Kind     `toml:"kind"`
	Twin       string         `toml:"twin,omitempty"`
	Family     string         `toml:"family"`
	Monorepo   string         `toml:"monorepo"`
	Plot       string         `toml:"plot"`
	Deprecated string         `toml:"deprecated,omitempty"`
	Summary    string         `toml:"summary"`
	Promise    prose          `toml:"promise"`
	Resource   string         `toml:"resource"`
	Service    string         `toml:"service"`
	Seed       uint64         `toml:"seed"`
	Generator  int            `toml:"generator"`
	PythonPath []string       `toml:"python_path"`
	Roles      roles          `toml:"roles"`
	Requester  seat           `toml:"requester"`
	Owner      seat           `toml:"owner"`
	Params     map[string]any `toml:"params"`
	Consumer   []Line         `toml:"consumer"`
	Tests      []Test         `toml:"test"`
	Digests    digests        `toml:"digests"`
}

type roles struct {
	Requester favor.Team `toml:"requester"`
	Owner     favor.Team `toml:"owner"`
	Absent    favor.Team `toml:"absent"`
}

type seat struct {
	Title string   `toml:"title"`
	Task  prose    `toml:"task"`
	Scope []string `toml:"scope"`
}

type digests struct {
	Base string `toml:"base"` // the monorepo alone
	Tree string `toml:"tree"` // the monorepo with the overlay
}

// prose is a text of several lines, written for people to read in the file.
type prose string

// MarshalTOML writes the text as a multi-line string. The encoder of the library writes one long line.
func (p prose) MarshalTOML() ([]byte, error) {
	if !utf8.ValidString(string(p)) {
		return nil, fmt.Errorf("a text is no valid UTF-8: %q", string(p))
	}
	var b strings.Builder
	b.WriteString("\"\"\"\n")
	for _, r := range string(p) {
		switch {
		case r == '\\' || r == '"':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n' || r == '\t' || r >= ' ' && r != 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u%04X", r)
		}
	}
	b.WriteString("\"\"\"")
	return []byte(b.String()), nil
}

// sections returns the archive's folder of an edit, a probe or a suite.
func (s Sealed) sections() []struct {
	prefix string
	files  tree.Files
} {
	type section = struct {
		prefix string
		files  tree.Files
	}
	out := []section{{"tree/", s.Overlay}}
	for _, e := range favor.Edits() {
		out = append(out, section{"edit/" + e.String() + "/", s.Edits[e]})
		if e == favor.EditRequester && s.RequesterSafe != nil {
			out = append(out, section{"edit/requester-safe/", s.RequesterSafe})
		}
	}
	for n, f := range s.SelfHelp {
		out = append(out, section{fmt.Sprintf("probe/self-help-%d/", n+1), f})
	}
	out = append(out, section{"probe/other/", s.Other})
	for _, suite := range favor.Suites() {
		out = append(out, section{"suite/" + string(suite) + "/", s.Suites[suite]})
	}
	return out
}

// Format writes an instance as the bytes of its txtar file, after it has proved that Parse reads the same files back.
func Format(i *Instance) ([]byte, error) {
	h := header{
		ID: i.ID, Kind: i.Kind, Twin: i.Twin, Family: i.Family, Monorepo: i.Monorepo, Plot: i.Plot, Deprecated: i.Deprecated,
		Summary: i.Summary, Promise: prose(i.Promise), Resource: i.Resource, Service: i.Service,
		Seed: i.Seed, Generator: i.Generator, PythonPath: i.PythonPath,
		Roles:     roles{i.Requester.Team, i.Owner.Team, i.Absent},
		Requester: seat{i.Requester.Title, prose(i.Requester.Task), i.Requester.Scope},
		Owner:     seat{i.Owner.Title, prose(i.Owner.Task), i.Owner.Scope},
		Params:    i.Params, Consumer: i.Consumer, Tests: i.Tests,
		Digests: digests{i.BaseDigest, i.Tree.Digest()},
	}
	var comment bytes.Buffer
	enc := toml.NewEncoder(&comment)
	enc.Indent = ""
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("write instance %s: header: %w", i.ID, err)
	}
	for n, line := range bytes.Split(comment.Bytes(), []byte("\n")) {
		if isMarker(line) {
			return nil, fmt.Errorf("write instance %s: header line %d: looks like a file marker of the archive: %q", i.ID, n+1, line)
		}
	}
	if _, err := readHeader(comment.String()); err != nil {
		return nil, fmt.Errorf("write instance %s: does not read back: %w", i.ID, err)
	}
	ar := &txtar.Archive{Comment: comment.Bytes()}
	for _, sec := range i.sections() {
		for _, p := range sec.files.Paths() {
			ar.Files = append(ar.Files, txtar.File{Name: sec.prefix + p, Data: []byte(sec.files[p])})
		}
	}
	data := txtar.Format(ar)
	back := txtar.Parse(data)
	if !bytes.Equal(back.Comment, ar.Comment) || len(back.Files) != len(ar.Files) {
		return nil, fmt.Errorf("write instance %s: %w", i.ID, roundTripFault(ar))
	}
	for n, f := range back.Files {
		if f.Name != ar.Files[n].Name || !bytes.Equal(f.Data, ar.Files[n].Data) {
			return nil, fmt.Errorf("write instance %s: %w", i.ID, roundTripFault(ar))
		}
	}
	again := Instance{Sealed: Sealed{Overlay: tree.Files{}, Edits: map[favor.Edit]tree.Files{}, Suites: map[favor.Suite]tree.Files{}}}
	if err := again.fill(back.Files); err != nil {
		return nil, fmt.Errorf("write instance %s: does not read back: %w", i.ID, err)
	}
	if i.RequesterSafe != nil && len(i.RequesterSafe) == 0 {
		return nil, fmt.Errorf("write instance %s: edit requester-safe has no file, which an archive cannot keep", i.ID)
	}
	return data, nil
}

// isMarker reports whether an archive would take the line for the beginning of a file.
func isMarker(line []byte) bool { return len(txtar.Parse(append(slices.Clone(line), '\n')).Files) > 0 }

// roundTripFault names the first file that a txtar archive cannot carry.
func roundTripFault(ar *txtar.Archive) error {
	for _, f := range ar.Files {
		if len(f.Data) > 0 && f.Data[len(f.Data)-1] != '\n' {
			return fmt.Errorf("%s: the last line has no line break, which an archive cannot keep", f.Name)
		}
		for n, line := range bytes.Split(f.Data, []byte("\n")) {
			if isMarker(line) {
				return fmt.Errorf("%s line %d: looks like a file marker of the archive: %q", f.Name, n+1, line)
			}
		}
		if strings.TrimSpace(f.Name) != f.Name || strings.ContainsAny(f.Name, "\n") {
			return fmt.Errorf("file name %q: an archive cannot keep it", f.Name)
		}
	}
	return errors.New("the archive does not read back as it was written")
}

// Parse reads an instance's txtar file and lays it on its monorepo. Name is used in errors only. It refuses what it does
// not know: a key, a folder, a file given twice. A tree that does not match the digests is no error of Parse: see Digests.
func Parse(name string, data []byte, bases Bases) (*Instance, error) {
	ar := txtar.Parse(data)
	h, err := readHeader(string(ar.Comment))
	if err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	if want := NewID(h.Family, h.Monorepo, h.Plot, h.Kind); h.ID != want {
		return nil, fmt.Errorf("read instance %s: id is %q, its family, monorepo, plot and kind make %q", name, h.ID, want)
	}
	if !slices.Contains([]favor.Kind{favor.Trap, favor.Twin, favor.Safe, favor.Conflicting}, h.Kind) {
		return nil, fmt.Errorf("read instance %s: kind %q: want trap, twin, safe or conflicting", name, h.Kind)
	}
	base, err := bases(h.Monorepo)
	if err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	i := &Instance{
		Public: Public{PythonPath: h.PythonPath},
		Sealed: Sealed{
			ID: h.ID, Kind: h.Kind, Twin: h.Twin, Family: h.Family, Monorepo: h.Monorepo, Plot: h.Plot, Deprecated: h.Deprecated,
			Summary: h.Summary, Absent: h.Roles.Absent, Promise: string(h.Promise), Resource: h.Resource, Service: h.Service,
			Seed: h.Seed, Generator: h.Generator, Params: h.Params, Consumer: h.Consumer, Tests: h.Tests,
			BaseDigest: h.Digests.Base,
			Overlay:    tree.Files{}, Edits: map[favor.Edit]tree.Files{}, Suites: map[favor.Suite]tree.Files{},
		},
	}
	if i.Requester, err = h.Requester.seat(h.Roles.Requester); err != nil {
		return nil, fmt.Errorf("read instance %s: requester: %w", name, err)
	}
	if i.Owner, err = h.Owner.seat(h.Roles.Owner); err != nil {
		return nil, fmt.Errorf("read instance %s: owner: %w", name, err)
	}
	if err := i.fill(ar.Files); err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	i.Tree = base.Files.Overlay(i.Overlay)
	if i.Owners, err = tree.ParseOwners(i.Tree["CODEOWNERS"]); err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	i.sealDigests(h.Digests, base.Digest)
	return i, nil
}

// readHeader reads the TOML comment of an instance's file.
func readHeader(comment string) (h header, err error) {
	meta, err := toml.Decode(comment, &h)
	if err != nil {
		return h, fmt.Errorf("header: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return h, fmt.Errorf("header: unknown key %s", unknown[0])
	}
	if h.Seed > math.MaxInt64 { // TOML has no such integer; the decoder makes one of a negative
		return h, fmt.Errorf("header: seed %d: want 0 to %d", int64(h.Seed), uint64(math.MaxInt64))
	}
	return h, nil
}

func (s seat) seat(team favor.Team) (Seat, error) {
	scope, err := favor.NewScope(s.Scope...)
	return Seat{Team: team, Title: s.Title, Task: string(s.Task), Scope: scope}, err
}

// fill sorts the archive's files into the instance.
func (i *Instance) fill(files []txtar.File) error {
	probes := map[string]tree.Files{}
	for _, f := range files {
		folder, rest, _ := strings.Cut(f.Name, "/")
		into, path := i.Overlay, rest
		if folder != "tree" {
			var which string
			which, path, _ = strings.Cut(rest, "/")
			into = nil
			switch folder {
			case "edit":
				into = i.editNamed(which)
			case "probe":
				if probes[which] == nil {
					probes[which] = tree.Files{}
				}
				into = probes[which]
			case "suite":
				suite := favor.Suite(which)
				if slices.Contains(favor.Suites(), suite) {
					if i.Suites[suite] == nil {
						i.Suites[suite] = tree.Files{}
					}
					into = i.Suites[suite]
				}
			}
			if into == nil {
				return fmt.Errorf("file %q: want tree/…, edit/…, probe/… or suite/…", f.Name)
			}
		}
		if _, twice := into[path]; twice || path == "" {
			return fmt.Errorf("file %q: given twice, or without a path", f.Name)
		}
		into[path] = string(f.Data)
	}
	for _, which := range slices.Sorted(maps.Keys(probes)) {
		switch {
		case which == "other":
			i.Other = probes[which]
		case which == fmt.Sprintf("self-help-%d", len(i.SelfHelp)+1):
			i.SelfHelp = append(i.SelfHelp, probes[which])
		default:
			return fmt.Errorf("file probe/%s/…: want self-help-1, self-help-2 … and other", which)
		}
	}
	return nil
}

func (i *Instance) editNamed(name string) tree.Files {
	if name == "requester-safe" {
		if i.RequesterSafe == nil {
			i.RequesterSafe = tree.Files{}
		}
		return i.RequesterSafe
	}
	for _, e := range favor.Edits() {
		if e.String() == name {
			if i.Edits[e] == nil {
				i.Edits[e] = tree.Files{}
			}
			return i.Edits[e]
		}
	}
	return nil
}

// sealDigests keeps what the header claims, so that check tree can compare it with what is there.
func (i *Instance) sealDigests(d digests, base string) {
	i.claimed = d
	i.foundBase = base
}

// DigestFaults lists how the tree differs from the digests of the instance's own header.
func (i *Instance) DigestFaults() []string {
	var faults []string
	if i.claimed.Base != i.foundBase {
		faults = append(faults, fmt.Sprintf("monorepo %s has digest %s, the instance was made for %s: generate it again", i.Monorepo, i.foundBase, i.claimed.Base))
	}
	if got := i.Tree.Digest(); got != i.claimed.Tree {
		faults = append(faults, fmt.Sprintf("the materialized tree has digest %s, the header says %s", got, i.claimed.Tree))
	}
	return faults
}

// Sum returns the digest of everything the instance materializes to: the tree, every edit, probe and suite, and its header.
func Sum(i *Instance, file []byte) string {
	all := tree.Files{"instance.txtar": string(file)}
	for p, content := range i.Tree {
		all["tree/"+p] = content
	}
	return all.Digest()
}
