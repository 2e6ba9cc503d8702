package dev.wishdir.bedrock;

import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.Disconnect;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.CorrectPlayerMovePrediction;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;
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
 * One client of the server: its login step by step, then what it does. Each step takes only the
 * message that it waits for; anything else out of turn ends the session.
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
    private static final int MOVES_A_SECOND = 20;
    private static final int SPARE_MOVES = 40;
    private static final int TEXTS_A_SECOND = 2;
    private static final int SWINGS_A_SECOND = 20;
    private static final int LONGEST_TEXT = 512;
    private static final int MOST_RADIUS = 8;
    private static final int KICKED = 55;
    private static final int FIRST_BATCH = 64 << 10;
    private static final long ONE_KIND = 1_000_000_000L;

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
    private final Allowance moves = new Allowance(MOVES_A_SECOND + 1, SPARE_MOVES);
    private final Allowance texts = new Allowance(TEXTS_A_SECOND, 5);
    private final Allowance radii = new Allowance(1, 3);
    private final Allowance swings = new Allowance(SWINGS_A_SECOND, SWINGS_A_SECOND);
    private Phase phase = Phase.SETTINGS;
    private BedrockCodec codec = BedrockCodec.V748;
    private @Nullable LoginIdentity identity;
    private @Nullable Player player;
    private Skin skin = Skin.BLANK;
    private long now;
    private long closeAt = Long.MAX_VALUE;
    private Stance stance = Stance.STANDING;
    private Movement start = Movement.ORIGIN;
    private Whereabouts whereabouts;
    private long movedAt;
    private long lastTick;
    private boolean stacked;
    private long askedAt;

    /** So many a second, with a reserve. */
    private static final class Allowance {
        private final double rate;
        private final double most;
        private double left;
        private long last;

        Allowance(double rate, double most) {
            this.rate = rate;
            this.most = most;
            left = most;
        }

        boolean take(long now) {
            left = Math.min(most, left + Math.max(0, now - last) * rate / 1e9);
            last = now;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }

    BedrockSession(BedrockEndpoint endpoint, Transport transport, long now) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.now = now;
        begun = now;
        view = new BedrockView(endpoint, this::send);
        whereabouts = new Whereabouts(endpoint.arena().bounds(), Vec3.ZERO);
    }

    /** What it sees of everybody else. */
    BedrockView view() {
        return view;
    }

    /** What others see of it. */
    Skin skin() {
        return skin;
    }

    /** Whether it has a player in the arena. */
    boolean playing() {
        return player != null;
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
        int newest = BedrockCodec.protocols()[BedrockCodec.protocols().length - 1];
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
        player = joined;
        long id = joined.id();
        skin = Skins.of(who, "wishdir-" + id);
        start = endpoint.start();
        send(
                Welcome.startGame(
                        id,
                        start,
                        codec.game(),
                        endpoint.name(),
                        endpoint.authority(),
                        endpoint.tick(now)));
        send(WorldMessage.ItemComponent.BLANK);
        send(new WorldMessage.BiomeDefinitionList(Welcome.BIOMES));
        send(new WorldMessage.AvailableActorIdentifiers(Welcome.ACTORS));
        send(new WorldMessage.CreativeContent(0, Bytes.EMPTY));
        send(Welcome.attributes(id));
        send(Welcome.abilities(id));
        send(new SetActorData(id, Welcome.looks(joined.name(), stance), Properties.BLANK, 0));
        whereabouts = new Whereabouts(endpoint.arena().bounds(), start.position());
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
        Player self = player;
        LoginIdentity who = identity;
        if (self == null || who == null) {
            return;
        }
        phase = Phase.PLAYING;
        view.open(self, who.uuid());
        movedAt = now;
        askedAt = now - ONE_KIND;
        endpoint.arena().spawn(self, start);
    }

    private void play(BedrockMessage message) {
        switch (message) {
            case PlayerAuthInput input -> input(input);
            case MovePlayer move -> move(move);
            case PlayerAction action -> action(action);
            case Animate animate -> animate(animate);
            case Text text -> say(text);
            case WorldMessage.RequestChunkRadius request -> radius(request);
            case LoginMessage.Disconnect _ -> left();
            case LoginMessage.RequestNetworkSettings _,
                    LoginMessage.Login _,
                    LoginMessage.ClientToServerHandshake _ ->
                    unexpected(message);
            default -> endpoint.count("ignored");
        }
    }

    /**
     * Whether a movement is of the kind that the client does not use here. Some clients know one
     * kind alone, whatever is asked for; one that mixes them has two opinions about where it is.
     */
    private boolean isSecondOpinion(boolean input) {
        if (input == (endpoint.authority() == StartGame.SERVER_AUTHORITY)) {
            askedAt = now;
        } else if (now - askedAt < ONE_KIND) {
            endpoint.count("authority");
            return true;
        }
        return false;
    }

    private void input(PlayerAuthInput input) {
        if (!BedrockMotion.isSane(input)) {
            endpoint.count("insane");
            return;
        }
        if (isSecondOpinion(true)) {
            return;
        }
        if ((input.input() & PlayerAuthInput.Input.IN_VEHICLE) != 0) {
            endpoint.count("vehicle");
        }
        lastTick = input.tick();
        stance = BedrockMotion.stance(stance, input);
        boolean confirmed = (input.input() & PlayerAuthInput.Input.HANDLED_TELEPORT) != 0;
        moved(
                BedrockMotion.toCanonical(input, stance),
                new MovePlayer(
                        id(),
                        input.position(),
                        input.rotation(),
                        input.headYaw(),
                        MovePlayer.NORMAL,
                        stance.onGround(),
                        0,
                        0,
                        0,
                        0),
                confirmed);
    }

    private void move(MovePlayer move) {
        if (move.runtimeId() != id() || !BedrockMotion.isSane(move)) {
            endpoint.count("insane");
            return;
        }
        if (isSecondOpinion(false)) {
            return;
        }
        if (move.ridingId() != 0) {
            endpoint.count("vehicle");
        }
        stance = stance.with(Flag.ON_GROUND, move.onGround());
        double seconds = Math.max((now - movedAt) / 1e9, 1.0 / BedrockMotion.TICKS);
        Vec3 velocity =
                BedrockMotion.feet(move.position())
                        .minus(whereabouts.position())
                        .times(1 / seconds);
        moved(
                BedrockMotion.toCanonical(move, velocity, stance),
                new MovePlayer(
                        id(),
                        move.position(),
                        move.rotation(),
                        move.headYaw(),
                        MovePlayer.NORMAL,
                        move.onGround(),
                        0,
                        0,
                        0,
                        0),
                false);
    }

    private long id() {
        return player == null ? 0 : player.id();
    }

    /** A movement that came in: passed on where it is plausible, otherwise taken back. */
    private void moved(Movement movement, MovePlayer told, boolean confirmed) {
        Player self = player;
        if (self == null || !moves.take(now)) {
            endpoint.count("moves");
            return;
        }
        Whereabouts.Ruling ruling = whereabouts.judge(now, movement.position(), confirmed);
        if (ruling.believed()) {
            movedAt = now;
            endpoint.arena().move(self, movement, told);
        }
        ruling.putBack().ifPresent(to -> correct(to, movement));
    }

    private void correct(Vec3 to, Movement from) {
        endpoint.count("corrected");
        Vec3f eyes = BedrockMotion.eyes(to);
        if (endpoint.authority() == StartGame.SERVER_AUTHORITY) {
            send(
                    new CorrectPlayerMovePrediction(
                            0, eyes, Vec3f.ZERO, Vec2f.ZERO, false, 0, true, lastTick));
        } else {
            float yaw = BedrockMotion.yaw(from.yaw());
            send(
                    new MovePlayer(
                            id(),
                            eyes,
                            new Vec2f((float) -from.pitch(), yaw),
                            yaw,
                            MovePlayer.TELEPORT,
                            true,
                            0,
                            0,
                            0,
                            lastTick));
        }
    }

    private void action(PlayerAction action) {
        if (action.runtimeId() != id()) {
            return;
        }
        stance =
                switch (action.action()) {
                    case 9 -> stance.with(Flag.SPRINTING);
                    case 10 -> stance.with(Flag.SPRINTING, false);
                    case 11 -> stance.with(Flag.CROUCHED);
                    case 12 -> stance.with(Flag.CROUCHED, false);
                    case 21 -> stance.with(Flag.IN_WATER);
                    case 22 -> stance.with(Flag.IN_WATER, false);
                    default -> stance;
                };
    }

    private void animate(Animate animate) {
        Player self = player;
        if (self == null
                || animate.runtimeId() != id()
                || animate.action() != Animate.SWING
                || !swings.take(now)) {
            endpoint.count("animate");
            return;
        }
        endpoint.swing(self);
    }

    private void say(Text text) {
        Player self = player;
        if (self == null
                || text.type() != Text.CHAT
                || text.message().length() > LONGEST_TEXT
                || !texts.take(now)) {
            endpoint.count("text");
            return;
        }
        String said = BedrockView.plain(text.message());
        endpoint.arena().say(self, said);
        view.said(self, said);
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
            endpoint.arena().leave(player);
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
