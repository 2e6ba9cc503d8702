package dev.wishdir.quake3.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake3.combat.FlagItem;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The flags by a client's configstrings and newest snapshot. */
final class FlagTracker {
    private static final int ET_ITEM = 2;

    /** From the foot of a flag to the origin of its entity. */
    private static final int BASE_UNITS = 15;

    /** A player that is seen to carry a flag. */
    private record Carrier(long id, Vec3 place) {}

    private final Configstrings configstrings;

    /** The bases that were seen since the level began. */
    private final Map<Team, Vec3> homes = new EnumMap<>(Team.class);

    private final Map<Team, Vec3> dropped = new EnumMap<>(Team.class);
    private final Map<Team, Carrier> carriers = new EnumMap<>(Team.class);

    FlagTracker(Configstrings configstrings) {
        this.configstrings = configstrings;
    }

    /** Forgets everything: another level. */
    void forget() {
        homes.clear();
        dropped.clear();
        carriers.clear();
    }

    /** Whether an entity is a flag that stands or lies. */
    static boolean isFlag(EntityState entity) {
        return entity.get(EntityField.E_TYPE) == ET_ITEM
                && FlagItem.of(entity.get(EntityField.MODELINDEX)).isPresent();
    }

    /** Takes what a frame shows. */
    void frame(Frame frame) {
        dropped.clear();
        carriers.clear();
        int own = frame.player().get(PlayerField.CLIENT_NUM);
        for (FlagItem flag : FlagItem.values()) {
            if (frame.player().get(PlayerArray.POWERUPS, flag.powerup()) != 0) {
                carriers.put(
                        flag.team(),
                        new Carrier(own, Quake3Motion.movement(frame.player()).position()));
            }
        }
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            if (isFlag(entity)) {
                FlagItem.of(entity.get(EntityField.MODELINDEX))
                        .ifPresent(flag ->
                                (entity.get(EntityField.MODELINDEX2) == 0 ? homes : dropped)
                                        .put(flag.team(), foot(entity)));
            } else if (entity.get(EntityField.POWERUPS) != 0
                    && RemotePlayers.isLivingPlayer(entity)) {
                carry(entity);
            }
        }
    }

    private void carry(EntityState player) {
        for (FlagItem flag : FlagItem.values()) {
            if ((player.get(EntityField.POWERUPS) & flag.powerupBit()) != 0) {
                carriers.put(
                        flag.team(),
                        new Carrier(
                                player.get(EntityField.CLIENT_NUM),
                                Quake3Motion.movement(player).position()));
            }
        }
    }

    private static Vec3 foot(EntityState entity) {
        return new Vec3(
                        entity.real(EntityField.POS_TR_BASE_0),
                        entity.real(EntityField.POS_TR_BASE_1),
                        entity.real(EntityField.POS_TR_BASE_2) - BASE_UNITS)
                .times(1 / Quake3Motion.SCALE);
    }

    /** The flags, red first; empty without any. */
    List<RemoteFlag> flags() {
        String status = configstrings.get(Configstrings.FLAG_STATUS);
        return status.matches("[0-2]{2}")
                ? Stream.of(Team.values())
                        .map(team -> flag(team, status.charAt(team.ordinal())))
                        .toList()
                : List.of();
    }

    private RemoteFlag flag(Team team, char status) {
        Optional<Vec3> home = Optional.ofNullable(homes.get(team));
        Optional<Carrier> carrier = Optional.ofNullable(carriers.get(team));
        return switch (status) {
            case '0' -> flag(team, RemoteFlag.State.HOME, home, home);
            case '1' ->
                    new RemoteFlag(
                            team.toString(),
                            RemoteFlag.State.CARRIED,
                            home,
                            carrier.map(Carrier::place),
                            carrier.map(Carrier::id).orElse(ClientListener.UNKNOWN_PLAYER));
            default ->
                    flag(
                            team,
                            RemoteFlag.State.DROPPED,
                            home,
                            Optional.ofNullable(dropped.get(team)));
        };
    }

    private static RemoteFlag flag(
            Team team, RemoteFlag.State state, Optional<Vec3> home, Optional<Vec3> place) {
        return new RemoteFlag(team.toString(), state, home, place, ClientListener.UNKNOWN_PLAYER);
    }
}
