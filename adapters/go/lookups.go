//go:build !goexperiment.jsonv2

// Parsers that are asked for one name after the other: names from the library's own iteration, values from
// its getter.
package main

import (
	"math"
	"strings"

	"github.com/buger/jsonparser"
	"github.com/tidwall/gjson"
)

// Each level is looked up in the text of the one above it: quadratic in depth, so that a deep text would
// measure the walk and not the parser.
const deepest = 10_000

// node is one value of a library: a leaf, or the children of an object or an array.
type node[T any] struct {
	kind     byte
	names    []string
	children []T
	leaf     any
}

// walk makes a whole value of a library's nodes, without recursion.
func walk[T any](root T, look func(T) node[T]) (any, error) {
	type open struct {
		node[T]
		values []any
	}
	stack := []*open{}
	next := root
	for {
		found := look(next)
		if err, failed := found.leaf.(error); failed {
			return nil, err
		}
		value := found.leaf
		if found.kind != 0 {
			stack = append(stack, &open{node: found})
		}
		for done := found.kind == 0; ; done = true {
			if done {
				if len(stack) == 0 {
					return value, nil
				}
				top := stack[len(stack)-1]
				top.values = append(top.values, value)
			}
			top := stack[len(stack)-1]
			if len(top.values) < len(top.children) {
				next = top.children[len(top.values)]
				break
			}
			stack = stack[:len(stack)-1]
			if value = append([]any{}, top.values...); top.kind == '{' {
				object := make(pairs, len(top.names))
				for i, name := range top.names {
					object[i] = pair{name, top.values[i]}
				}
				value = object
			}
		}
	}
}

// kept is a number as the library keeps it: its spelling.
func kept(spelling string) any {
	switch strings.ToLower(spelling) {
	case "nan":
		return math.NaN()
	case "inf", "+inf":
		return math.Inf(1)
	case "-inf":
		return math.Inf(-1)
	}
	return literal(spelling)
}

func init() {
	shims["gjson"] = func() (shim, error) {
		return shim{library: "gjson", module: "github.com/tidwall/gjson", parse: func(data []byte) (any, error) {
			if !gjson.ValidBytes(data) {
				return nil, invalid{}
			}
			if tooDeep(data) { // each level is read anew: 100,000 take half a minute
				return nil, unsupported("deeper than Value() reads in time")
			}
			return gjson.ParseBytes(data).Value(), nil
		}}, nil
	}
	shims["gjson_get"] = func() (shim, error) {
		return shim{library: "gjson", module: "github.com/tidwall/gjson", parse: func(data []byte) (any, error) {
			if !gjson.ValidBytes(data) {
				return nil, invalid{}
			}
			if tooDeep(data) {
				return nil, unsupported("deeper than the lookups can be walked in time")
			}
			return walk(gjson.ParseBytes(data), gjsonNode)
		}}, nil
	}
	shims["jsonparser"] = func() (shim, error) {
		return shim{library: "jsonparser", module: "github.com/buger/jsonparser", parse: func(data []byte) (any, error) {
			if tooDeep(data) {
				return nil, unsupported("deeper than the lookups can be walked in time")
			}
			value, kind, _, err := jsonparser.Get(data)
			return walk(raw{value, kind, err}, rawNode)
		}}, nil
	}
}

// tooDeep counts brackets, those in strings too: too many is never too few.
func tooDeep(data []byte) bool {
	depth, most := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	return most > deepest
}

type invalid struct{}

func (invalid) Error() string { return "gjson.ValidBytes says no" }

func gjsonNode(value gjson.Result) node[gjson.Result] {
	found := node[gjson.Result]{}
	switch {
	case value.IsObject():
		found.kind = '{'
		seen := map[string]bool{}
		value.ForEach(func(key, _ gjson.Result) bool {
			if name := key.String(); !seen[name] {
				seen[name] = true
				found.names = append(found.names, name)
				found.children = append(found.children, value.Get(gjson.Escape(name)))
			}
			return true
		})
	case value.IsArray():
		found.kind, found.children = '[', value.Array()
	case !value.Exists():
		found.leaf = missing{}
	default:
		found.leaf = value.Value()
	}
	return found
}

type raw struct {
	data []byte
	kind jsonparser.ValueType
	err  error
}

func rawNode(value raw) node[raw] {
	found, err := node[raw]{}, value.err
	if err != nil {
		found.leaf = err
		return found
	}
	switch value.kind {
	case jsonparser.Object:
		found.kind = '{'
		seen := map[string]bool{}
		err = jsonparser.ObjectEach(value.data, func(key, _ []byte, _ jsonparser.ValueType, _ int) error {
			if name := string(key); !seen[name] {
				seen[name] = true
				data, kind, _, err := jsonparser.Get(value.data, name)
				if err == jsonparser.KeyPathNotFoundError { // although ObjectEach named it
					kind, err = jsonparser.NotExist, nil
				}
				found.names = append(found.names, name)
				found.children = append(found.children, raw{data, kind, err})
			}
			return nil
		})
	case jsonparser.Array:
		found.kind = '['
		_, err = jsonparser.ArrayEach(value.data, func(data []byte, kind jsonparser.ValueType, _ int, err error) {
			found.children = append(found.children, raw{data, kind, err})
		})
	case jsonparser.String:
		found.leaf, err = jsonparser.ParseString(value.data)
	case jsonparser.Number:
		found.leaf = literal(value.data)
	case jsonparser.Boolean:
		found.leaf, err = jsonparser.ParseBoolean(value.data)
	case jsonparser.Null:
	default:
		found.leaf = missing{}
	}
	if err != nil {
		found.leaf, found.kind = err, 0
	}
	return found
}
