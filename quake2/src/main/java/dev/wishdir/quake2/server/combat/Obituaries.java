package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.server.view.PlayerNumbers;

import java.util.Optional;

/** The lines about deaths, in the words of the game where it has the weapon. */
final class Obituaries {
    private static final String BEDROCK = "bedrock";

    private Obituaries() {}

    /**
     * The line about a death.
     *
     * @param means the weapon of this game that it was; empty if it was none, or is not known
     */
    static Print line(ArenaEvent.Died died, Optional<MeansOfDeath> means) {
        String victim = PlayerNumbers.name(died.player());
        String killer = PlayerNumbers.name(died.killer());
        boolean itself = died.killer().id().equals(died.id());
        String text =
                means.or(() -> nearest(died))
                        .map(it -> itself ? it.ownLine(victim) : it.line(victim, killer))
                        .orElseGet(() ->
                                itself
                                        ? victim + " killed himself."
                                        : isTrident(died)
                                                ? victim
                                                        + " was impaled by "
                                                        + killer
                                                        + "'s trident"
                                                : victim + " was killed by " + killer);
        return new Print(Print.MEDIUM, text + "\n");
    }

    /** Whether it was Bedrock's trident, which does not rail. */
    private static boolean isTrident(ArenaEvent.Died died) {
        return died.means() == DamageMeans.RIFLE && died.killer().game().equals(BEDROCK);
    }

    /** The nearest to a weapon of another game; empty if this game has none. */
    private static Optional<MeansOfDeath> nearest(ArenaEvent.Died died) {
        return switch (died.means()) {
            case SHOTGUN -> Optional.of(MeansOfDeath.SHOTGUN);
            case MACHINE_GUN -> Optional.of(MeansOfDeath.MACHINE_GUN);
            case RIFLE -> isTrident(died) ? Optional.empty() : Optional.of(MeansOfDeath.RAILGUN);
            case ROCKET -> Optional.of(MeansOfDeath.ROCKET);
            case GRENADE -> Optional.of(MeansOfDeath.GRENADE);
            case BFG -> Optional.of(MeansOfDeath.BFG_BLAST);
            // A bow and a pistol do not blast.
            case PISTOL, MELEE, SUICIDE -> Optional.empty();
        };
    }
}
