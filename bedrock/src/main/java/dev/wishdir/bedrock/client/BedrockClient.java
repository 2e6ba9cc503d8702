package dev.wishdir.bedrock.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.FightMessage;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.CorrectPlayerMovePrediction;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.message.MovementMessage.Respawn;
import dev.wishdir.bedrock.message.MovementMessage.SetActorMotion;
import dev.wishdir.bedrock.message.MovementMessage.SetMovementAuthority;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.SessionKey;
import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.PlaintextDatagrams;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.protocol.transport.TransportConnection;
import dev.wishdir.game.BotWeapon;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A headless client of Bedrock. It signs its own identity and follows the server's choice of
 * compression, encryption and movement authority. Its player moves by the game's physics, in an
 * unknown world on ground of the height of its start.
 *
 * <p>It has many fields, because the state of one client is here, from the first datagram until it
 * has ended; login, transport, players and body have classes of their own.
 */
public final class BedrockClient implements Client {
    /** The option for the transport, {@code raknet} or {@code nethernet}. */
    public static final String TRANSPORT = "transport";

    private static final long MILLI = 1_000_000L;

    /**
     * The messages that a headless player handles. All others are most of the traffic and stay
     * unread: servers that work with the game send some of them malformed.
     */
    private static final Set<Class<? extends BedrockMessage>> HANDLED_MESSAGES =
            Set.of(
                    LoginMessage.NetworkSettings.class,
                    LoginMessage.ServerToClientHandshake.class,
                    LoginMessage.PlayStatus.class,
                    LoginMessage.Disconnect.class,
                    LoginMessage.Transfer.class,
                    LoginMessage.NetworkStackLatency.class,
                    PackMessage.ResourcePacksInfo.class,
                    PackMessage.ResourcePackStack.class,
                    StartGame.class,
                    LevelChunk.class,
                    SetMovementAuthority.class,
                    AddPlayer.class,
                    RemoveActor.class,
                    SetActorData.class,
                    MovePlayer.class,
                    MoveActorAbsolute.class,
                    MoveActorDelta.class,
                    CorrectPlayerMovePrediction.class,
                    SetActorMotion.class,
                    Animate.class,
                    ModalFormRequest.class,
                    Text.class);

    /** Messages about fights, without which the client plays on. */
    private static final Set<Class<? extends BedrockMessage>> FIGHT_MESSAGES =
            Set.of(
                    Respawn.class,
                    UpdateAttributes.class,
                    AddItemActor.class,
                    InventoryMessage.InventoryContent.class,
                    InventoryMessage.InventorySlot.class,
                    InventoryMessage.MobArmour.class,
                    WorldMessage.UpdateBlock.class,
                    WorldMessage.BlockActorData.class,
                    FightMessage.ActorEvent.class,
                    FightMessage.SetScore.class,
                    FightMessage.SetTitle.class);

    private final ClientConfig config;
    private final ClientListener listener;
    private final InstantSource clock;
    private final BedrockCodec codec;
    private final BedrockCodec incoming;
    private final BedrockCodec essential;
    private final LoginKeys keys;
    private final UdpSocket socket;
    private final TransportConnection connecting;
    private final RemotePlayers remotePlayers;
    private final RemoteFlags remoteFlags;
    private final LocalPlayer localPlayer;
    private final LocalFighter fighter;
    private final long begun;
    private @Nullable MessageChannel channel;
    private @Nullable LoginSequence login;
    private boolean joined;

    /** The name of the server's last message before the player joined. */
    private String lastMessage = "";

    private boolean leaving;
    private boolean over;
    private long now;
    private long nextTick;

    /**
     * Opens a socket and connects.
     *
     * @param codec the version to speak
     * @param clock for the validity of the identity that it signs
     * @throws IOException if no socket can be opened
     */
    public static BedrockClient connect(
            ClientConfig config, BedrockCodec codec, InstantSource clock) throws IOException {
        InetAddress any =
                InetAddress.getByAddress(
                        new byte[config.server().getAddress().getAddress().length]);
        return config.cycle()
                .open(
                        new InetSocketAddress(any, 0),
                        socket -> new BedrockClient(config, codec, clock, socket).new Handler())
                .client();
    }

