package dev.wishdir.bedrock.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.bedrock.protocol.transport.Transport;
import dev.wishdir.bedrock.server.join.LoginVerifier.VerifiedLogin;
import dev.wishdir.bedrock.server.view.ClientWorld;
import dev.wishdir.bedrock.server.view.RunningLevel;
import dev.wishdir.bedrock.server.view.RunningLevel.World;
import dev.wishdir.bedrock.server.view.SpawnMessages;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.limit.AddressLimits;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Way of a client that has logged in to its spawn: resource packs, the world, the password.
 *
 * <p>Until the password is right, the client sees no players, and its own player is nowhere.
 */
public final class SpawnSequence {
    /** The session that spawns. */
    public interface Listener {
        /** The player may join the arena. */
        void onReady(long now, VerifiedLogin login, Arrival arrival);

        /** Disconnects the client with a reason that its game shows. */
        void kick(long now, LeaveReason why);

        /** The client leaves by itself. */
        void onLeft(long now);

        /** A message came out of turn. */
        void onUnexpected(long now, BedrockMessage message);

        void count(String drop);
    }

    /**
     * The player's start, as its client has it.
     *
     * @param world that was sent to the client
     * @param start in that world
     * @param wasDelayed whether the client was there during the password prompt, and may have moved
     */
    public record Arrival(World world, Movement start, boolean wasDelayed) {}

    /**
     * Parts of the endpoint that all spawns use.
     *
     * @param begun when the server started, nanoseconds
     * @param serverName as the client shows it
     * @param authority of movement, as {@link SpawnMessages#authority} takes it
     * @param isMatch whether players fight
     * @param hasPassword whether clients need a password now
     * @param isPassword whether an answer is the password
     */
    public record Services(
            AdmissionControl admission,
            RunningLevel world,
            long begun,
            String serverName,
            int authority,
            BooleanSupplier isMatch,
            BooleanSupplier hasPassword,
            Predicate<String> isPassword,
            AddressLimits addressLimits) {}

    private sealed interface Step {
        /**
         * @param isStackSent whether the client has asked for the list of packs
         */
        record Packs(boolean isStackSent) implements Step {}

        record AwaitingRadius(Arrival arrival) implements Step {}

        record LevelLoad(Arrival arrival) implements Step {}

        record Password(Arrival arrival, PasswordPrompt prompt) implements Step {}

        record Over() implements Step {}
    }

    /** Time for the login and the way to the spawn together, without the password prompt. */
    public static final long TIMEOUT_NANOS = 30_000_000_000L;

    /** The reason for a client that takes longer than {@link #TIMEOUT_NANOS}. */
    public static final LeaveReason LOGIN_TIMED_OUT =
            new LeaveReason(LeaveReason.Code.TIMED_OUT, "The login took too long");

    private static final int LOGIN_SUCCESS = 0;
    private static final int PLAYER_SPAWN = 3;

    private final Services services;
    private final Transport transport;
    private final MessageChannel channel;
    private final ClientWorld clientWorld;
    private final VerifiedLogin login;
    private final long runtimeId;
    private final Listener listener;
    private Step step = new Step.Packs(false);

    /**
     * @param runtimeId by which the client knows its own player
     */
    public SpawnSequence(
            Services services,
            Transport transport,
            MessageChannel channel,
            ClientWorld clientWorld,
            VerifiedLogin login,
            long runtimeId,
            Listener listener) {
        this.services = services;
        this.transport = transport;
        this.channel = channel;
        this.clientWorld = clientWorld;
        this.login = login;
        this.runtimeId = runtimeId;
        this.listener = listener;
    }

    /** Answers the login: with success, or with the reason to refuse it. */
    public void start(long now) {
        Optional<LeaveReason> refusal =
                services.admission()
                        .refusal(transport.remote().getAddress(), login.proof().account());
        if (refusal.isPresent()) {
            kick(now, refusal.get());
            return;
        }
        channel.send(new PlayStatus(LOGIN_SUCCESS));
        channel.send(PackMessage.ResourcePacksInfo.BLANK);
        channel.setMaxBatchBytes(BatchCodec.MAX_PLAY_BATCH_BYTES);
        transport.admit();
    }

    public void handle(long now, BedrockMessage message) {
        switch (step) {
            case Step.Packs packs -> handlePacks(now, packs, message);
            case Step.AwaitingRadius(Arrival arrival) -> handleLoading(now, arrival, message);
            case Step.LevelLoad(Arrival arrival) -> handleLoading(now, arrival, message);
            case Step.Password(Arrival arrival, PasswordPrompt prompt) ->
                    handlePassword(now, arrival, prompt, message);
            case Step.Over _ -> {}
        }
    }

