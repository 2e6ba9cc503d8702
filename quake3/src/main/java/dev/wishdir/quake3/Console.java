package dev.wishdir.quake3;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.quake3.Quake3Player.State;

import java.io.IOException;
import java.util.List;

/** What an operator may do from afar: the command lines of rcon. */
final class Console {
    private final Arena arena;
    private final Levels levels;
    private final Clients clients;
    private final RunningLevel running;
    private final ClientMoves moves;

    Console(Arena arena, Levels levels, Clients clients, RunningLevel running, ClientMoves moves) {
        this.arena = arena;
        this.levels = levels;
        this.clients = clients;
        this.running = running;
        this.moves = moves;
    }

    /**
     * Executes a command.
     *
     * @param words at least one
     * @return what to print
     */
    String execute(long now, List<String> words) {
        String rest = String.join(" ", words.subList(1, words.size()));
        String map = running.level().name();
        return switch (words.getFirst()) {
            case "status" -> status();
            case "map", "devmap" -> {
                try {
                    changeMap(now, levels.load(rest.isEmpty() ? map : rest));
                    yield "map: " + running.level().name() + "\n";
                } catch (IOException e) {
                    yield e.getMessage() + "\n";
                }
            }
            case "map_restart" -> {
                restartMap(now);
                yield "map: " + map + "\n";
            }
            case "kick", "clientkick" -> kick(now, rest);
            case "say" -> {
                arena.announce(now, rest);
                yield "said\n";
            }
            default -> "commands: status, map NAME, map_restart, kick NAME|NUMBER, say TEXT\n";
        };
    }

    private String status() {
        StringBuilder text = new StringBuilder("map: " + running.level().name() + "\n");
        for (Quake3Player client : clients) {
            text.append(client.clientNum)
                    .append(' ')
                    .append(client.state)
                    .append(' ')
                    .append(Quake3Player.plain(client.userinfo.get("name"), 31))
                    .append(' ')
                    .append(client.address)
                    .append('\n');
        }
        return text.toString();
    }

    private String kick(long now, String who) {
        for (Quake3Player client : clients) {
            if (client.state != State.ZOMBIE
                    && (client.userinfo.get("name").equalsIgnoreCase(who)
                            || Integer.toString(client.clientNum).equals(who))) {
                clients.drop(now, client, Departure.sentAway("was kicked"));
                return Quake3Player.plain(who, 31) + " was kicked\n";
            }
        }
        return "nobody is called " + Quake3Player.plain(who, 31) + "\n";
    }

    /** Starts a level: every client loads it. */
    private void changeMap(long now, Level level) {
        running.begin(now, level);
        for (Quake3Player client : clients) {
            if (client.state != State.ZOMBIE) {
                Player player = client.player;
                if (player != null) {
                    arena.despawn(now, player);
                }
                client.state = State.CONNECTED;
                client.gamestateMessage = -1;
                client.download = null;
                client.nextGamestate = now;
                client.nextSnapshot = now;
            }
        }
    }

    /** Starts the level anew for clients that keep what they have loaded. */
    private void restartMap(long now) {
        running.restart(now);
        for (Quake3Player client : clients) {
            client.news.restart();
            if (client.state == State.ACTIVE) {
                moves.spawn(now, client);
            }
        }
    }
}
