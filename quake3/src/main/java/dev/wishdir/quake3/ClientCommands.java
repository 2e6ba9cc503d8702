package dev.wishdir.quake3;

import dev.wishdir.arena.Player;
import dev.wishdir.game.Serving;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.Quake3Player.State;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;

/** Executes the reliable commands of clients: the engine's own, and those of the game. */
final class ClientCommands {
    private static final long SECOND = 1_000_000_000L;
    private static final int USERINFOS_A_SECOND = 5;

    private final Serving serving;
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
        this.socket = socket;
        this.clients = clients;
        this.running = running;
        this.moves = moves;
    }

    void execute(long now, Quake3Player client, String text) {
        List<String> words = OutOfBand.words(text);
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> clients.drop(now, client, "disconnected");
            case "userinfo" -> userinfo(now, client, argument);
            case "download" -> download(now, client, argument);
            case "nextdl" -> nextBlock(now, client, argument);
            case "stopdl" -> client.download = null;
            case "donedl" -> {
                client.download = null;
                if (client.state != State.ACTIVE) {
                    client.sendGamestate(now, running, socket);
                }
            }
            case "cp" -> prove(now, client, words);
            case "vdr" -> client.proved = false;
            case "" -> {}
            default -> {
                if (client.state == State.ACTIVE && now >= client.nextGameCommand) {
                    client.nextGameCommand = now + SECOND;
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
            clients.drop(now, client, "Unpure client detected. Invalid .PK3 files referenced!");
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
        if (now - client.userinfoSecond > SECOND) {
            client.userinfoSecond = now;
            client.userinfos = 0;
        }
        if (++client.userinfos > USERINFOS_A_SECOND) {
            serving.counters().count("quake3.drop.userinfo");
            return;
        }
        client.userinfo = InfoString.parse(text);
        Player player = client.player;
        if (player != null) {
            serving.arena().rename(player, Quake3Player.name(client.userinfo));
            clients.changed(client);
        }
    }

    private void download(long now, Quake3Player client, String file) {
        ServerConnection c = client.connection;
        if (c == null || c.sending()) {
            return;
        }
        Optional<Bytes> offered = running.offer(file);
        if (offered.isPresent()) {
            client.download = new Download(offered.get(), now);
        } else {
            serving.counters().count("quake3.drop.download");
            String why = "This server does not offer " + Quake3Player.plain(file, 80) + ".\n";
            if (running.purity().wanted()) {
                why += "Get it elsewhere: this server is pure, whoever joins must have it.\n";
            }
            c.send(List.of(Download.refused(why)), client.sink(socket));
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
                if (words.getFirst().equals("say_team") && client.spectates()) {
                    sayToSpectators(player, said);
                } else {
                    // Without teams, all who play are one.
                    serving.arena().say(player, said);
                    // A client shows its own words when they come back.
                    client.said(player, said);
                }
            }
            case "team" -> {
                if (moves.spectate(now, client, argument.startsWith("s"))) {
                    clients.changed(client);
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
                if (!client.spectates()) {
                    moves.spawn(now, client);
                }
            }
            case "callvote", "vote" -> client.command("print \"Voting is not allowed here.\n\"");
            case "score" -> client.command("scores 0 0 0");
            default -> {}
        }
    }

    private void sayToSpectators(Player player, String said) {
        for (Quake3Player other : clients) {
            if (other.spectates()) {
                other.saidToTeam(player, said);
            }
        }
    }
}
