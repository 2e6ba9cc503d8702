package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Kicks the players that bans apply to, by the rights of the author and of the players. */
final class BanEnforcer implements ArenaListener {
    private final Arena arena;
    private final Bans bans;

    /** The players with rights. */
    private final Map<PlayerId, Rights> rights = new HashMap<>();

    BanEnforcer(Arena arena, Bans bans) {
        this.arena = arena;
        this.bans = bans;
    }

    /**
     * What became of the players that a ban applies to, by their names.
     *
     * @param left in, as the author does not outrank them
     */
    record Result(List<String> kicked, List<String> left) {}

    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Left left) {
            rights.remove(left.player().id());
        }
    }

    void setRights(PlayerId player, Rights value) {
        if (value != Rights.NONE && arena.contains(player)) {
            rights.put(player, value);
        } else {
            rights.remove(player);
        }
    }

    /** Replaces all bans. Whoever wrote the new ones outranks all players. */
    void replace(long now, BanList others) {
        Set<Ban> known = Set.copyOf(bans.all());
        bans.replace(others);
        for (Player player : arena.players()) {
            InetSocketAddress address = arena.connectionInfo(player.id()).address();
            if (address != null) {
                bans.matching(player.game(), address.getAddress(), player.proof().account())
                        .filter(ban -> !known.contains(ban))
                        .findFirst()
                        .ifPresent(ban -> kick(now, player, ban.refusal()));
            }
        }
    }

    /**
     * Kicks the player that the author of a ban named, and those that the ban applies to and the
     * author outranks. The author stays, and so do players with no lower rights: neither is meant
     * by a ban of a player behind the same address.
     *
     * @param named empty for a ban of addresses or an account
     */
    Result apply(long now, OperatorConsole.Author by, Ban ban, Optional<PlayerId> named) {
        Result result = new Result(new ArrayList<>(), new ArrayList<>());
        for (Player player : arena.players()) {
            boolean isNamed = named.filter(player.id()::equals).isPresent();
            if (!isNamed && !isTarget(ban, player)) {
                continue;
            }
            if (isNamed || isOutranked(player, by)) {
                result.kicked.add(player.name());
                kick(now, player, ban.refusal());
            } else {
                result.left.add(player.name());
            }
        }
        return result;
    }

    private boolean isTarget(Ban ban, Player player) {
        InetSocketAddress address = arena.connectionInfo(player.id()).address();
        return address != null
                && ban.isOf(player.game(), address.getAddress(), player.proof().account());
    }

    private boolean isOutranked(Player player, OperatorConsole.Author by) {
        return by.player().filter(player.id()::equals).isEmpty()
                && by.rights().outrank(rights.getOrDefault(player.id(), Rights.NONE));
    }

    private void kick(long now, Player player, LeaveReason reason) {
        arena.player(player.id()).ifPresent(it -> it.kick(now, reason));
    }
}
