package dev.wishdir.sauerbraten.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.FlagMark;
import dev.wishdir.sauerbraten.combat.GameTeam;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The flags as a headless client knows them. In a mode with flags these are the flags of its own
 * map file, whose state the server sends; in coop edit, the marks of this program's server.
 */
final class FlagTracker {
    /** Distance in the plane from the feet to a flag that the original's client touches. */
    private static final double TOUCH_UNITS = 16;

    /** A flag of the map. */
    private static final class MapFlag {
        final FlagMessage.Placed placed;
        FlagMessage.Status status = FlagMessage.Status.atHome(0);

        /** Whether the client has asked for it since it came there, or dropped it there itself. */
        boolean asked;

        MapFlag(FlagMessage.Placed placed) {
            this.placed = placed;
        }

        boolean isHome() {
            return status.owner() < 0 && !status.dropped();
        }

        Point place() {
            return status.dropped() ? status.o() : placed.o();
        }

        void set(FlagMessage.Status newest) {
            status = newest;
            asked = false;
        }
    }

    private List<MapFlag> flags = List.of();

    /** By team, the mark of its flag. */
    private final Map<Team, EditMessage.EditEnt> marks = new EnumMap<>(Team.class);

    /** By team, the time that its flag still lies. */
    private final Map<Team, EditMessage.EditEnt> times = new EnumMap<>(Team.class);

    /** By team, where its flag was seen at home. */
    private final Map<Team, Vec3> homes = new EnumMap<>(Team.class);

    /** Starts a map with these flags; none if they are unknown. */
    void start(List<FlagMessage.Placed> placed) {
        flags = placed.stream().map(MapFlag::new).toList();
        clearMarks();
    }

    /** The client has loaded a map, which ends all marks. */
    void clearMarks() {
        marks.clear();
        times.clear();
        homes.clear();
    }

    /** The flags of its own map, for a server that knows none. */
    List<FlagMessage.Placed> placed() {
        return flags.stream().map(flag -> flag.placed).toList();
    }

    private @Nullable MapFlag flag(int number) {
        return number < 0 || number >= flags.size() ? null : flags.get(number);
    }

    private void set(int number, FlagMessage.Status status) {
        MapFlag flag = flag(number);
        if (flag != null) {
            flag.set(status);
        }
    }

    /**
     * Processes a message about flags.
     *
     * @param self the client's own number
     */
    void onMessage(FlagMessage message, int self) {
        switch (message) {
            case FlagMessage.InitFlags m -> {
                for (int i = 0; i < m.flags().size(); i++) {
                    set(i, m.flags().get(i));
                }
            }
            case FlagMessage.TakeFlag m ->
                    set(m.flag(), FlagMessage.Status.carried(m.version(), m.cn()));
            case FlagMessage.DropFlag m -> {
                set(m.flag(), FlagMessage.Status.dropped(m.version(), m.o()));
                MapFlag flag = flag(m.flag());
                if (flag != null) {
                    flag.asked = m.cn() == self;
                }
            }
            case FlagMessage.ReturnFlag m -> set(m.flag(), FlagMessage.Status.atHome(m.version()));
            case FlagMessage.ResetFlag m -> set(m.flag(), FlagMessage.Status.atHome(m.version()));
            case FlagMessage.ScoreFlag m -> {
                set(m.relay(), FlagMessage.Status.atHome(m.relayversion()));
                set(m.goal(), FlagMessage.Status.atHome(m.goalversion()));
            }
            default -> {
                // It is about hidden flags, or from a client.
            }
        }
    }

    /** Processes an entity that may be a mark. */
    void onEntity(EditMessage.EditEnt entity, SauerbratenMotion motion) {
        for (Team team : Team.values()) {
            if (entity.ent() == FlagMark.number(team)) {
                marks.put(team, entity);
            } else if (entity.ent() == FlagMark.timeNumber(team)) {
                times.put(team, entity);
            } else {
                continue;
            }
            EditMessage.EditEnt mark = marks.get(team);
            if (mark != null && FlagMark.isBall(mark) && !lies(team) && times.containsKey(team)) {
                homes.put(team, motion.toCanonical(FlagMark.foot(mark)));
            }
        }
    }

