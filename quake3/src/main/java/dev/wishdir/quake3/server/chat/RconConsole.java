package dev.wishdir.quake3.server.chat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.RunningLevel;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;

/** Executes the command lines of rcon: the operator commands and three of Quake III. */
public final class RconConsole {
    private static final Logger LOG = LoggerFactory.getLogger(RconConsole.class);

    private final Arena arena;
    private final OperatorConsole console;
    private final MapChanger<Quake3Map> maps;
    private final ClientTable clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;

    public RconConsole(
            EndpointContext context,
            Quake3MapCatalog catalog,
            ClientTable clients,
            RunningLevel running,
            UsercmdExecutor executor) {
        arena = context.arena();
        console = context.operatorConsole();
        this.clients = clients;
        this.running = running;
        this.executor = executor;
        maps = new MapChanger<>(context.sharedArena(), catalog, running.level(), this::begin);
    }

    /**
     * Executes an operator command; {@code devmap}, {@code clientkick} and {@code map_restart} are
     * this game's own.
     *
     * @param player with the address and port of the operator
     * @return the text to print
     */
    String execute(long now, InetSocketAddress from, Optional<ArenaPlayer> player, String line) {
        OperatorConsole.Author by = console.rconAuthor(now, from, player, maps::change);
        String word = line.split("\\s+", 2)[0];
        String rest = line.substring(word.length());
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "devmap" -> console.execute(now, by, "map" + rest);
            case "clientkick" -> console.execute(now, by, "kick" + rest);
            case "map_restart" -> {
                restartMap(now);
                yield "playing " + running.level().name();
            }
            default -> console.execute(now, by, line);
        };
    }

    /** Whether other games play on the same shared arena. */
    public boolean isShared() {
        return maps.isShared();
    }

    /** Leaves the shared arena: its map changes no longer reach this endpoint. */
    public void close() {
        maps.close();
    }

    /** Begins a level, which every client must load. */
    private void begin(long now, Quake3Map map) {
        running.begin(now, map);
        arena.setLevel(now, Quake3Codec.GAME, map.played());
        executor.beginLevel();
        for (Quake3Session client : clients) {
            if (!client.isZombie()) {
                client.player().ifPresent(player -> player.despawn(now));
                client.beginLevel(now, running.clockSetBack());
            }
        }
    }

    /** Begins the level again where its clock is near the end of its numbers. */
    public void advance(long now) {
        if (running.isExhausted(now)) {
            LOG.info(
                    "level began again: server time at its limit, level={}",
                    running.level().name());
            begin(now, running.level());
        }
    }

    /** Restarts the level; clients keep what they have loaded. */
    private void restartMap(long now) {
        running.restart(now);
        for (Quake3Session client : clients) {
            client.configstrings().restart();
            if (client.isActive()) {
                executor.spawn(now, client);
            }
        }
    }
}
