package org.ordago.bot;

import io.grpc.Status;

/** The step after a lost connection. */
sealed interface Next {
    /** The next connection, after a pause in milliseconds. */
    record Pause(long ms, Reason reason, String detail) implements Next {}

    /** The end of a bot whose server said goodbye, with its sentence. */
    record Goodbye(String sentence) implements Next {}

    /** The end of a bot whose server ended the session, with the sentence of the server. */
    record Ended(Status.Code status, String sentence) implements Next {}

    /** The end of a bot that tried long enough to reach its server. */
    record Unreachable(String reason) implements Next {}

    /** The reason of a pause. */
    enum Reason {
        CONNECTION_BROKE,
        GONE_DOWN,
        GOODBYE_FOR_NOW
    }
}