    private boolean lies(Team team) {
        EditMessage.EditEnt time = times.get(team);
        return time != null && time.type() != 0;
    }

    /**
     * The flags that the client asks for, as its body touches them: each once until the flag
     * changes or the body is elsewhere.
     *
     * @param feet units
     * @param team of the client
     * @param self the client's own number
     */
    List<FlagMessage.ClientTakeFlag> touched(Vec3 feet, String team, int self) {
        boolean carries = flags.stream().anyMatch(flag -> flag.status.owner() == self);
        int own = GameTeam.of(team).map(it -> it.number).orElse(0);
        List<FlagMessage.ClientTakeFlag> touched = new ArrayList<>();
        for (int i = 0; i < flags.size(); i++) {
            MapFlag flag = flags.get(i);
            boolean isNear = flag.place().units().minus(feet).horizontal() < TOUCH_UNITS;
            boolean isUseful =
                    flag.status.owner() < 0
                            && !flag.status.invisible()
                            && (flag.placed.team() != own || !flag.isHome() || carries);
            if (!isNear) {
                flag.asked = false;
            } else if (isUseful && own != 0 && !flag.asked) {
                flag.asked = true;
                touched.add(new FlagMessage.ClientTakeFlag(i, flag.status.version()));
            }
        }
        return touched;
    }

    /**
     * The flags as others may see them.
     *
     * @param self the client's own number
     * @param places where the feet of a player are, by number, metres
     */
    List<RemoteFlag> snapshot(
            int self, IntFunction<Optional<Vec3>> places, SauerbratenMotion motion) {
        List<RemoteFlag> all = new ArrayList<>();
        for (MapFlag flag : flags) {
            if (!flag.status.invisible()) {
                all.add(snapshot(flag, places, motion));
            }
        }
        marks.forEach((team, mark) -> all.add(snapshot(team, mark, self, places, motion)));
        return all;
    }

    private static RemoteFlag snapshot(
            MapFlag flag, IntFunction<Optional<Vec3>> places, SauerbratenMotion motion) {
        int owner = flag.status.owner();
        Optional<Vec3> home = Optional.of(motion.toCanonical(flag.placed.o().units()));
        return new RemoteFlag(
                GameTeam.of(flag.placed.team()).map(GameTeam::toString).orElse(""),
                owner >= 0
                        ? RemoteFlag.State.CARRIED
                        : flag.isHome() ? RemoteFlag.State.HOME : RemoteFlag.State.DROPPED,
                home,
                owner >= 0
                        ? places.apply(owner)
                        : Optional.of(motion.toCanonical(flag.place().units())),
                owner >= 0 ? owner : ClientListener.UNKNOWN_PLAYER);
    }

    /** A flag without a mark is the client's own: others see one over its carrier. */
    private RemoteFlag snapshot(
            Team team,
            EditMessage.EditEnt mark,
            int self,
            IntFunction<Optional<Vec3>> places,
            SauerbratenMotion motion) {
        boolean isOwn = mark.type() == 0;
        RemoteFlag.State state =
                isOwn || FlagMark.isCarried(mark)
                        ? RemoteFlag.State.CARRIED
                        : lies(team) ? RemoteFlag.State.DROPPED : RemoteFlag.State.HOME;
        return new RemoteFlag(
                team.toString(),
                state,
                Optional.ofNullable(homes.get(team)),
                isOwn ? places.apply(self) : Optional.of(motion.toCanonical(FlagMark.foot(mark))),
                isOwn ? self : ClientListener.UNKNOWN_PLAYER);
    }
}
