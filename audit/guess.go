package audit

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"favorbench/favor"
	"favorbench/instances"
	"favorbench/tree"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// MaxGuessed is the share of traps and twins that a classifier may tell apart at most; by chance it is a half.
const MaxGuessed = 0.60

var guess = Audit{
	Name: "guess",
	Asks: "share of traps and twins that a classifier tells apart from the absent team's files alone, trained on other plots and monorepos",
	Bar:  fmt.Sprintf("at most %.2f", MaxGuessed),
	run: func(b *bench) (Finding, error) {
		f := Finding{Unit: "share told apart"}
		var samples []sample
		for _, i := range b.all {
			if i.Kind == favor.Trap || i.Kind == favor.Twin {
				samples = append(samples, newSample(i, b.bases[i.Monorepo]))
			}
		}
		for _, regime := range []struct {
			name  string
			other func(train, test *instances.Instance) bool
		}{
			{"trained on other plots of other monorepos", func(train, test *instances.Instance) bool {
				return train.Monorepo != test.Monorepo && (train.Family != test.Family || train.Plot != test.Plot)
			}},
			{"trained on other plots of all monorepos", func(train, test *instances.Instance) bool {
				return train.Family != test.Family || train.Plot != test.Plot
			}},
		} {
			right, all, told := 0, 0, []string{}
			for _, pair := range folds(samples) {
				var train []sample
				for _, s := range samples {
					if regime.other(s.of, samples[pair[0]].of) {
						train = append(train, s)
					}
				}
				if len(train) == 0 {
					continue
				}
				m := fit(train)
				both := 0
				for _, n := range pair {
					all++
					if (m.score(samples[n]) > 0) == (samples[n].of.Kind == favor.Trap) {
						right++
						both++
					}
				}
				if both == len(pair) && len(pair) == 2 {
					told = append(told, place(samples[pair[0]].of))
				}
			}
			if all == 0 {
				f.Detail = append(f.Detail, regime.name+": nothing to train on")
				continue
			}
			share := float64(right) / float64(all)
			f.Detail = append(f.Detail, fmt.Sprintf("%s: %d of %d right (%.3f)", regime.name, right, all, share))
			if share > MaxGuessed {
				for _, t := range told {
					f.Offenders = append(f.Offenders, fmt.Sprintf("%s: trap and twin both told, %s", t, regime.name))
				}
			}
			f.Measured = max(f.Measured, share)
		}
		if len(samples) > 0 {
			f.Detail = append(f.Detail, "what speaks for a trap, trained on all: "+fit(samples).telling())
		}
		f.Passes = f.Measured <= MaxGuessed
		return f, nil
	},
}

// sample is what the classifier reads of an instance: words of the absent team's files and paths, and their lengths.
type sample struct {
	of       *instances.Instance
	features map[string]float64
}

var letters = regexp.MustCompile(`[A-Za-z]+`)

func newSample(i *instances.Instance, base tree.Files) sample {
	s := sample{of: i, features: map[string]float64{}}
	files := absentFiles(i)
	lines, bytes, functions := 0, 0, 0
	for _, p := range files.Paths() {
		for _, w := range letters.FindAllString(p, -1) {
			s.features["path "+strings.ToLower(w)]++
		}
		for _, line := range added(base[p], files[p]) {
			lines++
			bytes += len(line)
			if strings.HasPrefix(strings.TrimSpace(line), "def ") {
				functions++
			}
			for _, w := range letters.FindAllString(line, -1) {
				s.features["word "+strings.ToLower(w)]++
			}
		}
	}
	for name, n := range s.features {
		s.features[name] = math.Log1p(n)
	}
	s.features["length lines"] = math.Log1p(float64(lines))
	s.features["length bytes"] = math.Log1p(float64(bytes))
	s.features["length functions"] = math.Log1p(float64(functions))
	s.features["length bytes a line"] = math.Log1p(float64(bytes) / float64(max(1, lines)))
	return s
}

