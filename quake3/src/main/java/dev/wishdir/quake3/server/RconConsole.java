package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.SharedArena;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.util.Locale;

/** What an operator may do from afar: the command lines of rcon. */
final class RconConsole {
    private final Arena arena;
    private final SharedArena stage;
    private final OperatorConsole operations;
    private final SharedArena.Participant guest = this::prepare;
    private final Quake3MapCatalog levels;
    private final Clients clients;
    private final RunningLevel running;
    private final UsercmdExecutor moves;

    RconConsole(
            EndpointContext serving,
            Quake3MapCatalog levels,
            Clients clients,
            RunningLevel running,
            UsercmdExecutor moves) {
        arena = serving.arena();
        stage = serving.sharedArena();
        operations = serving.operatorConsole();
        this.levels = levels;
        this.clients = clients;
        this.running = running;
        this.moves = moves;
        Quake3Map level = running.level();
        if (level.blocks().isPresent()) {
            stage.enter(guest, time -> begin(time, level));
        }
    }

    /**
     * Executes an order; three words are this game's own.
     *
     * @param author who gives it
     * @return what to print
     */
    String execute(long now, String author, String line) {
        OperatorConsole.By by = new OperatorConsole.By(author, this::changeMap);
        String word = line.split("\\s+", 2)[0];
        String rest = line.substring(word.length());
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "devmap" -> operations.execute(now, by, "map" + rest);
            case "clientkick" -> operations.execute(now, by, "kick" + rest);
            case "map_restart" -> {
                restartMap(now);
                yield "map: " + running.level().name();
            }
            default -> operations.execute(now, by, line);
        };
    }

    /** The operator wants another map, for all who are here; one of blocks for all games. */
    private String changeMap(long now, String name) {
        if (stage.controls(guest, name)) {
            return stage.change(now, name);
        }
        try {
            Quake3Map next = levels.load(name);
            stage.leave(guest);
            if (next.blocks().isPresent()) {
                stage.enter(guest, time -> begin(time, next));
            }
            begin(now, next);
            return "map: " + next.name();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private SharedArena.PreparedMap prepare(BlockArena blocks) throws IOException {
        Quake3Map next = levels.of(blocks);
        return time -> begin(time, next);
    }

    /** Whether other games play the same arena. */
    boolean isShared() {
        return stage.isShared(guest);
    }

    /** It is closed: another map of the stage is none of its clients'. */
    void close() {
        stage.leave(guest);
    }

    /** Starts a level: every client loads it. */
    private void begin(long now, Quake3Map level) {
        running.begin(now, level);
        arena.setLevel(now, Quake3Codec.GAME, level.played());
        for (Quake3Player client : clients) {
            if (!client.isZombie()) {
                PlayerId id = client.id();
                if (id != null) {
                    arena.despawn(now, id);
                }
                client.beginLevel(now);
            }
        }
    }

    /** Starts the level anew for clients that keep what they have loaded. */
    private void restartMap(long now) {
        running.restart(now);
        for (Quake3Player client : clients) {
            client.told().restart();
            if (client.plays()) {
                moves.spawn(now, client);
            }
        }
    }
}
