package ordago

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// vectors returns the cases of a file of clients/vectors.
func vectors[Case any](t *testing.T, name string) []Case {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	return cases
}

// because returns the words of an error, none if there is no error.
func because(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAddressesAreReadAsTheVectorsSay(t *testing.T) {
	for _, vector := range vectors[struct {
		Address, Host, Path, Because string
		Port                         uint16
	}](t, "addresses.json") {
		read, err := parseAddress(vector.Address)
		if because(err) != vector.Because {
			t.Errorf("%q is refused because %v, not %q", vector.Address, err, vector.Because)
		}
		expected := endpoint{vector.Host, vector.Port, vector.Path}
		if err == nil && read != expected {
			t.Errorf("%q is read as %+v, not %+v", vector.Address, read, expected)
		}
	}
}

func TestTokenFilesAreReadAsTheVectorsSay(t *testing.T) {
	for _, vector := range vectors[struct {
		Bytes          []byte
		Token, Because string
	}](t, "token-files.json") {
		token, err := parseToken(vector.Bytes)
		if because(err) != vector.Because || token != vector.Token {
			t.Errorf("%.40q is read as %q, %v, not %q, %q", vector.Bytes, token, err, vector.Token, vector.Because)
		}
	}
}

func TestSwitchesAreReadAsTheVectorsSay(t *testing.T) {
	for _, vector := range vectors[struct {
		Text, Because string
		On            bool
	}](t, "switches.json") {
		on, err := parseSwitch(vector.Text)
		if because(err) != vector.Because || on != vector.On {
			t.Errorf("%q is read as %v, %v, not %v, %q", vector.Text, on, err, vector.On, vector.Because)
		}
	}
}
