package templates

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// draw picks a row of every group. The pick depends on seed, monorepo, family and plot, never on the kind. Seed 1 is the
// published set; every other seed picks another row than seed 1 does, so that each number and name of a group differs from
// the published one.
func draw(groups map[string][]map[string]any, seed uint64, place string) (map[string]any, error) {
	params := map[string]any{}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		rows := groups[group]
		if err := checkRows(rows); err != nil {
			return nil, fmt.Errorf("draw.%s: %w", group, err)
		}
		n := uint64(len(rows))
		pick := number(1, place, group) % n
		if seed != 1 {
			pick = (pick + 1 + number(seed, place, group)%(n-1)) % n
		}
		for _, column := range slices.Sorted(maps.Keys(rows[pick])) {
			if _, taken := params[column]; taken {
				return nil, fmt.Errorf("draw.%s: column %q stands in another group too", group, column)
			}
			params[column] = rows[pick][column]
		}
	}
	return params, nil
}

// checkRows demands at least three rows of the same columns, and no value twice in a column: a value that two rows share would
// survive a change of seed.
func checkRows(rows []map[string]any) error {
	if len(rows) < 3 {
		return fmt.Errorf("%d rows; want at least 3, so that seeds differ", len(rows))
	}
	columns := slices.Sorted(maps.Keys(rows[0]))
	for n, row := range rows {
		if have := slices.Sorted(maps.Keys(row)); !slices.Equal(have, columns) {
			return fmt.Errorf("row %d has columns %s, row 1 has %s", n+1, strings.Join(have, ", "), strings.Join(columns, ", "))
		}
	}
	for _, column := range columns {
		seen := map[string]int{}
		for n, row := range rows {
			value := fmt.Sprint(row[column])
			if first, twice := seen[value]; twice {
				return fmt.Errorf("column %q: rows %d and %d both have %s", column, first, n+1, value)
			}
			seen[value] = n + 1
		}
	}
	return nil
}

// number derives a number from a seed and a place, the same on every machine and in every version.
func number(seed uint64, place, group string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "favorbench draw\n%d\n%s\n%s\n", seed, place, group))
	return binary.BigEndian.Uint64(sum[:8])
}
