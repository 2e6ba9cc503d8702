package dev.wishdir.sauerbraten.server.movement;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.MovementState;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.RunningLevel;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;

/**
 * Handles the positions that clients report. The server checks their owner, life and plausibility,
 * and relays them bit for bit.
 */
public final class PositionHandler {
    /** Largest distance of a body from what it touches, as it has moved since its last position. */
    private static final double AWAY = 1.5;

    /** A jump pad moves a body as fast as at first for at most this long: the air slows it down. */
    private static final double PAD_SECONDS = 1.5;

    private final RunningLevel geometry;
    private final PlaceHandler places;
    private final TeleportRelay teleports;
    private final Counters counters;
    private final ObjLongConsumer<SauerbratenSession> respawn;
    private final LongUnaryOperator peerTime;
    private final BooleanSupplier paused;

    /**
     * @param respawn ends the life of a client's body and orders the client to spawn, at a time
     * @param peerTime the time of the clients, which passed while the server slept
     * @param paused whether clients stop their physics
     */
    public PositionHandler(
            RunningLevel geometry,
            PlaceHandler places,
            TeleportRelay teleports,
            Counters counters,
            ObjLongConsumer<SauerbratenSession> respawn,
            LongUnaryOperator peerTime,
            BooleanSupplier paused) {
        this.geometry = geometry;
        this.places = places;
        this.teleports = teleports;
        this.counters = counters;
        this.respawn = respawn;
        this.peerTime = peerTime;
        this.paused = paused;
    }

