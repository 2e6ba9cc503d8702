package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;

import org.jspecify.annotations.Nullable;

/** What clients are told of a player: its name, its team and its look. */
final class PlayerConfigstring {
    private PlayerConfigstring() {}

    /** What is told of a player in a slot: its configstring, empty for nobody. */
    static String of(@Nullable PlayerId id, Clients clients, boolean openArena) {
        Player player = id == null ? null : clients.arena().find(id).orElse(null);
        if (player == null) {
            return "";
        }
        Quake3Player same = clients.of(player.id());
        if (same == null) {
            PlayerModel look = PlayerModel.of(player.game(), player.name(), openArena);
            return info(player, 0, look.model(), look.model(), look.colour(), look.colour());
        }
        InfoString userinfo = same.userinfo();
        return info(
                player,
                same.body().team(),
                or(userinfo.get("model"), "sarge"),
                or(userinfo.get("headmodel"), "sarge"),
                or(userinfo.get("color1"), "4"),
                or(userinfo.get("color2"), "5"));
    }

    /** The name of a player as clients of this game read it. */
    static String name(Player player) {
        return name(player, player.name());
    }

    /** A name that a player has had, as {@linkplain #name(Player) clients} read it. */
    static String name(Player player, String had) {
        return Quake3Text.name(player.gameTag(Quake3Codec.GAME), had);
    }

    private static String info(
            Player player, int team, String model, String head, Object first, Object second) {
        return "n\\%s\\t\\%d\\model\\%s\\hmodel\\%s\\c1\\%s\\c2\\%s\\hc\\100\\w\\0\\l\\0\\tt\\0\\tl\\0"
                .formatted(name(player), team, model, head, first, second);
    }

    private static String or(String value, String otherwise) {
        return value.isEmpty() ? otherwise : Quake3Text.value(value, 40);
    }
}
