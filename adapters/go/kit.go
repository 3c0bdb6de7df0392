// A worker for parsers in Go: the frames and the loop of ../PROTOCOL.md.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// shim is one subject: what it makes of the bytes, and, where the library writes, what it writes of that.
type shim struct {
	library string
	module  string // where the library is from; the standard library has none
	parse   func([]byte) (any, error)
	write   func(any) ([]byte, error)
}

// shims are made when they are asked for: each file adds its own. An error says why one cannot work here.
var shims = map[string]func() (shim, error){}

// unsupported is the error of an input that the entry point cannot be given at all.
type unsupported string

func (why unsupported) Error() string { return string(why) }

type worker struct {
	shim    shim
	ready   bool
	rejects map[string]string // the stage, by the name of the error
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	os.Stdout = os.Stderr // whatever a library prints does not meet the frames
	w := &worker{rejects: map[string]string{}}
	for {
		verb, sequence, body := readFrame(in)
		switch verb {
		case "bye":
			return
		case "hello":
			said, text := w.hello(string(body))
			writeFrame(out, said, "0", text)
		case "batch":
			for inner := bufio.NewReader(bytes.NewReader(body)); ; {
				verb, sequence, body := readFrame(inner)
				if verb == "bye" {
					break
				}
				said, text := w.answer(verb, body)
				writeFrame(out, said, sequence, text)
			}
		default:
			said, text := w.answer(verb, body)
			writeFrame(out, said, sequence, text)
		}
		if out.Flush() != nil {
			return
		}
	}
}

// readFrame gives `bye` at the end of input.
func readFrame(in *bufio.Reader) (verb, sequence string, body []byte) {
	line, err := in.ReadString('\n')
	if err != nil {
		return "bye", "", nil
	}
	words := strings.Fields(line)
	length, _ := strconv.Atoi(words[2])
	body = make([]byte, length+1) // of its own: nothing beside it can be read or changed by mistake
	if _, err := io.ReadFull(in, body); err != nil {
		return "bye", "", nil
	}
	return words[0], words[1], body[:length:length]
}

func writeFrame(out *bufio.Writer, verb, sequence string, body []byte) {
	fmt.Fprintf(out, "%s %s %d\n", verb, sequence, len(body))
	out.Write(body)
	out.WriteByte('\n')
}

func (w *worker) hello(text string) (string, []byte) {
	name := ""
	for _, line := range strings.Split(text, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "protocol":
			if value != "1" {
				return "fault", []byte("ProtocolMismatch this kit speaks protocol 1")
			}
		case "shim":
			name = value
		case "rejects":
			w.rejects[value] = "parse"
		case "rejects-decode":
			w.rejects[value] = "decode"
		}
	}
	start := shims[name]
	if start == nil {
		return "fault", []byte("UnknownShim this program has no such shim")
	}
	made, err := start()
	if err != nil {
		return "fault", oneLine("Unavailable " + err.Error())
	}
	w.shim, w.ready = made, true
	version, experiment, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go"), "-X:")
	lines := []string{"protocol 1", "runtime Go " + version}
	lines = append(lines, "library "+made.library+" "+moduleVersion(made.module, version))
	lines = append(lines, "detail platform="+runtime.GOOS+"/"+runtime.GOARCH, "detail engine=encoding/json "+engine)
	if experiment != "" {
		lines = append(lines, "detail experiment="+experiment)
	}
	lines = append(lines, "capability parse")
	if made.write != nil {
		lines = append(lines, "capability emit")
	}
	return "ready", []byte(strings.Join(lines, "\n") + "\n")
}

// moduleVersion is the version a library was built in; the standard library has that of Go.
func moduleVersion(path, otherwise string) string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return otherwise
}

func (w *worker) answer(verb string, body []byte) (said string, text []byte) {
	if !w.ready || (verb != "parse" && (verb != "emit" || w.shim.write == nil)) {
		return "unsupported", []byte("no " + verb)
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			said, text = "fault", oneLine(fmt.Sprintf("panic %v", thrown))
		}
	}()
	value, err := w.shim.parse(body)
	if err == nil && verb == "emit" {
		text, err = w.shim.write(value)
	} else if err == nil {
		text = render(value)
	}
	var why unsupported
	switch {
	case err == nil:
		return "accept", text
	case errors.As(err, &why):
		return "unsupported", oneLine(string(why))
	}
	name := errorName(err)
	if stage, no := w.rejects[name]; no {
		return "reject", oneLine(stage + " " + name + " " + err.Error())
	}
	return "fault", oneLine(name + " " + err.Error())
}

// errorName is a type's name; `error` for those that errors.New and fmt.Errorf make, which have none.
func errorName(err error) string {
	switch err {
	case io.EOF:
		return "io.EOF"
	case io.ErrUnexpectedEOF:
		return "io.ErrUnexpectedEOF"
	}
	name := strings.TrimLeft(fmt.Sprintf("%T", err), "*")
	if strings.HasPrefix(name, "errors.error") || strings.HasPrefix(name, "fmt.") {
		return "error"
	}
	return name
}

func oneLine(text string) []byte {
	line := make([]byte, 0, 300)
	for i := 0; i < len(text) && i < 290; i++ {
		if c := text[i]; c >= ' ' && c <= '~' {
			line = append(line, c)
		} else {
			line = append(line, '?')
		}
	}
	return line
}
