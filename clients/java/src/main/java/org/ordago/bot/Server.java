package org.ordago.bot;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Where to play.
 *
 * @param address {@code HOST:PORT}, or {@code unix:PATH}
 * @param token what the bot comes in with; empty where none is asked for
 * @param event the event that it comes in for; empty: what the server plays at all times, or the one that it plays
 * @param tls how the server proves who it is; null where everything goes in the open
 */
record Server(String address, String token, String event, SslContext tls) {
    private static final String UNIX = "unix:";
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> EVENT = key("ordago-event");
    // A connection that is half open is noticed after 35 seconds at most, while the session can still be resumed. The
    // server lets clients ping every 8 seconds.
    private static final long PING_SECONDS = 25;
    private static final long PING_ANSWER_SECONDS = 10;

    /** Returns the key of an entry of metadata that is text. */
    static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Returns a channel of its own for each connection: gRPC's own reconnecting would not help a stream. */
    ManagedChannel channel(EventLoopGroup loop) {
        NettyChannelBuilder builder = address.startsWith(UNIX)
                ? NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(address.substring(UNIX.length())))
                        .channelType(NioDomainSocketChannel.class)
                        .overrideAuthority("localhost")
                : NettyChannelBuilder.forTarget(address).channelType(NioSocketChannel.class);
        builder = tls == null ? builder.usePlaintext() : builder.sslContext(tls);
        return builder.eventLoopGroup(loop)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(Integer.MAX_VALUE) // A frame of the server may hold any number of decisions.
                // Else it pings for whatever comes, to find out how much may be on its way at once: far less always is.
                .flowControlWindow(NettyChannelBuilder.DEFAULT_FLOW_CONTROL_WINDOW)
                .directExecutor()
                .build();
    }

    /** Returns what is said beside a call. */
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
