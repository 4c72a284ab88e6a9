package org.ordago.bot;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a server: a host and a port, or the path of a Unix socket. clients/vectors/README.md has the grammar.
 *
 * @param text the address as it was written
 * @param host a name, an IPv4 address, or an IPv6 address without brackets; empty with a path
 * @param port from 1 to 65535; 0 with a path
 * @param path the path of a Unix socket; empty with a host
 */
record Address(String text, String host, int port, String path) {
    private static final String UNIX = "unix:";
    /** The size of {@code sun_path} on Linux, less its final NUL. */
    private static final int LONGEST_PATH_BYTES = 107;

    private static final int LONGEST_NAME = 253;
    private static final int GREATEST_PORT = 65_535;
    private static final String NO_PORT = "it has no port";

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final String IPV4 = "(?:" + OCTET + "\\.){3}" + OCTET;
    private static final String LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
    private static final String NAME = "(?:" + LABEL + "\\.)*(?![0-9]+$)" + LABEL;
    private static final Pattern IPV4_TAIL = Pattern.compile("(.*:)" + IPV4);
    private static final Pattern GROUPS = Pattern.compile("(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?");
    private static final int IPV6_GROUPS = 8;

    /** Parses an address; {@link IllegalArgumentException} with the reason if it is wrong. */
    static Address parse(String text) {
        require(!text.isEmpty(), "it is empty");
        if (text.startsWith(UNIX)) {
            return new Address(text, "", 0, checkedPath(text.substring(UNIX.length())));
        }
        require(!text.contains("://"), "it is a URL");
        return text.startsWith("[") ? parseIpv6(text) : parseHost(text);
    }

    private static String checkedPath(String path) {
        require(!path.isEmpty(), "the path is empty");
        require(!path.startsWith("//") && !path.startsWith("@"), "the path begins with // or @");
        require(
                path.chars().noneMatch(sign -> sign == 0 || sign == '\n' || sign == '\r'),
                "the path has a NUL or a line end");
        int bytes = path.getBytes(StandardCharsets.UTF_8).length;
        require(bytes <= LONGEST_PATH_BYTES, "the path is longer than " + LONGEST_PATH_BYTES + " bytes");
        return path;
    }

    private static Address parseIpv6(String text) {
        int end = text.indexOf(']');
        require(end > 0 && isIpv6(text.substring(1, end)), "the brackets do not hold an IPv6 address");
        String rest = text.substring(end + 1);
        require(rest.startsWith(":"), NO_PORT);
        return new Address(text, text.substring(1, end), parsePort(rest.substring(1)), "");
    }

    private static boolean isIpv6(String text) {
        Matcher tail = IPV4_TAIL.matcher(text);
        String groups = tail.matches() ? tail.group(1) + "0:0" : text;
        int gap = groups.indexOf("::");
        if (gap < 0) {
            return countGroups(groups) == IPV6_GROUPS;
        }
        int before = countGroups(groups.substring(0, gap));
        int after = countGroups(groups.substring(gap + 2));
        return before >= 0 && after >= 0 && before + after < IPV6_GROUPS;
    }

    /** Returns the number of groups of an IPv6 address; -1 if they are none. */
    private static int countGroups(String groups) {
        if (!GROUPS.matcher(groups).matches()) {
            return -1;
        }
        return groups.isEmpty() ? 0 : groups.split(":").length;
    }

    private static Address parseHost(String text) {
        int colon = text.indexOf(':');
        require(colon == text.lastIndexOf(':'), "only an IPv6 address has more than one colon, in brackets");
        require(colon >= 0, NO_PORT);
        String host = text.substring(0, colon);
        int port = parsePort(text.substring(colon + 1));
        boolean isHost = host.matches(IPV4) || host.length() <= LONGEST_NAME && host.matches(NAME);
        require(isHost, "the host is neither a name nor an IPv4 address");
        return new Address(text, host, port, "");
    }

    private static int parsePort(String text) {
        require(!text.isEmpty(), NO_PORT);
        boolean isPort = text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= GREATEST_PORT;
        require(isPort, "the port is not a number from 1 to " + GREATEST_PORT);
        return Integer.parseInt(text);
    }

    private static void require(boolean isRight, String because) {
        if (!isRight) {
            throw new IllegalArgumentException(because);
        }
    }

    /** Returns true for a Unix socket. */
    boolean isUnix() {
        return !path.isEmpty();
    }

    /** Returns the name that the certificate of the server has to have. */
    String serverName() {
        return isUnix() ? "localhost" : host;
    }

    /** Returns the addresses to connect to, in order; may ask the name service and take seconds. */
    List<SocketAddress> resolve() throws UnknownHostException {
        if (isUnix()) {
            return List.of(UnixDomainSocketAddress.of(Contents.path(path)));
        }
        return Arrays.stream(InetAddress.getAllByName(host))
                .map(found -> (SocketAddress) new InetSocketAddress(found, port))
                .toList();
    }
}
