package audit

import (
	"fmt"
	"maps"
	"slices"

	"favorbench/favor"
)

// The bars of who plays what.
const (
	MaxRoleShare = 0.25 // of a monorepo's castings in which one team is the requester, or the absent team
	MaxPair      = 2    // castings of a monorepo with the same requester and the same absent team
)

var roles = Audit{
	Name: "roles",
	Asks: "largest share of a monorepo's castings in which one team is the requester, or the absent team; owners own the resource and are left out",
	Bar:  fmt.Sprintf("at most %.2f", MaxRoleShare),
	run: func(b *bench) (Finding, error) {
		f := Finding{Unit: "share"}
		for _, repo := range slices.Sorted(maps.Keys(b.bases)) {
			all := 0
			played := map[string]map[favor.Team]int{"requester": {}, "owner": {}, "absent": {}}
			for _, i := range b.castings {
				if i.Monorepo == repo {
					all++
					played["requester"][i.Requester.Team]++
					played["owner"][i.Owner.Team]++
					played["absent"][i.Absent]++
				}
			}
			for _, role := range []string{"requester", "owner", "absent"} {
				line := fmt.Sprintf("%s %s:", repo, role)
				for _, team := range slices.Sorted(maps.Keys(played[role])) {
					n := played[role][team]
					line += fmt.Sprintf(" %s %d", team, n)
					share := float64(n) / float64(all)
					if role == "owner" {
						continue
					}
					f.Measured = max(f.Measured, share)
					if share > MaxRoleShare {
						f.Offenders = append(f.Offenders, fmt.Sprintf("%s: %s is %s in %d of %d castings", repo, team, role, n, all))
					}
				}
				f.Detail = append(f.Detail, line)
			}
		}
		f.Passes = len(f.Offenders) == 0
		return f, nil
	},
}

var pairs = Audit{
	Name: "pairs",
	Asks: "most castings of a monorepo in which the same requester meets the same absent team",
	Bar:  fmt.Sprintf("at most %d", MaxPair),
	run: func(b *bench) (Finding, error) {
		f := Finding{Unit: "castings"}
		met := map[string][]string{}
		for _, i := range b.castings {
			key := fmt.Sprintf("%s: %s and %s", i.Monorepo, i.Requester.Team, i.Absent)
			met[key] = append(met[key], i.Family+"/"+i.Plot)
		}
		for _, key := range slices.Sorted(maps.Keys(met)) {
			f.Measured = max(f.Measured, float64(len(met[key])))
			if len(met[key]) > MaxPair {
				f.Offenders = append(f.Offenders, fmt.Sprintf("%s in %v", key, met[key]))
			}
		}
		f.Passes = len(f.Offenders) == 0
		return f, nil
	},
}
