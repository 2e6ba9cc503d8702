package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.nethernet.NetherNetPeer;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.security.interfaces.ECPublicKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The game's batches over NetherNet: each is one packet of the reliable channel. */
public final class NetherNetTransport implements Transport {
    private final NetherNetPeer peer;

    private NetherNetTransport(NetherNetPeer peer) {
        this.peer = peer;
    }

    /** The identity key of a connection: on this transport the same as the keys of the login. */
    public static IdentityKey identity(LoginKeys keys) {
        return new IdentityKey(keys.pair());
    }

    /** Adapts a listener to the events of NetherNet peers. */
    public static NetherNetPeer.Listener adapt(Listener listener) {
        return adapt(listener, (_, _) -> {});
    }

    /**
     * Adapts a client's listener, whose connection may also fail before it is open.
     *
     * @param failed is called when the connection fails before it is open
     */
    public static NetherNetClient.Listener adapt(
            Listener listener, BiConsumer<EndReason, String> failed) {
        Map<NetherNetPeer, NetherNetTransport> transports = new HashMap<>();
        return new NetherNetClient.Listener() {
            private NetherNetTransport over(NetherNetPeer peer) {
                return transports.computeIfAbsent(peer, NetherNetTransport::new);
            }

            @Override
            public void onFailed(long now, NetherNetPeer.EndReason ending, String reason) {
                failed.accept(toEndReason(ending), reason);
            }

            @Override
            public void onConnected(long now, NetherNetPeer peer) {
                listener.onConnected(now, over(peer));
            }

            @Override
            public void onRefused(long now, NetherNetPeer peer, NetherNetPeer.Refusal reason) {
                listener.onRefused(now, over(peer), reason);
            }

            @Override
            public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
                if (reliable) {
                    listener.onReceived(now, over(peer), packet);
                } else {
                    listener.onReceivedUnreliably(now, over(peer), packet);
                }
            }

            @Override
            public void onEnded(
                    long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
                NetherNetTransport gone = over(peer);
                transports.remove(peer);
                listener.onEnded(now, gone, toEndReason(ending), reason);
            }
        };
    }

    private static EndReason toEndReason(NetherNetPeer.EndReason ending) {
        return switch (ending) {
            case CLOSED -> EndReason.CLOSED;
            case LEFT -> EndReason.LEFT;
            case REFUSED -> EndReason.REFUSED;
            case TIMED_OUT, NOT_ACKNOWLEDGING -> EndReason.TIMED_OUT;
            case ABORTED -> EndReason.SENT_AWAY;
            case VIOLATION -> EndReason.VIOLATION;
        };
    }

    @Override
    public InetSocketAddress remote() {
        return peer.remote();
    }

    @Override
    public long lastHeard() {
        return peer.lastReceivedNanos();
    }

    @Override
    public long roundTrip() {
        return peer.roundTrip();
    }

    @Override
    public TrafficCounters traffic() {
        return peer.traffic();
    }

    @Override
    public void send(byte[] batch, int offset, int length) {
        peer.send(batch, offset, length);
    }

    @Override
    public long retainedBytes() {
        return peer.retainedBytes();
    }

    @Override
    public boolean isCongested() {
        return peer.isCongested();
    }

    @Override
    public boolean encrypts() {
        return true;
    }

    @Override
    public @Nullable ECPublicKey key() {
        Identity identity = peer.identity();
        return identity == null ? null : identity.key();
    }

    @Override
    public void admit() {
        peer.admit();
    }

    @Override
    public void abort(long now, String reason) {
        peer.abort(now, reason);
    }

    @Override
    public void close() {
        peer.close();
    }

    @Override
    public String toString() {
        return peer.toString();
    }
}
