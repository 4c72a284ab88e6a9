package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	authoritiesOption = "tls-ca"
	certificateOption = "tls-cert"
	keyOption         = "tls-key"
)

// tlsOptions say how the connection is kept safe.
type tlsOptions struct {
	// wanted says whether TLS was asked for; any of the files asks for it, too.
	wanted bool
	// files holds the path of each file that was named, by the option that names it. All files are PEM.
	files map[string]string
}

// addTLSOptions lets a command line say how the connection is kept safe; the environment stands in for it.
func addTLSOptions(flags *flag.FlagSet) *tlsOptions {
	options := &tlsOptions{files: map[string]string{}}
	flags.BoolVar(&options.wanted, "tls", os.Getenv("ORDAGO_TLS") != "", "connect over TLS; default: if $ORDAGO_TLS is set")
	options.addFile(flags, authoritiesOption, "ORDAGO_TLS_CA", "PEM `file`: whose word for the server is taken; "+
		"default: $ORDAGO_TLS_CA, or the authorities that everybody knows")
	options.addFile(flags, certificateOption, "ORDAGO_TLS_CERT", "PEM `file`: the certificate of the bot, where the "+
		"server asks for one; default: $ORDAGO_TLS_CERT")
	options.addFile(flags, keyOption, "ORDAGO_TLS_KEY", "PEM `file`: the private key for --tls-cert; "+
		"default: $ORDAGO_TLS_KEY")
	return options
}

func (o *tlsOptions) addFile(flags *flag.FlagSet, name, variable, usage string) {
	if path := os.Getenv(variable); path != "" {
		o.files[name] = path
	}
	flags.Func(name, usage, func(path string) error {
		o.files[name] = path
		return nil
	})
}

// credentials returns what to connect with. Where nothing speaks of TLS the connection is in the open.
func (o *tlsOptions) credentials() (credentials.TransportCredentials, error) {
	if !o.wanted && len(o.files) == 0 {
		return insecure.NewCredentials(), nil
	}
	authorities, err := o.authorities()
	if err != nil {
		return nil, err
	}
	certificates, err := o.certificates()
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(&tls.Config{RootCAs: authorities, Certificates: certificates}), nil
}

// authorities returns those who vouch for the server, nil for those that everybody knows.
func (o *tlsOptions) authorities() (*x509.CertPool, error) {
	path, named := o.files[authoritiesOption]
	if !named {
		return nil, nil
	}
	contents, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--tls-ca: %w", cannotRead(err))
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(contents) {
		return nil, fmt.Errorf("--tls-ca: %s holds no certificates, as PEM", path)
	}
	return authorities, nil
}

// certificates returns the certificate of the bot, none if it was given none.
func (o *tlsOptions) certificates() ([]tls.Certificate, error) {
	certificate, hasCertificate := o.files[certificateOption]
	key, hasKey := o.files[keyOption]
	if hasCertificate != hasKey {
		return nil, errors.New("--tls-cert and --tls-key belong together")
	}
	if !hasCertificate {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if errors.As(err, new(*fs.PathError)) {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", cannotRead(err))
	}
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %s and %s are no certificate and its key, as PEM and without a "+
			"password: %w", certificate, key, err)
	}
	return []tls.Certificate{pair}, nil
}

// cannotRead says in a sentence why a file cannot be read.
func cannotRead(err error) error {
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		return err
	}
	return fmt.Errorf("cannot read %s: %w", failed.Path, failed.Err)
}
