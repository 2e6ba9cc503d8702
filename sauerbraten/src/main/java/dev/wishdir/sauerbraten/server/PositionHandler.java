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
 * Where clients say that they are. A client owns its position; the server checks whose it is and in
 * which life, and passes it on to the others bit for bit.
 */
final class PositionHandler {
    /** How far a body may be from what it touches: it has moved since it said where it is. */
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
     * Takes in a packet of the channel of positions.
     *
     * @throws MalformedPacketException if it is none
     */
    void received(long now, SauerbratenSession session, Reader reader) {
        while (reader.remaining() > 0 && session.ending() == null) {
            int start = reader.position();
            SauerbratenMessage message = SauerbratenCodec.V260.read(Direction.C2S, reader);
            if (!session.joined()) {
                continue;
            }
            switch (message) {
                case Pos pos -> moved(now, session, pos, reader.slice(start, reader.position()));
                case MovementMessage.Teleport teleport -> {
                    if (travelled(now, session, teleport)) {
                        session.teleports();
                    }
                }
                case MovementMessage.JumpPad jump -> travelled(now, session, jump);
                default ->
                        throw new MalformedPacketException(
                                start, "code", "not of the channel of positions");
            }
        }
    }

    private void moved(long now, SauerbratenSession session, Pos pos, Bytes bytes) {
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
            // It has not reported that it has loaded the map, in which it appears now.
            respawn.accept(session, now);
            return;
        }
        int tooMany = session.tooMany(registry.peerTime(now));
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
        Movement movement = judged(now, session, player, said);
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
     * Whether a body appears at a place of the level where another is, although the level has free
     * ones. The client chooses its place: all that the server can do is to order another spawn.
     */
    private boolean isTaken(long now, SauerbratenSession session, PlayerId player, Vec3 at) {
        List<Movement> spawns = registry.level().spawns();
        return spawns.stream().anyMatch(spawn -> spawn.position().distance(at) < AWAY)
                && !registry.arena().isFree(now, player, at)
                && spawns.stream()
                        .anyMatch(spawn -> registry.arena().isFree(now, player, spawn.position()))
                && session.answers.tryAcquire(now);
    }

    /** How the others see a movement. Who edits flies as fast as it likes. */
    private Movement judged(
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

    /** Teleports and jump pads, which the others see: whether they may be. */
    private boolean travelled(long now, SauerbratenSession session, MovementMessage travel) {
        PlayerId player = session.player();
        if (player == null
                || travel.cn() != session.cn
                || !session.embodied()
                || !registry.arena().allows(now, player, RateLimitedAction.ACT, 1)) {
            return false;
        }
        if (!isThere(now, session, travel)) {
            counters.count("sauerbraten.drop.travel");
            return false;
        }
        teleports.travelled(session, travel);
        return true;
    }

    /** Whether a client is where it says that it is taken elsewhere; where it goes is plausible. */
    private boolean isThere(long now, SauerbratenSession session, MovementMessage travel) {
        MovementValidator validator = session.validator;
        MoveTriggers triggers = registry.exits().orElse(null);
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
