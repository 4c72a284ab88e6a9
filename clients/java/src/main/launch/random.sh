#!/bin/sh
# Starts the bot quickly: most of its classes come ready from an archive, and none is compiled for long.
here=${0%/*}
exec java -XX:SharedArchiveFile="$here/bots.jsa" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    -cp "$here/ordago-bot.jar" org.ordago.bots.RandomBot "$@"
