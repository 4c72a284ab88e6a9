package org.ordago.bot;

import io.grpc.Metadata;
import io.grpc.Status;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.PlayResponse;

/** Events that a bot waits for while it plays. */
sealed interface Happening {
    /** A frame, and the time of its arrival by the clock, even if the bot was thinking about an earlier one. */
    record Arrived(PlayResponse frame, long atMs) implements Happening {}

    /** The description of the server's event. */
    record Described(DescribeEventResponse event) implements Happening {}

    /** The end of a call. */
    record Closed(Status status, Metadata trailers) implements Happening {}

    /** An answer of a bot in another thread, for the player to take up. */
    record Answered() implements Happening {}

    /** An order to stop: the first to retire, the second to leave. */
    enum Order implements Happening {
        RETIRE,
        LEAVE
    }
}
