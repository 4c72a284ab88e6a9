package ordago

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// errVersion is the answer to --version, as [flag.ErrHelp] is that to --help.
var errVersion = errors.New("the version is asked for")

// shorthands are the options of one hyphen and one letter, apart from a bot's own.
var shorthands = map[string]string{"-v": "verbose", "-h": "help"}

// parse sets the flags that a command line names. Unlike [flag.FlagSet.Parse] it takes long options with two hyphens
// only, and calls them so in its errors.
func parse(flags *flag.FlagSet, arguments []string) error {
	for len(arguments) > 0 {
		given, value, hasValue := strings.Cut(arguments[0], "=")
		arguments = arguments[1:]
		option, err := lookUp(flags, given)
		if err != nil {
			return err
		}
		switch {
		case isSwitch(option) && !hasValue:
			value = "true"
		case !hasValue && len(arguments) == 0:
			return fmt.Errorf("%s: its value is missing", given)
		case !hasValue:
			value, arguments = arguments[0], arguments[1:]
		}
		if err := flags.Set(option.Name, value); errors.Is(err, flag.ErrHelp) || errors.Is(err, errVersion) {
			return err
		} else if err != nil {
			return fmt.Errorf("%s: %w", given, err)
		}
	}
	return flags.Parse(nil) // So that flags.Parsed() is true.
}

// lookUp returns the flag of an argument.
func lookUp(flags *flag.FlagSet, argument string) (*flag.Flag, error) {
	name, isLong := strings.CutPrefix(argument, "--")
	letter, isShort := strings.CutPrefix(argument, "-")
	var found *flag.Flag
	switch {
	case isLong && len(name) > 1:
		found = flags.Lookup(name)
	case isShort && len(letter) == 1:
		if found = flags.Lookup(letter); found == nil {
			found = flags.Lookup(shorthands[argument])
		}
	case !isShort || letter == "":
		return nil, fmt.Errorf("%s is left over", quoted(argument))
	}
	if found == nil {
		return nil, fmt.Errorf("%s: there is no such option", visible(argument))
	}
	return found, nil
}

// isSwitch reports whether a flag stands without a value.
func isSwitch(option *flag.Flag) bool {
	value, isBool := option.Value.(interface{ IsBoolFlag() bool })
	return isBool && value.IsBoolFlag()
}

// addSwitch adds a flag that stands without a value.
func addSwitch(flags *flag.FlagSet, name, usage string, set func() error) {
	flags.BoolFunc(name, usage, func(text string) error {
		if text != "true" {
			return errors.New("it takes no value")
		}
		return set()
	})
}

// printOptions prints a line for each flag, with two hyphens.
func printOptions(output io.Writer, flags *flag.FlagSet) {
	flags.VisitAll(func(option *flag.Flag) {
		metavar, usage := flag.UnquoteUsage(option)
		names := []string{"--" + option.Name}
		if len(option.Name) == 1 {
			names[0] = "-" + option.Name
		}
		for short, long := range shorthands {
			if long == option.Name && flags.Lookup(short[1:]) == nil {
				names = slices.Insert(names, 0, short)
			}
		}
		name := strings.TrimSpace(strings.Join(names, ", ") + " " + strings.ToUpper(metavar))
		fmt.Fprintf(output, "  %s\n        %s\n", name, usage)
	})
}
