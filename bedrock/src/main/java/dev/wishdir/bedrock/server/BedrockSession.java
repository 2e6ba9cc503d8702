package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.MessageChannel;
import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.bedrock.server.BedrockEndpoint.World;
import dev.wishdir.bedrock.server.LoginVerifier.Checked;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * One client of the server, from its connection to its end: it {@linkplain LoginSequence signs on},
 * then it is a {@link BedrockPlayer}, then it is closing.
 */
final class BedrockSession implements BedrockViewer.Line, LoginSequence.Outcome, MemoryConsumer {
    private enum Phase {
        SIGNING_ON,
        PLAYING,
        CLOSING
    }

    private static final long CLOSE_DELAY_NANOS = 100_000_000;
    private static final long RETRY_NANOS = 25_000_000;
    private static final int PACKETS_A_SECOND = 500;
    private static final int KICKED = 55;

    private final BedrockEndpoint endpoint;
    private final Transport transport;
    private final MessageChannel channel;
    private final ChunkRadius radius;
    private final ChunkSender chunks;
    private final LoginSequence login;
    private final BedrockViewer viewer;
    private final TokenBucket packets = new TokenBucket(PACKETS_A_SECOND, PACKETS_A_SECOND);
    private final long runtimeId;
    private Phase phase = Phase.SIGNING_ON;
    private @Nullable BedrockPlayer player;
    private long now;
    private long heard;
    private long closeAt = Long.MAX_VALUE;

