package dev.wishdir.quake3;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Deed;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.game.Serving;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.Quake3Player.State;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Executes the reliable commands of clients: the engine's own, and those of the game. */
final class ClientCommands {
    /** What of a userinfo others see, beside the name. */
    private static final List<String> LOOKS = List.of("model", "headmodel", "color1", "color2");

    /** What changes nothing here, and is asked for by clients by themselves. */
    private static final Set<String> IDLE = Set.of("teamtask");

    private static final Set<String> CHEATS =
            Set.of("give", "god", "notarget", "noclip", "setviewpos", "levelshot");

    private final Serving serving;
    private final Arena arena;
    private final UdpSocket socket;
    private final Clients clients;
    private final RunningLevel running;
    private final ClientMoves moves;

    ClientCommands(
            Serving serving,
            UdpSocket socket,
            Clients clients,
            RunningLevel running,
            ClientMoves moves) {
        this.serving = serving;
        arena = serving.arena();
        this.socket = socket;
        this.clients = clients;
        this.running = running;
        this.moves = moves;
    }

    void execute(long now, Quake3Player client, String text) {
        List<String> words = OutOfBand.words(text);
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> clients.drop(now, client, Departure.LEFT);
            case "userinfo" -> userinfo(now, client, argument);
            case "download" -> download(now, client, argument);
            case "nextdl" -> nextBlock(now, client, argument);
            case "stopdl" -> client.download = null;
            case "donedl" -> {
                client.download = null;
                client.wantsGamestate |= client.state == State.PRIMED && client.hasGamestate();
            }
            case "cp" -> prove(now, client, words);
            case "vdr" -> client.proved = false;
            case "" -> {}
            default -> {
                if (client.state == State.ACTIVE) {
                    game(now, client, words, text);
                }
            }
        }
    }

    private void prove(long now, Quake3Player client, List<String> words) {
        if (client.proved
                || !running.purity().wanted()
                || words.size() < 2
                || !words.get(1).equals(Integer.toString(running.serverId()))) {
            return;
        }
        client.proved = running.purity().isProvedBy(words);
        if (!client.proved) {
            hear(now, client);
            clients.drop(
                    now,
                    client,
                    Departure.sentAway("Unpure client detected. Invalid .PK3 files referenced!"));
        }
    }

    /** A client that has loaded hears nothing before its first snapshot of the game. */
    private void hear(long now, Quake3Player client) {
        ServerConnection c = client.connection;
        if (client.state == State.PRIMED && c != null && !c.sending()) {
            client.state = State.ACTIVE;
            c.send(
                    client.frame(running.time(now), running.entities()),
                    running.serverCountFlag(),
                    client.sink(socket));
        }
    }

    private void userinfo(long now, Quake3Player client, String text) {
        InfoString before = client.userinfo;
        client.userinfo = InfoString.parse(text);
        Player player = client.player;
        if (player == null) {
            return;
        }
        arena.rename(now, player, Quake3Player.name(client.userinfo));
        for (String key : LOOKS) {
            if (!client.userinfo.get(key).equals(before.get(key))) {
                restyle(now, client, player);
                return;
            }
        }
    }

    private void restyle(long now, Quake3Player client, Player player) {
        arena.restyle(now, player);
        client.news.changed(client.clientNum);
    }

    private void download(long now, Quake3Player client, String file) {
        if (!client.hasGamestate()) {
            return;
        }
        Download download = client.download;
        Optional<Bytes> offered = running.offer(file);
        if (offered.isPresent()) {
            if (download == null || !download.isFile()) {
                client.download = new Download(offered.get(), now);
            }
        } else {
            serving.counters().count("quake3.drop.download");
            String why = "This server does not offer " + Quake3Text.line(file, 80) + ".\n";
            if (running.purity().wanted()) {
                why += "Get it elsewhere: this server is pure, whoever joins must have it.\n";
            }
            client.download = Download.refused(why, now);
        }
    }

    private static void nextBlock(long now, Quake3Player client, String block) {
        Download download = client.download;
        if (download != null
                && block.matches("\\d{1,5}")
                && download.acknowledge(now, Integer.parseInt(block))
                && download.finished()) {
            client.download = null;
        }
    }

    private void game(long now, Quake3Player client, List<String> words, String text) {
        Player player = client.player;
        if (player == null) {
            return;
        }
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.getFirst()) {
            case "say", "say_team" -> {
                String said = text.substring(words.getFirst().length()).strip();
                if (said.startsWith("\"") && said.endsWith("\"") && said.length() > 1) {
                    said = said.substring(1, said.length() - 1);
                }
                said = Quake3Text.plain(said);
                if (said.isBlank()) {
                    return;
                }
                if (words.getFirst().equals("say_team") && client.spectates()) {
                    sayToSpectators(now, player, said);
                } else if (arena.say(now, player, said)) {
                    // Without teams, all who play are one; and a client shows its own words when
                    // they come back.
                    client.news.said(player, said);
                }
            }
            case "tell" -> tell(now, client, player, words);
            case "team" -> {
                if (argument.isEmpty()) {
                    print(now, client, client.spectates() ? "Spectator team" : "Free team");
                    return;
                }
                boolean watch = argument.startsWith("s");
                if (watch != client.spectates() || watch != client.wishesToWatch) {
                    client.wishesToWatch = watch;
                    arena.change(now, player, "team", time -> watch(time, client, watch));
                }
            }
            case "follow" -> {
                if (client.spectates()) {
                    client.follow(argument);
                }
            }
            case "follownext", "followprev" -> {
                if (client.spectates()) {
                    client.followNext(words.getFirst().equals("follownext") ? 1 : -1);
                }
            }
            case "kill" -> {
                if (!client.spectates() && arena.allows(now, player, Deed.LIFE, 1)) {
                    moves.spawn(now, client);
                }
            }
            case "callvote", "vote", "callteamvote", "teamvote" ->
                    print(now, client, "Voting is not allowed here.");
            case "score" ->
                    answer(now, client, Scores.command(now, client, clients, running.levelStart()));
            default -> {
                String name = words.getFirst();
                if (CHEATS.contains(name)) {
                    print(now, client, "Cheats are not enabled on this server.");
                } else if (!IDLE.contains(name)) {
                    print(now, client, "unknown cmd " + name);
                }
            }
        }
    }

    /** Says something to one player alone, who is named or numbered. */
    private void tell(long now, Quake3Player client, Player player, List<String> words) {
        String who = words.size() > 1 ? words.get(1) : "";
        Player other = client.named(who);
        String text =
                Quake3Text.plain(
                        String.join(" ", words.subList(Math.min(2, words.size()), words.size())));
        if (other == null) {
            print(now, client, "User " + who + " is not on the server");
        } else if (!text.isBlank() && arena.allows(now, player, Deed.TALK, 1)) {
            Quake3Player same = clients.of(other);
            if (same != null) {
                same.news.told(player, text);
            }
            client.news.told(player, text);
        }
    }

    private static void print(long now, Quake3Player client, String line) {
        answer(now, client, "print \"" + Quake3Text.line(line, 200) + "\n\"");
    }

    private static void answer(long now, Quake3Player client, String command) {
        if (!client.news.isBehind() && client.answers.take(now)) {
            client.command(command);
        }
    }

    private void watch(long now, Quake3Player client, boolean watch) {
        Player player = client.player;
        if (player != null && client.state == State.ACTIVE && moves.spectate(now, client, watch)) {
            restyle(now, client, player);
        }
    }

    private void sayToSpectators(long now, Player player, String said) {
        if (!arena.allows(now, player, Deed.TALK, 1)) {
            return;
        }
        for (Quake3Player other : clients) {
            if (other.spectates()) {
                other.news.saidToTeam(player, said);
            }
        }
    }
}
