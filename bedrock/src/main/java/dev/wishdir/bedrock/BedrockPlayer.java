package dev.wishdir.bedrock;

import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.CorrectPlayerMovePrediction;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Allowance;

import java.util.UUID;
import java.util.function.Consumer;

/** What a client's player does in the arena once the login is over: it moves, swings and speaks. */
final class BedrockPlayer {
    private static final int MOVES_A_SECOND = 20;
    private static final int SPARE_MOVES = 40;
    private static final int TEXTS_A_SECOND = 2;
    private static final int SPARE_TEXTS = 5;
    private static final int SWINGS_A_SECOND = 20;
    private static final int LONGEST_TEXT = 512;
    private static final long ONE_KIND = 1_000_000_000L;

    private final BedrockEndpoint endpoint;
    private final BedrockCodec codec;
    private final int authority;
    private final Player player;
    private final BedrockView view;
    private final Consumer<BedrockMessage> output;
    private final Movement start;
    private final Whereabouts whereabouts;
    private final Allowance moves = new Allowance(SPARE_MOVES, MOVES_A_SECOND + 1);
    private final Allowance texts = new Allowance(SPARE_TEXTS, TEXTS_A_SECOND);
    private final Allowance swings = new Allowance(SWINGS_A_SECOND, SWINGS_A_SECOND);
    private Stance stance = Stance.STANDING;
    private long now;
    private long movedAt;
    private long lastTick;
    private long askedAt;

    /**
     * @param codec the version that the client speaks
     * @param player who has joined the arena
     * @param output takes the messages to the client
     * @param start where the client was told that it begins
     */
    BedrockPlayer(
            BedrockEndpoint endpoint,
            BedrockCodec codec,
            Player player,
            BedrockView view,
            Consumer<BedrockMessage> output,
            Movement start) {
        this.endpoint = endpoint;
        this.codec = codec;
        authority = Welcome.authority(codec, endpoint.authority());
        this.player = player;
        this.view = view;
        this.output = output;
        this.start = start;
        whereabouts = new Whereabouts(endpoint.arena().bounds(), start.position());
    }

    /**
     * Brings it into the game, and the others into its view.
     *
     * @param uuid by which the client knows itself
     */
    void spawn(long now, UUID uuid) {
        movedAt = now;
        askedAt = now - ONE_KIND;
        view.open(player, uuid);
        endpoint.arena().spawn(player, start);
    }

    void leave() {
        endpoint.arena().leave(player);
    }

    /** Takes a message of the client; one that says nothing to this server is counted. */
    void take(long now, BedrockMessage message) {
        this.now = now;
        switch (message) {
            case PlayerAuthInput input -> input(input);
            case MovePlayer move -> move(move);
            case PlayerAction action -> action(action);
            case Animate animate -> animate(animate);
            case Text text -> say(text);
            default -> endpoint.count("ignored");
        }
    }

    /**
     * Whether a movement is of the kind that the client does not use here. Some clients know one
     * kind alone, whatever is asked for; one that mixes them has two opinions about where it is.
     */
    private boolean isSecondOpinion(boolean input) {
        if (input == (authority == StartGame.SERVER_AUTHORITY)) {
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
        if (input.isRiding()) {
            endpoint.count("vehicle");
        }
        lastTick = input.tick();
        stance = BedrockMotion.stance(stance, input, codec.dialect());
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
        return player.id();
    }

    /** A movement that came in: passed on where it is plausible, otherwise taken back. */
    private void moved(Movement movement, MovePlayer told, boolean confirmed) {
        if (!moves.take(now)) {
            endpoint.count("moves");
            return;
        }
        Whereabouts.Ruling ruling = whereabouts.judge(now, movement.position(), confirmed);
        if (ruling.believed()) {
            movedAt = now;
            endpoint.arena().move(player, movement, told);
        }
        ruling.putBack().ifPresent(to -> correct(to, movement));
    }

    private void correct(Vec3 to, Movement from) {
        endpoint.count("corrected");
        Vec3f eyes = BedrockMotion.eyes(to);
        Vec2f rotation = new Vec2f((float) -from.pitch(), BedrockMotion.yaw(from.yaw()));
        if (authority == StartGame.SERVER_AUTHORITY) {
            output.accept(
                    new CorrectPlayerMovePrediction(
                            0, eyes, Vec3f.ZERO, rotation, false, 0, true, lastTick));
        } else {
            output.accept(
                    new MovePlayer(
                            id(),
                            eyes,
                            rotation,
                            rotation.y(),
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
        if (animate.runtimeId() != id() || animate.action() != Animate.SWING || !swings.take(now)) {
            endpoint.count("animate");
            return;
        }
        endpoint.swing(player);
    }

    private void say(Text text) {
        if (text.type() != Text.CHAT
                || text.message().length() > LONGEST_TEXT
                || !texts.take(now)) {
            endpoint.count("text");
            return;
        }
        String said = BedrockView.plain(text.message());
        endpoint.arena().say(player, said);
        view.said(player, said);
    }
}