    BedrockSession(BedrockEndpoint endpoint, Transport transport, long now) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.now = now;
        runtimeId = endpoint.nextRuntimeId();
        channel = MessageChannel.toClient(transport);
        radius = new ChunkRadius(channel::send);
        chunks = new ChunkSender(channel::send);
        login =
                new LoginSequence(
                        endpoint, transport, channel, radius, chunks, this, runtimeId, now);
        viewer = new BedrockViewer(endpoint, this);
    }

    /** What it sees of everybody else. */
    BedrockViewer view() {
        return viewer;
    }

    @Override
    public ConnectionInfo origin() {
        return new ConnectionInfo(
                transport.remote(), "protocol " + channel.codec().protocol(), login.account());
    }

    @Override
    public ConnectionStats link() {
        return ConnectionStatsFactory.of(transport.traffic());
    }

    /** What others see of it. */
    Skin skin() {
        return login.skin();
    }

    /** By what number clients name its player. */
    long runtimeId() {
        return runtimeId;
    }

    @Override
    public void batch(long now, byte[] batch) {
        this.now = now;
        if (phase == Phase.CLOSING || login.keeps(batch)) {
            return;
        }
        try {
            channel.read(now, batch, this::packet);
        } catch (MalformedPacketException e) {
            malformed(e);
        }
    }

    /**
     * A batch that may be late: only movements of one who plays come so, each of which says where
     * it belongs.
     */
    void unreliable(long now, byte[] batch) {
        this.now = now;
        try {
            channel.read(
                    now,
                    batch,
                    reader -> {
                        BedrockMessage message = read(reader);
                        if (message instanceof PlayerAuthInput && phase == Phase.PLAYING) {
                            play(message);
                        } else if (message != null) {
                            endpoint.count("unreliable");
                        }
                    });
        } catch (MalformedPacketException e) {
            malformed(e);
        }
    }

    /** The next message; null if no more is taken. */
    private @Nullable BedrockMessage read(Reader reader) {
        if (phase == Phase.CLOSING) {
            return null;
        }
        if (!packets.tryAcquire(now)) {
            endpoint.count("packets");
            return null;
        }
        return channel.codec().read(reader);
    }

    private void malformed(MalformedPacketException e) {
        endpoint.count("malformed");
        kick(
                new LeaveReason(
                        LeaveReason.Code.PROTOCOL_ERROR,
                        "Your game sent something that this server can't read: " + e.getMessage()));
    }

    private void packet(Reader reader) {
        BedrockMessage message = read(reader);
        if (message == null) {
            return;
        }
        switch (phase) {
            case SIGNING_ON -> login.take(now, message);
            case PLAYING -> play(message);
            case CLOSING -> {}
        }
    }

    @Override
    public void resumed(long now) {
        this.now = now;
    }

    @Override
    public void enter(Checked who, Movement start, boolean kept, World world) {
        PlayerId joined = endpoint.join(now, BedrockText.removed(who.name()), this);
        phase = Phase.PLAYING;
        viewer.open(joined, who.uuid());
        // The place that was reserved for a client that was kept may be another's by now.
        Movement begins = kept ? endpoint.start(now, Optional.of(joined)) : start;
        BedrockPlayer entered =
                new BedrockPlayer(
                        now,
                        endpoint,
                        channel.codec(),
                        joined,
                        runtimeId,
                        viewer,
                        new ChatCommands(endpoint, transport.remote().getAddress()),
                        this::send,
                        begins);
        player = entered;
        if (!world.equals(endpoint.world())) {
            changeWorld(now);
        } else if (kept) {
            entered.restart(begins);
        }
    }

    /** Another world is played: who is in the game is shown it, and taken there. */
    void changeWorld(long now) {
        this.now = now;
        if (player != null) {
            chunks.show(endpoint.world().chunks());
            player.travel(now, endpoint.start(now, Optional.of(player.id())));
        }
    }

    private void play(BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> radius.asked(now, request);
            case LoginMessage.Disconnect _ -> left();
            case LoginMessage.RequestNetworkSettings _,
                    LoginMessage.Login _,
                    LoginMessage.ClientToServerHandshake _ -> {
                endpoint.count("unexpected");
                kick(LoginSequence.outOfTurn(channel.codec(), message));
            }
            default -> {
                if (player != null) {
                    player.take(now, message);
                }
            }
        }
    }

    @Override
    public void left() {
        leave(LeaveReason.LEFT);
        transport.close();
    }

    /** Sends the player away with a reason that the game shows. */
    @Override
    public void kick(LeaveReason why) {
        away(why);
    }

    @Override
    public void turnedAway(LeaveReason why) {
        endpoint.refused(now, transport.remote(), why);
        close(LeaveReason.LEFT);
    }

    /** Sends the player away since the server closes. */
    void close(long now, String reason) {
        this.now = now;
        away(new LeaveReason(LeaveReason.Code.SERVER_CLOSED, reason));
    }

    private void away(LeaveReason why) {
        if (phase != Phase.CLOSING) {
            if (player == null) {
                endpoint.refused(now, transport.remote(), why);
            }
            send(new Disconnect(KICKED, false, BedrockText.shown(why.text()), ""));
            close(why);
        }
    }

    /** Lets what was sent arrive before the connection ends. */
    private void close(LeaveReason why) {
        channel.flush();
        leave(why);
        closeAt = now + CLOSE_DELAY_NANOS;
    }

    private void leave(LeaveReason why) {
        phase = Phase.CLOSING;
        BedrockPlayer gone = player;
        player = null;
        viewer.close();
        login.abandon();
        if (gone != null) {
            gone.leave(now, why);
        }
    }

    /** The connection is gone. */
    void ended(long now, Transport.EndReason ending, String reason) {
        this.now = now;
        leave(
                switch (ending) {
                    case CLOSED -> LeaveReason.SERVER_CLOSED;
                    case LEFT -> LeaveReason.LEFT;
                    case TIMED_OUT -> new LeaveReason(LeaveReason.Code.TIMED_OUT, reason);
                    case REFUSED, VIOLATION ->
                            new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, reason);
                    case SENT_AWAY -> new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason);
                });
    }

    /** It holds more than the server has for it. */
    @Override
    public void abort(long now, String reason) {
        this.now = now;
        leave(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
        transport.abort(now, reason);
    }

    @Override
    public void disconnect(long now, String reason) {
        this.now = now;
        kick(new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public long retainedBytes() {
        return transport.retainedBytes() + login.retainedBytes();
    }

    @Override
    public boolean isCongested() {
        return transport.isCongested();
    }

    @Override
    public void send(BedrockMessage message) {
        channel.send(message);
    }

    @Override
    public void show(Player mover, long as) {
        channel.send(endpoint.movements().of(mover, as, channel.codec()));
    }

    @Override
    public String toString() {
        return "Bedrock " + transport.remote();
    }

    @Override
    public String nameWithoutAddress() {
        return "a Bedrock client";
    }

    /**
     * Sends what waits.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        this.now = now;
        channel.flush();
        return switch (phase) {
            case CLOSING -> closing();
            case PLAYING -> playing();
            case SIGNING_ON -> {
                long next = login.advance(now);
                yield phase == Phase.CLOSING ? closeAt : next;
            }
        };
    }

    private long closing() {
        if (now >= closeAt) {
            closeAt = Long.MAX_VALUE;
            transport.close();
        }
        return closeAt;
    }

    private long playing() {
        if (player != null && transport.lastHeard() > heard) {
            heard = transport.lastHeard();
            player.recordActivity(now, transport.roundTrip());
        }
        boolean more = viewer.advance();
        long deadline = player == null ? Long.MAX_VALUE : journey(player);
        channel.flush();
        return more ? now + RETRY_NANOS : deadline;
    }

    /** Shows more of a world that the player is taken to; gives when to call again. */
    private long journey(BedrockPlayer traveller) {
        if (traveller.isLost(now)) {
            kick(
                    new LeaveReason(
                            LeaveReason.Code.TIMED_OUT,
                            "Your game did not come to the arena that is played now."));
            return closeAt;
        }
        if (!traveller.waits()) {
            return traveller.lostAt();
        }
        if (isCongested() || chunks.sendPart()) {
            return now + RETRY_NANOS;
        }
        traveller.arrive();
        return traveller.lostAt();
    }
}
