package dev.wishdir.quake2.server.join;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;

/** Information about the server for clients and server lists. */
public final class ServerInfo {
    private static final MatchRules NO_LIMITS =
            MatchRules.of(MatchMode.NONE).withTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final EndpointContext context;
    private final String name;
    private final Arena arena;
    private final RunningLevel level;

    public ServerInfo(EndpointContext context, RunningLevel level) {
        this.context = context;
        name = context.name();
        arena = context.arena();
        this.level = level;
    }

    private int maxPlayers() {
        return context.capacity(Quake2Codec.GAME);
    }

    /** The settings (serverinfo). */
    public InfoString settings() {
        SequencedMap<String, String> info = new LinkedHashMap<>();
        info.put("hostname", Quake2Text.value(name, 63));
        info.put("mapname", level.map().name());
        info.put("protocol", Integer.toString(Quake2Codec.PROTOCOL));
        info.put("maxclients", Integer.toString(maxPlayers()));
        MatchRules rules = arena.match().isOn() ? arena.match().rules() : NO_LIMITS;
        boolean hasFlags = rules.mode().hasFlags();
        info.put("deathmatch", "1");
        info.put("gamemode", rules.mode().title());
        info.put("fraglimit", Integer.toString(hasFlags ? 0 : rules.scoreLimit()));
        info.put("capturelimit", Integer.toString(hasFlags ? rules.scoreLimit() : 0));
        info.put("timelimit", Long.toString(rules.timeLimit().toMinutes()));
        info.put("gamename", RunningLevel.GAME_FOLDER);
        info.put("needpass", context.password().isEmpty() ? "0" : "1");
        info.put("version", context.software());
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
