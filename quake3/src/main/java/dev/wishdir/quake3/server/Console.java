package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.game.Serving;
import dev.wishdir.game.Stage;
import dev.wishdir.quake3.map.Level;
import dev.wishdir.quake3.map.Levels;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.world.blocks.BlockArena;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What an operator may do from afar: the command lines of rcon. */
final class Console {
    /** What an answer holds at most, which is one datagram. */
    private static final int LONGEST = 1_100;

    /** The ping of a client that has not entered the game. */
    private static final String CONNECTING = "CNCT";

    private final Arena arena;
    private final Stage stage;
    private final Stage.Guest guest = this::prepare;
    private final Levels levels;
    private final Clients clients;
    private final RunningLevel running;
    private final ClientMoves moves;

    Console(
            Serving serving,
            Levels levels,
            Clients clients,
            RunningLevel running,
            ClientMoves moves) {
        arena = serving.arena();
        stage = serving.stage();
        this.levels = levels;
        this.clients = clients;
        this.running = running;
        this.moves = moves;
        Level level = running.level();
        if (level.blocks().isPresent()) {
            stage.enter(guest, time -> begin(time, level));
        }
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
            case "status" -> status(rest);
            case "map", "devmap" -> {
                String answer = changeMap(now, rest.isEmpty() ? map : rest);
                yield Quake3Text.line(answer, LONGEST) + "\n";
            }
            case "map_restart" -> {
                restartMap(now);
                yield "map: " + map + "\n";
            }
            case "kick", "clientkick" -> kick(now, rest);
            case "say" -> {
                arena.announce(now, Quake3Text.plain(rest));
                yield "said\n";
            }
            default -> "commands: status, map NAME, map_restart, kick NAME|NUMBER, say TEXT\n";
        };
    }

    /**
     * Everyone, a line each: number, ping, game, name, address. As many as one answer holds.
     *
     * @param first how many to leave out, empty for none
     */
    private String status(String first) {
        List<String> lines = new ArrayList<>();
        for (Player player : arena.players()) {
            Quake3Player client = clients.of(player.id());
            lines.add(
                    client == null
                            ? line("#" + player.id().number(), ping(player), player, "")
                            : line(
                                    Integer.toString(client.clientNum()),
                                    client.plays() ? ping(player) : CONNECTING,
                                    player,
                                    client.address().getAddress().getHostAddress()
                                            + ":"
                                            + client.address().getPort()));
        }
        StringBuilder text = new StringBuilder("map: " + running.level().name() + "\n");
        text.append("num ping game name address\n");
        int from = first.matches("\\d{1,4}") ? Integer.parseInt(first) : 0;
        for (int i = from; i < lines.size(); i++) {
            if (text.length() + lines.get(i).length() > LONGEST) {
                text.append(lines.size() - i).append(" more: status ").append(i).append('\n');
                break;
            }
            text.append(lines.get(i));
        }
        return text.toString();
    }

    private static String ping(Player player) {
        return Integer.toString(player.ping());
    }

    private static String line(String number, String ping, Player player, String address) {
        String name = Quake3Text.name(player.name());
        return "%3s %4s %s %s %s\n".formatted(number, ping, player.game(), name, address);
    }

    private String kick(long now, String who) {
        for (Player player : arena.players()) {
            Quake3Player client = clients.of(player.id());
            String number =
                    client == null
                            ? "#" + player.id().number()
                            : Integer.toString(client.clientNum());
            String name = Quake3Text.name(player.name());
            if (number.equals(who)
                    || name.equalsIgnoreCase(who)
                    || player.name().equalsIgnoreCase(who)) {
                arena.dismiss(now, player.id(), "was kicked");
                return name + " was kicked\n";
            }
        }
        return "nobody is called " + Quake3Text.line(who, 31) + "\n";
    }

    /** The operator wants another map, for all who are here; one of blocks for all games. */
    private String changeMap(long now, String name) {
        if (stage.decides(guest, name)) {
            return stage.change(now, name);
        }
        try {
            Level next = levels.load(name);
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

    private Stage.Entrance prepare(BlockArena blocks) throws IOException {
        Level next = levels.of(blocks);
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
    private void begin(long now, Level level) {
        running.begin(now, level);
        arena.play(now, Quake3Codec.GAME, level.played());
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
