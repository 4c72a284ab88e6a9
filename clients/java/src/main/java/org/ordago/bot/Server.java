package org.ordago.bot;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A server, and how to connect to it.
 *
 * @param address its address
 * @param token the token of the bot; empty: none
 * @param event the event to enter; empty: the server's ladder, or its only event
 * @param tls the certificates for TLS; null: connect without TLS
 */
record Server(Address address, String token, String event, Tls tls) {
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> EVENT = key("ordago-event");
    // A half-open connection is noticed after 35 seconds at most, while the session can still be resumed. The server
    // allows a ping every 8 seconds.
    private static final long PING_SECONDS = 25;
    private static final long PING_ANSWER_SECONDS = 10;

    /** Returns the key of a textual entry of metadata. */
    static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Returns a new channel. Each connection has its own, since gRPC's reconnecting does not help a stream. */
    ManagedChannel channel(EventLoopGroup loop) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(Resolver.target(address))
                .channelType(
                        address.isUnix() ? NioDomainSocketChannel.class : NioSocketChannel.class, SocketAddress.class)
                .proxyDetector(target -> null); // Never a proxy: docs/bot-process.md.
        builder = tls == null ? builder.usePlaintext() : builder.sslContext(tls.context());
        return builder.eventLoopGroup(loop)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(Integer.MAX_VALUE) // A frame of the server may hold any number of decisions.
                // Without it gRPC sends extra pings to measure bandwidth, for windows far larger than a bot needs.
                .flowControlWindow(NettyChannelBuilder.DEFAULT_FLOW_CONTROL_WINDOW)
                .directExecutor()
                .build();
    }

    /** Returns the metadata of a call. */
    Metadata metadata() {
        Metadata metadata = new Metadata();
        if (!token.isEmpty()) {
            metadata.put(AUTHORIZATION, "Bearer " + token);
        }
        if (!event.isEmpty()) {
            metadata.put(EVENT, event);
        }
        return metadata;
    }
}
