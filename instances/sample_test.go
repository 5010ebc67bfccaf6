package instances_test

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"favorbench/instances"
	"favorbench/tree"

	"golang.org/x/tools/txtar"
)

// The sample set is the one that the validator's fixtures break: a trap, its twin and a safe instance on a small monorepo. It is
// not copied here, as the published set is the folder of this package, and an archive in a testdata folder would be taken for
// a part of it.
const (
	sampleSet = "../validate/testdata/set"

	trapID = "booking-limit/postline-shared-limit-trap"
	twinID = "booking-limit/postline-shared-limit-twin"
	safeID = "booking-limit/postline-shared-limit-raised-safe"
)

// bases returns the sample set's one monorepo, whatever the name.
func bases(t testing.TB) instances.Bases {
	t.Helper()
	ar, err := txtar.ParseFile("../validate/testdata/postline.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := tree.Files{}
	for _, f := range ar.Files {
		files[f.Name] = string(f.Data)
	}
	base := instances.Base{Files: files, PythonPath: []string{"."}, Digest: files.Digest()}
	return func(string) (instances.Base, error) { return base, nil }
}

func loadSample(t testing.TB) *instances.Set {
	t.Helper()
	set, err := instances.Load(os.DirFS(sampleSet), bases(t))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func sample(t testing.TB, id string) *instances.Instance {
	t.Helper()
	i, err := loadSample(t).Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// sampleBytes returns an instance's file.
func sampleBytes(t testing.TB, id string) []byte {
	t.Helper()
	data, err := os.ReadFile(sampleSet + "/" + instances.FileName(id))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sampleFiles returns the files of the sample set, to be changed.
func sampleFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for _, name := range []string{instances.SumFile, instances.FileName(trapID), instances.FileName(twinID), instances.FileName(safeID)} {
		data, err := fs.ReadFile(os.DirFS(sampleSet), name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return out
}
