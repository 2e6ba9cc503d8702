package dev.wishdir.quake2.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.FlagModel;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.Stats;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.protocol.FrameHistory;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The flags by a client's newest frame. A flag that is neither at home nor lies anywhere has a
 * carrier.
 */
final class FlagTracker {
    /** From the feet of a body to the base of a flag with the same origin: 24 less 15 units. */
    private static final double BASE_METRES = 9 / 32.0;

    /** A player that is seen to carry a flag. */
    private record Carrier(long id, Vec3 place) {}

    private final IntFunction<String> configStrings;

    /** The bases that were seen since the map began. */
    private final Map<Team, Vec3> homes = new EnumMap<>(Team.class);

    private final Map<Team, RemoteFlag> flags = new EnumMap<>(Team.class);

    /**
     * @param configStrings of the client, empty for none
     */
    FlagTracker(IntFunction<String> configStrings) {
        this.configStrings = configStrings;
    }

    /** Forgets everything: another map. */
    void forget() {
        homes.clear();
        flags.clear();
    }

    /** Takes what a frame shows. */
    void frame(FrameHistory.Snapshot frame) {
        flags.clear();
        if (frame.player().stats().get(Stats.RED_FLAG) == 0) {
            return;
        }
        Map<Team, Carrier> carriers = new EnumMap<>(Team.class);
        for (FrameHistory.Numbered entity : frame.entities()) {
            EntityState state = entity.state();
            if (state.model() == EntityState.PLAYER_MODEL) {
                for (FlagModel flag : FlagModel.values()) {
                    if ((state.effects() & flag.effect()) != 0) {
                        carriers.put(
                                flag.team(),
                                new Carrier(
                                        entity.number() - 1,
                                        Quake2Motion.toCanonical(state.origin())));
                    }
                }
            } else {
                FlagModel.of(configStrings.apply(ConfigString.MAP - 1 + state.model()))
                        .ifPresent(flag -> see(flag, state));
            }
        }
        for (Team team : Team.values()) {
            if (!flags.containsKey(team)) {
                Optional<Carrier> carrier = Optional.ofNullable(carriers.get(team));
                put(
                        team,
                        RemoteFlag.State.CARRIED,
                        carrier.map(Carrier::place),
                        carrier.map(Carrier::id).orElse(ClientListener.UNKNOWN_PLAYER));
            }
        }
    }

    private void see(FlagModel flag, EntityState state) {
        Vec3 place = Quake2Motion.toCanonical(state.origin()).plus(new Vec3(0, 0, BASE_METRES));
        boolean isHome = (state.effects() & flag.effect()) == 0;
        if (isHome) {
            homes.put(flag.team(), place);
        }
        put(
                flag.team(),
                isHome ? RemoteFlag.State.HOME : RemoteFlag.State.DROPPED,
                Optional.of(place),
                ClientListener.UNKNOWN_PLAYER);
    }

    private void put(Team team, RemoteFlag.State state, Optional<Vec3> place, long carrier) {
        flags.put(
                team,
                new RemoteFlag(
                        team.toString(),
                        state,
                        Optional.ofNullable(homes.get(team)),
                        place,
                        carrier));
    }

    /** The flags, red first; empty without any. */
    List<RemoteFlag> flags() {
        return Stream.of(Team.values())
                .flatMap(team -> Stream.ofNullable(flags.get(team)))
                .toList();
    }
}
