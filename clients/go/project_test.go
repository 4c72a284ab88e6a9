package ordago_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	ordago "github.com/ordago/ordago/clients/go"
)

func TestANewProjectTakesTheWholeLibraryAlong(t *testing.T) {
	project, err := os.ReadFile("project.toml")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("*.go")
	helpers, _ := filepath.Glob("ordagotest/*.go")
	for _, file := range append(files, helpers...) {
		listed := strings.Contains(string(project), `"`+file+`"`)
		if isTest := strings.HasSuffix(file, "_test.go"); listed == isTest {
			t.Errorf("%s: listed in project.toml: %v", file, listed)
		}
	}
}

func TestItHasTheLicenceOfTheProject(t *testing.T) {
	own, err := os.ReadFile("LICENSE")
	whole, _ := os.ReadFile("../../LICENSE")
	if err != nil || string(own) != string(whole) {
		t.Errorf("LICENSE is not that of the project: %v", err)
	}
}

func TestItHasTheVersionOfTheProject(t *testing.T) {
	version, err := os.ReadFile("../../server/ordago/version.py")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(version), `"`+ordago.Version+`"`) {
		t.Errorf("it has %s, the project %s", ordago.Version, version)
	}
}
