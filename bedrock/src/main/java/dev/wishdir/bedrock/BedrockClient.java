package dev.wishdir.bedrock;

import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Change;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.ModalForm.ModalFormRequest;
import dev.wishdir.bedrock.message.ModalForm.ModalFormResponse;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.CorrectPlayerMovePrediction;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.message.MovementMessage.SetMovementAuthority;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.ClientListener.Ending;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot.Steering;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A headless client of Bedrock. It signs its own identity, follows the server's choice of
 * compression, encryption and movement authority, and walks by the game's own arithmetic on ground
 * as high as that on which it started.
 */
public final class BedrockClient implements Client {
    private static final long LOGIN_TIME = 30_000_000_000L;
    private static final long QUIET = 1_000_000_000L;
    private static final int LARGEST_BATCH = 32 << 20;
    private static final int MOST_PACKETS = 8192;
    private static final int RADIUS = 4;
    private static final int SPAWN = 3;
    private static final long NANOS = 1_000_000L;

    /**
     * What a headless player acts on. The rest is left unread: it is most of what a server sends,
     * and servers that play well with the game get some of it wrong.
     */
    private static final Set<Class<? extends BedrockMessage>> HEEDED =
            Set.of(
                    LoginMessage.NetworkSettings.class,
                    LoginMessage.ServerToClientHandshake.class,
                    LoginMessage.PlayStatus.class,
                    LoginMessage.Disconnect.class,
                    LoginMessage.NetworkStackLatency.class,
                    PackMessage.ResourcePacksInfo.class,
                    PackMessage.ResourcePackStack.class,
                    StartGame.class,
                    SetMovementAuthority.class,
                    AddPlayer.class,
                    RemoveActor.class,
                    SetActorData.class,
                    MovePlayer.class,
                    MoveActorAbsolute.class,
                    MoveActorDelta.class,
                    CorrectPlayerMovePrediction.class,
                    ModalFormRequest.class,
                    Text.class);

    private final Joining joining;
    private final ClientListener listener;
    private final UdpSocket socket;
    private final RakNetClient raknet;
    private final BedrockCodec codec;
    private final BedrockCodec incoming;
    private final BatchCodec batches = new BatchCodec(LARGEST_BATCH, MOST_PACKETS);
    private final KeyPair keys = LoginKeys.generate();
    private final Map<Long, Seen> others = new LinkedHashMap<>();
    private final Map<Long, Long> runtimeIds = new HashMap<>();
    private final long begun;
    private @Nullable Transport transport;
    private long runtimeId = -1;
    private boolean started;
    private boolean joined;
    private boolean answered;
    private boolean over;
    private String goodbye = "";
    private long now;
    private int authority = StartGame.SERVER_AUTHORITY;
    private long tick;
    private long nextTick;
    private long lastSent;
    private boolean confirm;
    private boolean first = true;
    private boolean crouching;
    private double ground;
    private double rising;
    private Movement self = Movement.ORIGIN;
    private @Nullable Movement told;

    /**
     * Opens a socket and connects, as the reference version of the game.
     *
     * @throws IOException if no socket can be opened
     */
    public BedrockClient(Joining joining) throws IOException {
        this(joining, BedrockCodec.V748);
    }

    /**
     * Opens a socket and connects.
     *
     * @param codec the version to speak
     * @throws IOException if no socket can be opened
     */
    public BedrockClient(Joining joining, BedrockCodec codec) throws IOException {
        this.joining = joining;
        this.codec = codec;
        incoming = codec.reading(HEEDED);
        listener = joining.listener();
        begun = joining.cycle().now();
        now = begun;
        raknet =
                new RakNetClient(
                        joining.server(),
                        RakNetLimits.CLIENT,
                        this::send,
                        new Connection(),
                        joining.random());
        InetAddress any =
                InetAddress.getByAddress(
                        new byte[joining.server().getAddress().getAddress().length]);
        socket = joining.cycle().open(new InetSocketAddress(any, 0), new Handler());
    }

    private void send(InetSocketAddress to, byte[] data, int offset, int length) {
        UdpSocket out = opened();
        if (out != null) {
            out.send(to, data, offset, length);
        }
    }

    /** The socket, which is not there yet while it is being opened. */
    private @Nullable UdpSocket opened() {
        return socket;
    }

