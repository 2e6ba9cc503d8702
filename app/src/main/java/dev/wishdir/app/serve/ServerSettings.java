package dev.wishdir.app.serve;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.LoopMeter;

import java.util.List;
import java.util.function.Consumer;

/**
 * The settings that all games of a server share.
 *
 * @param onCheat action on an impossible movement
 */
record ServerSettings(
        String name,
        Maps maps,
        Access access,
        Limits limits,
        CheatPolicy onCheat,
        LogSettings log,
        MatchRules match) {

    /**
     * What is played.
     *
     * @param first the first map, by a game's own name; empty for the first arena
     * @param arenas arenas that can be played; the first is played first
     * @param rotation names of those that the rounds of a match are played in, one after another
     */
    record Maps(String first, List<BlockArena> arenas, List<String> rotation) {
        /** One arena for all games. */
        static Maps of(BlockArena arena) {
            return new Maps("", List.of(arena), List.of(arena.name()));
        }
    }

    /**
     * Who may join and operate.
     *
     * @param password empty if players need none
     * @param adminPassword empty if no player can become an operator
     */
    record Access(String password, String adminPassword, Bans bans) {
        /** No operators, and no bans. */
        static Access of(String password) {
            return new Access(password, "", Bans.none());
        }
    }

    /**
     * How much one server, address and session may use.
     *
     * @param loopPercent maximum share of the loop's time of one session
     * @param visiblePlayers maximum number of other players that a player sees
     * @param trusted addresses without a limit on players
     */
    record Limits(
            int players,
            int playersPerAddress,
            int loopPercent,
            int visiblePlayers,
            List<AddressRange> trusted) {
        /** The defaults but for these. */
        static Limits of(int players, List<AddressRange> trusted) {
            return new Limits(
                    players,
                    AddressLimits.DEFAULT_MAX_SESSIONS,
                    LoopMeter.DEFAULT_SHARE_PERCENT,
                    Arena.DEFAULT_MAX_VISIBLE_PLAYERS,
                    trusted);
        }
    }

    /**
     * What is written of connections.
     *
     * @param sessionKeys receives the keys of encrypted sessions, as {@link EndpointContext#keys}
     * @param logAddresses whether the log contains the addresses of players
     */
    record LogSettings(Consumer<String> sessionKeys, boolean logAddresses) {
        static final LogSettings DEFAULT = new LogSettings(_ -> {}, true);
    }

    /** Settings of a server that observes cheats, with defaults for what is not given. */
    static ServerSettings of(
            String name, BlockArena arena, Access access, Limits limits, MatchRules match) {
        return new ServerSettings(
                name,
                Maps.of(arena),
                access,
                limits,
                CheatPolicy.OBSERVE,
                LogSettings.DEFAULT,
                match);
    }
}