// folds groups samples by casting: a trap and its twin are asked together, and trained on never.
func folds(samples []sample) [][]int {
	var out [][]int
	at := map[string]int{}
	for n, s := range samples {
		key := place(s.of)
		if _, known := at[key]; !known {
			at[key] = len(out)
			out = append(out, nil)
		}
		out[at[key]] = append(out[at[key]], n)
	}
	return out
}

// model is a logistic regression over standardized features.
type model struct {
	names       []string
	index       map[string]int
	mean, scale []float64
	weights     []float64 // the last is the bias
}

const (
	leastSeen = 2   // samples that must have a feature for it to be learned
	penalty   = 1.0 // of squared weights
)

// fit trains a model. It is the same for the same samples: nothing is drawn.
func fit(train []sample) *model {
	m := &model{index: map[string]int{}}
	seen := map[string]int{}
	for _, s := range train {
		for name := range s.features {
			seen[name]++
		}
	}
	for name, n := range seen {
		if n >= leastSeen {
			m.names = append(m.names, name)
		}
	}
	slices.Sort(m.names)
	for n, name := range m.names {
		m.index[name] = n
	}
	d := len(m.names)
	m.mean, m.scale = make([]float64, d), make([]float64, d)
	rows := make([][]float64, len(train))
	for n, s := range train {
		rows[n] = make([]float64, d)
		for name, v := range s.features {
			if k, known := m.index[name]; known {
				rows[n][k] = v
			}
		}
		floats.Add(m.mean, rows[n])
	}
	floats.Scale(1/float64(len(train)), m.mean)
	for _, row := range rows {
		for k := range row {
			row[k] -= m.mean[k]
			m.scale[k] += row[k] * row[k]
		}
	}
	for k := range m.scale {
		m.scale[k] = math.Sqrt(m.scale[k]/float64(len(train))) + 1e-9
	}
	for _, row := range rows {
		floats.Div(row, m.scale)
	}
	label := make([]float64, len(train)) // 1 for a trap, -1 for a twin
	for n, s := range train {
		label[n] = -1
		if s.of.Kind == favor.Trap {
			label[n] = 1
		}
	}
	margin := func(w []float64, n int) float64 { return label[n] * (floats.Dot(w[:d], rows[n]) + w[d]) }
	// Features are many and samples few, so the weights of standardized features are held small.
	lambda := penalty * math.Sqrt(float64(d))
	problem := optimize.Problem{
		Func: func(w []float64) float64 {
			loss := lambda / 2 * floats.Dot(w[:d], w[:d])
			for n := range rows {
				loss += softplus(-margin(w, n))
			}
			return loss
		},
		Grad: func(grad, w []float64) {
			copy(grad, w)
			floats.Scale(lambda, grad)
			grad[d] = 0
			for n := range rows {
				pull := -label[n] / (1 + math.Exp(margin(w, n)))
				floats.AddScaled(grad[:d], pull, rows[n])
				grad[d] += pull
			}
		},
	}
	// An error says that the last steps brought nothing: the point reached is the best there is.
	result, _ := optimize.Minimize(problem, make([]float64, d+1), &optimize.Settings{MajorIterations: 200, GradientThreshold: 1e-4}, &optimize.LBFGS{})
	m.weights = result.X
	return m
}

// softplus is log(1+exp(x)) without overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// score is above 0 for what looks like a trap.
func (m *model) score(s sample) float64 {
	d := len(m.names)
	row := make([]float64, d)
	for name, v := range s.features {
		if k, known := m.index[name]; known {
			row[k] = v
		}
	}
	floats.Sub(row, m.mean)
	floats.Div(row, m.scale)
	return floats.Dot(m.weights[:d], row) + m.weights[d]
}

// telling lists the features with the largest weights, for those who rewrite what gives a kind away.
func (m *model) telling() string {
	order := make([]int, len(m.names))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(m.weights[b]), math.Abs(m.weights[a]))
	})
	var out []string
	for _, n := range order[:min(12, len(order))] {
		out = append(out, fmt.Sprintf("%s %+.2f", m.names[n], m.weights[n]))
	}
	return strings.Join(out, ", ")
}
