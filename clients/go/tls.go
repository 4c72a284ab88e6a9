package ordago

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// tlsConfig returns how the connection is kept safe, nil where nothing speaks of TLS. All files are PEM.
func (t texts) tlsConfig() (*tls.Config, error) {
	_, ca := t["tls-ca"]
	_, certificate := t["tls-cert"]
	_, key := t["tls-key"]
	if t["tls"] == "" && !ca && !certificate && !key {
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

// authorities returns those who vouch for the server, nil for those that everybody knows.
func (t texts) authorities() (*x509.CertPool, error) {
	path, named := t["tls-ca"]
	if !named {
		return nil, nil
	}
	contents, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--tls-ca: %w", cannot("read", err))
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(contents) {
		return nil, fmt.Errorf("--tls-ca: %s holds no certificates, as PEM", path)
	}
	return authorities, nil
}

// certificates returns the certificate of the bot, none if it was given none.
func (t texts) certificates() ([]tls.Certificate, error) {
	certificate, hasCertificate := t["tls-cert"]
	key, hasKey := t["tls-key"]
	if hasCertificate != hasKey {
		return nil, errors.New("--tls-cert and --tls-key belong together")
	}
	if !hasCertificate {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if errors.As(err, new(*fs.PathError)) {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", cannot("read", err))
	}
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %s and %s are no certificate and its key, as PEM and without a "+
			"password: %w", certificate, key, err)
	}
	return []tls.Certificate{pair}, nil
}

// cannot says in a sentence why a file cannot be read, or the like.
func cannot(do string, err error) error {
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		return err
	}
	return fmt.Errorf("cannot %s %s: %w", do, failed.Path, failed.Err)
}