    /**
     * Handles a packet of the channel of positions.
     *
     * @throws MalformedPacketException if it has any other message
     */
    public void handle(long now, SauerbratenSession session, Reader reader) {
        while (reader.remaining() > 0 && session.connection.leaveReason().isEmpty()) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.isJoined()) {
                continue;
            }
            switch (message) {
                case Pos pos ->
                        handlePosition(now, session, pos, reader.slice(start, reader.position()));
                case MovementMessage.Teleport teleport -> {
                    if (handleTrigger(now, session, teleport)) {
                        session.movement.setTeleported();
                    }
                }
                case MovementMessage.JumpPad jump -> handleTrigger(now, session, jump);
                default ->
                        throw new MalformedPacketException(
                                start, "code", "not of the channel of positions");
            }
        }
    }

    private void handlePosition(long now, SauerbratenSession session, Pos pos, Bytes bytes) {
        if (pos.cn() != session.cn) {
            counters.count("sauerbraten.drop.foreign-position");
            return;
        }
        if (!session.life.hasBody()) {
            counters.count("sauerbraten.drop.no-body");
            return;
        }
        if (pos.lifeseq() != (session.life.lifeseq() & 1)) {
            counters.count("sauerbraten.drop.past-life");
            return;
        }
        if (session.mapCopy.isElsewhere(now)) {
            counters.count("sauerbraten.drop.other-map");
            return;
        }
        if (session.mapCopy.isFetching()) {
            // It fetched the map and did not report in time that it has loaded it.
            session.mapCopy.onLoaded();
            respawn.accept(session, now);
            return;
        }
        ArenaPlayer player = session.player();
        int refused = session.movement.countPosition(peerTime.applyAsLong(now));
        if (refused > 0) {
            counters.count("sauerbraten.drop.positions");
            int burst = MovementState.MAX_POSITION_BURST;
            player.reportViolation(
                    now, ViolationRule.MOVEMENT_COUNT, burst + refused, burst, burst);
            return;
        }
        Movement reported = geometry.motion().toCanonical(pos);
        Movement movement = validated(now, session, player, reported);
        if (session.life.awaitsFirstPosition()) {
            if (isTaken(now, session, player, movement.position())) {
                counters.count("sauerbraten.spawn.taken");
                respawn.accept(session, now);
                return;
            }
            session.life.onFirstPosition();
        }
        boolean teleported = session.movement.takeTeleported();
        if (!player.snapshot().spawned()) {
            player.spawn(now, movement);
            places.onSpawned(now, session, movement.position());
        } else if (teleported) {
            player.teleport(now, movement);
            places.onPlaced(now, session, movement.position());
        }
        Bytes position = bytes;
        if (!movement.equals(reported)) {
            position =
                    SauerbratenCodec.V260.packet(
                            geometry.motion()
                                    .toNative(movement, session.cn, session.life.lifeseq()));
        } else if (!ForeignPlayers.isPlain(position, session.cn)) {
            position = SauerbratenCodec.V260.packet(pos);
        }
        places.onMove(now, session, movement.position());
        player.move(now, movement, new NativeMovement.Stored(ForeignPlayers.FORM, position));
        places.onMoved(now, session);
    }

    /**
     * Whether a body spawns in another one while a spawn point is free. The client chooses the
     * spawn point; the server can only order another spawn.
     */
    private boolean isTaken(long now, SauerbratenSession session, ArenaPlayer player, Vec3 at) {
        List<Movement> spawns = geometry.level().spawns();
        return spawns.stream().anyMatch(spawn -> spawn.position().distance(at) < AWAY)
                && !player.isFree(now, at)
                && spawns.stream().anyMatch(spawn -> player.isFree(now, spawn.position()))
                && session.connection.answers.tryAcquire(now);
    }

    /** The movement that others see. Editors fly as fast as they like. */
    private Movement validated(
            long now, SauerbratenSession session, ArenaPlayer player, Movement movement) {
        MovementValidator validator = session.movement.validator();
        validator.setLevel(geometry.level());
        if (session.life.state() == ClientState.EDITING) {
            validator.reset();
            return movement;
        }
        if (session.life.awaitsFirstPosition()) {
            validator.appear(session.life.orderedAt());
        }
        if (paused.getAsBoolean()) {
            validator.hang(peerTime.applyAsLong(now));
        }
        MovementValidator.Violation violation =
                validator.validate(peerTime.applyAsLong(now), movement.position());
        if (violation == null) {
            return movement;
        }
        if (violation.rule() == ViolationRule.AIR_TIME
                && standsOnBody(now, player, movement.position())) {
            validator.accept(peerTime.applyAsLong(now), movement.position());
            return movement;
        }
        counters.count("sauerbraten.implausible");
        boolean observed = player.reportViolation(now, violation);
        if (observed && !violation.outside()) {
            validator.accept(peerTime.applyAsLong(now), movement.position());
            return movement;
        }
        return standing(observed ? violation.place() : validator.position(), movement);
    }

    /** Whether a body may stand on the head of another one, as clients let it. */
    private static boolean standsOnBody(long now, ArenaPlayer player, Vec3 at) {
        double height = SauerbratenMotion.LIMITS.body().height();
        return !player.isFree(now, at.minus(new Vec3(0, 0, height)));
    }

    private static Movement standing(Vec3 place, Movement reported) {
        return new Movement(place, reported.yaw(), reported.pitch(), Vec3.ZERO, Stance.STANDING);
    }

    /** Handles a teleport or a jump pad; returns whether it is allowed. */
    private boolean handleTrigger(long now, SauerbratenSession session, MovementMessage use) {
        if (use.cn() != session.cn
                || !session.life.hasBody()
                || !session.player().allows(now, RateLimitedAction.ACT, 1)) {
            return false;
        }
        if (!isAllowed(now, session, use)) {
            counters.count("sauerbraten.drop.travel");
            return false;
        }
        teleports.relay(session, use);
        return true;
    }

    /** Whether a client is at the trigger that it reports; allows the movement that follows. */
    private boolean isAllowed(long now, SauerbratenSession session, MovementMessage use) {
        MovementValidator validator = session.movement.validator();
        MoveTriggers triggers = geometry.moveTriggers().orElse(null);
        switch (use) {
            case MovementMessage.JumpPad _ when triggers == null ->
                    validator.allowImpulse(peerTime.applyAsLong(now));
            case MovementMessage.JumpPad jump -> {
                Optional<MoveTriggers.Pad> pad =
                        triggers.pad(jump.jumppad())
                                .filter(at -> isNear(session, at.place(), MoveTriggers.PAD_REACH));
                if (pad.isEmpty()) {
                    return false;
                }
                double metres = PAD_SECONDS * pad.get().velocity().length();
                validator.allowThrow(peerTime.applyAsLong(now), metres);
            }
            case MovementMessage.Teleport through when triggers == null -> validator.reset();
            case MovementMessage.Teleport through -> {
                Optional<MoveTriggers.Teleport> teleport =
                        triggers.teleport(through.teleport(), through.teledest())
                                .filter(at ->
                                        isNear(session, at.place(), MoveTriggers.TELEPORT_REACH));
                if (teleport.isEmpty()) {
                    return false;
                }
                validator.teleportTo(peerTime.applyAsLong(now), teleport.get().to());
            }
            case Pos _ -> {}
        }
        return true;
    }

    private static boolean isNear(SauerbratenSession session, Vec3 place, double reach) {
        return session.movement.validator().position().distance(place) < reach + AWAY;
    }
}