    private BedrockClient(
            ClientConfig config, BedrockCodec codec, InstantSource clock, UdpSocket socket) {
        this.config = config;
        this.socket = socket;
        this.codec = codec;
        this.clock = clock;
        fighter = new LocalFighter(codec);
        essential = codec.reading(HANDLED_MESSAGES);
        incoming =
                codec.reading(
                        Stream.of(HANDLED_MESSAGES, FIGHT_MESSAGES)
                                .flatMap(Set::stream)
                                .collect(Collectors.toUnmodifiableSet()));
        listener = config.listener();
        remotePlayers = new RemotePlayers(this, listener);
        remoteFlags = new RemoteFlags(codec);
        localPlayer = new LocalPlayer(codec);
        begun = config.cycle().now();
        now = begun;
        keys = LoginKeys.generate(config.random());
        Connection connection = new Connection();
        connecting =
                switch (config.options().getOrDefault(TRANSPORT, "raknet")) {
                    case "raknet" ->
                            TransportConnection.raknet(
                                    config.server(),
                                    config.joinTimeout(),
                                    socket,
                                    connection,
                                    config.random());
                    case "nethernet" ->
                            TransportConnection.nethernet(
                                    config.server(),
                                    config.name(),
                                    keys,
                                    socket,
                                    connection,
                                    config.cycle(),
                                    config.random(),
                                    () -> clock.instant().getEpochSecond());
                    default ->
                            throw new IllegalArgumentException(
                                    "option " + TRANSPORT + " must be raknet or nethernet");
                };
    }

    private final class Handler implements DatagramHandler {
        BedrockClient client() {
            return BedrockClient.this;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            BedrockClient.this.now = now;
            connecting.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return BedrockClient.this.advance(now);
        }
    }

    private final class Connection implements TransportConnection.Listener {
        @Override
        public void onConnected(long now, Transport transport) {
            MessageChannel to = MessageChannel.toServer(transport, codec, reporter(transport));
            channel = to;
            login = new LoginSequence(config, to, keys, clock, new LoginListener());
        }

        @Override
        public void onReceived(long now, Transport transport, byte[] batch) {
            MessageChannel from = channel;
            LoginSequence in = login;
            if (from == null || in == null) {
                return;
            }
            try {
                from.read(batch, reader -> handle(from, in, readMessage(reader)));
            } catch (MalformedPacketException e) {
                end(
                        EndReason.PROTOCOL_ERROR,
                        "malformed packet from the server: " + e.getMessage());
            }
        }

        /** Reads a message; one about fights that this server writes otherwise is unknown. */
        private BedrockMessage readMessage(Reader reader) {
            int end = reader.position() + reader.remaining();
            try {
                return incoming.read(reader);
            } catch (MalformedPacketException e) {
                return essential.read(new Reader(reader.slice(0, end)));
            }
        }

        @Override
        public void onReceivedUnreliably(long now, Transport transport, byte[] batch) {
            onReceived(now, transport, batch);
        }

        @Override
        public void onEnded(
                long now, Transport transport, Transport.EndReason ending, String reason) {
            onFailed(ending, reason);
        }

        @Override
        public void onFailed(Transport.EndReason ending, String reason) {
            switch (ending) {
                case CLOSED, SENT_AWAY -> end(EndReason.LEFT, "left");
                case LEFT -> {
                    if (leaving) {
                        end(EndReason.LEFT, "left");
                    } else {
                        end(
                                joined ? EndReason.SERVER_CLOSED : EndReason.REFUSED,
                                "the server closed the connection");
                    }
                }
                case REFUSED -> end(EndReason.REFUSED, reason);
                case TIMED_OUT -> {
                    // A transport that gives up before the time is over knows why.
                    boolean inTime = now < begun + config.joinTimeout().toNanos();
                    end(EndReason.TIMED_OUT, joined || inTime ? reason : config.joinTimedOut());
                }
                case VIOLATION -> end(EndReason.PROTOCOL_ERROR, reason);
            }
        }
    }

