package dev.wishdir.quake3.server.match;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.Match;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.FlagItem;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.FlagTexts;
import dev.wishdir.quake3.server.view.PlayerMarks;
import dev.wishdir.quake3.server.view.PlayerMarks.Award;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The flags of a match at clients of this game: their state, items, sounds and awards. Carriers are
 * marked by {@link PlayerMarks}. docs/protocols/quake3.md#flags.
 */
public final class FlagBoard implements ArenaListener {
    private static final int TEAMS = Team.values().length;
    private static final int ET_ITEM = 2;
    private static final int ITEM_RESPAWN = 40;

    /** The flag {@code EF_BOUNCE} of what was dropped. */
    private static final int DROPPED_FLAGS = 32;

    /** From the foot of a flag to the origin of its entity. */
    private static final float BASE_UNITS = 15;

    /** A defender that kills this near to its flag, or to its carrier, gets an award. */
    private static final double DEFENCE_METRES = 15;

    /** Points as the match gives them; those of a carrier's death besides that of the kill. */
    private static final int CAPTURE_POINTS = 5;

    private static final int RETURN_POINTS = 1;
    private static final int CARRIER_POINTS = 2;

    /** Parameters of the sounds of teams, red's first. */
    private static final int CAPTURED = 0;

    private static final int BLUE_RETURNED = 2;
    private static final int RED_TAKES = 4;
    private static final int SCORES = 8;
    private static final int LEADS = 10;
    private static final int TIED = 12;

    private final Arena arena;
    private final ClientTable clients;
    private final RunningLevel running;
    private final CombatEntities entities;
    private final PlayerMarks marks;

    /** Flags that have come home, and when that is not shown any more. */
    private final Map<Team, Integer> returned = new EnumMap<>(Team.class);

    /** Counts returns: their event is only seen if it differs from the last one. */
    private int returns;

    /** Captures that were not heard yet. */
    private final List<Team> captures = new ArrayList<>();

    /** The captures of the teams as last heard. */
    private final int[] scores = new int[TEAMS];

    public FlagBoard(
            Arena arena,
            ClientTable clients,
            RunningLevel running,
            CombatEntities entities,
            PlayerMarks marks) {
        this.arena = arena;
        this.clients = clients;
        this.running = running;
        this.entities = entities;
        this.marks = marks;
    }

    /** Shows the flags as they are; called before snapshots are sent. */
    public void advance(long now) {
        if (!arena.match().rules().mode().hasFlags()) {
            return;
        }
        int time = running.time(now);
        List<Flag> flags = arena.match().flags().all();
        StringBuilder status = new StringBuilder();
        for (Flag flag : flags) {
            int home = CombatEntities.FIRST_FLAG + flag.team().ordinal();
            int elsewhere = home + TEAMS;
            entities.remove(flag.isHome() ? elsewhere : home);
            entities.flag(flag.isHome() ? home : elsewhere, content(time, flag));
            status.append(status(flag.state()));
        }
        if (flags.isEmpty()) {
            for (int i = 0; i < 2 * TEAMS; i++) {
                entities.remove(CombatEntities.FIRST_FLAG + i);
            }
        }
        if (running.matchStrings().set(Configstrings.FLAG_STATUS, status.toString())) {
            for (Quake3Session client : clients) {
                client.configstrings().changedString(Configstrings.FLAG_STATUS);
            }
        }
        announceCaptures(time);
    }

    private static char status(FlagState state) {
        return switch (state) {
            case FlagState.Home _ -> '0';
            case FlagState.Carried _ -> '1';
            case FlagState.Dropped _ -> '2';
        };
    }

    /** A carried flag lies where its carrier is, at clients that do not know that player. */
    private Content content(int time, Flag flag) {
        return switch (flag.state()) {
            case FlagState.Home _ -> new Content(home(time, flag)).toAll();
            case FlagState.Dropped(Vec3 at, _) -> new Content(dropped(flag.team(), at)).toAll();
            case FlagState.Carried carried ->
                    new Content(dropped(flag.team(), arena.match().flags().place(flag)))
                            .toAll()
                            .insteadOf(carried.by());
        };
    }

    private EntityState home(int time, Flag flag) {
        EntityState.Builder state = item(flag.team(), flag.home());
        if (time < returned.getOrDefault(flag.team(), Integer.MIN_VALUE)) {
            state.set(EntityField.EVENT, ITEM_RESPAWN | (returns & 3) << 8);
        }
        return state.build();
    }

    private static EntityState dropped(Team team, Vec3 at) {
        return item(team, at)
                .set(EntityField.MODELINDEX2, 1)
                .set(EntityField.E_FLAGS, DROPPED_FLAGS)
                .build();
    }

    private static EntityState.Builder item(Team team, Vec3 foot) {
        return CombatEntities.at(origin(foot))
                .set(EntityField.E_TYPE, ET_ITEM)
                .set(EntityField.MODELINDEX, FlagItem.of(team).number())
                .set(EntityField.GROUND_ENTITY_NUM, EntityState.WORLD);
    }

    private static Vec3f origin(Vec3 foot) {
        Vec3 units = foot.times(Quake3Motion.SCALE);
        return new Vec3f((float) units.x(), (float) units.y(), (float) units.z() + BASE_UNITS);
    }

