package dev.wishdir.quake2.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.netchan.Numbers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The health and the scoreboard of a headless client, as the server shows them. The game does not
 * show which player hit it.
 */
final class LocalFighter {
    /** The place of the slot and of the score after the words that draw a player. */
    private static final int SLOT_WORD = 3;

    private static final int SCORE_WORD = 4;

    /** The line with a team and its score. */
    private static final Pattern TEAM_SCORE =
            Pattern.compile("string2 \"(red|blue) (-?\\d{1,6})\"");

    final LocalInventory inventory = new LocalInventory();
    private final Client self;
    private final ClientListener listener;
    private Map<Long, Integer> frags = Map.of();
    private Map<String, Integer> teamFrags = Map.of();
    private int health;
    private int armour;
    private boolean alive;

    LocalFighter(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    /**
     * Reads the state of a frame; notifies the listener of what was lost since the last one.
     *
     * @return whether a life begins
     */
    boolean onState(PlayerState state) {
        Stats stats = state.stats();
        if (stats.get(Stats.RED_FLAG) == ConfigString.GENERAL) {
            teamFrags =
                    Map.of(
                            Team.RED.toString(),
                            stats.get(Stats.RED_CAPTURES),
                            Team.BLUE.toString(),
                            stats.get(Stats.BLUE_CAPTURES));
        }
        int left = stats.get(Stats.HEALTH);
        int armourLeft = stats.get(Stats.ARMOUR);
        boolean lives = state.pmType() == PlayerState.NORMAL;
        int lost = Math.max(0, health - left) + Math.max(0, armour - armourLeft);
        if (alive && lost > 0) {
            listener.onHit(self, self.id(), ClientListener.UNKNOWN_PLAYER, lost, left);
        }
        if (alive && isDead(state)) {
            listener.onDeath(self, self.id(), ClientListener.UNKNOWN_PLAYER);
        }
        boolean begins = lives && !alive;
        alive = lives;
        health = left;
        armour = armourLeft;
        return begins;
    }

    private static boolean isDead(PlayerState state) {
        return state.pmType() == PlayerState.DEAD || state.pmType() == PlayerState.GIB;
    }

    /** Reads the board, a program that draws each player by its slot. */
    void onLayout(String program) {
        List<String> words = List.of(program.split("\\s+"));
        Map<Long, Integer> scores = new LinkedHashMap<>();
        for (int i = 0; i + SCORE_WORD < words.size(); i++) {
            if (words.get(i).equals("client") || words.get(i).equals("ctf")) {
                int score = i + SCORE_WORD;
                Numbers.parse(words.get(i + SLOT_WORD))
                        .ifPresent(slot ->
                                Numbers.parse(words.get(score))
                                        .ifPresent(frag -> scores.put((long) slot, frag)));
            }
        }
        frags = Map.copyOf(scores);
        teamFrags =
                TEAM_SCORE
                        .matcher(program)
                        .results()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        score -> score.group(1),
                                        score -> Integer.parseInt(score.group(2)),
                                        (_, last) -> last));
    }

    /** Health of its body; empty while it is dead or watches. */
    OptionalDouble health() {
        return alive ? OptionalDouble.of(health) : OptionalDouble.empty();
    }

    /** The captures of teams in a match with flags, else their frags on the last board. */
    Map<String, Integer> teamFrags() {
        return teamFrags;
    }

    /** The frags of the last board by slot. */
    Map<Long, Integer> frags() {
        return frags;
    }
}
