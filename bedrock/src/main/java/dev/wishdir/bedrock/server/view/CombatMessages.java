package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.message.FightMessage.DeathInfo;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.TeamColour;

import java.util.List;
import java.util.Optional;

/** The messages of deaths, in words that each client has in its own language. */
public final class CombatMessages {
    /** A key of the game's translations and the names in it. */
    private record Obituary(String key, List<String> names) {}

    private CombatMessages() {}

    /** The line in the chat. */
    public static Text obituary(ArenaEvent.Died died) {
        Obituary obituary = of(died);
        return new Text(
                Text.TRANSLATED, true, "", obituary.key, obituary.names, "", "", Optional.empty());
    }

    /** The text of the victim's death screen. */
    public static DeathInfo deathInfo(ArenaEvent.Died died) {
        Obituary obituary = of(died);
        return new DeathInfo(obituary.key, obituary.names);
    }

    private static Obituary of(ArenaEvent.Died died) {
        String victim = name(died.player());
        boolean isBlast =
                switch (died.means()) {
                    case ROCKET, GRENADE, BFG -> true;
                    default -> false;
                };
        if (died.killer().id().equals(died.id())) {
            return new Obituary(
                    isBlast ? "death.attack.explosion" : "death.attack.generic", List.of(victim));
        }
        String key =
                isBlast
                        ? "death.attack.explosion.player"
                        : died.means() == DamageMeans.MELEE
                                ? "death.attack.player"
                                : isTrident(died) ? "death.attack.trident" : "death.attack.arrow";
        return new Obituary(key, List.of(victim, name(died.killer())));
    }

    /** Whether it was what players of this game have in place of a rifle. */
    private static boolean isTrident(ArenaEvent.Died died) {
        return died.means() == DamageMeans.RIFLE && died.killer().game().equals(BedrockCodec.NAME);
    }

    /** A player's name as clients of this game read it. */
    public static String name(Player player) {
        return player.gameTag(BedrockCodec.NAME)
                + BedrockText.literalName(TeamColour.withoutMark(player.name()));
    }
}
