package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.BooleanSupplier;

/** What clients and server lists read about the server. */
final class ServerInfo {
    private final String name;
    private final int maxPlayers;
    private final BooleanSupplier needsPassword;
    private final Arena arena;
    private final RunningLevel level;

    ServerInfo(EndpointContext context, RunningLevel level) {
        name = context.name();
        maxPlayers = context.maxPlayers();
        needsPassword = () -> !context.password().isEmpty();
        arena = context.arena();
        this.level = level;
    }

    /** Players of all games at which this endpoint is full, those of other servers among them. */
    private int maxPlayers() {
        return maxPlayers + arena.maxPlayerCount() - arena.capacity();
    }

    /** The settings (serverinfo). */
    InfoString settings() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", Quake2Text.value(name, 63));
        info.put("mapname", level.map().name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(maxPlayers()));
        info.put("deathmatch", "1");
        info.put("gamename", RunningLevel.GAME_FOLDER);
        info.put("needpass", needsPassword.getAsBoolean() ? "1" : "0");
        info.put("version", "Wishdir");
        return InfoString.of(info);
    }

    /**
     * The line of a server browser: name, map, players.
     *
     * @param version protocol of the client
     */
    String line(int version) {
        String shortName = Quake2Text.line(name, 16);
        return version == Quake2Codec.PROTOCOL
                ? String.format(
                        Locale.ROOT,
                        "%16s %8s %2d/%2d\n",
                        shortName,
                        level.map().name(),
                        arena.playerCount(),
                        maxPlayers())
                : shortName + ": wrong version\n";
    }
}
