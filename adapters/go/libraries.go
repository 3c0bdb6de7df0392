//go:build !goexperiment.jsonv2

// Parsers beside the standard library's, in the program that has the original engine.
package main

import (
	"errors"
	"strconv"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/valyala/fastjson"
)

const engine = "v1"

func init() {
	shims["jsoniter"] = func() (shim, error) {
		return shim{library: "json-iterator", module: "github.com/json-iterator/go", write: jsoniter.Marshal, parse: func(data []byte) (value any, err error) {
			err = jsoniter.Unmarshal(data, &value)
			return
		}}, nil
	}
	shims["goccy"] = func() (shim, error) {
		return shim{library: "go-json", module: "github.com/goccy/go-json", write: goccy.Marshal, parse: func(data []byte) (value any, err error) {
			err = goccy.Unmarshal(data, &value)
			return
		}}, nil
	}
	shims["sonic"] = withSonic(sonic.ConfigDefault)
	shims["sonic_std"] = withSonic(sonic.ConfigStd)
	shims["fastjson"] = func() (shim, error) { return fast(false), nil }
	shims["fastjson_get"] = func() (shim, error) { return fast(true), nil }
}

func withSonic(api sonic.API) func() (shim, error) {
	return func() (shim, error) {
		if sonic.APIKind != sonic.UseSonicJSON { // on other machines it is encoding/json under its name
			return shim{}, errors.New("sonic has no engine of its own for this Go or processor")
		}
		// The first text that a process decodes is read otherwise than all after it (`-0` keeps its sign).
		var first any
		if err := api.UnmarshalFromString("[0]", &first); err != nil {
			return shim{}, err
		}
		return shim{library: "sonic", module: "github.com/bytedance/sonic", write: api.Marshal, parse: func(data []byte) (value any, err error) {
			err = api.Unmarshal(data, &value)
			return
		}}, nil
	}
}

// fast reads a tree of fastjson: every pair that Visit gives, or what Get finds for each name.
func fast(get bool) shim {
	parse := func(data []byte) (any, error) {
		value, err := fastjson.ParseBytes(data)
		if err != nil {
			return nil, err
		}
		read := fastReader{data, get}
		return walk(fastAt{value, nil}, read.node)
	}
	return shim{library: "fastjson", module: "github.com/valyala/fastjson", parse: parse}
}

type fastReader struct {
	data []byte
	get  bool
}

// fastAt is a value and the names and indices that lead to it.
type fastAt struct {
	value *fastjson.Value
	path  []string
}

func (r fastReader) node(at fastAt) node[fastAt] {
	found := node[fastAt]{}
	step := func(name string) []string { return append(at.path[:len(at.path):len(at.path)], name) }
	switch at.value.Type() {
	case fastjson.TypeObject:
		found.kind = '{'
		times := map[string]int{}
		at.value.GetObject().Visit(func(key []byte, member *fastjson.Value) {
			name := string(key)
			if times[name]++; r.get && times[name] > 1 {
				return
			}
			found.names = append(found.names, name)
			found.children = append(found.children, fastAt{member, step(name)})
		})
		for i := range found.children {
			if child := &found.children[i]; r.get && times[found.names[i]] > 1 {
				// What Get finds depends on what was asked of the object before (Visit decodes all names): so it
				// is asked of a document that nobody has looked at.
				fresh, _ := fastjson.ParseBytes(r.data)
				child.value = fresh.Get(child.path...)
			}
		}
	case fastjson.TypeArray:
		found.kind = '['
		for i, element := range at.value.GetArray() {
			found.children = append(found.children, fastAt{element, step(strconv.Itoa(i))})
		}
	case fastjson.TypeString:
		found.leaf = string(at.value.GetStringBytes())
	case fastjson.TypeNumber:
		found.leaf = kept(string(at.value.MarshalTo(nil)))
	case fastjson.TypeTrue, fastjson.TypeFalse:
		found.leaf = at.value.GetBool()
	}
	return found
}
