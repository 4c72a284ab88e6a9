package org.ordago.bot;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongSupplier;
import org.ordago.v1.DescribeEventRequest;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;

/** One connection. All that comes goes into a queue, so that gRPC answers pings while the bot thinks. */
final class Connection implements AutoCloseable {
    /** The number of frames that may wait in the queue while the bot thinks. */
    private static final int FRAMES_AHEAD = 1024;

    private final Server server;
    private final BlockingQueue<Happening> happenings;
    private final LongSupplier clockMs;
    private final ManagedChannel channel;
    private ClientCall<PlayRequest, PlayResponse> stream;

    Connection(Server server, EventLoopGroup loop, BlockingQueue<Happening> happenings, LongSupplier clockMs) {
        this.server = server;
        this.happenings = happenings;
        this.clockMs = clockMs;
        channel = server.channel(loop);
    }

    /** Asks for the description of the event. A server without this method has no event. */
    void describe() {
        ClientCall<DescribeEventRequest, DescribeEventResponse> call =
                channel.newCall(Methods.DESCRIBE_EVENT, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    private DescribeEventResponse event = DescribeEventResponse.getDefaultInstance();

                    @Override
                    public void onMessage(DescribeEventResponse described) {
                        event = described;
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        boolean isAnswered = status.isOk() || status.getCode() == Status.Code.UNIMPLEMENTED;
                        happenings.add(
                                isAnswered ? new Happening.Described(event) : new Happening.Closed(status, trailers));
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(
                DescribeEventRequest.newBuilder().setEvent(server.event()).build());
        call.halfClose();
    }

    /** Opens the stream with the first frame. */
    void play(PlayRequest hello) {
        stream = channel.newCall(Methods.PLAY, CallOptions.DEFAULT);
        stream.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(PlayResponse frame) {
                        happenings.add(new Happening.Arrived(frame, clockMs.getAsLong()));
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        happenings.add(new Happening.Closed(status, trailers));
                    }
                },
                server.metadata());
        stream.request(FRAMES_AHEAD);
        stream.sendMessage(hello);
    }

    /** Sends a frame, unless it is empty. */
    void send(PlayRequest frame) {
        if (frame.getMessagesCount() > 0) {
            stream.sendMessage(frame);
        }
    }

    /** Allows one more frame, since one was taken from the queue. */
    void taken() {
        stream.request(1);
    }

    /** Ends the bot's side of the stream. */
    void end() {
        if (stream != null) {
            stream.halfClose();
        }
    }

    /** Ends the stream at once. Its end goes into the queue as ever. */
    void cancel() {
        stream.cancel("the server said goodbye, and did not end the stream", null);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
