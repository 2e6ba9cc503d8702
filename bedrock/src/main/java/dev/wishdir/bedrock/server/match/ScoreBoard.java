package dev.wishdir.bedrock.server.match;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.FightMessage.BossEvent;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetTitle;
import dev.wishdir.bedrock.protocol.TeamColour;
import dev.wishdir.bedrock.server.view.CombatMessages;
import dev.wishdir.bedrock.server.view.PlayerIdentities;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The match on the screen of one client: teams and the best players at the side, all of them in the
 * pause menu, phase and time in the bar at the top, and a title when a round starts or ends.
 */
public final class ScoreBoard {
    /** The lines that a side bar has room for. */
    private static final int MAX_LINES = 15;

    /** The players of the list in the pause menu. */
    private static final int MAX_PLAYERS = 256;

    /** The numbers of a list's entries must differ from those of the other list. */
    private static final long FIRST_PLAYER_ENTRY = MAX_LINES + 1;

    private static final long SCORE_INTERVAL_NANOS = 250_000_000;

    /** Interval at which a carrier is reminded of its flag, which the client shows for so long. */
    private static final long CARRIER_INTERVAL_NANOS = 2_000_000_000;

    private static final int BLUE = 1;
    private static final int FADE_IN_TICKS = 5;
    private static final int STAY_TICKS = 60;
    private static final int FADE_OUT_TICKS = 10;

    private final Match match;
    private final PlayerIdentities identities;
    private final long boss;
    private final Consumer<BedrockMessage> output;
    private final ScoreList lines;
    private final ScoreList players;
    private boolean isShown;
    private boolean isChanged;
    private long scoresAt;
    private String barTitle = "";

    /** The flags in the bar, one at each side of the time. */
    private List<String> flagTitles = List.of();

    private List<String> flagLines = List.of();
    private long flagsAt = Long.MIN_VALUE;
    private long carrierAt = Long.MIN_VALUE;

    /**
     * @param boss unique id of the client's own player, whose bar the client shows
     */
    public ScoreBoard(
            Match match, PlayerIdentities identities, long boss, Consumer<BedrockMessage> output) {
        this.match = match;
        this.identities = identities;
        this.boss = boss;
        this.output = output;
        String scores = match.isRace() ? "Points" : "Frags";
        lines = new ScoreList("sidebar", "match", scores, output);
        players = new ScoreList("list", "frags", scores, output);
    }

    /** A score, a name or the number of players has changed. */
    public void onChange() {
        isChanged = true;
    }

    /**
     * Sends what has changed since the last call.
     *
     * @return whether scores wait for the next call
     */
    public boolean advance(long now) {
        if (!match.isOn()) {
            return false;
        }
        if (!isShown) {
            isShown = true;
            isChanged = true;
            lines.show();
            players.show();
            barTitle = barTitle(now);
            output.accept(bar(BossEvent.SHOW, progress(now)));
        }
        if (isChanged || now >= flagsAt) {
            flagsAt = now + SCORE_INTERVAL_NANOS;
            advanceFlags(now);
        }
        String title = barTitle(now);
        if (!title.equals(barTitle)) {
            barTitle = title;
            output.accept(bar(BossEvent.NAME, 0));
            output.accept(bar(BossEvent.PROGRESS, progress(now)));
        }
        if (isChanged && now >= scoresAt) {
            isChanged = false;
            scoresAt = now + SCORE_INTERVAL_NANOS;
            sendScores();
        }
        return isChanged;
    }

    /** Shows changes of flags, which some have without an event: time, the end of a round. */
    private void advanceFlags(long now) {
        List<Flag> flags = match.flags().all();
        List<String> changed = flags.stream().map(flag -> flagLine(now, flag)).toList();
        isChanged |= !changed.equals(flagLines);
        flagLines = changed;
        flagTitles = flags.stream().map(this::flagTitle).toList();
        Optional<Flag> own =
                flags.stream()
                        .filter(flag -> flag.carrier().filter(this::isOwn).isPresent())
                        .findFirst();
        if (own.isPresent() && now >= carrierAt) {
            carrierAt = now + CARRIER_INTERVAL_NANOS;
            showNotice("You have the " + FlagNotices.flag(own.get().team()));
        } else if (own.isEmpty()) {
            carrierAt = now;
        }
    }

    private boolean isOwn(PlayerId id) {
        return identities.runtimeId(id) == boss;
    }

    private String flagLine(long now, Flag flag) {
        String carrier = match.flags().carrier(flag).map(CombatMessages::name).orElse("taken");
        String title = flag.team() == Team.RED ? "Red flag" : "Blue flag";
        return TeamColour.paint(
                Optional.of(flag.team()), title + ": " + FlagNotices.state(now, flag, carrier));
    }

