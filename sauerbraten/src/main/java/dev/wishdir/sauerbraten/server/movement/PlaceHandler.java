package dev.wishdir.sauerbraten.server.movement;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.function.LongUnaryOperator;

/**
 * Handles the places that clients claim besides their positions, as where a shot begins. One that
 * is far from all positions is a position itself: the body is there, for all to see and to hit.
 */
public final class PlaceHandler {
    private final RunningLevel geometry;
    private final Counters counters;
    private final LongUnaryOperator peerTime;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    public PlaceHandler(RunningLevel geometry, Counters counters, LongUnaryOperator peerTime) {
        this.geometry = geometry;
        this.counters = counters;
        this.peerTime = peerTime;
    }

    /** The body moves to a position that its client reports and the server believes. */
    void onMove(long now, SauerbratenSession session, Vec3 at) {
        long own = peerTime.applyAsLong(now);
        double speed = session.movement.validator().speed(own);
        if (!session.movement.claims().onMoved(own, at, speed, now)) {
            session.player().abortRun();
        }
    }

    /** The body has moved there. */
    void onMoved(long now, SauerbratenSession session) {
        session.movement.claims().advance(peerTime.applyAsLong(now), now);
    }

    /** The body was put at a place. */
    void onPlaced(long now, SauerbratenSession session, Vec3 at) {
        session.movement.claims().putAt(peerTime.applyAsLong(now), at);
    }

    /** A life begins. */
    void onSpawned(long now, SauerbratenSession session, Vec3 at) {
        session.movement.claims().begin(peerTime.applyAsLong(now), at);
    }

    /**
     * The claim that a player was at a place, which has passed the check of its distance.
     *
     * @param feet metres
     * @param reach how far from its feet the player may act, metres
     * @param rule that the client breaks if its player can't have left the place
     */
    public PlaceClaims.Claim claim(
            long now, SauerbratenSession from, Vec3 feet, double reach, ViolationRule rule) {
        Combatant combatant = from.player().combatant();
        MovementValidator validator = from.movement.validator();
        PlaceClaims claims = from.movement.claims();
        long own = peerTime.applyAsLong(now);
        double speed = validator.speed(own);
        double near = Combatant.ORIGIN_ALLOWANCE_METRES + reach;
        if (!from.player().snapshot().spawned() || combatant.distanceFromPath(now, feet) <= near) {
            return claims.add(own, feet, speed, (wrong, at) -> report(at, from, rule, wrong));
        }
        MovementValidator.Violation violation = validator.validate(own, feet);
        if (violation != null) {
            counters.count("sauerbraten.implausible");
            from.player().reportViolation(now, violation);
            return PlaceClaims.Claim.refuted();
        }
        show(now, from, feet);
        return claims.addStep(own, feet, speed, now, (wrong, at) -> report(at, from, rule, wrong));
    }

    private void report(
            long now, SauerbratenSession from, ViolationRule rule, ShotViolation wrong) {
        counters.count("sauerbraten.place.refused");
        from.player()
                .combatant()
                .report(
                        now,
                        new ShotViolation(
                                rule, wrong.measured(), wrong.allowed(), wrong.allowance()));
    }

    private void show(long now, SauerbratenSession from, Vec3 feet) {
        ArenaPlayer player = from.player();
        Movement before = player.snapshot().movement();
        Movement here =
                new Movement(
                        feet, before.yaw(), before.pitch(), before.velocity(), before.stance());
        player.move(
                now,
                here,
                new NativeMovement.Stored(
                        ForeignPlayers.FORM,
                        SauerbratenCodec.V260.packet(
                                geometry.motion().toNative(here, from.cn, from.life.lifeseq()))));
    }
}
