package dev.wishdir.bedrock.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.MessageChannel;
import dev.wishdir.bedrock.protocol.Skins;
import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.bedrock.server.LoginVerifier.Checked;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One client's way in, step by step, until its player may enter. Each step takes only the message
 * that it waits for; anything else out of turn ends the session.
 */
final class LoginSequence {
    /** What comes of it. */
    interface Outcome {
        /** It goes on after the login was checked. */
        void resumed(long now);

        /**
         * The player may enter.
         *
         * @param start the player's start, as it was sent to the client
         * @param kept whether it waited there for the password, and may have moved meanwhile
         * @param world that it was shown
         */
        void enter(Checked who, Movement start, boolean kept, BedrockEndpoint.World world);

        /** Sends the client away with a reason that the game shows. */
        void kick(LeaveReason why);

        /** The client was sent a status by which its own game shows why it can't join. */
        void turnedAway(LeaveReason why);

        /** The client goes by itself. */
        void left();

        /** Takes a batch in that waited for the login to be checked. */
        void batch(long now, byte[] batch);
    }

    private enum Step {
        SETTINGS,
        LOGIN,
        CHECKING,
        HANDSHAKE,
        PACKS,
        RADIUS,
        LOADING,
        PASSWORD,
        OVER
    }

    private static final long LOGIN_TIMEOUT_NANOS = 30_000_000_000L;
    private static final int MAX_EARLY_BATCHES = 8;
    private static final int SUCCESS = 0;
    private static final int CLIENT_OLD = 1;
    private static final int SERVER_OLD = 2;
    private static final int SPAWN = 3;

    private final BedrockEndpoint endpoint;
    private final Transport transport;
    private final MessageChannel channel;
    private final ChunkRadius radius;
    private final ChunkSender chunks;
    private final Outcome outcome;
    private final boolean encrypts;
    private final long runtimeId;
    private final long begun;
    private final List<byte[]> early = new ArrayList<>();
    private Step step = Step.SETTINGS;
    private @Nullable Checked who;
    private @Nullable PasswordPrompt prompt;
    private Movement start = Movement.ORIGIN;
    private BedrockEndpoint.World world;
    private long checking;
    private long skinHeap;
    private boolean stacked;

