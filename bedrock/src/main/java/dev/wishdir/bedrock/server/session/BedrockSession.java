package dev.wishdir.bedrock.server.session;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TurnSchedule;
import dev.wishdir.bedrock.server.join.AdmissionControl;
import dev.wishdir.bedrock.server.join.LoginSequence;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;
import dev.wishdir.bedrock.server.join.SpawnSequence;
import dev.wishdir.bedrock.server.join.SpawnSequence.Arrival;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.view.ClientWorld;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One client of the endpoint, from its connection to its end. */
public final class BedrockSession
        implements BedrockViewer.Line,
                LoginSequence.Listener,
                SpawnSequence.Listener,
                MemoryConsumer {
    /**
     * Parts of the endpoint that all sessions use.
     *
     * @param clock of the loop, nanoseconds
     */
    public record Services(
            AdmissionControl admission,
            LoginSequence.Services login,
            SpawnSequence.Services spawn,
            JoinedClient.Services joined,
            DropCounter drops,
            LongSupplier clock) {}

    private sealed interface State {
        record InLogin(LoginSequence login) implements State {}

        record InSpawn(SpawnSequence spawn, long skinBytes) implements State {}

        record InGame(JoinedClient client, long skinBytes) implements State {}

        /** The end was sent, and has time to arrive. */
        record Disconnected(long closeAt) implements State {}

        record Closed() implements State {}
    }

    private static final long CLOSE_DELAY_NANOS = 100_000_000;
    private static final int MAX_PACKETS_PER_SECOND = 500;
    private final Services services;
    private final Transport transport;
    private final MessageChannel channel;
    private final ClientWorld clientWorld;
    private final TokenBucket packets =
            new TokenBucket(MAX_PACKETS_PER_SECOND, MAX_PACKETS_PER_SECOND);
    private final long runtimeId;
    private final long loginDeadline;
    private final TurnSchedule.Turn turn;
    private State state;

    /**
     * @param runtimeId by which all clients know its player
     */
    public BedrockSession(
            long now,
            Services services,
            TurnSchedule schedule,
            Transport transport,
            long runtimeId) {
        this.services = services;
        this.transport = transport;
        this.runtimeId = runtimeId;
        loginDeadline = now + SpawnSequence.TIMEOUT_NANOS;
        channel = MessageChannel.toClient(transport);
        clientWorld = ClientWorld.of(channel::send);
        state =
                new State.InLogin(
                        new LoginSequence(
                                services.login(),
                                transport,
                                channel,
                                "wishdir-" + runtimeId,
                                this));
        turn = schedule.add(this::advance);
    }

    @Override
    public InetSocketAddress remote() {
        return transport.remote();
    }

    @Override
    public MessageChannel channel() {
        return channel;
    }

    @Override
    public ConnectionStats connectionStats() {
        return ConnectionStatsFactory.of(transport.traffic());
    }

    private boolean isClosing() {
        return state instanceof State.Disconnected || state instanceof State.Closed;
    }

    @Override
    public void receive(long now, byte[] batch) {
        requestTurn();
        if (isClosing()
                || state instanceof State.InLogin(LoginSequence login)
                        && login.keepEarly(now, batch)) {
            return;
        }
        recordActivity(now);
        try {
            channel.read(now, batch, reader -> handle(now, reader));
        } catch (MalformedPacketException e) {
            onMalformed(now, e);
        }
    }

    /** A hidden player has to come back before it moves. */
    private void recordActivity(long now) {
        if (state instanceof State.InGame(JoinedClient client, _)) {
            client.recordActivity(now);
        }
    }

    private void handle(long now, Reader reader) {
        BedrockMessage message = read(now, reader);
        if (message == null) {
            return;
        }
        switch (state) {
            case State.InLogin(LoginSequence login) -> login.handle(now, message);
            case State.InSpawn(SpawnSequence spawn, _) -> spawn.handle(now, message);
            case State.InGame(JoinedClient client, _) -> play(now, client, message);
            case State.Disconnected _, State.Closed _ -> {}
        }
    }

    /**
     * Receives a batch that may be late: only inputs come so, each of which names its tick, and
     * only of a client that plays.
     */
    public void receiveUnreliably(long now, byte[] batch) {
        requestTurn();
        recordActivity(now);
        try {
            channel.read(now, batch, reader -> handleUnreliable(now, reader));
        } catch (MalformedPacketException e) {
            onMalformed(now, e);
        }
    }

    private void handleUnreliable(long now, Reader reader) {
        BedrockMessage message = read(now, reader);
        if (message instanceof PlayerAuthInput
                && state instanceof State.InGame(JoinedClient client, _)) {
            client.handle(now, message);
        } else if (message != null) {
            count("unreliable");
        }
    }

    /** Reads the next message; null if no more is taken. One about items may be unreadable. */
    private @Nullable BedrockMessage read(long now, Reader reader) {
        if (isClosing()) {
            return null;
        }
        if (!packets.tryAcquire(now)) {
            count("packets");
            return null;
        }
        int end = reader.position() + reader.remaining();
        try {
            return channel.codec().read(reader);
        } catch (MalformedPacketException e) {
            // Not all versions' items are proved: what is read wrongly must not kick its player.
            return channel.codec().withoutItems().read(new Reader(reader.slice(0, end)));
        }
    }

    private void onMalformed(long now, MalformedPacketException e) {
        count("malformed");
        kick(
                now,
                new LeaveReason(
                        LeaveReason.Code.PROTOCOL_ERROR,
                        "Your game sent something that this server can't read: " + e.getMessage()));
    }

    private void play(long now, JoinedClient client, BedrockMessage message) {
        switch (message) {
            case Disconnect _ -> onLeft(now);
            case LoginMessage.RequestNetworkSettings _,
                    LoginMessage.Login _,
                    LoginMessage.ClientToServerHandshake _ ->
                    onUnexpected(now, message);
            default -> client.handle(now, message);
        }
    }

    @Override
    public void onUnexpected(long now, BedrockMessage message) {
        count("unexpected");
        kick(
                now,
                new LeaveReason(
                        LeaveReason.Code.PROTOCOL_ERROR,
                        "Your game sent " + channel.codec().name(message) + " out of turn"));
    }

    @Override
    public void onLoggedIn(long now, VerifiedLogin login) {
        SpawnSequence spawn =
                new SpawnSequence(
                        services.spawn(), transport, channel, clientWorld, login, runtimeId, this);
        state = new State.InSpawn(spawn, Skins.heap(login.skin()));
        spawn.start(now);
        requestTurn();
    }

    @Override
    public void onReady(long now, VerifiedLogin login, Arrival arrival) {
        JoinedClient client =
                new JoinedClient(
                        now,
                        services.joined(),
                        transport,
                        this,
                        login,
                        runtimeId,
                        clientWorld,
                        arrival);
        if (isClosing()) {
            // A listener of the arena has kicked it as it joined.
            client.leave(now, LeaveReason.of(LeaveReason.Code.KICKED));
            return;
        }
        state = new State.InGame(client, Skins.heap(login.skin()));
        client.start(now);
    }

    /** Takes a client in the arena to the world that is played now. */
    public void changeWorld(long now) {
        if (state instanceof State.InGame(JoinedClient client, _)) {
            client.changeWorld(now);
            requestTurn();
        }
    }

    /** A player of this endpoint swung its arm. */
    public void onSwing(PlayerId id) {
        if (state instanceof State.InGame(JoinedClient client, _)) {
            client.onSwing(id);
        }
    }

    /** A player was hit, maybe this one. */
    public void onHit(ArenaEvent.Hit hit) {
        ifInGame(client -> client.onHit(hit));
    }

    /** A player died, maybe this one. */
    public void onDied(ArenaEvent.Died died) {
        ifInGame(client -> client.onDied(died));
    }

    /** A round of the match has started. */
    public void onRoundStarted(long now) {
        ifInGame(client -> client.onRoundStarted(now));
    }

    /** A player has taken an item. */
    public void onItemTaken(ArenaEvent.ItemTaken taken) {
        ifInGame(client -> client.onItemTaken(taken));
    }

    /** A player was renamed, maybe this one. */
    public void onRenamed(ArenaEvent.Renamed renamed) {
        ifInGame(client -> client.onRenamed(renamed));
    }

    /** Items have vanished or returned. */
    public void onItemsChanged() {
        ifInGame(client -> client.onItemsChanged());
    }

    /** A blow on a player was critical. */
    public void onCritical(PlayerId victim) {
        ifInGame(client -> client.onCritical(victim));
    }

    /** A sound at a place, metres. */
    public void onSound(String name, Vec3 place) {
        ifInGame(client -> client.onSound(name, place));
    }

    /** A player holds another item, or has drawn it. */
    public void onHeld(PlayerId id) {
        ifInGame(client -> client.onHeld(id));
    }

    private void ifInGame(Consumer<JoinedClient> action) {
        if (state instanceof State.InGame(JoinedClient client, _)) {
            action.accept(client);
            requestTurn();
        }
    }

    @Override
    public void onLeft(long now) {
        leave(now, LeaveReason.LEFT, new State.Closed());
        transport.close();
    }

    @Override
    public void onVersionRefused(long now, LeaveReason why) {
        services.admission().reportRefusal(now, transport.remote(), why);
        close(now, LeaveReason.LEFT);
    }

    @Override
    public void kick(LeaveReason why) {
        kick(services.clock().getAsLong(), why);
    }

    /** Disconnects the client with a reason that its game shows. */
    @Override
    public void kick(long now, LeaveReason why) {
        if (isClosing()) {
            return;
        }
        if (!(state instanceof State.InGame)) {
            services.admission().reportRefusal(now, transport.remote(), why);
        }
        // The farewell comes last: whatever becomes of it, the player has left.
        leave(now, why, new State.Disconnected(now + CLOSE_DELAY_NANOS));
        requestTurn();
        channel.send(lastMessage(why));
        channel.flush();
    }

    /**
     * Last message of the session: a client that finds no room is sent to a server that has some.
     */
    private BedrockMessage lastMessage(LeaveReason why) {
        return (why.code() == LeaveReason.Code.SERVER_FULL
                        ? services.admission().room()
                        : Optional.<OtherServers.Address>empty())
                .<BedrockMessage>map(room ->
                        new LoginMessage.Transfer(
                                room.host(), room.port(), false, Optional.empty()))
                .orElseGet(() ->
                        new Disconnect(
                                why.code() == LeaveReason.Code.SERVER_CLOSED
                                        ? Disconnect.SHUTDOWN
                                        : Disconnect.KICKED,
                                false,
                                BedrockText.literal(why.text()),
                                ""));
    }

    /** Closes the connection once what was sent has had time to arrive. */
    private void close(long now, LeaveReason why) {
        leave(now, why, new State.Disconnected(now + CLOSE_DELAY_NANOS));
        requestTurn();
        channel.flush();
    }

    private void leave(long now, LeaveReason why, State next) {
        State left = state;
        state = next;
        switch (left) {
            case State.InLogin(LoginSequence login) -> login.cancel();
            case State.InGame(JoinedClient client, _) -> client.leave(now, why);
            case State.InSpawn _, State.Disconnected _, State.Closed _ -> {}
        }
    }

    /** The client's connection ends, as it broke a limit of the transport. */
    public void onViolation(long now, String reason) {
        kick(now, violation(reason));
    }

    private static LeaveReason violation(String reason) {
        return new LeaveReason(
                LeaveReason.Code.PROTOCOL_ERROR,
                "Your game sent something that this server does not take: " + reason);
    }

    /** The connection is gone. */
    public void onEnded(long now, Transport.EndReason ending, String reason) {
        turn.cancel();
        if (ending == Transport.EndReason.VIOLATION
                && !isClosing()
                && !(state instanceof State.InGame)) {
            services.admission().reportRefusal(now, transport.remote(), violation(reason));
        }
        leave(
                now,
                switch (ending) {
                    case CLOSED -> LeaveReason.SERVER_CLOSED;
                    case LEFT -> LeaveReason.LEFT;
                    case TIMED_OUT -> new LeaveReason(LeaveReason.Code.TIMED_OUT, reason);
                    case REFUSED, VIOLATION ->
                            new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, reason);
                    case SENT_AWAY -> new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason);
                },
                new State.Closed());
    }

    @Override
    public void abort(long now, String reason) {
        leave(now, new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason), new State.Closed());
        transport.abort(now, reason);
    }

    @Override
    public void disconnect(long now, String reason) {
        kick(now, new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public long retainedBytes() {
        return transport.retainedBytes()
                + switch (state) {
                    case State.InLogin(LoginSequence login) -> login.retainedBytes();
                    case State.InSpawn(_, long skinBytes) -> skinBytes;
                    case State.InGame(_, long skinBytes) -> skinBytes;
                    case State.Disconnected _, State.Closed _ -> 0;
                };
    }

    @Override
    public boolean isCongested() {
        return transport.isCongested();
    }

    @Override
    public void requestTurn() {
        turn.request();
    }

    @Override
    public void count(String drop) {
        services.drops().count(drop);
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
     * Does what the time demands, and sends what was queued.
     *
     * @return when to call again, nanoseconds
     */
    private long advance(long now) {
        channel.flush();
        long next =
                switch (state) {
                    case State.InLogin _ -> {
                        if (now >= loginDeadline) {
                            kick(now, SpawnSequence.LOGIN_TIMED_OUT);
                        }
                        yield loginDeadline;
                    }
                    case State.InSpawn(SpawnSequence spawn, _) -> spawn.advance(now, loginDeadline);
                    case State.InGame(JoinedClient client, _) -> client.advance(now);
                    case State.Disconnected(long closeAt) -> {
                        if (now >= closeAt) {
                            state = new State.Closed();
                            transport.close();
                        }
                        yield DatagramHandler.NEVER;
                    }
                    case State.Closed _ -> DatagramHandler.NEVER;
                };
        channel.flush();
        return state instanceof State.Disconnected(long closeAt) ? closeAt : next;
    }
}
