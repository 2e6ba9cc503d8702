package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.MovementValidator;
import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Dissector.Direction;

import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/**
 * Handles the positions that clients report. The server checks their owner, life and plausibility,
 * and relays them bit for bit.
 */
final class PositionHandler {
    /** How far a body may be from what it touches: it has moved since its last position. */
    private static final double AWAY = 1.5;

    /** A jump pad moves a body as fast as at first for at most this long: the air slows it down. */
    private static final double PAD_SECONDS = 1.5;

    private final ClientRegistry registry;
    private final TeleportRelay teleports;
    private final Counters counters;
    private final ObjLongConsumer<SauerbratenSession> respawn;

    /**
     * @param respawn ends the life of a client's body and orders the client to spawn, at a time
     */
    PositionHandler(
            ClientRegistry registry,
            TeleportRelay teleports,
            Counters counters,
            ObjLongConsumer<SauerbratenSession> respawn) {
        this.respawn = respawn;
        this.registry = registry;
        this.teleports = teleports;
        this.counters = counters;
    }

    /**
     * Handles a packet of the channel of positions.
     *
     * @throws MalformedPacketException if it has any other message
     */
    void received(long now, SauerbratenSession session, Reader reader) {
        while (reader.remaining() > 0 && session.disconnectReason() == null) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.joined()) {
                continue;
            }
            switch (message) {
                case Pos pos ->
                        handlePosition(now, session, pos, reader.slice(start, reader.position()));
                case MovementMessage.Teleport teleport -> {
                    if (handleTravel(now, session, teleport)) {
                        session.setTeleported();
                    }
                }
                case MovementMessage.JumpPad jump -> handleTravel(now, session, jump);
                default ->
                        throw new MalformedPacketException(
                                start, "code", "not of the channel of positions");
            }
        }
    }

    private void handlePosition(long now, SauerbratenSession session, Pos pos, Bytes bytes) {
        PlayerId player = session.player();
        if (player == null || pos.cn() != session.cn || !session.embodied()) {
            counters.count("sauerbraten.drop.foreign-position");
            return;
        }
        if (pos.lifeseq() != (session.lifeseq() & 1)) {
            counters.count("sauerbraten.drop.past-life");
            return;
        }
        if (session.copy.isElsewhere(now)) {
            counters.count("sauerbraten.drop.other-map");
            return;
        }
        if (session.copy.takeFetched()) {
            // It fetched the map and did not report in time that it has loaded it.
            respawn.accept(session, now);
            return;
        }
        int tooMany = session.countPosition(registry.peerTime(now));
        if (tooMany > 0) {
            counters.count("sauerbraten.drop.positions");
            int spare = SauerbratenSession.MAX_POSITION_BURST;
            registry.arena()
                    .reportViolation(
                            now,
                            player,
                            ViolationRule.MOVEMENT_COUNT,
                            spare + tooMany,
                            spare,
                            spare);
            return;
        }
        Movement said = registry.motion().toCanonical(pos);
        Movement movement = validated(now, session, player, said);
        if (session.appears()) {
            if (isTaken(now, session, player, movement.position())) {
                counters.count("sauerbraten.spawn.taken");
                respawn.accept(session, now);
                return;
            }
            session.appeared();
        }
        boolean teleported = session.takeTeleported();
        if (!registry.arena().find(player).map(Player::spawned).orElse(false)) {
            registry.arena().spawn(now, player, movement);
        } else if (teleported) {
            registry.arena().teleport(now, player, movement);
        }
        Bytes position = bytes;
        if (!movement.equals(said)) {
            position =
                    SauerbratenCodec.V260.packet(
                            registry.motion().toNative(movement, session.cn, session.lifeseq()));
        } else if (!ForeignPlayers.isPlain(position, session.cn)) {
            position = SauerbratenCodec.V260.packet(pos);
        }
        registry.arena()
                .move(
                        now,
                        player,
                        movement,
                        new NativeMovement.Stored(ForeignPlayers.FORM, position));
    }

    /**
     * Whether a body spawns in another one while a spawn point is free. The client chooses the
     * spawn point; the server can only order another spawn.
     */
    private boolean isTaken(long now, SauerbratenSession session, PlayerId player, Vec3 at) {
        List<Movement> spawns = registry.level().spawns();
        return spawns.stream().anyMatch(spawn -> spawn.position().distance(at) < AWAY)
                && !registry.arena().isFree(now, player, at)
                && spawns.stream()
                        .anyMatch(spawn -> registry.arena().isFree(now, player, spawn.position()))
                && session.answers.tryAcquire(now);
    }

    /** The movement that others see. Editors fly as fast as they like. */
    private Movement validated(
            long now, SauerbratenSession session, PlayerId player, Movement movement) {
        MovementValidator validator = session.validator;
        validator.setLevel(registry.level());
        if (session.presence() == Presence.EDITING) {
            validator.reset();
            return movement;
        }
        if (session.appears()) {
            validator.appear(session.spawnOrderedAt());
        }
        MovementValidator.Violation violation =
                validator.validate(registry.peerTime(now), movement.position());
        if (violation == null) {
            return movement;
        }
        counters.count("sauerbraten.implausible");
        boolean observed = registry.arena().reportViolation(now, player, violation);
        if (observed && !violation.outside()) {
            validator.accept(registry.peerTime(now), movement.position());
            return movement;
        }
        return standing(observed ? violation.place() : validator.position(), movement);
    }

    private static Movement standing(Vec3 place, Movement said) {
        return new Movement(place, said.yaw(), said.pitch(), Vec3.ZERO, Stance.STANDING);
    }

    /** Handles a teleport or a jump pad; returns whether it is allowed. */
    private boolean handleTravel(long now, SauerbratenSession session, MovementMessage travel) {
        PlayerId player = session.player();
        if (player == null
                || travel.cn() != session.cn
                || !session.embodied()
                || !registry.arena().allows(now, player, RateLimitedAction.ACT, 1)) {
            return false;
        }
        if (!isAllowed(now, session, travel)) {
            counters.count("sauerbraten.drop.travel");
            return false;
        }
        teleports.relay(session, travel);
        return true;
    }

    /** Whether a client is at the trigger that it reports; allows the movement that follows. */
    private boolean isAllowed(long now, SauerbratenSession session, MovementMessage travel) {
        MovementValidator validator = session.validator;
        MoveTriggers triggers = registry.moveTriggers().orElse(null);
        switch (travel) {
            case MovementMessage.JumpPad _ when triggers == null ->
                    validator.allowImpulse(registry.peerTime(now));
            case MovementMessage.JumpPad jump -> {
                Optional<MoveTriggers.Pad> pad =
                        triggers.pad(jump.jumppad())
                                .filter(at -> isNear(session, at.place(), MoveTriggers.PAD_REACH));
                if (pad.isEmpty()) {
                    return false;
                }
                double metres = PAD_SECONDS * pad.get().velocity().length();
                validator.allowThrow(registry.peerTime(now), metres);
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
                validator.teleportTo(registry.peerTime(now), teleport.get().to());
            }
            case Pos _ -> {}
        }
        return true;
    }

    private static boolean isNear(SauerbratenSession session, Vec3 place, double reach) {
        return session.validator.position().distance(place) < reach + AWAY;
    }
}
