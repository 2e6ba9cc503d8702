package dev.wishdir.nethernet;

import dev.wishdir.net.DatagramSink;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Where the other side is, as signed checks show: what a connection has of ICE. A server answers
 * and is led; a client looks, by its {@link IceChecks}.
 */
final class IceAgent {
    private static final int MAX_ADDRESSES = 8;

    private final IceCredentials own;
    private final IceCredentials other;
    private final @Nullable IceChecks checks;
    private final DatagramSink output;
    private final SequencedSet<InetSocketAddress> addresses = new LinkedHashSet<>();
    private @Nullable InetSocketAddress selected;
    private InetSocketAddress remote;

    /**
     * @param remote where the other side seems to be, until it has shown it
     */
    IceAgent(
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

    /** Where to send, null before any check. */
    @Nullable InetSocketAddress selected() {
        return selected;
    }

    /** Where the other side is or seems to be. */
    InetSocketAddress remote() {
        return remote;
    }

    /** From where the other side has shown that it sends. */
    SequencedSet<InetSocketAddress> addresses() {
        return addresses;
    }

    /** Does what time brings about and returns when to call again. */
    long advance(long now) {
        return checks == null ? Long.MAX_VALUE : checks.advance(now, output);
    }

    /**
     * Takes in a message of STUN that names this connection, or answers it.
     *
     * @return whether it is signed: then its sender is there
     */
    boolean stun(InetSocketAddress from, Stun message, byte[] data) {
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

    /** The candidates of a list that are at a server's address. */
    static List<InetSocketAddress> at(
            List<InetSocketAddress> candidates, InetSocketAddress server) {
        return candidates.stream()
                .filter(each -> each.getAddress().equals(server.getAddress()))
                .toList();
    }
}
