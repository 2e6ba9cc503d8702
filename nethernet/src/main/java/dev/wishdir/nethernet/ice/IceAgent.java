package dev.wishdir.nethernet.ice;

import dev.wishdir.net.loop.DatagramSink;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * The part of ICE that a connection needs (RFC 8445): the peer's addresses, as signed checks prove
 * them.
 *
 * <p>A server is a lite agent, which only answers; a client sends {@link IceChecks}.
 */
public final class IceAgent {
    private static final int MAX_ADDRESSES = 8;

    private final IceCredentials own;
    private final IceCredentials other;
    private final @Nullable IceChecks checks;
    private final DatagramSink output;
    private final SequencedSet<InetSocketAddress> addresses = new LinkedHashSet<>();
    private @Nullable InetSocketAddress selected;
    private InetSocketAddress remote;

    /**
     * @param checks a client's; null for a server
     * @param remote the peer's presumed address, until a signed check proves it
     */
    public IceAgent(
            IceCredentials own,
            IceCredentials other,
            @Nullable IceChecks checks,
            InetSocketAddress remote,
            DatagramSink output) {
        this.own = own;
        this.other = other;
        this.checks = checks;
        this.remote = remote;
        this.output = output;
    }

    /** The address to send to; null before the first valid check. */
    public @Nullable InetSocketAddress selected() {
        return selected;
    }

    /** The peer's proved or presumed address. */
    public InetSocketAddress remote() {
        return remote;
    }

    /** The addresses that signed checks have proved, at most {@value #MAX_ADDRESSES}. */
    public SequencedSet<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Sends the checks that are due; returns the time of the next call. */
    public long advance(long now) {
        return checks == null ? Long.MAX_VALUE : checks.advance(now, output);
    }

    /**
     * Handles a STUN message that names this connection or answers its check.
     *
     * @return whether it is signed, which only the peer can do
     */
    public boolean stun(InetSocketAddress from, Stun message, byte[] data) {
        if (message.type() == Stun.REQUEST) {
            if (!message.isSigned(data, own.password())) {
                return false;
            }
            learn(from);
            if (message.nominates()) {
                select(from);
            }
            byte[] answer = Stun.success(message.transaction(), from, own.password());
            output.send(from, answer, 0, answer.length);
            return true;
        }
        if (message.type() == Stun.SUCCESS
                && checks != null
                && message.isSigned(data, other.password())) {
            InetSocketAddress works = checks.answered(message, from);
            if (works != null) {
                learn(works);
                select(works);
                return true;
            }
        }
        return false;
    }

    private void learn(InetSocketAddress from) {
        if (addresses.add(from) && addresses.size() > MAX_ADDRESSES) {
            addresses.remove(
                    addresses.getFirst().equals(selected)
                            ? addresses.stream().skip(1).findFirst().orElseThrow()
                            : addresses.getFirst());
        }
    }

    private void select(InetSocketAddress address) {
        selected = address;
        remote = address;
    }

    /** The candidates with a server's IP address. */
    public static List<InetSocketAddress> at(
            List<InetSocketAddress> candidates, InetSocketAddress server) {
        return candidates.stream()
                .filter(each -> each.getAddress().equals(server.getAddress()))
                .toList();
    }
}
