package dev.wishdir.sauerbraten.combat;

import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.sauerbraten.message.ProtocolNames;
import dev.wishdir.sauerbraten.message.State;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A game mode by its number on the wire, with its rules for a server.
 *
 * @param number 0 ffa, 1 coop edit, 2 teamplay, 3 instagib … 22
 */
public record GameMode(int number) {
    public static final GameMode FFA = new GameMode(0);
    public static final GameMode COOP_EDIT = new GameMode(1);
    private static final GameMode TEAMPLAY = new GameMode(2);
    private static final GameMode INSTAGIB = new GameMode(3);
    private static final GameMode EFFIC = new GameMode(5);
    private static final GameMode CTF = new GameMode(11);
    private static final GameMode INSTA_CTF = new GameMode(12);
    private static final GameMode EFFIC_CTF = new GameMode(17);
    private static final Set<GameMode> WITH_FLAGS = Set.of(CTF, INSTA_CTF, EFFIC_CTF);

    private static final int FIRST_WITH_BASES = 9;
    private static final int LAST = 22;
    private static final Set<Integer> INSTA = Set.of(3, 4, 12, 14, 16, 21);
    private static final Set<Integer> EFFICIENCY = Set.of(5, 6, 17, 18, 19, 22);
    private static final Set<Integer> TACTICS = Set.of(7, 8);
    private static final Set<Integer> WITHOUT_ITEMS =
            Set.of(3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 17, 18, 19, 21, 22);

    private static final int CHAINGUN = 2;
    private static final int RIFLE = 4;
    private static final int PISTOL = 6;

    /** The guns from the shotgun to the grenade launcher, of which tactics gives two. */
    private static final int TACTICS_GUNS = 5;

    /** The mode in which clients play a match on a map of the game. */
    public static GameMode of(MatchMode match) {
        if (match.hasFlags()) {
            return match.isOneHit() ? INSTA_CTF : match.hasAllWeapons() ? EFFIC_CTF : CTF;
        }
        return match.isOneHit() ? INSTAGIB : match.hasTeams() ? TEAMPLAY : FFA;
    }

    /** Whether clients of this mode can play a match; without one, any mode can be played. */
    public boolean fits(MatchMode match) {
        if (coopEdit()) {
            return true;
        }
        if (match.hasFlags()) {
            boolean isEffic = equals(EFFIC_CTF) && !match.isOneHit();
            return equals(of(match)) || isEffic;
        }
        if (hasFlags()) {
            return false;
        }
        return match == MatchMode.NONE
                || (match.isOneHit() ? equals(INSTAGIB) : teams() == match.hasTeams());
    }

    /** The numbers of the modes that fit a match: {@code 1, 3}. */
    public static String fitting(MatchMode match) {
        return IntStream.rangeClosed(0, LAST)
                .mapToObj(GameMode::new)
                .filter(GameMode::supported)
                .filter(mode -> mode.fits(match))
                .map(mode -> Integer.toString(mode.number))
                .collect(Collectors.joining(", "));
    }

    /**
     * Mode by which bodies spawn in a match, whatever its clients play: instagib if each hit kills,
     * efficiency if a life begins with all weapons.
     */
    public GameMode spawnMode(MatchMode match) {
        return match.isOneHit() ? INSTAGIB : match.hasAllWeapons() ? EFFIC : this;
    }

    /** The name that the game has for it. */
    public String title() {
        return ProtocolNames.mode(number);
    }

    /** Whether the original game has it as a multiplayer mode. */
    public boolean known() {
        return number >= 0 && number <= LAST;
    }

    /** Whether it is played here: this server does not score bases, tokens and held flags. */
    public boolean supported() {
        return number >= 0 && number < FIRST_WITH_BASES || hasFlags();
    }

    /** Whether two teams capture each other's flag. */
    public boolean hasFlags() {
        return WITH_FLAGS.contains(this);
    }

    public boolean coopEdit() {
        return number == COOP_EDIT.number;
    }

    public boolean teams() {
        return ProtocolNames.hasTeams(number);
    }

    /** Whether a match ends after ten minutes. */
    public boolean timed() {
        return !coopEdit();
    }

    public boolean items() {
        return !WITHOUT_ITEMS.contains(number);
    }

    /** Two different guns by chance, with two pick-ups each, a grenade and the pistol. */
    private static State tactics(int lifeseq, RandomGenerator random) {
        int first = 1 + random.nextInt(TACTICS_GUNS);
        int second = 1 + (first + random.nextInt(TACTICS_GUNS - 1)) % TACTICS_GUNS;
        Integer[] ammo = {0, 0, 0, 0, 1, 40};
        for (int number : new int[] {first, second}) {
            ammo[number - 1] += 2 * Weapon.of(number).orElseThrow().pickup();
        }
        return new State(lifeseq, 100, 100, 100, 1, first, List.of(ammo));
    }

    /**
     * State with which a body of this mode spawns.
     *
     * @param random chooses the guns of a mode that gives any
     */
    State spawnState(int lifeseq, RandomGenerator random) {
        if (INSTA.contains(number)) {
            return new State(lifeseq, 1, 100, 0, 0, RIFLE, List.of(0, 0, 0, 100, 0, 0));
        }
        if (EFFICIENCY.contains(number)) {
            return new State(lifeseq, 100, 100, 100, 1, CHAINGUN, List.of(20, 20, 10, 10, 20, 0));
        }
        if (TACTICS.contains(number)) {
            return tactics(lifeseq, random);
        }
        return new State(lifeseq, 100, 100, 25, 0, PISTOL, List.of(0, 0, 0, 0, 1, 40));
    }
}
