package tree_test

import (
	"strings"
	"testing"

	"favorbench/favor"
	"favorbench/tree"
)

const codeowners = `# who owns what
*                    @postline/foundation
/orders/             @postline/orders
/orders/shared/      @postline/stock   # the last rule that matches wins
*.sql                @postline/accounts
docs/*.md            @postline/docs
`

func TestOwners(t *testing.T) {
	owners, err := tree.ParseOwners(codeowners)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]favor.Team{
		"README.md":              "foundation",
		"orders/intake.py":       "orders",
		"orders/shared/x.py":     "stock",
		"orders/shared/x.sql":    "accounts",
		"archive/orders/x.py":    "foundation", // a slash in front ties the rule to the root
		"docs/orders.md":         "docs",
		"docs/deeper/orders.md":  "foundation",
		"archive/docs/orders.md": "foundation", // a slash inside does as well
	} {
		got, err := owners.Owner(path)
		if err != nil || got != want {
			t.Errorf("Owner(%s) = %q, %v; want %s", path, got, err, want)
		}
		if !owners.Owned(path, want) || owners.Owned(path, "nobody") {
			t.Errorf("Owned(%s) disagrees with Owner", path)
		}
	}
}

func TestAPathWithoutARuleHasNoOwner(t *testing.T) {
	owners, err := tree.ParseOwners("/orders/ @postline/orders\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]tree.Owners{"no rule matches": owners, "no rules": {}} {
		team, err := o.Owner("README.md")
		if err == nil || team != "" || !strings.Contains(err.Error(), "README.md") {
			t.Errorf("%s: owner %q, error %v", name, team, err)
		}
		if o.Owned("README.md", "") {
			t.Errorf("%s: the team without a name owns it", name)
		}
	}
}

func TestEveryRuleNamesOneTeam(t *testing.T) {
	for name, rule := range map[string]string{
		"two teams":      "/a/ @postline/orders @postline/stock",
		"nobody":         "/a/",
		"a person":       "/a/ @alice",
		"an address":     "/a/ alice@example.com",
		"not GitHub's":   "/a/ orders",
		"a bad pattern":  "/a***/ @postline/orders",
		"a section line": "[Orders]",
	} {
		_, err := tree.ParseOwners("* @postline/foundation\n" + rule + "\n")
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: error %v, want one that names line 2", name, err)
		}
	}
}

func FuzzParseOwners(f *testing.F) {
	f.Add(codeowners, "orders/shared/x.py")
	f.Add("* @a/b # c", "x")
	f.Fuzz(func(t *testing.T, text, path string) {
		owners, err := tree.ParseOwners(text)
		if err != nil {
			return
		}
		if team, err := owners.Owner(path); err == nil && team == "" {
			t.Errorf("%q is owned by a team without a name", path)
		}
	})
}
