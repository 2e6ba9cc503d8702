package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.validation.DelayClock;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * A client's last claim of an item that its player was too far from. A claim has no time, is sent
 * again when it is lost, and holds up the pings after it; positions overtake it. So the next ping
 * shows by the client's own clock whether the claim is about where the player was long before.
 */
public final class ItemClaims {
    /** Clients ping this often: a claim was sent at most this long before the next ping. */
    private static final long PING_INTERVAL_NANOS = 250_000_000;

    /** Shortest time for which lost data is sent again: docs/protocols/enet.md#timers. */
    private static final long MAX_HELD_UP_NANOS = 5_000_000_000L;

    private final DelayClock clock = new DelayClock();
    private @Nullable ShotViolation pending;

    /** Outcome of a claim from afar. */
    public record Outcome(ShotViolation violation, boolean isLate) {}

    /**
     * Adds a claim from afar.
     *
     * @return what is to be reported now: this one if the client does not ping, or the one before
     *     that no ping has explained
     */
    public Optional<ShotViolation> add(ShotViolation violation) {
        if (!clock.isKnown()) {
            return Optional.of(violation);
        }
        Optional<ShotViolation> before = Optional.ofNullable(pending);
        pending = violation;
        return before;
    }

    /**
     * Judges the claim that came before a ping.
     *
     * @param millis of the client's clock
     * @return empty without a claim
     */
    public Optional<Outcome> onPing(long now, int millis) {
        long heldUp = clock.heldUpNanos(now, millis) + PING_INTERVAL_NANOS;
        clock.add(now, millis);
        Optional<Outcome> outcome = Optional.ofNullable(pending).map(it -> judge(it, heldUp));
        pending = null;
        return outcome;
    }

    /** Whether the player can have walked to the item before its known path. */
    private static Outcome judge(ShotViolation claim, long heldUpNanos) {
        double unknown = (Math.min(heldUpNanos, MAX_HELD_UP_NANOS) - Combatant.PATH_NANOS) / 1e9;
        double speed = SauerbratenMotion.LIMITS.speed();
        return new Outcome(
                claim, unknown > 0 && claim.measured() <= claim.allowed() + speed * unknown);
    }
}
