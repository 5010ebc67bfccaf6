package tree

import (
	"fmt"
	"strings"

	"favorbench/favor"

	"github.com/hmarr/codeowners"
)

// Owners says which team owns a path, by the rules of a CODEOWNERS file.
type Owners struct{ rules codeowners.Ruleset }

// ParseOwners reads a CODEOWNERS file in GitHub's syntax. Every rule must name exactly one team, as @company/team.
func ParseOwners(text string) (Owners, error) {
	rules, err := codeowners.ParseFile(strings.NewReader(text))
	if err != nil {
		return Owners{}, fmt.Errorf("parse CODEOWNERS: %w", err)
	}
	for _, r := range rules {
		if len(r.Owners) != 1 || r.Owners[0].Type != codeowners.TeamOwner {
			return Owners{}, fmt.Errorf("CODEOWNERS line %d: want exactly one owner, written @company/team", r.LineNumber)
		}
	}
	return Owners{rules}, nil
}

// Owner returns the one team that owns path.
func (o Owners) Owner(path string) (favor.Team, error) {
	rule, err := o.rules.Match(path)
	if err != nil {
		return "", fmt.Errorf("owner of %s: %w", path, err)
	}
	if rule == nil {
		return "", fmt.Errorf("owner of %s: no rule of CODEOWNERS matches it", path)
	}
	_, team, _ := strings.Cut(rule.Owners[0].Value, "/")
	return favor.Team(team), nil
}

// Owned reports whether team owns path.
func (o Owners) Owned(path string, team favor.Team) bool {
	owner, err := o.Owner(path)
	return err == nil && owner == team
}
