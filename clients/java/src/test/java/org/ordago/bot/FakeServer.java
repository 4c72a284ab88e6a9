package org.ordago.bot;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;

/** A server for whose connections a script says what comes after the first frame: a frame, and perhaps how it ends. */
final class FakeServer implements AutoCloseable {
    /** What bots said, in the order in which it came: the names of methods, and the bodies of messages. */
    final Queue<String> heard = new ConcurrentLinkedQueue<>();

    private final Deque<Scene> scenes;
    private final io.grpc.Server server;

    /** What is said on a connection: a frame, and how the stream ends; null: it does not. */
    record Scene(PlayResponse frame, Status end, Metadata trailers) {}

    FakeServer(DescribeEventResponse event, Scene... scenes) throws IOException {
        this.scenes = new ArrayDeque<>(List.of(scenes));
        ServerServiceDefinition.Builder games = ServerServiceDefinition.builder("ordago.v1.GameService");
        if (event != null) {
            games.addMethod(Methods.DESCRIBE_EVENT, (call, headers) -> {
                heard.add("describe");
                call.request(1);
                call.sendHeaders(new Metadata());
                call.sendMessage(event);
                call.close(Status.OK, new Metadata());
                return new ServerCall.Listener<>() {};
            });
        }
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(games.build())
                .addService(ServerServiceDefinition.builder("ordago.v1.BotService")
                        .addMethod(Methods.PLAY, (call, headers) -> begin(call))
                        .build())
                .build()
                .start();
    }

    private ServerCall.Listener<PlayRequest> begin(ServerCall<PlayRequest, PlayResponse> call) {
        call.request(1);
        call.sendHeaders(new Metadata());
        return new ServerCall.Listener<>() {
            @Override
            public void onMessage(PlayRequest frame) {
                frame.getMessagesList()
                        .forEach(message -> heard.add(message.getBodyCase().toString()));
                Scene scene = scenes.pop();
                call.sendMessage(scene.frame());
                if (scene.end() != null) {
                    call.close(scene.end(), scene.trailers());
                }
            }
        };
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
