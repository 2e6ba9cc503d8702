package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.net.limit.AddressRange;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The effect of bans: on the list, on the other servers, and on the players that they apply to, by
 * the rights of the author and of the players.
 */
final class BanEnforcer implements ArenaListener {
    private final OperatorConsole console;
    private final Arena arena;
    private final Bans bans;

    /** The players with rights. */
    private final Map<PlayerId, Rights> rights = new HashMap<>();

    BanEnforcer(OperatorConsole console, Arena arena, Bans bans) {
        this.console = console;
        this.arena = arena;
        this.bans = bans;
    }

    /**
     * What became of the players that a ban applies to, by their names.
     *
     * @param left in, as the author does not outrank them
     */
    private record Result(List<String> kicked, List<String> left) {}

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
     * Bans a player by its address and account; its own server does if that is another one.
     *
     * @return the answer for the operator
     */
    String ban(long now, OperatorConsole.Author by, Player player, OtherServers.BanTerms terms) {
        if (player.id().isOfOtherServer()) {
            console.otherServers().ban(player, terms);
            console.reportAction(now, by, "had the server of " + player + " ban it");
            return "The server of " + player.name() + " bans it.";
        }
        InetSocketAddress address = arena.connectionInfo(player.id()).address();
        if (address == null) {
            return player.name() + " has no address to ban.";
        }
        String account = player.proof().account();
        Ban ban =
                new Ban(
                        List.of(AddressRange.subscriberPrefix(address.getAddress())),
                        account.isEmpty() ? List.of() : List.of(account),
                        terms.end(),
                        terms.author(),
                        player.name(),
                        terms.reason(),
                        terms.game());
        return ban(now, by, ban, Optional.of(player.id()));
    }

    /**
     * Adds a ban, also on the other servers.
     *
     * @param named the player that the author named; empty for a ban of addresses or an account
     * @return the answer for the operator
     */
    String ban(long now, OperatorConsole.Author by, Ban ban, Optional<PlayerId> named) {
        if (!bans.add(ban)) {
            return "The ban list is full ("
                    + Bans.MAX_BANS
                    + "): remove bans, or ban address ranges.";
        }
        console.reportAction(now, by, "banned " + ban.terms());
        console.otherServers().ban(ban);
        Result result = apply(now, by, ban, named);
        return "Banned: "
                + ban.description()
                + line("\nKicked: ", result.kicked())
                + line("\nNot kicked, as they have rights here: ", result.left());
    }

    private static String line(String title, List<String> names) {
        return names.isEmpty() ? "" : title + String.join(", ", names);
    }

    /** Removes bans, also on the other servers. */
    void unban(List<Ban> removed) {
        bans.remove(removed);
        removed.forEach(console.otherServers()::unban);
    }

    /** Adds a ban that an operator of another server made, unless this server has it. */
    void applyBan(long now, OperatorConsole.Author servers, Ban ban) {
        boolean known = bans.find(ban.targets(), ban.game()).filter(ban::endsWith).isPresent();
        if (known || ban.hasEnded(bans.now())) {
            return;
        }
        boolean added = bans.add(ban);
        String what = added ? "banned " : "could not ban, as the ban list is full: ";
        console.reportAction(now, servers, what + ban.description());
        if (added) {
            apply(now, servers, ban, Optional.empty());
        }
    }

    /**
     * Kicks the player that the author of a ban named, and those that the ban applies to and the
     * author outranks. The author stays, and so do players with no lower rights: neither is meant
     * by a ban of a player behind the same address.
     *
     * @param named empty for a ban of addresses or an account
     */
    private Result apply(long now, OperatorConsole.Author by, Ban ban, Optional<PlayerId> named) {
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
