package dev.wishdir.bedrock;

import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.bedrock.LoginChecks.Checked;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Debtor;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * One client of the server: its login step by step, until it is a {@link BedrockPlayer}. Each step
 * takes only the message that it waits for; anything else out of turn ends the session.
 */
final class BedrockSession implements BedrockView.Line, Debtor {
    private enum Phase {
        SETTINGS,
        LOGIN,
        CHECKING,
        HANDSHAKE,
        PACKS,
        RADIUS,
        LOADING,
        PASSWORD,
        PLAYING,
        CLOSING
    }

    private static final long LOGIN_TIME = 30_000_000_000L;
    private static final long FAREWELL = 100_000_000;
    private static final long AGAIN = 25_000_000;
    private static final int PACKETS_A_SECOND = 500;
    private static final int MOST_RADIUS = 8;
    private static final int KICKED = 55;
    private static final int FIRST_BATCH = 64 << 10;
    private static final int MOST_EARLY = 8;

    private static final int SUCCESS = 0;
    private static final int CLIENT_OLD = 1;
    private static final int SERVER_OLD = 2;
    private static final int SPAWN = 3;

    private final BedrockEndpoint endpoint;
    private final Transport transport;
    private final BatchCodec batches = new BatchCodec(FIRST_BATCH, BatchCodec.MOST_PACKETS);
    private final long begun;
    private final BedrockView view;
    private final Allowance packets = new Allowance(PACKETS_A_SECOND, PACKETS_A_SECOND);
    private final Allowance radii = new Allowance(3, 1);
    private Phase phase = Phase.SETTINGS;
    private BedrockCodec codec = BedrockCodec.V748;
    private @Nullable Checked who;
    private @Nullable PasswordPrompt prompt;
    private @Nullable BedrockPlayer player;
    private final long runtimeId;
    private final List<byte[]> early = new ArrayList<>();
    private Movement start = Movement.ORIGIN;
    private long checking;
    private long skinHeap;
    private long now;
    private long heard;
    private long closeAt = Long.MAX_VALUE;
    private boolean stacked;

