package org.ordago.bots;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.ordago.bot.Answers;
import org.ordago.bot.BotProgram;
import org.ordago.v1.Accepted;
import org.ordago.v1.Decision;
import org.ordago.v1.Goodbye;
import org.ordago.v1.LegalAction;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Welcome;

/**
 * Match of one decision at a server of its own. The build archives the classes that it loads, so that bots start
 * faster.
 */
public final class Rehearsal extends ServerCall.Listener<PlayRequest> {
    private static final MethodDescriptor<PlayRequest, PlayResponse> PLAY = MethodDescriptor.newBuilder(
                    ProtoUtils.marshaller(PlayRequest.getDefaultInstance()),
                    ProtoUtils.marshaller(PlayResponse.getDefaultInstance()))
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("ordago.v1.BotService/Play")
            .build();

    private final ServerCall<PlayRequest, PlayResponse> call;

    private Rehearsal(ServerCall<PlayRequest, PlayResponse> call) {
        this.call = call;
        call.sendHeaders(new Metadata());
        call.request(2);
    }

    /** Plays. */
    public static void main(String[] arguments) throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("ordago.v1.BotService")
                .addMethod(PLAY, (call, headers) -> new Rehearsal(call))
                .build();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service)
                .build()
                .start();
        String[] options = {"--address", "127.0.0.1:" + server.getPort(), "--log-decisions", "/dev/null"};
        System.exit(BotProgram.of("rehearsal", "", match -> decision -> Answers.any(decision, match.random()))
                .run(options));
    }

    @Override
    public void onMessage(PlayRequest frame) {
        PlayResponse.Builder reply = PlayResponse.newBuilder();
        if (frame.getMessages(0).hasHello()) {
            reply.addMessagesBuilder().setWelcome(Welcome.newBuilder().setSessionId("rehearsal"));
            reply.addMessagesBuilder()
                    .setMatchStart(MatchStart.newBuilder().setMatchHandle(1).setSeed(ByteString.EMPTY));
            reply.addMessagesBuilder().setDecision(decision());
        } else {
            reply.addMessagesBuilder()
                    .setAccepted(Accepted.newBuilder().setMatchHandle(1).setNumber(1));
            reply.addMessagesBuilder().setMatchEnd(MatchEnd.newBuilder().setMatchHandle(1));
            reply.addMessagesBuilder().setGoodbye(Goodbye.newBuilder().setSentence("that was all"));
        }
        call.sendMessage(reply.build());
        if (!frame.getMessages(0).hasHello()) {
            call.close(io.grpc.Status.OK, new Metadata());
        }
    }

    private static Decision.Builder decision() {
        return Decision.newBuilder()
                .setMatchHandle(1)
                .setNumber(1)
                .addActions(LegalAction.newBuilder().setId(1));
    }
}