    /** Reports batches in the clear, if the listener wants those of a transport that encrypts. */
    private BiConsumer<Direction, byte[]> reporter(Transport transport) {
        Optional<ClientListener.Plaintext> plaintext =
                transport.encrypts() ? listener.plaintext() : Optional.empty();
        if (plaintext.isEmpty()) {
            return (_, _) -> {};
        }
        ClientListener.Plaintext to = plaintext.get();
        PlaintextDatagrams datagrams =
                new PlaintextDatagrams(
                        now,
                        socket.local(),
                        (_, direction, datagram) -> to.onDatagram(direction, datagram));
        return (direction, batch) -> datagrams.batch(now, direction, batch);
    }

    private final class LoginListener implements LoginSequence.Listener {
        @Override
        public void onJoined() {
            joined = true;
            nextTick = now;
            listener.onJoined(BedrockClient.this);
        }

        @Override
        public void onEncrypted(SessionKey key) {
            listener.onSessionKey(BedrockClient.this, key.line());
        }

        @Override
        public void onEnded(EndReason ending, String reason) {
            BedrockClient.this.end(ending, reason);
        }
    }

    private void end(EndReason ending, String reason) {
        if (!over) {
            over = true;
            connecting.end().accept(now);
            listener.onEnded(this, ending, reason);
            socket.close();
        }
    }

    private long advance(long now) {
        this.now = now;
        if (over) {
            return DatagramHandler.NEVER;
        }
        long next = begun + config.joinTimeout().toNanos();
        if (joined) {
            if (now >= nextTick) {
                nextTick = Duty.nextDeadline(nextTick, BedrockMotion.TICK_NANOS, now);
                fighter.respawn(now, localPlayer.runtimeId(), localPlayer.movement().position())
                        .ifPresent(this::send);
                localPlayer
                        .step(now, config.controller().steer(now, localPlayer.movement()))
                        .ifPresent(this::send);
            }
            next = nextTick;
        } else if (now >= next) {
            end(
                    EndReason.TIMED_OUT,
                    config.joinTimedOut()
                            + (lastMessage.isEmpty()
                                    ? ""
                                    : "; its last message was " + lastMessage));
            return DatagramHandler.NEVER;
        }
        flush();
        return Math.min(next, connecting.advance(now));
    }

    private void send(BedrockMessage message) {
        if (channel != null) {
            channel.send(message);
        }
    }

    private void flush() {
        if (channel != null) {
            channel.flush();
        }
    }

