// Package house holds the house rules as tests: which package may import which and why, who may import the modules, that every
// package says what it is, and what no file of the repository may hold.
//
// It has no code of its own. A rule that matches nothing any longer fails, so that rules go when their subject goes.
package house
