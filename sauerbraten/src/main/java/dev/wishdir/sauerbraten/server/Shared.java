package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.match.SauerbratenMaps;
import dev.wishdir.sauerbraten.server.match.ServedMap;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.PlayerTracker;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.io.IOException;
import java.util.function.LongUnaryOperator;

/** State of an endpoint that its handlers share: clients, level, and the match that is played. */
final class Shared {
    final EndpointContext context;
    final Arena arena;
    final ServedMap first;
    final ClientTable clients = new ClientTable();
    final Broadcaster broadcaster = new Broadcaster(clients);
    final RunningLevel level;
    final ForeignPlayers foreignPlayers;
    final PlayerTracker players;
    final CurrentMatch current;
    final SauerbratenMaps maps;
    final Privileges privileges;

    /** A time of the loop, with the time that the machine slept, which clients' clocks count. */
    final LongUnaryOperator peerTime;

    /**
     * @throws IOException if the operator's map cannot be read
     * @throws IllegalArgumentException if the mode of the options does not fit the arena's match
     */
    Shared(EndpointContext context, long now) throws IOException {
        this.context = context;
        arena = context.arena();
        first = ServedMap.of(context);
        MatchMode played = arena.match().rules().mode();
        if (!first.mode().fits(played)) {
            throw new IllegalArgumentException(
                    "option mode must be one of "
                            + GameMode.fitting(played)
                            + " with --match "
                            + played
                            + ", is "
                            + first.mode().number());
        }
        level = new RunningLevel(arena, first.motion());
        foreignPlayers = new ForeignPlayers(level);
        players = new PlayerTracker(arena, clients, foreignPlayers);
        current = new CurrentMatch(now, first.mode(), broadcaster, arena.match());
        maps =
                new SauerbratenMaps(
                        clients,
                        broadcaster,
                        current,
                        level,
                        context.memoryBudget()::isShort,
                        first);
        privileges = new Privileges(clients, broadcaster, current, context);
        peerTime = time -> time + context.cycle().sleptNanos();
    }
}