    private void handle(MessageChannel to, LoginSequence in, BedrockMessage message) {
        if (over) {
            return;
        }
        if (!joined) {
            lastMessage = message.getClass().getSimpleName();
        }
        switch (message) {
            case LoginMessage.NetworkSettings settings -> in.onSettings(settings);
            case LoginMessage.ServerToClientHandshake handshake ->
                    in.onHandshake(handshake.token());
            case LoginMessage.PlayStatus status ->
                    in.onStatus(status.status(), localPlayer.runtimeId());
            case PackMessage.ResourcePacksInfo _ -> in.onPacks();
            case PackMessage.ResourcePackStack _ -> in.onPackStack();
            case StartGame start -> {
                localPlayer.start(start);
                in.onStart();
            }
            case LoginMessage.Disconnect disconnect -> onDisconnected(disconnect);
            case LoginMessage.Transfer transfer -> onTransferred(transfer);
            case LoginMessage.NetworkStackLatency latency -> {
                if (latency.needsResponse()) {
                    to.send(
                            new LoginMessage.NetworkStackLatency(
                                    latency.timestamp() * MILLI, false));
                }
            }
            case LevelChunk chunk -> {
                localPlayer.addChunk(chunk);
                remoteFlags.onChunk(chunk);
            }
            case SetMovementAuthority set -> localPlayer.setAuthority(set.mode());
            case AddPlayer added -> {
                remotePlayers.onAdded(added);
                // It wears nothing until its armour follows.
                remoteFlags.setCarried(added.runtimeId(), Optional.empty());
            }
            case AddItemActor item -> {
                if (!remoteFlags.onItem(item)) {
                    remotePlayers.onItem(item);
                }
            }
            case RemoveActor removed -> {
                remotePlayers.onRemoved(removed.uniqueId());
                remoteFlags.onRemoved(removed.uniqueId());
            }
            case WorldMessage.UpdateBlock update -> remoteFlags.onBlock(update);
            case WorldMessage.BlockActorData data -> remoteFlags.onTags(data);
            case InventoryMessage.MobArmour armour -> remoteFlags.onArmour(armour);
            case SetActorData data -> remotePlayers.onMetadata(now, data);
            case MovePlayer move -> {
                if (move.runtimeId() == localPlayer.runtimeId()) {
                    localPlayer.onTeleport(move);
                } else {
                    remotePlayers.onMoved(now, move);
                }
            }
            case MoveActorAbsolute move -> remotePlayers.onMoved(now, move);
            case MoveActorDelta move -> remotePlayers.onMoved(now, move);
            case CorrectPlayerMovePrediction correction ->
                    localPlayer.setPosition(correction.position());
            case SetActorMotion motion -> {
                if (motion.runtimeId() == localPlayer.runtimeId()) {
                    localPlayer.launch(motion.motion());
                }
            }
            case Animate animate -> remotePlayers.onAnimated(animate);
            case FightMessage.ActorEvent event -> remotePlayers.onEvent(event);
            case ModalFormRequest form -> in.onForm(form);
            case UpdateAttributes update -> {
                if (update.runtimeId() == localPlayer.runtimeId()) {
                    fighter.onAttributes(now, update).ifPresent(this::onHealth);
                }
            }
            case InventoryMessage.InventoryContent content -> {
                fighter.onContent(content);
                remoteFlags.setCarried(localPlayer.runtimeId(), fighter.flag());
            }
            case InventoryMessage.InventorySlot slot -> {
                fighter.onSlot(slot);
                remoteFlags.setCarried(localPlayer.runtimeId(), fighter.flag());
            }
            case FightMessage.SetScore scores -> fighter.onScores(scores);
            case Respawn respawn ->
                    fighter.onRespawn(respawn, localPlayer.runtimeId()).ifPresent(this::send);
            case Text text -> {
                onObituary(text);
                listener.onChat(
                        this,
                        BedrockText.withoutCodes(text.source()),
                        BedrockText.withoutCodes(line(text)));
            }
            case FightMessage.SetTitle title
                    when title.type() == FightMessage.SetTitle.ACTION_BAR ->
                    listener.onChat(this, "", BedrockText.withoutCodes(title.text()));
            default -> {}
        }
    }

    /** Reports a hit on its own player: the server sends only the loss of health. */
    private void onHealth(LocalFighter.HealthChange change) {
        if (joined && change.damage() > 0) {
            listener.onHit(
                    this, id(), ClientListener.UNKNOWN_PLAYER, change.damage(), change.health());
        }
    }

    /** Reports a death: the game announces it with the names of the victim and its killer. */
    private void onObituary(Text text) {
        if (text.type() != Text.TRANSLATED
                || !text.message().startsWith("death.")
                || text.parameters().isEmpty()) {
            return;
        }
        long victim = id(text.parameters().getFirst());
        long killer = text.parameters().size() > 1 ? id(text.parameters().get(1)) : victim;
        if (victim != ClientListener.UNKNOWN_PLAYER) {
            listener.onDeath(this, victim, killer);
        }
    }

    /** The text in words: this client has no translations. */
    private static String line(Text text) {
        List<String> names = text.parameters();
        if (text.type() != Text.TRANSLATED || names.isEmpty()) {
            return text.message();
        }
        if (!text.message().startsWith("death.")) {
            return text.message() + ": " + String.join(", ", names);
        }
        return names.getFirst() + (names.size() == 1 ? " died" : " was killed by " + names.get(1));
    }

    private long id(String name) {
        return name.equals(config.name())
                ? id()
                : remotePlayers.id(name).orElse(ClientListener.UNKNOWN_PLAYER);
    }

    private void onDisconnected(LoginMessage.Disconnect disconnect) {
        String reason =
                disconnect.message().isEmpty()
                        ? "the server disconnected, reason " + disconnect.reason()
                        : BedrockText.withoutCodes(disconnect.message());
        EndReason welcomed =
                disconnect.reason() == LoginMessage.Disconnect.SHUTDOWN
                        ? EndReason.SERVER_CLOSED
                        : EndReason.KICKED;
        end(joined ? welcomed : EndReason.REFUSED, reason);
    }

