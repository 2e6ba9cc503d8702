package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.match.Match;
import dev.wishdir.sauerbraten.server.combat.ItemHandler;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.combat.MapItems;
import dev.wishdir.sauerbraten.server.combat.ShotHandler;
import dev.wishdir.sauerbraten.server.combat.TeamStarts;
import dev.wishdir.sauerbraten.server.match.FlagHandler;
import dev.wishdir.sauerbraten.server.match.SauerbratenMatch;
import dev.wishdir.sauerbraten.server.movement.PlaceHandler;

import java.util.List;

/** Handlers of an endpoint for lives, shots, items and flags, and the match they belong to. */
final class Combat {
    final PlaceHandler places;
    final MapItems items;
    final ItemHandler arenaItems;
    final FlagHandler flags;
    final LifeHandler lives;
    final ShotHandler shots;
    final SauerbratenMatch match;

    /** Listeners to the arena, in the order in which they hear its events. */
    final List<ArenaListener> listeners;

    Combat(Shared shared) {
        Match arenaMatch = shared.arena.match();
        places = new PlaceHandler(shared.level, shared.context.counters(), shared.peerTime);
        arenaItems =
                new ItemHandler(
                        arenaMatch.items(),
                        shared.current,
                        shared.clients,
                        shared.broadcaster,
                        shared.level,
                        places);
        items = new MapItems(shared.current, shared.broadcaster, arenaItems);
        flags =
                new FlagHandler(
                        arenaMatch,
                        shared.current,
                        shared.clients,
                        shared.broadcaster,
                        shared.maps,
                        shared.level,
                        shared.context.counters());
        lives =
                new LifeHandler(
                        shared.current,
                        arenaMatch,
                        shared.broadcaster,
                        shared.context.random(),
                        arenaItems,
                        new TeamStarts(arenaMatch, shared.current, shared.level),
                        shared.peerTime);
        shots =
                new ShotHandler(
                        shared.arena,
                        shared.clients,
                        shared.broadcaster,
                        shared.level,
                        places,
                        shared.context.counters(),
                        shared.peerTime);
        match =
                new SauerbratenMatch(
                        shared.clients,
                        shared.broadcaster,
                        shared.current,
                        shared.maps,
                        items,
                        lives,
                        flags,
                        shared.context,
                        shared.first);
        CombatListener hits =
                new CombatListener(
                        shared.clients,
                        shared.foreignPlayers,
                        shared.broadcaster,
                        match,
                        shared.peerTime);
        listeners = List.of(shared.players, hits, arenaItems, flags);
    }
}
