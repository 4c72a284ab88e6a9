package org.ordago.bot;

import io.grpc.Metadata;
import io.grpc.Status;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.PlayResponse;

/** What a bot that plays waits for. */
sealed interface Happening {
    /** A frame came, at a time by the clock: it is noted at once, even while the bot thinks about one before it. */
    record Arrived(PlayResponse frame, long atMs) implements Happening {}

    /** The server said which event it plays. */
    record Described(DescribeEventResponse event) implements Happening {}

    /** A call ended. */
    record Closed(Status status, Metadata trailers) implements Happening {}

    /** The bot is told to stop: the first time to retire, the second time to leave. */
    enum Order implements Happening {
        RETIRE,
        LEAVE
    }
}
