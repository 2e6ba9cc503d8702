package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.SharedArena;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.util.Locale;

/** Executes the command lines of rcon: the operator commands and three of Quake III. */
final class RconConsole {
    private final Arena arena;
    private final SharedArena sharedArena;
    private final OperatorConsole console;
    private final SharedArena.Participant participant = this::prepare;
    private final Quake3MapCatalog catalog;
    private final ClientTable clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;

    RconConsole(
            EndpointContext context,
            Quake3MapCatalog catalog,
            ClientTable clients,
            RunningLevel running,
            UsercmdExecutor executor) {
        arena = context.arena();
        sharedArena = context.sharedArena();
        console = context.operatorConsole();
        this.catalog = catalog;
        this.clients = clients;
        this.running = running;
        this.executor = executor;
        Quake3Map map = running.level();
        if (map.blocks().isPresent()) {
            sharedArena.enter(participant, time -> begin(time, map));
        }
    }

    /**
     * Executes an operator command; {@code devmap}, {@code clientkick} and {@code map_restart} are
     * this game's own.
     *
     * @param author the operator, for the log
     * @return the text to print
     */
    String execute(long now, String author, String line) {
        OperatorConsole.Author by = new OperatorConsole.Author(author, this::changeMap);
        String word = line.split("\\s+", 2)[0];
        String rest = line.substring(word.length());
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "devmap" -> console.execute(now, by, "map" + rest);
            case "clientkick" -> console.execute(now, by, "kick" + rest);
            case "map_restart" -> {
                restartMap(now);
                yield "map: " + running.level().name();
            }
            default -> console.execute(now, by, line);
        };
    }

    /** Changes the map of this endpoint, or, if it is a shared arena, of all games. */
    private String changeMap(long now, String name) {
        if (sharedArena.controls(participant, name)) {
            return sharedArena.change(now, name);
        }
        try {
            Quake3Map next = catalog.load(name);
            sharedArena.leave(participant);
            if (next.blocks().isPresent()) {
                sharedArena.enter(participant, time -> begin(time, next));
            }
            begin(now, next);
            return "map: " + next.name();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) throws IOException {
        Quake3Map next = catalog.of(blocks);
        return time -> begin(time, next);
    }

    /** Whether other games play on the same shared arena. */
    boolean isShared() {
        return sharedArena.isShared(participant);
    }

    /** Leaves the shared arena: its map changes no longer reach this endpoint. */
    void close() {
        sharedArena.leave(participant);
    }

    /** Begins a level, which every client must load. */
    private void begin(long now, Quake3Map map) {
        running.begin(now, map);
        arena.setLevel(now, Quake3Codec.GAME, map.played());
        for (Quake3Session client : clients) {
            if (!client.isZombie()) {
                client.player().ifPresent(player -> player.despawn(now));
                client.beginLevel(now);
            }
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