    /** Ends, as this client plays on no server that it was not given. */
    private void onTransferred(LoginMessage.Transfer transfer) {
        String reason =
                "the server sends its clients to " + transfer.host() + ":" + transfer.port();
        end(joined ? EndReason.KICKED : EndReason.REFUSED, reason);
    }

    @Override
    public boolean joined() {
        config.cycle().checkThread("uses a client");
        return joined && !over;
    }

    @Override
    public long id() {
        config.cycle().checkThread("uses a client");
        return joined ? localPlayer.runtimeId() : -1;
    }

    /** As of the join: the game has no message for another world. */
    @Override
    public String level() {
        config.cycle().checkThread("uses a client");
        return localPlayer.level();
    }

    @Override
    public Movement movement() {
        config.cycle().checkThread("uses a client");
        return localPlayer.movement();
    }

    @Override
    public Collection<RemotePlayer> others() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.living();
    }

    @Override
    public void say(String text) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(text, "text");
        if (joined() && !text.isEmpty()) {
            send(Text.chat(config.name(), text));
        }
    }

    @Override
    public boolean act(PlayerAction action) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(action, "action");
        if (action == PlayerAction.TAUNT) {
            return false;
        }
        if (joined()) {
            send(Animate.swing(localPlayer.runtimeId()));
        }
        return true;
    }

    @Override
    public OptionalDouble health() {
        config.cycle().checkThread("uses a client");
        return joined() ? fighter.health() : OptionalDouble.empty();
    }

    @Override
    public List<Vec3> items() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.items();
    }

    @Override
    public List<RemoteFlag> flags() {
        config.cycle().checkThread("uses a client");
        return remoteFlags.all(id(), movement().position(), remotePlayers.byRuntimeId());
    }

    /** Throws the banner out of the hot bar. */
    @Override
    public boolean dropFlag() {
        config.cycle().checkThread("uses a client");
        if (joined()) {
            fighter.dropFlag().ifPresent(this::send);
        }
        return true;
    }

    @Override
    public List<BotWeapon> weapons() {
        config.cycle().checkThread("uses a client");
        return health().isPresent() ? fighter.weapons() : List.of();
    }

    @Override
    public void select(BotWeapon weapon) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(weapon, "weapon");
        fighter.select(config.cycle().now(), localPlayer.runtimeId(), localPlayer.eyes(), weapon)
                .forEach(this::send);
    }

    /**
     * Strikes with the sword within its reach of 3 m. Farther away it draws the bow, or the {@link
     * #select selected} weapon, and shoots with a later call, if its player has arrows. Its arrow
     * meets the point; one of a selected weapon sinks on its way there ({@link BotWeapon#aim}).
     */
    @Override
    public boolean shoot(Vec3 at) {
        config.cycle().checkThread("uses a client");
        Vec3.requireFinite("at", at);
        if (!joined()) {
            return false;
        }
        Optional<LocalFighter.Shot> shot =
                fighter.shoot(
                        config.cycle().now(),
                        localPlayer.runtimeId(),
                        localPlayer.eyes(),
                        at,
                        remotePlayers.places(),
                        localPlayer.space());
        shot.ifPresent(step -> {
            localPlayer.lookAt(step.lookAt());
            step.messages().forEach(this::send);
        });
        return shot.isPresent() && shot.get().isDone();
    }

    @Override
    public Map<Long, Integer> frags() {
        config.cycle().checkThread("uses a client");
        return fighter.scores();
    }

    /** Sends a command, as its user types it after a slash: {@code team red}. */
    public void command(String line) {
        config.cycle().checkThread("uses a client");
        Objects.requireNonNull(line, "line");
        send(new CommandRequest("/" + line, Bytes.EMPTY));
    }

    /** By the colours of names. */
    @Override
    public Map<Long, String> teams() {
        config.cycle().checkThread("uses a client");
        return remotePlayers.teams();
    }

    /** As in the side bar. */
    @Override
    public Map<String, Integer> teamFrags() {
        config.cycle().checkThread("uses a client");
        return fighter.teamScores();
    }

    @Override
    public void close() {
        config.cycle().checkThread("uses a client");
        now = config.cycle().now();
        if (over) {
            return;
        }
        leaving = true;
        if (joined) {
            send(new LoginMessage.Disconnect(0, false, "", ""));
        }
        flush();
        connecting.close().accept(now);
    }
}
