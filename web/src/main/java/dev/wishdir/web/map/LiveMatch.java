package dev.wishdir.web.map;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.match.Match;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The match on the live map besides the boards: its clock, the players' health, and what happens.
 * The arena writes; any thread may read.
 */
final class LiveMatch {
    /** Maximum number of acts that are kept for readers. */
    static final int MAX_ACTS = 64;

    /** Health that is not known. */
    static final int UNKNOWN = -1;

    /**
     * The state of a match.
     *
     * @param mode as players read it: {@code free for all}
     * @param phase {@code waiting for players}, {@code warm-up}, {@code playing} or {@code
     *     intermission}
     * @param round its number, from 1; 0 before the first one
     * @param ends when the phase ends, on the arena's clock, in nanoseconds; empty if it does not
     *     end by itself, or is paused
     * @param left nanoseconds of the phase that are left while it is paused
     * @param scoreLimit in units; 0 for none
     * @param unit of scores of teams and of the limit: {@code frags} or {@code captures}
     * @param teams red first; empty in a match without teams
     * @param winner of the last round, until the next one starts; may be empty
     */
    record Clock(
            String mode,
            String phase,
            long round,
            Optional<Long> ends,
            Optional<Long> left,
            int scoreLimit,
            String unit,
            List<TeamScore> teams,
            String winner) {}

    /**
     * A player's part in a match.
     *
     * @param team empty in a match without teams
     * @param health rounded up; {@link #UNKNOWN} without a life
     * @param armour points
     */
    record Part(Optional<Team> team, int health, int armour, boolean quad) {
        static final Part NONE = new Part(Optional.empty(), UNKNOWN, 0, false);

        Part with(Vitals vitals) {
            int left = (int) Math.ceil(vitals.health());
            return new Part(
                    team, left > 0 ? left : UNKNOWN, (int) Math.round(vitals.armour()), quad);
        }
    }

    /**
     * An act at a place, to be drawn for a moment.
     *
     * @param number a consecutive number
     * @param time on the arena's clock, nanoseconds
     * @param kind {@code shot}, {@code hit} or {@code took}
     * @param player that shot, was hit, or took an item
     * @param by the attacker of a hit; otherwise the player
     * @param text the damage of a hit; the item that was taken
     * @param place metres
     */
    record Act(
            long number,
            long time,
            String kind,
            PlayerId player,
            PlayerId by,
            String text,
            Vec3 place) {}

    private final Match match;
    private final Map<PlayerId, Part> parts = new ConcurrentHashMap<>();
    private final Deque<Act> acts = new ArrayDeque<>();
    private long lastAct;
    private String winner = "";
    private volatile @Nullable Clock clock;
    private volatile List<FlagStatus> flags = List.of();

    LiveMatch(Match match) {
        this.match = match;
    }

    /** The state of the match; empty without one. */
    Optional<Clock> clock() {
        return Optional.ofNullable(clock);
    }

    /** The flags, red first; empty without a match with flags. */
    List<FlagStatus> flags() {
        return flags;
    }

    /** A player's part in the match. */
    Part part(PlayerId id) {
        return parts.getOrDefault(id, Part.NONE);
    }

    /** The kept acts after a number, the oldest first. */
    List<Act> since(long number) {
        synchronized (acts) {
            return acts.stream().filter(each -> each.number() > number).toList();
        }
    }

    /** The number of the newest act; 0 if there was none. */
    long lastAct() {
        synchronized (acts) {
            return lastAct;
        }
    }

    /** Reads the match, on the arena's thread: of health that items change there is no event. */
    void update(long now, Iterable<Player> players) {
        // Those of a replayed recording, too.
        flags = match.flags().status();
        if (!match.isOn()) {
            return;
        }
        clock = readClock(now);
        boolean isRace = match.isRace();
        for (Player player : players) {
            PlayerId id = player.id();
            Part before = part(id);
            Part part =
                    new Part(
                            match.team(id),
                            before.health(),
                            before.armour(),
                            match.quadLeft(now, id) > 0);
            // Those of other servers are known by the hits on them.
            boolean known = !isRace && !id.isMirrored();
            put(id, known ? part.with(player.spawned() ? match.vitals(id) : Vitals.NONE) : part);
        }
    }

