package ordago

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// tlsConfig returns the settings of TLS, nil if none is wanted. All files are PEM.
func (t texts) tlsConfig() (*tls.Config, error) {
	_, hasAuthorities := t["tls-ca"]
	_, hasCertificate := t["tls-cert"]
	_, hasKey := t["tls-key"]
	isOn, err := parseSwitch(t["tls"].value)
	switch {
	case err != nil:
		because := strings.TrimPrefix(err.Error(), "it ")
		return nil, fmt.Errorf("%s: %s %s", t["tls"].source, quoted(t["tls"].value), because)
	case !isOn && !hasAuthorities && !hasCertificate && !hasKey:
		return nil, nil
	}
	authorities, err := t.authorities()
	if err != nil {
		return nil, err
	}
	certificates, err := t.certificates()
	if err != nil {
		return nil, err
	}
	return &tls.Config{RootCAs: authorities, Certificates: certificates}, nil
}

// authorities returns the authorities to trust, nil for those of the system.
func (t texts) authorities() (*x509.CertPool, error) {
	file, isGiven := t["tls-ca"]
	if !isGiven {
		return nil, nil
	}
	contents, err := file.contents()
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(contents) {
		return nil, fmt.Errorf("%s: %s holds no certificates, as PEM", file.source, file.value)
	}
	return authorities, nil
}

// certificates returns the certificate of the bot, none if it has none.
func (t texts) certificates() ([]tls.Certificate, error) {
	certificate, hasCertificate := t["tls-cert"]
	key, hasKey := t["tls-key"]
	if hasCertificate != hasKey {
		return nil, errors.New("--tls-cert and --tls-key belong together")
	}
	if !hasCertificate {
		return nil, nil
	}
	chain, err := certificate.contents()
	if err != nil {
		return nil, err
	}
	secret, err := key.contents()
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(chain, secret)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %s and %s are no certificate and its key, as PEM and without a password: %w",
			certificate.source, key.source, certificate.value, key.value, err)
	}
	return []tls.Certificate{pair}, nil
}

// contents returns what is in the file that a value names.
func (t text) contents() ([]byte, error) {
	contents, err := os.ReadFile(t.value)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read %s: %w", t.source, t.value, reasonOf(err))
	}
	return contents, nil
}

// reasonOf returns the reason for which a file cannot be opened, without the name of the file.
func reasonOf(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