    BedrockSession(BedrockEndpoint endpoint, Transport transport, long now) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.now = now;
        begun = now;
        runtimeId = endpoint.nextRuntimeId();
        view = new BedrockView(endpoint, this);
    }

    /** What it sees of everybody else. */
    BedrockView view() {
        return view;
    }

    /** What others see of it. */
    Skin skin() {
        return who == null ? Skin.BLANK : who.skin();
    }

    /** By what number clients name its player. */
    long runtimeId() {
        return runtimeId;
    }

    void batch(long now, byte[] batch) {
        this.now = now;
        if (phase == Phase.CLOSING) {
            return;
        }
        if (phase == Phase.CHECKING) {
            // How to read it shows when the login is checked.
            keep(batch);
            return;
        }
        try {
            batches.read(now, batch, this::packet);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            kick("Your game sent something that this server can't read: " + e.getMessage());
        }
    }

    private void keep(byte[] batch) {
        early.add(batch);
        checking += batch.length;
        if (early.size() > MOST_EARLY || batch.length > FIRST_BATCH) {
            endpoint.count("early");
            kick("Your game sent too much while its login was checked");
        }
    }

    private void packet(Reader reader) {
        if (phase == Phase.CLOSING) {
            return;
        }
        if (!packets.take(now)) {
            endpoint.count("packets");
            return;
        }
        BedrockMessage message = codec.read(reader);
        switch (phase) {
            case SETTINGS -> settings(message);
            case LOGIN -> login(message);
            case CHECKING -> unexpected(message);
            case HANDSHAKE -> handshake(message);
            case PACKS -> packs(message);
            case RADIUS, LOADING -> loading(message);
            case PASSWORD -> password(message);
            case PLAYING -> play(message);
            case CLOSING -> {}
        }
    }

    private void settings(BedrockMessage message) {
        if (!(message instanceof LoginMessage.RequestNetworkSettings request)) {
            unexpected(message);
            return;
        }
        if (isSpoken(request.protocol())) {
            send(
                    new LoginMessage.NetworkSettings(
                            endpoint.threshold(), endpoint.algorithm().setting, false, 0, 0));
            flush();
            batches.compress(endpoint.algorithm(), endpoint.threshold());
            batches.bound(BatchCodec.LARGEST);
            phase = Phase.LOGIN;
        }
    }

    /** Chooses the version; a client of another is told which side is outdated. */
    private boolean isSpoken(int protocol) {
        var spoken = BedrockCodec.of(protocol);
        if (spoken.isPresent()) {
            codec = spoken.get();
            return true;
        }
        int newest = BedrockCodec.NEWEST.protocol();
        send(new PlayStatus(protocol > newest ? SERVER_OLD : CLIENT_OLD));
        endpoint.refused(now, transport.remote(), "speaks protocol " + protocol);
        close(Departure.LEFT);
        return false;
    }

    private void login(BedrockMessage message) {
        if (!(message instanceof LoginMessage.Login login)) {
            unexpected(message);
            return;
        }
        if (login.protocol() != codec.protocol() && !isSpoken(login.protocol())) {
            return;
        }
        phase = Phase.CHECKING;
        checking = login.tokens().length();
        endpoint.checks()
                .add(
                        LoginChecks.of(
                                login,
                                endpoint.rootKey(),
                                endpoint.seconds(),
                                endpoint.keys(),
                                endpoint.encrypts() ? endpoint.salt() : Bytes.EMPTY,
                                "wishdir-" + runtimeId),
                        () -> phase == Phase.CHECKING,
                        this::checked,
                        this::refused);
    }

    private void checked(Checked checked) {
        if (phase != Phase.CHECKING) {
            return;
        }
        who = checked;
        skinHeap = Skins.heap(checked.skin());
        checking = 0;
        now = endpoint.now();
        if (checked.key().length() > 0) {
            send(new LoginMessage.ServerToClientHandshake(checked.handshake()));
            flush();
            batches.encrypt(checked.key().toArray());
            phase = Phase.HANDSHAKE;
        } else {
            loggedIn();
        }
        List<byte[]> kept = List.copyOf(early);
        early.clear();
        kept.forEach(batch -> batch(now, batch));
    }

    private void refused(String reason) {
        if (phase == Phase.CHECKING) {
            now = endpoint.now();
            endpoint.count("login");
            kick("Login refused: " + reason);
        }
    }

    private void handshake(BedrockMessage message) {
        if (message instanceof LoginMessage.ClientToServerHandshake) {
            loggedIn();
        } else {
            unexpected(message);
        }
    }

    private void loggedIn() {
        if (endpoint.isFull()) {
            kick("The server is full");
            return;
        }
        send(new PlayStatus(SUCCESS));
        send(PackMessage.ResourcePacksInfo.BLANK);
        batches.bound(BatchCodec.LARGEST_PLAYING);
        phase = Phase.PACKS;
    }

    /** The library that many bots use says that it has applied all packs without being asked. */
    private void packs(BedrockMessage message) {
        switch (message) {
            case PackMessage.ClientCacheStatus _ -> {}
            case PackMessage.ResourcePackClientResponse response -> {
                switch (response.status()) {
                    case 3 -> stack();
                    case 4 -> start();
                    default -> kick("This server has no resource packs to download");
                }
            }
            default -> unexpected(message);
        }
    }

    private void stack() {
        if (stacked) {
            endpoint.count("repeated");
            return;
        }
        stacked = true;
        send(
                new PackMessage.ResourcePackStack(
                        false, List.of(), List.of(), "*", List.of(), false, false));
    }

    private void start() {
        Checked known = who;
        if (known == null || endpoint.isFull()) {
            kick("The server is full");
            return;
        }
        start = endpoint.start();
        Welcome.messages(
                        codec,
                        runtimeId,
                        Formatting.removed(known.name()),
                        start,
                        endpoint.name(),
                        endpoint.authority(),
                        endpoint.tick(now))
                .forEach(this::send);
        phase = Phase.RADIUS;
    }

    private void loading(BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> {
                radius(request);
                if (phase == Phase.RADIUS) {
                    endpoint.chunks().forEach(this::send);
                    send(new PlayStatus(SPAWN));
                    phase = Phase.LOADING;
                }
            }
            case WorldMessage.SetLocalPlayerAsInitialized _ -> {
                if (phase == Phase.LOADING) {
                    loaded();
                }
            }
            case LoginMessage.Disconnect _ -> left();
            default -> endpoint.count("early");
        }
    }

    private void radius(WorldMessage.RequestChunkRadius request) {
        if (radii.take(now)) {
            int radius = Math.clamp(request.radius(), 1, MOST_RADIUS);
            send(new WorldMessage.ChunkRadiusUpdated(radius));
            send(
                    new WorldMessage.NetworkChunkPublisherUpdate(
                            new BlockPos(0, 0, 0), MOST_RADIUS * 16, List.of()));
        }
    }

    private void loaded() {
        if (endpoint.password().isEmpty()) {
            enter();
            return;
        }
        phase = Phase.PASSWORD;
        prompt =
                new PasswordPrompt(
                        now, endpoint.password(), endpoint.addresses(), address(), this::send);
    }

    private InetAddress address() {
        return transport.remote().getAddress();
    }

    /** Until the password is right the client is alone in the world, and its player nowhere. */
    private void password(BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> radius(request);
            case LoginMessage.Disconnect _ -> left();
            default -> {
                if (prompt != null) {
                    answered(prompt.take(now, message));
                }
            }
        }
    }

    private void answered(PasswordPrompt.Outcome outcome) {
        switch (outcome) {
            case PasswordPrompt.Waiting _ -> {}
            case PasswordPrompt.Failed failed -> {
                endpoint.count("password");
                kick(failed.reason());
            }
            case PasswordPrompt.Right _ -> {
                prompt = null;
                enter();
                if (player != null) {
                    player.restart(start);
                }
            }
        }
    }

    private void enter() {
        Checked known = who;
        if (known == null || endpoint.isFull()) {
            kick("The server is full");
            return;
        }
        PlayerId joined = endpoint.join(now, Formatting.removed(known.name()), this);
        phase = Phase.PLAYING;
        view.open(joined, known.uuid());
        player =
                new BedrockPlayer(
                        now,
                        endpoint,
                        codec,
                        joined,
                        runtimeId,
                        view,
                        new Console(endpoint, address()),
                        this::send,
                        start);
    }

    private void play(BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> radius(request);
            case LoginMessage.Disconnect _ -> left();
            case LoginMessage.RequestNetworkSettings _,
                    LoginMessage.Login _,
                    LoginMessage.ClientToServerHandshake _ ->
                    unexpected(message);
            default -> {
                if (player != null) {
                    player.take(now, message);
                }
            }
        }
    }

    private void unexpected(BedrockMessage message) {
        endpoint.count("unexpected");
        kick("Your game sent " + codec.name(message) + " out of turn");
    }

    private void left() {
        leave(Departure.LEFT);
        phase = Phase.CLOSING;
        transport.close();
    }

    /** Sends the player away with a reason that the game shows. */
    @Override
    public void kick(String reason) {
        away(reason, Departure.sentAway(reason));
    }

    /** Sends the player away since the server closes. */
    void close(long now, String reason) {
        this.now = now;
        away(reason, Departure.CLOSED);
    }

    private void away(String reason, Departure why) {
        if (phase != Phase.CLOSING) {
            if (player == null) {
                endpoint.refused(now, transport.remote(), reason);
            }
            send(new Disconnect(KICKED, false, reason, ""));
            close(why);
        }
    }

    /** Lets what was sent arrive before the connection ends. */
    private void close(Departure why) {
        flush();
        leave(why);
        phase = Phase.CLOSING;
        closeAt = now + FAREWELL;
    }

    private void leave(Departure why) {
        BedrockPlayer gone = player;
        player = null;
        view.close();
        early.clear();
        checking = 0;
        if (gone != null) {
            gone.leave(now, why);
        }
    }

    /** The connection is gone. */
    void ended(long now, Transport.Ending ending, String reason) {
        this.now = now;
        leave(
                switch (ending) {
                    case CLOSED -> Departure.CLOSED;
                    case LEFT -> Departure.LEFT;
                    case TIMED_OUT, NOT_ACKNOWLEDGING ->
                            new Departure(Departure.Kind.TIMED_OUT, reason);
                    case REFUSED, SENT_AWAY, VIOLATION -> Departure.sentAway(reason);
                });
        phase = Phase.CLOSING;
        batches.close();
    }

    /** It holds more than the server has for it. */
    @Override
    public void end(long now, String reason) {
        this.now = now;
        leave(Departure.sentAway(reason));
        phase = Phase.CLOSING;
        transport.end(now, reason);
    }

    @Override
    public long held() {
        return transport.held() + checking + skinHeap;
    }

    @Override
    public boolean isBehind() {
        return transport.isBehind();
    }

    @Override
    public void send(BedrockMessage message) {
        codec.write(batches.packet(), message);
        batches.add();
        if (batches.isFull()) {
            flush();
        }
    }

    @Override
    public void show(Player mover, long as) {
        batches.add(endpoint.movements().of(mover, as, codec));
        if (batches.isFull()) {
            flush();
        }
    }

    @Override
    public String toString() {
        return "Bedrock " + transport.remote();
    }

    private void flush() {
        if (!batches.isEmpty()) {
            byte[] batch = batches.take();
            transport.send(batch, 0, batch.length);
        }
    }

    /**
     * Sends what waits.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        this.now = now;
        flush();
        if (phase == Phase.CLOSING) {
            if (now >= closeAt) {
                closeAt = Long.MAX_VALUE;
                transport.close();
            }
            return closeAt;
        }
        if (prompt != null) {
            answered(prompt.advance(now));
            return prompt == null ? closeAt : prompt.deadline();
        }
        if (phase == Phase.PLAYING) {
            if (player != null && transport.lastHeard() > heard) {
                heard = transport.lastHeard();
                player.heard(now, transport.roundTrip());
            }
            boolean more = view.advance();
            flush();
            return more ? now + AGAIN : Long.MAX_VALUE;
        }
        if (now - begun >= LOGIN_TIME) {
            kick("The login took too long");
            return closeAt;
        }
        return begun + LOGIN_TIME;
    }
}
