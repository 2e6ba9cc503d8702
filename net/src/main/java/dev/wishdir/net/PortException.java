package dev.wishdir.net;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;

/** Thrown when a port can't be bound; names the address and the system's reason. */
public final class PortException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean tcp;
    private final InetSocketAddress address;

    /**
     * @param cause its message is the system's reason; null if none is known
     */
    public PortException(boolean tcp, InetSocketAddress address, @Nullable Throwable cause) {
        super(
                "cannot bind "
                        + (tcp ? "TCP " : "UDP ")
                        + text(address)
                        + (cause == null ? "" : ": " + reason(cause)),
                cause);
        this.tcp = tcp;
        this.address = address;
    }

    /**
     * The system's reason without names and numbers of native calls: {@code address already in
     * use}.
     */
    private static String reason(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String plain = text.replaceFirst("^.*failed with error\\(-?\\d+\\): ", "");
        return plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1);
    }

    /** An address in the form of the options: {@code 127.0.0.1:5}, {@code [::1]:5}. */
    public static String text(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String name = host == null ? address.getHostString() : host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + name + "]" : name) + ":" + address.getPort();
    }

    public boolean isTcp() {
        return tcp;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Whether the address is already in use. */
    public boolean isInUse() {
        return String.valueOf(getMessage()).endsWith("address already in use");
    }
}
