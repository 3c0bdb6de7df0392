// encoding/json, on whichever engine this program is built.
package main

import (
	"bytes"
	"encoding/json"
)

func init() {
	shims["json"] = func() (shim, error) {
		return shim{library: "encoding/json", write: json.Marshal, parse: func(data []byte) (value any, err error) {
			err = json.Unmarshal(data, &value)
			return
		}}, nil
	}
	shims["json_decoder"] = func() (shim, error) {
		return shim{library: "encoding/json", write: json.Marshal, parse: func(data []byte) (value any, err error) {
			err = json.NewDecoder(bytes.NewReader(data)).Decode(&value)
			return
		}}, nil
	}
	shims["json_number"] = func() (shim, error) {
		return shim{library: "encoding/json", write: json.Marshal, parse: func(data []byte) (value any, err error) {
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			err = decoder.Decode(&value)
			return
		}}, nil
	}
}
