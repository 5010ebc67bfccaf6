# make set     generates the set from nothing, compares it with the published one, and validates it
# make test    runs all tests
# make presubmit does what CI does

GO     ?= go
RACE   := $(shell command -v cc >/dev/null 2>&1 && echo -race)
BIN    := bin/favorbench
OUT    := out/set

.PHONY: all build set generate validate full test race fmt vet lint check beyond presubmit bench update clean

all: set

build:
	$(GO) build -o $(BIN) ./cmd/favorbench

set: build
	rm -rf $(OUT)
	$(BIN) generate --out $(OUT)
	$(BIN) diff published $(OUT) --brief
	$(BIN) validate --set $(OUT)

# Writes the published set anew, in the commit that changes its sources.
generate: build
	$(BIN) generate --out instances

validate: build
	$(BIN) validate

test:
	$(GO) test ./...

# The race detector wants a C compiler; without one the same tests run without it.
race:
	$(GO) test $(RACE) ./...

fmt:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo "gofmt would change these files" >&2; exit 1; }

vet:
	$(GO) vet ./...

lint:
	$(GO) tool staticcheck ./...

check: build
	$(BIN) generate --check --out instances

# Every test in every state: what a shorter run lets stand is run beside it.
full: build
	$(BIN) validate --full

# What the checks cannot see: whether suites test the promise, what the set is as a whole, and the propositions.
beyond: build
	$(BIN) mutate
	$(BIN) audit
	$(BIN) propositions

presubmit: fmt vet lint check race full beyond

bench:
	$(GO) test -run '^$$' -bench . -benchtime 1x ./templates ./suites ./validate

# Rewrites golden files and generated docs from what the code does now; read the difference before you commit it.
update:
	$(GO) test ./internal/cli ./templates -update

clean:
	rm -rf bin out