    /** A library that many bots use reports all packs as applied without a list of them. */
    private void handlePacks(long now, Step.Packs packs, BedrockMessage message) {
        switch (message) {
            case PackMessage.ClientCacheStatus _ -> {}
            case PackMessage.ResourcePackClientResponse response -> {
                switch (response.status()) {
                    case 3 -> sendStack(packs);
                    case 4 -> sendStart(now);
                    default ->
                            kick(
                                    now,
                                    new LeaveReason(
                                            LeaveReason.Code.PROTOCOL_ERROR,
                                            "This server has no resource packs to download"));
                }
            }
            default -> listener.onUnexpected(now, message);
        }
    }

    private void sendStack(Step.Packs packs) {
        if (packs.isStackSent) {
            listener.count("repeated");
            return;
        }
        step = new Step.Packs(true);
        channel.send(
                new PackMessage.ResourcePackStack(
                        false, List.of(), List.of(), "*", List.of(), false, false));
    }

    private void sendStart(long now) {
        Optional<LeaveReason> full = services.admission().refusalIfFull();
        if (full.isPresent()) {
            kick(now, full.get());
            return;
        }
        Movement start = services.world().spawnPoint(now);
        SpawnMessages.messages(
                        channel.codec(),
                        runtimeId,
                        BedrockText.withoutCodes(login.name()),
                        start,
                        services.world().get().level().name(),
                        services.serverName(),
                        services.authority(),
                        services.isMatch().getAsBoolean(),
                        (now - services.begun()) / BedrockMotion.TICK_NANOS)
                .forEach(channel::send);
        step = new Step.AwaitingRadius(new Arrival(services.world().get(), start, false));
    }

    private void handleLoading(long now, Arrival arrival, BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request -> {
                clientWorld.radius().handle(now, request);
                if (step instanceof Step.AwaitingRadius) {
                    clientWorld.chunks().show(arrival.world().chunks());
                    clientWorld.chunks().sendAll();
                    channel.send(new PlayStatus(PLAYER_SPAWN));
                    step = new Step.LevelLoad(arrival);
                }
            }
            case WorldMessage.SetLocalPlayerAsInitialized _ -> {
                if (step instanceof Step.LevelLoad) {
                    onLoaded(now, arrival);
                }
            }
            case LoginMessage.Disconnect _ -> listener.onLeft(now);
            default -> listener.count("early");
        }
    }

    private void onLoaded(long now, Arrival arrival) {
        if (!services.hasPassword().getAsBoolean()) {
            finish(now, login, arrival);
            return;
        }
        step =
                new Step.Password(
                        new Arrival(arrival.world(), arrival.start(), true),
                        new PasswordPrompt(
                                now,
                                services.isPassword(),
                                services.addressLimits(),
                                transport.remote().getAddress(),
                                channel::send));
    }

    private void handlePassword(
            long now, Arrival arrival, PasswordPrompt prompt, BedrockMessage message) {
        switch (message) {
            case WorldMessage.RequestChunkRadius request ->
                    clientWorld.radius().handle(now, request);
            case LoginMessage.Disconnect _ -> listener.onLeft(now);
            default -> onAnswer(now, arrival, prompt.handle(now, message));
        }
    }

    private void onAnswer(long now, Arrival arrival, PasswordPrompt.Outcome answer) {
        switch (answer) {
            case PasswordPrompt.NotAnswered _ -> {}
            case PasswordPrompt.Failed failed -> {
                listener.count("password");
                kick(now, failed.why());
            }
            case PasswordPrompt.Right _ -> finish(now, login.with(Proof.PASSWORD), arrival);
        }
    }

    private void finish(long now, VerifiedLogin proved, Arrival arrival) {
        Optional<LeaveReason> full = services.admission().refusalIfFull();
        if (full.isPresent()) {
            kick(now, full.get());
            return;
        }
        step = new Step.Over();
        listener.onReady(now, proved, arrival);
    }

    private void kick(long now, LeaveReason why) {
        step = new Step.Over();
        listener.kick(now, why);
    }

    /**
     * Does what the time demands of the password prompt.
     *
     * @param deadline of the other steps, nanoseconds
     * @return when to call again, nanoseconds
     */
    public long advance(long now, long deadline) {
        if (step instanceof Step.Password(Arrival arrival, PasswordPrompt prompt)) {
            onAnswer(now, arrival, prompt.advance(now));
            return prompt.deadline();
        }
        if (now >= deadline) {
            kick(now, LOGIN_TIMED_OUT);
        }
        return deadline;
    }
}