    private final class Handler implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            BedrockClient.this.now = now;
            raknet.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return BedrockClient.this.advance(now);
        }
    }

    private final class Connection implements Transport.Listener {
        @Override
        public void connected(long now, Transport connected) {
            transport = connected;
            send(new LoginMessage.RequestNetworkSettings(codec.protocol()));
            flush();
        }

        @Override
        public void received(long now, Transport connected, byte[] batch) {
            try {
                batches.read(batch, reader -> message(incoming.read(reader)));
            } catch (MalformedPacketException e) {
                end(Ending.PROTOCOL_ERROR, "the server sent what is malformed: " + e.getMessage());
            }
        }

        @Override
        public void ended(long now, Transport connected, Transport.Ending ending, String reason) {
            switch (ending) {
                case CLOSED, SENT_AWAY -> end(Ending.LEFT, "left");
                case LEFT ->
                        end(
                                joined ? Ending.KICKED : Ending.REFUSED,
                                goodbye.isEmpty() ? "the server closed the connection" : goodbye);
                case REFUSED -> end(Ending.REFUSED, reason);
                case TIMED_OUT, NOT_ACKNOWLEDGING -> end(Ending.TIMED_OUT, reason);
                case VIOLATION -> end(Ending.PROTOCOL_ERROR, reason);
            }
        }
    }

    private void end(Ending ending, String reason) {
        if (!over) {
            over = true;
            raknet.close(now);
            raknet.advance(now);
            batches.close();
            listener.ended(this, ending, reason);
            socket.close();
        }
    }

    private void send(BedrockMessage message) {
        codec.write(batches.packet(), message);
        batches.add();
    }

    private void flush() {
        if (transport != null && !batches.isEmpty()) {
            byte[] batch = batches.take();
            transport.send(batch, 0, batch.length);
        }
    }

    private long advance(long now) {
        this.now = now;
        if (over) {
            return DatagramHandler.NEVER;
        }
        if (opened() == null) {
            return now + NANOS;
        }
        long next = begun + LOGIN_TIME;
        if (joined) {
            if (now >= nextTick) {
                nextTick = Duty.nextBeat(nextTick, BedrockMotion.TICK, now);
                step();
            }
            next = nextTick;
        } else if (now >= next) {
            end(Ending.TIMED_OUT, "the server did not let us in within 30 s");
            return DatagramHandler.NEVER;
        }
        flush();
        return Math.min(next, raknet.advance(now));
    }

    private void message(BedrockMessage message) {
        if (over) {
            return;
        }
        switch (message) {
            case LoginMessage.NetworkSettings settings -> settings(settings);
            case LoginMessage.ServerToClientHandshake handshake -> handshake(handshake.token());
            case LoginMessage.PlayStatus status -> status(status.status());
            case PackMessage.ResourcePacksInfo _ -> {
                send(new PackMessage.ClientCacheStatus(false));
                send(new PackMessage.ResourcePackClientResponse(3, List.of()));
            }
            case PackMessage.ResourcePackStack _ ->
                    send(new PackMessage.ResourcePackClientResponse(4, List.of()));
            case StartGame start -> start(start);
            case LoginMessage.Disconnect disconnect -> disconnected(disconnect);
            case LoginMessage.NetworkStackLatency latency -> {
                if (latency.needsResponse()) {
                    send(new LoginMessage.NetworkStackLatency(latency.timestamp() * NANOS, false));
                }
            }
            case SetMovementAuthority set -> authority = set.mode();
            case AddPlayer added -> added(added);
            case RemoveActor removed -> removed(removed.uniqueId());
            case SetActorData data -> looks(data);
            case MovePlayer move -> moved(move);
            case MoveActorAbsolute move -> moved(move);
            case MoveActorDelta move -> moved(move);
            case CorrectPlayerMovePrediction correction -> placed(correction.position());
            case ModalFormRequest form -> asked(form);
            case Text text -> listener.said(this, text.source(), text.message());
            default -> {}
        }
    }

    private void settings(LoginMessage.NetworkSettings settings) {
        if (started) {
            return;
        }
        started = true;
        flush();
        // A threshold of 0 means never to one kind of server and always to another.
        batches.compress(
                Compression.Algorithm.ofSetting(settings.algorithm()),
                Math.max(1, settings.threshold()));
        String server = joining.server().getHostString() + ":" + joining.server().getPort();
        send(
                LoginIdentity.selfSigned(
                        codec.protocol(),
                        keys,
                        joining.name(),
                        new UUID(joining.random().nextLong(), joining.random().nextLong()),
                        Skins.clientData(codec.game(), joining.name(), server),
                        System.currentTimeMillis() / 1000));
        flush();
    }

    private void handshake(String token) {
        if (batches.encrypted()) {
            end(Ending.PROTOCOL_ERROR, "the server asked for encryption twice");
            return;
        }
        try {
            ECPublicKey key = LoginKeys.headerKey(token);
            Map<String, Object> payload = JsonUtil.parseJson(LoginKeys.verified(token, key));
            if (!(payload.get("salt") instanceof String text)) {
                end(Ending.PROTOCOL_ERROR, "the server's handshake has no salt");
                return;
            }
            byte[] salt = Base64.getDecoder().decode(text);
            flush();
            batches.encrypt(Encryption.key(keys.getPrivate(), key, salt));
            send(LoginMessage.ClientToServerHandshake.BLANK);
            flush();
        } catch (LoginRefused | JoseException | InvalidKeyException | IllegalArgumentException e) {
            end(Ending.PROTOCOL_ERROR, "the server's handshake is wrong: " + e.getMessage());
        }
    }

    private void status(int status) {
        switch (status) {
            case 0 -> {}
            case 1 -> end(Ending.REFUSED, "the server wants a newer version of the game");
            case 2 -> end(Ending.REFUSED, "the server wants an older version of the game");
            case SPAWN -> {
                if (runtimeId >= 0 && !joined) {
                    send(new WorldMessage.SetLocalPlayerAsInitialized(runtimeId));
                    joined = true;
                    nextTick = now;
                    listener.joined(this);
                }
            }
            default -> end(Ending.REFUSED, "the server refused the login, status " + status);
        }
    }

    /** A form with a field for a password is this server's; what else servers show is theirs. */
    private void asked(ModalFormRequest form) {
        if (!form.form().contains("\"password\"")) {
            return;
        }
        if (answered || joining.password().isEmpty()) {
            end(
                    Ending.REFUSED,
                    answered ? "the password is wrong" : "the server asks for a password");
            return;
        }
        answered = true;
        String json = JsonUtil.toJson(Map.of("answer", List.of(joining.password())));
        // The answer is the list alone, which the library writes as an object's only.
        String list = json.substring(json.indexOf('['), json.length() - 1);
        send(new ModalFormResponse(form.id(), Optional.of(list), Optional.empty()));
    }

    private void start(StartGame start) {
        runtimeId = start.runtimeId();
        authority = start.authority();
        tick = start.tick();
        self =
                new Movement(
                        BedrockMotion.feet(start.position()),
                        BedrockMotion.canonicalYaw(start.rotation().y()),
                        BedrockMotion.canonicalPitch(start.rotation().x()),
                        Vec3.ZERO,
                        Stance.STANDING);
        ground = self.position().z();
        send(new WorldMessage.RequestChunkRadius(RADIUS, RADIUS));
    }

    private void disconnected(LoginMessage.Disconnect disconnect) {
        goodbye =
                disconnect.message().isEmpty()
                        ? "the server disconnected, reason " + disconnect.reason()
                        : disconnect.message();
        end(joined ? Ending.KICKED : Ending.REFUSED, goodbye);
    }

    private void added(AddPlayer added) {
        runtimeIds.put(added.abilities().uniqueId(), added.runtimeId());
        Seen seen =
                new Seen(
                        (int) added.runtimeId(),
                        added.name(),
                        new Movement(
                                BedrockMotion.point(added.position()),
                                BedrockMotion.canonicalYaw(added.yaw()),
                                BedrockMotion.canonicalPitch(added.pitch()),
                                BedrockMotion.point(added.velocity()).times(BedrockMotion.TICKS),
                                stance(Stance.STANDING, added.metadata())));
        others.put(added.runtimeId(), seen);
        listener.appeared(this, seen);
    }

    private void removed(long uniqueId) {
        Long id = runtimeIds.remove(uniqueId);
        Seen seen = others.remove(id == null ? uniqueId : id);
        if (seen != null) {
            listener.vanished(this, seen);
        }
    }

    private void looks(SetActorData data) {
        Seen before = others.get(data.runtimeId());
        if (before == null) {
            return;
        }
        Movement was = before.movement();
        see(
                data.runtimeId(),
                before,
                new Movement(
                        was.position(),
                        was.yaw(),
                        was.pitch(),
                        was.velocity(),
                        stance(was.stance(), data.metadata())));
    }

    private static Stance stance(Stance before, List<Metadata> looks) {
        Stance stance = before;
        for (Metadata look : looks) {
            if (look.key() == Metadata.FLAGS && look.value() instanceof Metadata.OfLong flags) {
                stance =
                        stance.with(Flag.CROUCHED, (flags.value() & Metadata.SNEAKING) != 0)
                                .with(Flag.SPRINTING, (flags.value() & Metadata.SPRINTING) != 0);
            }
        }
        return stance;
    }

    private void moved(MovePlayer move) {
        if (move.runtimeId() == runtimeId) {
            placed(move.position());
            confirm = move.mode() == MovePlayer.TELEPORT;
            return;
        }
        Seen before = others.get(move.runtimeId());
        if (before != null && BedrockMotion.isSane(move)) {
            Movement was = before.movement();
            see(
                    move.runtimeId(),
                    before,
                    BedrockMotion.toCanonical(move, was.velocity(), was.stance()));
        }
    }

    private void moved(MoveActorAbsolute move) {
        Seen before = others.get(move.runtimeId());
        if (before != null && move.position().isFinite()) {
            Movement was = before.movement();
            see(
                    move.runtimeId(),
                    before,
                    new Movement(
                            BedrockMotion.feet(move.position()),
                            BedrockMotion.canonicalYaw(degrees(move.yaw())),
                            BedrockMotion.canonicalPitch(signed(move.pitch())),
                            was.velocity(),
                            was.stance().with(Flag.ON_GROUND, (move.flags() & 1) != 0)));
        }
    }

    private void moved(MoveActorDelta move) {
        Seen before = others.get(move.runtimeId());
        if (before == null) {
            return;
        }
        Movement was = before.movement();
        Vec3f eyes = BedrockMotion.eyes(was.position());
        int flags = move.flags();
        Vec3f now =
                new Vec3f(
                        (flags & 1) != 0 ? move.x() : eyes.x(),
                        (flags & 2) != 0 ? move.y() : eyes.y(),
                        (flags & 4) != 0 ? move.z() : eyes.z());
        if (now.isFinite()) {
            see(
                    move.runtimeId(),
                    before,
                    new Movement(
                            BedrockMotion.feet(now),
                            (flags & 16) != 0
                                    ? BedrockMotion.canonicalYaw(degrees(move.yaw()))
                                    : was.yaw(),
                            (flags & 8) != 0
                                    ? BedrockMotion.canonicalPitch(signed(move.pitch()))
                                    : was.pitch(),
                            was.velocity(),
                            was.stance().with(Flag.ON_GROUND, (flags & 64) != 0)));
        }
    }

    private static float degrees(int angle) {
        return angle * 360 / 256f;
    }

    private static float signed(int angle) {
        return (float) Angles.signed(degrees(angle));
    }

    private void see(long id, Seen before, Movement movement) {
        Seen seen = new Seen(before.id(), before.name(), movement);
        others.put(id, seen);
        listener.moved(this, now, seen);
    }

    /** The server says where this player is. */
    private void placed(Vec3f eyes) {
        if (eyes.isFinite()) {
            Vec3 feet = BedrockMotion.feet(eyes);
            ground = feet.z();
            rising = 0;
            self = new Movement(feet, self.yaw(), self.pitch(), Vec3.ZERO, Stance.STANDING);
        }
    }

    /** One tick of the player's own movement, and what the server is told of it. */
    private void step() {
        Steering steering = joining.pilot().steer(now, self);
        double length = Math.hypot(steering.forward(), steering.left());
        double scale = length > 1 ? 1 / length : 1;
        double forward = steering.forward() * scale;
        double left = steering.left() * scale;
        double speed =
                (steering.crouch() ? BedrockMotion.SNEAK : BedrockMotion.WALK)
                        / BedrockMotion.TICKS;
        double yaw = Math.toRadians(steering.yaw());
        double dx = (Math.cos(yaw) * forward - Math.sin(yaw) * left) * speed;
        double dy = (Math.sin(yaw) * forward + Math.cos(yaw) * left) * speed;
        boolean wasOnGround = self.stance().onGround();
        boolean jumping = steering.jump() && wasOnGround;
        if (jumping) {
            rising = BedrockMotion.JUMP;
        }
        double height = self.position().z() + rising;
        boolean onGround = !jumping && height <= ground;
        if (onGround) {
            height = ground;
            rising = 0;
        }
        Vec3 delta = new Vec3(dx, dy, height - self.position().z());
        rising = onGround ? 0 : (rising - BedrockMotion.GRAVITY) * BedrockMotion.DRAG;
        self =
                new Movement(
                        self.position().plus(delta),
                        Angles.turn(steering.yaw()),
                        Math.clamp(steering.pitch(), -90, 90),
                        delta.times(BedrockMotion.TICKS),
                        Stance.NONE
                                .with(Flag.ON_GROUND, onGround)
                                .with(Flag.CROUCHED, steering.crouch())
                                .with(Flag.JUMPING, steering.jump()));
        tick++;
        if (authority == StartGame.CLIENT_AUTHORITY) {
            if (!self.equals(told) || now - lastSent >= QUIET) {
                told = self;
                lastSent = now;
                send(BedrockMotion.toNative(runtimeId, self));
            }
        } else {
            send(input(steering, forward, left, delta, jumping));
        }
        crouching = steering.crouch();
    }

    private PlayerAuthInput input(
            Steering steering, double forward, double left, Vec3 delta, boolean jumping) {
        long input = Input.BLOCK_BREAKING_DELAY;
        input |= forward > 0 ? Input.UP : forward < 0 ? Input.DOWN : 0;
        input |= left > 0 ? Input.LEFT : left < 0 ? Input.RIGHT : 0;
        input |= jumping ? Input.START_JUMPING : 0;
        input |= steering.jump() ? Input.JUMPING : 0;
        input |= steering.crouch() ? Input.SNEAKING : 0;
        input |= steering.crouch() && !crouching ? Input.START_SNEAKING : 0;
        input |= !steering.crouch() && crouching ? Input.STOP_SNEAKING : 0;
        input |= self.stance().onGround() ? Input.VERTICAL_COLLISION : 0;
        input |= confirm ? Input.HANDLED_TELEPORT : 0;
        input |= first ? Input.RECEIVED_SERVER_DATA : 0;
        confirm = false;
        first = false;
        float yaw = BedrockMotion.yaw(self.yaw());
        Vec2f rotation = new Vec2f((float) -self.pitch(), yaw);
        Vec2f move = new Vec2f((float) left, (float) forward);
        double flat = Math.cos(Math.toRadians(self.pitch()));
        double turn = Math.toRadians(self.yaw());
        return new PlayerAuthInput(
                rotation,
                BedrockMotion.eyes(self.position()),
                move,
                yaw,
                codec.has(Change.COLLISION_INPUTS) ? input : input & ~Input.COLLISIONS,
                0,
                Bytes.EMPTY,
                1,
                0,
                1,
                rotation,
                Vec3f.ZERO,
                tick,
                BedrockMotion.point(delta),
                false,
                false,
                Bytes.EMPTY,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                move,
                BedrockMotion.point(
                        new Vec3(
                                Math.cos(turn) * flat,
                                Math.sin(turn) * flat,
                                Math.sin(Math.toRadians(self.pitch())))),
                move);
    }

    @Override
    public boolean joined() {
        return joined && !over;
    }

    @Override
    public int id() {
        return joined ? (int) runtimeId : -1;
    }

    @Override
    public Movement movement() {
        return self;
    }

    @Override
    public Collection<Seen> others() {
        return List.copyOf(others.values());
    }

    @Override
    public void say(String text) {
        if (joined() && !text.isEmpty()) {
            send(Text.chat(joining.name(), text));
        }
    }

    @Override
    public void close() {
        now = joining.cycle().now();
        if (over) {
            return;
        }
        if (joined) {
            send(new LoginMessage.Disconnect(0, false, "", ""));
        }
        flush();
        raknet.close(now);
    }
}