    LoginSequence(
            BedrockEndpoint endpoint,
            Transport transport,
            MessageChannel channel,
            ChunkRadius radius,
            ChunkSender chunks,
            Outcome outcome,
            long runtimeId,
            long now) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.channel = channel;
        this.radius = radius;
        this.chunks = chunks;
        world = endpoint.world();
        this.outcome = outcome;
        this.runtimeId = runtimeId;
        encrypts = endpoint.options().encrypts() && !transport.encrypts();
        begun = now;
    }

    /** What others see of the player. */
    Skin skin() {
        return who == null ? Skin.BLANK : who.skin();
    }

    /** The account of the player that Xbox vouches for; empty for none. */
    String account() {
        return who == null ? "" : who.account();
    }

    /** The heap of a login that is being checked, and of what came of it. */
    long retainedBytes() {
        return checking + skinHeap;
    }

    /** It leads nowhere any more. */
    void abandon() {
        step = Step.OVER;
        early.clear();
        checking = 0;
    }

    /**
     * Keeps a batch that comes while the login is checked: how to read it shows only then.
     *
     * @return whether it was kept
     */
    boolean keeps(byte[] batch) {
        if (step != Step.CHECKING) {
            return false;
        }
        early.add(batch);
        checking += batch.length;
        if (early.size() > MAX_EARLY_BATCHES || batch.length > MessageChannel.FIRST_BATCH) {
            endpoint.count("early");
            kick(
                    LeaveReason.Code.RATE_LIMIT,
                    "Your game sent too much while its login was checked");
        }
        return true;
    }

    void take(long now, BedrockMessage message) {
        switch (step) {
            case SETTINGS -> settings(message);
            case LOGIN -> login(message);
            case CHECKING -> unexpected(message);
            case HANDSHAKE -> handshake(message);
            case PACKS -> packs(now, message);
            case RADIUS, LOADING -> loading(now, message);
            case PASSWORD -> password(now, message);
            case OVER -> {}
        }
    }

    private void settings(BedrockMessage message) {
        if (!(message instanceof LoginMessage.RequestNetworkSettings request)) {
            unexpected(message);
            return;
        }
        if (isSpoken(request.protocol())) {
            BedrockOptions options = endpoint.options();
            channel.send(
                    new LoginMessage.NetworkSettings(
                            BedrockEndpoint.THRESHOLD, options.algorithm().setting, false, 0, 0));
            channel.compress(options.algorithm(), BedrockEndpoint.THRESHOLD);
            channel.bound(BatchCodec.MAX_LOGIN_BATCH_BYTES);
            step = Step.LOGIN;
        }
    }

    /** Chooses the version; a client of another is sent a status with the outdated side. */
    private boolean isSpoken(int protocol) {
        var spoken = BedrockCodec.of(protocol);
        if (spoken.isPresent()) {
            channel.speak(spoken.get());
            return true;
        }
        int newest = BedrockCodec.NEWEST.protocol();
        channel.send(new PlayStatus(protocol > newest ? SERVER_OLD : CLIENT_OLD));
        outcome.turnedAway(
                new LeaveReason(LeaveReason.Code.VERSION, "speaks protocol " + protocol));
        return false;
    }

    private void login(BedrockMessage message) {
        if (!(message instanceof LoginMessage.Login login)) {
            unexpected(message);
            return;
        }
        if (login.protocol() != channel.codec().protocol() && !isSpoken(login.protocol())) {
            return;
        }
        step = Step.CHECKING;
        checking = login.tokens().length();
        endpoint.checks()
                .add(
                        LoginVerifier.of(
                                login,
                                endpoint.options().trust(),
                                endpoint.seconds(),
                                endpoint.keys(),
                                transport.key(),
                                encrypts ? endpoint.salt() : Bytes.EMPTY,
                                "wishdir-" + runtimeId),
                        () -> step == Step.CHECKING,
                        this::checked,
                        this::refused);
    }

    private void checked(Checked checked) {
        if (step != Step.CHECKING) {
            return;
        }
        long now = endpoint.now();
        outcome.resumed(now);
        who = checked;
        skinHeap = Skins.heap(checked.skin());
        checking = 0;
        if (checked.handshake().key().length() > 0) {
            channel.send(new LoginMessage.ServerToClientHandshake(checked.handshake().token()));
            channel.encrypt(checked.handshake().key());
            endpoint.agreed(checked.handshake().session());
            step = Step.HANDSHAKE;
        } else {
            loggedIn();
        }
        List<byte[]> kept = List.copyOf(early);
        early.clear();
        kept.forEach(batch -> outcome.batch(now, batch));
    }

    private void refused(String reason) {
        if (step == Step.CHECKING) {
            outcome.resumed(endpoint.now());
            endpoint.count("login");
            kick(LeaveReason.Code.ACCOUNT, "Login refused: " + reason);
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
        Optional<LeaveReason> banned = endpoint.banned(transport.remote().getAddress(), account());
        if (banned.isPresent()) {
            outcome.kick(banned.get());
            return;
        }
        if (endpoint.isFull()) {
            outcome.kick(LeaveReason.of(LeaveReason.Code.SERVER_FULL));
            return;
        }
        channel.send(new PlayStatus(SUCCESS));
        channel.send(PackMessage.ResourcePacksInfo.BLANK);
        channel.bound(BatchCodec.MAX_PLAY_BATCH_BYTES);
        transport.admit();
        step = Step.PACKS;
    }

    /** The library that many bots use says that it has applied all packs without being asked. */
    private void packs(long now, BedrockMessage message) {
        switch (message) {
            case PackMessage.ClientCacheStatus _ -> {}
            case PackMessage.ResourcePackClientResponse response -> {
                switch (response.status()) {
                    case 3 -> stack();
                    case 4 -> start(now);
                    default ->
                            kick(
                                    LeaveReason.Code.PROTOCOL_ERROR,
                                    "This server has no resource packs to download");
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
        channel.send(
                new PackMessage.ResourcePackStack(
                        false, List.of(), List.of(), "*", List.of(), false, false));
    }

    private void start(long now) {
        Checked known = who;
        if (known == null || endpoint.isFull()) {
            outcome.kick(LeaveReason.of(LeaveReason.Code.SERVER_FULL));
            return;
        }
        start = endpoint.start(now, Optional.empty());
        world = endpoint.world();
        SpawnSequence.messages(
                        channel.codec(),
                        runtimeId,
                        BedrockText.removed(known.name()),
                        start,
                        endpoint.name(),
                        endpoint.options().authority(),
                        endpoint.tick(now))
                .forEach(channel::send);
        step = Step.RADIUS;
    }

    private void loading(long now, BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> {
                radius.asked(now, request);
                if (step == Step.RADIUS) {
                    chunks.show(world.chunks());
                    chunks.sendAll();
                    channel.send(new PlayStatus(SPAWN));
                    step = Step.LOADING;
                }
            }
            case WorldMessage.SetLocalPlayerAsInitialized _ -> {
                if (step == Step.LOADING) {
                    loaded(now);
                }
            }
            case LoginMessage.Disconnect _ -> outcome.left();
            default -> endpoint.count("early");
        }
    }

    private void loaded(long now) {
        if (endpoint.password().isEmpty()) {
            enter(false);
            return;
        }
        step = Step.PASSWORD;
        prompt =
                new PasswordPrompt(
                        now,
                        endpoint.password(),
                        endpoint.addresses(),
                        transport.remote().getAddress(),
                        channel::send);
    }

    /** Until the password is right, the client sees no players, and its own player is nowhere. */
    private void password(long now, BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> radius.asked(now, request);
            case LoginMessage.Disconnect _ -> outcome.left();
            default -> {
                if (prompt != null) {
                    answered(prompt.take(now, message));
                }
            }
        }
    }

    private void answered(PasswordPrompt.Outcome answer) {
        switch (answer) {
            case PasswordPrompt.NotAnswered _ -> {}
            case PasswordPrompt.Failed failed -> {
                endpoint.count("password");
                outcome.kick(failed.why());
            }
            case PasswordPrompt.Right _ -> enter(true);
        }
    }

    private void enter(boolean kept) {
        Checked known = who;
        if (known == null || endpoint.isFull()) {
            outcome.kick(LeaveReason.of(LeaveReason.Code.SERVER_FULL));
            return;
        }
        step = Step.OVER;
        prompt = null;
        outcome.enter(known, start, kept, world);
    }

    private void kick(LeaveReason.Code code, String text) {
        outcome.kick(new LeaveReason(code, text));
    }

    private void unexpected(BedrockMessage message) {
        endpoint.count("unexpected");
        outcome.kick(outOfTurn(channel.codec(), message));
    }

    /** The reason that is sent to a client whose message is out of turn. */
    static LeaveReason outOfTurn(BedrockCodec codec, BedrockMessage message) {
        return new LeaveReason(
                LeaveReason.Code.PROTOCOL_ERROR,
                "Your game sent " + codec.name(message) + " out of turn");
    }

    /**
     * Does what time brings about; nothing of it once it has led in or nowhere.
     *
     * @return when to call again, nanoseconds
     */
    long advance(long now) {
        PasswordPrompt asking = prompt;
        if (asking != null) {
            answered(asking.advance(now));
            return asking.deadline();
        }
        if (now - begun >= LOGIN_TIMEOUT_NANOS) {
            kick(LeaveReason.Code.TIMED_OUT, "The login took too long");
        }
        return begun + LOGIN_TIMEOUT_NANOS;
    }
}
