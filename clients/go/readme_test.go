package ordago_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mostLines is the limit of the README: what is longer is not read.
const mostLines = 160

func TestTheExamplesOfTheReadmeAreCompiled(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(readme), "\n"); lines > mostLines {
		t.Errorf("the README has %d lines", lines)
	}
	var compiled string
	for _, pattern := range []string{"*_test.go", "cmd/*/*.go", "template/*.go", "ordagotest/*_test.go"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compiled += plain(string(text))
		}
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) < 5 {
		t.Errorf("there are %d examples", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(compiled, plain(block[1])) {
			t.Errorf("this is compiled nowhere:\n%s", block[1])
		}
	}
}

// plain returns a text without indentation and blanks, which differ between a page and a file.
func plain(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
