"""``ordago``, but new sessions come in as fast as they like: all bots of a test come from one address."""

from ordago.cli import main, serving_options

if __name__ == "__main__":
    serving_options.SESSIONS_PER_SECOND = 0.0  # type: ignore[misc]  # it is final but for this
    main()
