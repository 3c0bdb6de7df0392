//go:build !goexperiment.jsonv2

// gojq: reads as its command does, and gives what the filter `.` makes of that.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/itchyny/gojq"
)

func init() {
	shims["gojq"] = func() (shim, error) {
		query, err := gojq.Parse(".")
		if err != nil {
			return shim{}, err
		}
		parse := func(data []byte) (any, error) { return stream(query, data) }
		return shim{library: "gojq", module: "github.com/itchyny/gojq", parse: parse, write: marshalled}, nil
	}
}

// stream reads values to the end of the input, as cli.newJSONInputIter of gojq does, and runs the filter on each.
func stream(query *gojq.Query, data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	found := []any{}
	for {
		var read any
		if err := decoder.Decode(&read); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		for results := query.Run(read); ; {
			value, more := results.Next()
			if !more {
				break
			}
			if err, failed := value.(error); failed {
				return nil, err
			}
			found = append(found, value)
		}
	}
	if len(found) != 1 { // none and several are fine with it
		return other(fmt.Sprintf("stream:%d values", len(found))), nil
	}
	return found[0], nil
}

func marshalled(value any) ([]byte, error) {
	if said, none := value.(other); none {
		return nil, unsupported(said)
	}
	return gojq.Marshal(value)
}
