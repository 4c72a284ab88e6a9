package org.ordago.bot;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * gRPC name resolver for {@link Address}. Those of gRPC refuse names with underscores, as containers have them, and
 * paths of Unix sockets with spaces or letters beyond ASCII.
 */
final class Resolver extends NameResolver {
    private static final String SCHEME = "ordago";

    static {
        NameResolverRegistry.getDefaultRegistry().register(new Provider());
    }

    private final Address address;
    private final Args arguments;

    private Resolver(Address address, Args arguments) {
        this.address = address;
        this.arguments = arguments;
    }

    /** Returns the target that stands for an address in gRPC. */
    static String target(Address address) {
        String escaped = URLEncoder.encode(address.text(), StandardCharsets.UTF_8);
        return SCHEME + ":///" + escaped.replace("+", "%20");
    }

    @Override
    public String getServiceAuthority() {
        return address.isUnix() ? address.serverName() : address.text();
    }

    @Override
    public void start(Listener2 listener) {
        // The name service may take seconds, and gRPC waits for this method.
        Objects.requireNonNull(arguments.getOffloadExecutor()).execute(() -> {
            try {
                List<EquivalentAddressGroup> found = address.resolve().stream()
                        .map(EquivalentAddressGroup::new)
                        .toList();
                listener.onResult(ResolutionResult.newBuilder()
                        .setAddressesOrError(StatusOr.fromValue(found))
                        .build());
            } catch (UnknownHostException error) {
                listener.onError(Status.UNAVAILABLE.withDescription("unknown host " + address.host()));
            }
        });
    }

    @Override
    public void shutdown() {}

    /** Makes the resolvers of targets with the scheme. */
    private static final class Provider extends NameResolverProvider {
        @Override
        public NameResolver newNameResolver(URI target, Args arguments) {
            boolean isOurs = SCHEME.equals(target.getScheme());
            return isOurs ? new Resolver(Address.parse(target.getPath().substring(1)), arguments) : null;
        }

        @Override
        public String getDefaultScheme() {
            return SCHEME;
        }

        @Override
        public Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
            return Set.of(SocketAddress.class);
        }

        @Override
        protected boolean isAvailable() {
            return true;
        }

        @Override
        protected int priority() {
            return 0; // Below that of DNS, 5: gRPC takes the highest for targets without a scheme.
        }
    }
}
