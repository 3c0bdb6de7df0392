// The notation of a value (docs/design.md), for values of Go. Iterative: depth is no matter.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

type pair struct {
	name  string
	value any
}

// pairs is an object with its names in order, repeats kept.
type pairs []pair

// literal is a number that the library keeps as it is spelled.
type literal string

// other is something that no text of JSON stands for, by a name.
type other string

// missing is what a lookup did not find under a name that the library itself gave.
type missing struct{}

var decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

type container struct {
	members  pairs
	elements []any
	object   bool
	at       int
}

func render(root any) []byte {
	out, stack := []byte{}, []container{}
	open := func(value any) {
		switch v := value.(type) {
		case map[string]any: // Go keeps no order, and another one each time: so sorted
			members := make(pairs, 0, len(v))
			for name, value := range v {
				members = append(members, pair{name, value})
			}
			sort.Slice(members, func(i, j int) bool { return members[i].name < members[j].name })
			stack, out = append(stack, container{members: members, object: true}), append(out, '{')
		case pairs:
			stack, out = append(stack, container{members: v, object: true}), append(out, '{')
		case []any:
			stack, out = append(stack, container{elements: v}), append(out, '[')
		default:
			out = leaf(out, value)
		}
	}
	for open(root); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.at == len(top.members)+len(top.elements) {
			if top.object {
				out = append(out, '}')
			} else {
				out = append(out, ']')
			}
			stack = stack[:len(stack)-1]
			continue
		}
		at := top.at
		top.at++
		if at > 0 {
			out = append(out, ',')
		}
		if top.object {
			member := top.members[at]
			out = append(text(out, member.name), ':')
			open(member.value)
		} else {
			open(top.elements[at])
		}
	}
	return out
}

func leaf(out []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, v)
	case string:
		return text(out, v)
	case float64:
		return binary64(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case uint64:
		return strconv.AppendUint(out, v, 10)
	case json.Number:
		return number(out, string(v))
	case literal:
		return number(out, string(v))
	case other:
		return text(append(out, 'X'), string(v))
	case missing:
		return append(out, `X"missing"`...)
	}
	return text(append(out, 'X'), fmt.Sprintf("%T", value))
}

func number(out []byte, spelling string) []byte {
	if !decimal.MatchString(spelling) {
		return text(append(out, 'X'), "number:"+strings.ToValidUTF8(spelling, "\ufffd"))
	}
	return append(append(out, 'D'), spelling...)
}

func binary64(out []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(out, "NaN"...)
	case math.IsInf(v, 1):
		return append(out, "Infinity"...)
	case math.IsInf(v, -1):
		return append(out, "-Infinity"...)
	}
	spelling := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(spelling, ".e") {
		spelling += ".0"
	}
	return append(out, spelling...)
}

var short = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func text(out []byte, s string) []byte {
	if !utf8.ValidString(s) { // strings of Go are bytes
		return append(hex.AppendEncode(append(out, `b"`...), []byte(s)), '"')
	}
	out = append(out, '"')
	for _, c := range s {
		switch known, special := short[c]; {
		case special:
			out = append(out, known...)
		case c >= ' ' && c <= '~':
			out = append(out, byte(c))
		case c < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd7c0+(c>>10), 0xdc00|c&0x3ff)
		}
	}
	return append(out, '"')
}
