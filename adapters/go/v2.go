//go:build goexperiment.jsonv2

// encoding/json/v2 and jsontext.
package main

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
)

const engine = "v2"

func init() {
	unmarshal := func(options ...json.Options) func() (shim, error) {
		return func() (shim, error) {
			write := func(value any) ([]byte, error) { return json.Marshal(value, options...) }
			return shim{library: "json/v2", write: write, parse: func(data []byte) (value any, err error) {
				err = json.Unmarshal(data, &value, options...)
				return
			}}, nil
		}
	}
	shims["json_v2"] = unmarshal()
	shims["json_v2_duplicates"] = unmarshal(jsontext.AllowDuplicateNames(true))
	shims["json_v2_invalid_utf8"] = unmarshal(jsontext.AllowInvalidUTF8(true))
	shims["jsontext"] = func() (shim, error) {
		return shim{library: "jsontext", parse: tokens}, nil
	}
}

// tokens reads the tokens of the first value, numbers as they are spelled.
func tokens(data []byte) (any, error) {
	type open struct {
		object  bool
		members pairs
		items   []any
		name    string
		named   bool
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	stack := []*open{}
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		var value any
		switch token.Kind() {
		case '{', '[':
			stack = append(stack, &open{object: token.Kind() == '{'})
			continue
		case '}', ']':
			done := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if value = append([]any{}, done.items...); done.object {
				value = append(pairs{}, done.members...)
			}
		case '"':
			value = token.String()
		case '0':
			value = literal(token.String())
		case 't', 'f':
			value = token.Bool()
		}
		if len(stack) == 0 {
			return value, nil
		}
		switch top := stack[len(stack)-1]; {
		case !top.object:
			top.items = append(top.items, value)
		case !top.named:
			top.name, top.named = value.(string), true
		default:
			top.members, top.named = append(top.members, pair{top.name, value}), false
		}
	}
}