    private void put(PlayerId id, Part part) {
        parts.put(id, part);
    }

    private Clock readClock(long now) {
        Optional<Long> left = match.timeLeft(now).map(Duration::toNanos);
        boolean isPaused = match.isPaused();
        String phase =
                switch (match.phase()) {
                    case OFF, IDLE -> "waiting for players";
                    case WARM_UP -> "warm-up";
                    case PLAYING -> "playing";
                    case INTERMISSION -> "intermission";
                };
        return new Clock(
                match.rules().mode().title(),
                phase,
                match.round(),
                isPaused ? Optional.empty() : left.map(nanos -> now + nanos),
                isPaused ? left : Optional.empty(),
                match.isRace() ? 0 : match.rules().scoreLimit(),
                unit(match.rules().mode()),
                match.teamScores(),
                match.phase() == Match.Phase.INTERMISSION ? winner : "");
    }

    /** Notes what an event changes, on the arena's thread. */
    void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.ActionPerformed(long time, Player player, PlayerAction action) -> {
                if (action == PlayerAction.ATTACK) {
                    add(time, "shot", player, player, "", player.movement().position());
                }
            }
            case ArenaEvent.Hit hit -> {
                put(hit.id(), part(hit.id()).with(hit.vitals()));
                if (hit.damage() > 0) {
                    String damage = String.valueOf(Math.max(1, Math.round(hit.damage())));
                    add(hit.time(), "hit", hit.player(), hit.attacker(), damage, hit.place());
                }
            }
            case ArenaEvent.Died died -> put(died.id(), part(died.id()).with(Vitals.NONE));
            case ArenaEvent.ItemTaken taken -> {
                String what = text(taken.item().kind());
                add(
                        taken.time(),
                        "took",
                        taken.player(),
                        taken.player(),
                        what,
                        taken.item().place());
            }
            case ArenaEvent.Spawned spawned -> {
                if (match.isOn() && !match.isRace()) {
                    put(spawned.id(), part(spawned.id()).with(match.vitals(spawned.id())));
                }
            }
            case ArenaEvent.FlagChanged _ -> flags = match.flags().status();
            case ArenaEvent.RoundEnded end -> winner = winner(end);
            case ArenaEvent.Left left -> parts.remove(left.id());
            default -> {}
        }
    }

    /** An item as viewers read it: {@code rocket}, {@code rocket ammo}, {@code mega health}. */
    static String text(ItemKind kind) {
        return kind.toString()
                .replaceFirst("^weapon-", "")
                .replaceFirst("^ammo-(.*)", "$1 ammo")
                .replace('-', ' ');
    }

    /** The team or player that has won a round; empty if none has. */
    static String winner(ArenaEvent.RoundEnded event) {
        return event.team()
                .map(Team::toString)
                .or(() -> event.winner().map(Player::name))
                .orElse("");
    }

    /** The unit of scores of teams and of the limit. */
    static String unit(MatchMode mode) {
        return mode.hasFlags() ? "captures" : "frags";
    }

    /** The act of a killer, as viewers read it: {@code killed bob (railgun)}. */
    static String text(ArenaEvent.Died event, WeaponNames weapons) {
        boolean isOwn = event.killer().id().equals(event.id());
        String means =
                event.means() == DamageMeans.SUICIDE
                        ? ""
                        : " (" + weapons.of(event.killer().game(), event.means()) + ")";
        return (isOwn ? "died" : "killed " + event.player().name()) + means;
    }

    /** The change of a flag, as viewers read it: {@code took the blue flag}. */
    static String text(ArenaEvent.FlagChanged event) {
        String verb =
                switch (event.change()) {
                    case TAKEN -> "took";
                    case DROPPED -> "dropped";
                    case RETURNED -> "returned";
                    case CAPTURED -> "captured";
                    case RESET -> "lost";
                };
        String flag = "the " + event.flag() + " flag";
        return event.player().isEmpty() ? flag + " is at home" : verb + " " + flag;
    }

    private void add(long time, String kind, Player player, Player by, String text, Vec3 place) {
        synchronized (acts) {
            acts.add(new Act(++lastAct, time, kind, player.id(), by.id(), text, place));
            if (acts.size() > MAX_ACTS) {
                acts.remove();
            }
        }
    }
}
