#!/bin/sh
# Starts the bot quickly: from an archive of its classes, and without the optimising compiler.
here=${0%/*}
exec java -XX:SharedArchiveFile="$here/bots.jsa" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    -cp "$here/ordago-bot.jar:$here/ordago-bot-bots.jar" org.ordago.bots.RandomBot "$@"
