package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.Reliability;
import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** The game's batches over RakNet: each is one ordered message, after an id. */
public final class RakNetTransport implements Transport {
    /** The protocol version of every release since 1.19.30. */
    private static final int PROTOCOL = 11;

    /** The first byte of a message that is a batch. */
    public static final int BATCH = 0xFE;

    private final RakNetPeer peer;

    private RakNetTransport(RakNetPeer peer) {
        this.peer = peer;
    }

    /** Adapts settings to the game's version of RakNet. */
    public static RakNetSettings configure(RakNetSettings settings) {
        return settings.dialect(PROTOCOL, RakNetSettings.MAGIC, BATCH)
                .counters("bedrock.drop")
                .orderedOnly(true);
    }

    /** Adapts a listener to the events of RakNet peers. */
    public static RakNetPeer.Listener adapt(Listener listener) {
        Map<RakNetPeer, RakNetTransport> transports = new HashMap<>();
        return new RakNetPeer.Listener() {
            private RakNetTransport over(RakNetPeer peer) {
                return transports.computeIfAbsent(peer, RakNetTransport::new);
            }

            @Override
            public void onConnected(long now, RakNetPeer peer) {
                listener.onConnected(now, over(peer));
            }

            @Override
            public void onReceived(long now, RakNetPeer peer, Bytes message) {
                if ((message.get(0) & 0xFF) == BATCH) {
                    listener.onReceived(now, over(peer), batch(message).toArray());
                }
            }

            @Override
            public void onViolation(long now, RakNetPeer peer, String reason) {
                listener.onViolation(now, over(peer), reason);
            }

            @Override
            public void onEnded(
                    long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
                RakNetTransport gone = over(peer);
                transports.remove(peer);
                listener.onEnded(now, gone, toEndReason(ending), reason);
            }
        };
    }

    /** The batch in a message, without its id. */
    public static Bytes batch(Bytes message) {
        return message.slice(1, message.length() - 1);
    }

    private static EndReason toEndReason(RakNetPeer.EndReason ending) {
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
        byte[] message = new byte[length + 1];
        message[0] = (byte) BATCH;
        System.arraycopy(batch, offset, message, 1, length);
        peer.send(Reliability.RELIABLE_ORDERED, 0, Bytes.wrap(message));
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
        return false;
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
