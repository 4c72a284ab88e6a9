package org.ordago.bot;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import org.ordago.v1.DescribeEventRequest;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;

/** The two methods of the contract that a bot calls: too few to need generated service stubs. */
final class Methods {
    static final MethodDescriptor<PlayRequest, PlayResponse> PLAY = method(
            MethodType.BIDI_STREAMING,
            "ordago.v1.BotService/Play",
            PlayRequest.getDefaultInstance(),
            PlayResponse.getDefaultInstance());
    static final MethodDescriptor<DescribeEventRequest, DescribeEventResponse> DESCRIBE_EVENT = method(
            MethodType.UNARY,
            "ordago.v1.GameService/DescribeEvent",
            DescribeEventRequest.getDefaultInstance(),
            DescribeEventResponse.getDefaultInstance());

    private Methods() {}

    private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
            MethodType type, String name, Q request, R response) {
        return MethodDescriptor.newBuilder(ProtoUtils.marshaller(request), ProtoUtils.marshaller(response))
                .setType(type)
                .setFullMethodName(name)
                .build();
    }
}
