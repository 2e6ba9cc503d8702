package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.event.PlayerId;

import java.util.HashMap;
import java.util.Map;

/** The blows of the last half second, in which only the excess of a harder one counts. */
public final class HitCoolDown {
    /**
     * @param damage of the hardest blow since
     */
    private record Blow(long at, double damage) {}

    private final Map<PlayerId, Blow> blows = new HashMap<>();

    /** Whether no blow of the last half second met a player. */
    public boolean isOver(long now, PlayerId victim) {
        forget(now);
        return !blows.containsKey(victim);
    }

    /** Part of the damage of a blow that counts now; 0 for nothing. */
    public double excess(long now, PlayerId victim, double damage) {
        forget(now);
        Blow last = blows.get(victim);
        return last == null ? damage : Math.max(0, damage - last.damage);
    }

    /** Records a blow that had an effect. */
    public void record(long now, PlayerId victim, double damage) {
        Blow last = blows.get(victim);
        blows.put(victim, new Blow(last == null ? now : last.at, damage));
    }

    private void forget(long now) {
        blows.values().removeIf(blow -> now - blow.at >= MeleeRules.INVULNERABLE_NANOS);
    }
}
