package dev.wishdir.bedrock;

import dev.wishdir.arena.Player;
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
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * One client of the server: its login step by step, until it is a {@link BedrockPlayer}. Each step
 * takes only the message that it waits for; anything else out of turn ends the session.
 */
final class BedrockSession {
    private enum Phase {
        SETTINGS,
        LOGIN,
        HANDSHAKE,
        PACKS,
        RADIUS,
        LOADING,
        PLAYING,
        CLOSING
    }

    private static final long LOGIN_TIME = 30_000_000_000L;
    private static final long FAREWELL = 100_000_000;
    private static final int PACKETS_A_SECOND = 500;
    private static final int MOST_RADIUS = 8;
    private static final int KICKED = 55;
    private static final int FIRST_BATCH = 64 << 10;

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
    private @Nullable LoginIdentity identity;
    private @Nullable BedrockPlayer player;
    private Skin skin = Skin.BLANK;
    private long now;
    private long closeAt = Long.MAX_VALUE;
    private boolean stacked;

    BedrockSession(BedrockEndpoint endpoint, Transport transport, long now) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.now = now;
        begun = now;
        view = new BedrockView(endpoint, this::send);
    }

    /** What it sees of everybody else. */
    BedrockView view() {
        return view;
    }

    /** What others see of it. */
    Skin skin() {
        return skin;
    }

    void batch(long now, byte[] batch) {
        this.now = now;
        if (phase == Phase.CLOSING) {
            return;
        }
        try {
            batches.read(batch, this::packet);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            kick("Your game sent something that this server can't read: " + e.getMessage());
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
            case HANDSHAKE -> handshake(message);
            case PACKS -> packs(message);
            case RADIUS, LOADING -> loading(message);
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
        close();
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
        try {
            LoginIdentity verified =
                    LoginIdentity.verify(login, endpoint.rootKey(), endpoint.seconds());
            identity = verified;
            if (endpoint.encrypts()) {
                encrypt(verified);
                phase = Phase.HANDSHAKE;
            } else {
                loggedIn();
            }
        } catch (LoginRefused e) {
            endpoint.count("login");
            kick("Login refused: " + e.reason());
        }
    }

    private void encrypt(LoginIdentity verified) throws LoginRefused {
        byte[] salt = endpoint.salt();
        KeyPair keys = endpoint.keys();
        try {
            byte[] key = Encryption.key(keys.getPrivate(), verified.key(), salt);
            String payload =
                    JsonUtil.toJson(Map.of("salt", Base64.getEncoder().encodeToString(salt)));
            send(new LoginMessage.ServerToClientHandshake(LoginKeys.sign(keys, payload)));
            flush();
            batches.encrypt(key);
        } catch (InvalidKeyException e) {
            throw new LoginRefused("the key does not fit");
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
        LoginIdentity who = identity;
        if (who == null || endpoint.isFull()) {
            kick("The server is full");
            return;
        }
        Player joined = endpoint.join(now, BedrockView.plain(who.name()), this);
        skin = Skins.of(who, "wishdir-" + joined.id());
        Movement start = endpoint.start();
        player = new BedrockPlayer(endpoint, codec, joined, view, this::send, start);
        Welcome.messages(
                        codec,
                        joined,
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
                    spawn();
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

    private void spawn() {
        if (player != null && identity != null) {
            phase = Phase.PLAYING;
            player.spawn(now, identity.uuid());
        }
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
        leave();
        phase = Phase.CLOSING;
        transport.close();
    }

    /** Sends the player away with a reason that the game shows. */
    void kick(String reason) {
        if (phase != Phase.CLOSING) {
            send(new Disconnect(KICKED, false, reason, ""));
            close();
        }
    }

    /** Lets what was sent arrive before the connection ends. */
    private void close() {
        flush();
        leave();
        phase = Phase.CLOSING;
        closeAt = now + FAREWELL;
    }

    private void leave() {
        view.close();
        if (player != null) {
            player.leave();
            player = null;
        }
    }

    /** The connection is gone. */
    void ended() {
        leave();
        phase = Phase.CLOSING;
        batches.close();
    }

    private void send(BedrockMessage message) {
        codec.write(batches.packet(), message);
        batches.add();
        if (batches.isFull()) {
            flush();
        }
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
        if (phase == Phase.PLAYING) {
            return Long.MAX_VALUE;
        }
        if (now - begun >= LOGIN_TIME) {
            kick("The login took too long");
            return closeAt;
        }
        return begun + LOGIN_TIME;
    }
}