    /** The state of a team's flag and its captures in the bar. */
    private String flagTitle(Flag flag) {
        String state =
                switch (flag.state()) {
                    case FlagState.Home _ -> "home";
                    case FlagState.Carried _ -> "taken";
                    case FlagState.Dropped _ -> "dropped";
                };
        return TeamColour.paint(
                Optional.of(flag.team()),
                String.format(
                        Locale.ROOT,
                        "%s %d (%s)",
                        flag.team() == Team.RED ? "RED" : "BLUE",
                        match.frags(flag.team()),
                        state));
    }

    /** A flag was captured. */
    public void onCaptured(ArenaEvent.FlagChanged e) {
        sendTitle(
                TeamColour.paint(
                        Optional.of(e.flag().other()), title(e.flag().other()) + " scores"),
                FlagNotices.line(e));
    }

    private BossEvent bar(int type, float progress) {
        return new BossEvent(boss, 0, type, barTitle, "", progress, 0, BLUE, 0);
    }

    private void sendScores() {
        List<ScoreEntry> best = new ArrayList<>();
        List<ScoreEntry> all = new ArrayList<>();
        for (TeamScore score : match.teamScores()) {
            String title = TeamColour.paint(Optional.of(score.team()), title(score.team()));
            best.add(ScoreEntry.ofText(best.size() + 1L, lines.objective(), score.frags(), title));
        }
        for (int i = 0; i < flagLines.size(); i++) {
            best.add(
                    ScoreEntry.ofText(
                            best.size() + 1L,
                            lines.objective(),
                            match.frags(Team.values()[i]),
                            flagLines.get(i)));
        }
        for (Match.PlayerScore each : match.standings()) {
            int frags = each.score().frags();
            if (best.size() < MAX_LINES) {
                best.add(
                        ScoreEntry.ofText(
                                best.size() + 1L,
                                lines.objective(),
                                frags,
                                TeamColour.paint(
                                        match.team(each.player().id()),
                                        CombatMessages.name(each.player()))));
            }
            if (all.size() < MAX_PLAYERS) {
                long id = identities.runtimeId(each.player().id());
                all.add(
                        ScoreEntry.ofPlayer(
                                FIRST_PLAYER_ENTRY + id, players.objective(), frags, id));
            }
        }
        lines.update(best);
        players.update(all);
    }

    /** The title of a team, as in the side bar. */
    public static String title(Team team) {
        return (team == Team.RED ? "Red" : "Blue") + " team";
    }

    private String barTitle(long now) {
        String phase =
                match.isPaused()
                        ? "Paused"
                        : switch (match.phase()) {
                            case WARM_UP -> "Warm-up";
                            case INTERMISSION -> "Intermission";
                            case OFF, IDLE, PLAYING -> "Match";
                        };
        String title =
                match.timeLeft(now)
                        .map(left ->
                                String.format(
                                        Locale.ROOT,
                                        "%s %d:%02d",
                                        phase,
                                        left.toMinutes(),
                                        left.toSecondsPart()))
                        .orElse(phase);
        return flagTitles.isEmpty()
                ? title
                : flagTitles.getFirst() + "  " + title + "  " + flagTitles.getLast();
    }

    private float progress(long now) {
        MatchRules rules = match.rules();
        Duration whole =
                switch (match.phase()) {
                    case WARM_UP -> rules.warmUp();
                    case INTERMISSION -> rules.intermission();
                    case OFF, IDLE, PLAYING -> rules.timeLimit();
                };
        return match.timeLeft(now)
                .filter(_ -> !whole.isZero())
                .map(left -> (float) Math.min(1.0, (double) left.toMillis() / whole.toMillis()))
                .orElse(1f);
    }

    public void onRoundStarted(ArenaEvent.RoundStarted started) {
        isChanged = true;
        String unit = started.mode().hasFlags() ? " captures" : " frags";
        String limit = started.scoreLimit() == 0 ? "" : "First to " + started.scoreLimit() + unit;
        sendTitle(started.mode() == MatchMode.RACE ? "Race!" : "Fight!", limit);
    }

    /** Shows a short text above the hot bar. */
    public void showNotice(String text) {
        output.accept(SetTitle.of(SetTitle.ACTION_BAR, text));
    }

    /**
     * @param winner its name as the client reads it
     */
    public void onRoundEnded(Optional<String> winner) {
        sendTitle("Round over", winner.map(name -> name + " wins").orElse("No winner"));
    }

    private void sendTitle(String title, String subtitle) {
        output.accept(SetTitle.durations(FADE_IN_TICKS, STAY_TICKS, FADE_OUT_TICKS));
        output.accept(SetTitle.of(SetTitle.SUBTITLE, subtitle));
        output.accept(SetTitle.of(SetTitle.TITLE, title));
    }
}
