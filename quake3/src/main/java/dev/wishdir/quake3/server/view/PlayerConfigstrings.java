package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** Formats the configstrings of players: name, team, model and colours. */
public final class PlayerConfigstrings {
    private final Arena arena;
    private final LocalPlayer.Lookup localPlayers;
    private final boolean openArena;

    /**
     * @param openArena whether for clients of OpenArena, rather than of Quake III
     */
    public PlayerConfigstrings(Arena arena, LocalPlayer.Lookup localPlayers, boolean openArena) {
        this.arena = arena;
        this.localPlayers = localPlayers;
        this.openArena = openArena;
    }

    /** The configstring of a player; empty for null or a player that has left. */
    public String of(@Nullable PlayerId id) {
        Player player = id == null ? null : arena.find(id).orElse(null);
        if (player == null) {
            return "";
        }
        LocalPlayer local = localPlayers.find(player.id());
        if (local == null) {
            PlayerModel look = PlayerModel.of(player.game(), player.name(), openArena);
            int team = TeamNumber.of(arena.match().team(player.id()));
            return info(player, team, look.model(), look.model(), look.colour(), look.colour());
        }
        InfoString userinfo = local.userinfo();
        return info(
                player,
                local.body().team(),
                or(userinfo.get("model"), "sarge"),
                or(userinfo.get("headmodel"), "sarge"),
                or(userinfo.get("color1"), "4"),
                or(userinfo.get("color2"), "5"));
    }

    /** The name of a player as clients of this game display it, with the tag of its game. */
    public static String name(Player player) {
        return name(player, player.name());
    }

    /** A former name of a player, formatted as by {@link #name(Player)}. */
    public static String name(Player player, String formerName) {
        return Quake3Text.name(player.gameTag(Quake3Codec.GAME), formerName);
    }

    private static String info(
            Player player, int team, String model, String head, Object first, Object second) {
        return String.format(
                Locale.ROOT,
                "n\\%s\\t\\%d\\model\\%s\\hmodel\\%s\\c1\\%s\\c2\\%s\\hc\\100\\w\\0\\l\\0\\tt\\0\\tl\\0",
                name(player),
                team,
                model,
                head,
                first,
                second);
    }

    private static String or(String value, String fallback) {
        return value.isEmpty() ? fallback : Quake3Text.value(value, 40);
    }
}