    /** The sounds of captures, which depend on the scores after them. */
    private void announceCaptures(int time) {
        int red = arena.match().frags(Team.RED);
        int blue = arena.match().frags(Team.BLUE);
        for (Team team : captures) {
            boolean isRed = team == Team.RED;
            int own = isRed ? red : blue;
            int other = isRed ? blue : red;
            if (own > scores[team.ordinal()]) {
                int lead =
                        own == other
                                ? TIED
                                : (own > other && scores[team.ordinal()] <= other ? LEADS : SCORES)
                                        + team.ordinal();
                sound(time, Vec3.ZERO, lead);
            }
            sound(time, Vec3.ZERO, CAPTURED + team.ordinal());
        }
        captures.clear();
        scores[Team.RED.ordinal()] = red;
        scores[Team.BLUE.ordinal()] = blue;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.FlagChanged changed -> onChanged(changed);
            case ArenaEvent.Died died -> onDied(died);
            case ArenaEvent.RoundStarted _ -> {
                marks.clear();
                returned.clear();
                captures.clear();
            }
            case ArenaEvent.LevelChanged changed when changed.game().equals(Quake3Codec.GAME) ->
                    returned.clear();
            case ArenaEvent.Left left -> marks.forget(left.id());
            default -> {
                // It is about no flag.
            }
        }
    }

    private void onChanged(ArenaEvent.FlagChanged changed) {
        int time = running.time(changed.time());
        Team flag = changed.flag();
        if (changed.change() != FlagChange.TAKEN && changed.change() != FlagChange.DROPPED) {
            showReturn(time, flag);
        }
        switch (changed.change()) {
            case TAKEN -> {
                changed.player().ifPresent(player -> showTake(time, player, flag));
                sound(time, changed.place(), RED_TAKES + flag.other().ordinal());
                entities.event(
                        time,
                        TempEvent.GLOBAL_ITEM_PICKUP,
                        content(changed.place(), FlagItem.of(flag).number()).toAll());
            }
            case CAPTURED -> {
                showReturn(time, flag.other());
                captures.add(flag.other());
                changed.player()
                        .ifPresent(
                                player -> marks.award(changed.time(), player.id(), Award.CAPTURE));
                showPoints(time, changed, CAPTURE_POINTS);
            }
            case RETURNED -> {
                sound(time, changed.place(), BLUE_RETURNED + flag.other().ordinal());
                showPoints(time, changed, RETURN_POINTS);
            }
            case RESET -> sound(time, changed.place(), BLUE_RETURNED + flag.other().ordinal());
            case DROPPED -> {}
        }
    }

    private void showPoints(int time, ArenaEvent.FlagChanged changed, int points) {
        if (isCounting()) {
            changed.player()
                    .ifPresent(player ->
                            showPoints(time, player, player.movement().position(), points));
        }
    }

    private boolean isCounting() {
        return arena.match().phase() == Match.Phase.PLAYING;
    }

    private void showReturn(int time, Team flag) {
        returns++;
        returned.put(flag, time + CombatEntities.EVENT_MILLIS);
    }

    /** Shows the taker of a flag its name, as no other player sees it; without points. */
    private void showTake(int time, Player player, Team flag) {
        Quake3Session client = clients.find(player.id());
        if (client != null) {
            client.body().combat().show(BodyEvent.ITEM_PICKUP, FlagItem.of(flag).number());
            showPoints(time, player, player.movement().position(), 0);
        }
    }

    /** Points of a player, which only its own client shows. */
    private void showPoints(int time, Player player, Vec3 place, int points) {
        if (clients.find(player.id()) != null) {
            entities.event(
                    time,
                    TempEvent.SCORE_PLUM,
                    new Content(
                                    CombatEntities.at(origin(place))
                                            .set(EntityField.TIME, points)
                                            .build())
                            .naming(EntityField.OTHER_ENTITY_NUM, player.id())
                            .onlyTo(player.id()));
        }
    }

    private void sound(int time, Vec3 place, int parameter) {
        entities.event(time, TempEvent.GLOBAL_TEAM_SOUND, content(place, parameter).toAll());
    }

    private static Content content(Vec3 place, int parameter) {
        return new Content(
                CombatEntities.at(origin(place)).set(EntityField.EVENT_PARM, parameter).build());
    }

    /** A death; its victim still carries the flag that it loses. */
    private void onDied(ArenaEvent.Died died) {
        Match match = arena.match();
        Optional<Team> team = match.team(died.killer().id());
        Optional<FlagItem> lost = marks.carried(died.id());
        boolean isEnemy = team.isPresent() && !team.equals(match.team(died.id()));
        if (lost.isPresent()) {
            Team flag = lost.get().team();
            print(
                    isEnemy
                            ? FlagTexts.fragged(died.killer(), flag.other())
                            : FlagTexts.lost(died.player(), flag));
            if (isEnemy && isCounting()) {
                showPoints(
                        running.time(died.time()),
                        died.killer(),
                        died.player().movement().position(),
                        CARRIER_POINTS);
            }
        } else if (isEnemy && isCounting() && isDefended(died, team.get())) {
            marks.award(died.time(), died.killer().id(), Award.DEFENCE);
        }
    }

    /** Whether a victim was near the flag of its killer's team, or near that team's carrier. */
    private boolean isDefended(ArenaEvent.Died died, Team team) {
        Vec3 place = died.player().movement().position();
        return arena.match().flags().all().stream()
                .filter(flag ->
                        flag.team() == team
                                ? flag.carrier().isEmpty()
                                : flag.carrier().filter(id -> !isKiller(died, id)).isPresent())
                .anyMatch(flag ->
                        arena.match().flags().place(flag).distance(place) <= DEFENCE_METRES);
    }

    private static boolean isKiller(ArenaEvent.Died died, PlayerId id) {
        return id.equals(died.killer().id());
    }

    private void print(String line) {
        for (Quake3Session client : clients) {
            client.viewer().print(line);
        }
    }
}
