package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.SharedArena;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.Quake3Player.State;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Executes the reliable commands of clients: the engine's own, and those of the game. */
final class ClientCommands {
    /** What of a userinfo others see, beside the name. */
    private static final List<String> LOOKS = List.of("model", "headmodel", "color1", "color2");

    /** What changes nothing here, and is asked for by clients by themselves. */
    private static final Set<String> IDLE = Set.of("teamtask");

    private static final Set<String> MAP_VOTES = Set.of("map", "nextmap", "g_gametype");

    private static final Set<String> CHEATS =
            Set.of("give", "god", "notarget", "noclip", "setviewpos", "levelshot");

    private final EndpointContext context;
    private final Arena arena;
    private final Clients clients;
    private final RunningLevel running;
    private final UsercmdExecutor moves;
    private final BooleanSupplier shared;

    /**
     * @param shared whether other games play the same arena, so that none chooses alone
     */
    ClientCommands(
            EndpointContext context,
            Clients clients,
            RunningLevel running,
            UsercmdExecutor moves,
            BooleanSupplier shared) {
        this.shared = shared;
        this.context = context;
        arena = context.arena();
        this.clients = clients;
        this.running = running;
        this.moves = moves;
    }

    void execute(long now, Quake3Player client, String text) {
        List<String> words = OutOfBand.words(text);
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> clients.drop(now, client, LeaveReason.LEFT);
            case "userinfo" -> userinfo(now, client, argument);
            case "download" -> download(now, client, argument);
            case "nextdl" -> nextBlock(now, client, argument);
            case "stopdl" -> client.line().stopDownload();
            case "donedl" -> {
                client.line().stopDownload();
                if (client.state() == State.PRIMED && client.line().hasGamestate()) {
                    client.line().wantGamestate(true);
                }
            }
            case "cp" -> prove(now, client, words);
            case "vdr" -> client.prove(false);
            case "" -> {}
            default -> {
                if (client.plays()) {
                    game(now, client, words, text);
                }
            }
        }
    }

    private void prove(long now, Quake3Player client, List<String> words) {
        if (client.isProved()
                || !running.purity().wanted()
                || words.size() < 2
                || !words.get(1).equals(Integer.toString(running.serverId()))) {
            return;
        }
        client.prove(running.purity().isProvedBy(words));
        if (!client.isProved()) {
            hear(now, client);
            clients.drop(
                    now,
                    client,
                    new LeaveReason(
                            LeaveReason.Code.CLIENT_FILES,
                            "Unpure client detected. Invalid .PK3 files referenced!"));
        }
    }

    /** A client that has loaded hears nothing before its first snapshot of the game. */
    private void hear(long now, Quake3Player client) {
        if (client.state() == State.PRIMED && !client.line().sending()) {
            client.play(now);
            client.line()
                    .send(client.frame(now, running, client.shown()), running.serverCountFlag());
        }
    }

    private void userinfo(long now, Quake3Player client, String text) {
        InfoString before = client.userinfo();
        client.userinfo(InfoString.parse(text));
        PlayerId player = client.id();
        if (player == null) {
            return;
        }
        // Each setting brings all of them: who is called otherwise by an operator remains so.
        if (!client.userinfo().get("name").equals(before.get("name"))) {
            arena.rename(now, player, client.name());
        }
        for (String key : LOOKS) {
            if (!client.userinfo().get(key).equals(before.get(key))) {
                restyle(now, client, player);
                return;
            }
        }
    }

    private void restyle(long now, Quake3Player client, PlayerId player) {
        arena.appearanceChanged(now, player);
        client.told().changedSelf();
    }

    private void download(long now, Quake3Player client, String file) {
        if (!client.line().hasGamestate()) {
            return;
        }
        Optional<Bytes> offered = running.offer(file);
        if (offered.isPresent()) {
            client.line().offer(now, offered.get());
        } else {
            context.counters().count("quake3.drop.download");
            String why = "This server does not offer " + Quake3Text.line(file, 80) + ".\n";
            if (running.purity().wanted()) {
                why += "Get it elsewhere: this server is pure, whoever joins must have it.\n";
            }
            client.line().refuse(now, why);
        }
    }

    private static void nextBlock(long now, Quake3Player client, String block) {
        if (block.matches("\\d{1,5}")) {
            client.line().acknowledgeBlock(now, Integer.parseInt(block));
        }
    }

    private void game(long now, Quake3Player client, List<String> words, String text) {
        PlayerId player = client.id();
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
                String heard = Quake3Text.plain(said);
                if (heard.isBlank()) {
                    return;
                }
                if (words.getFirst().equals("say_team") && client.spectates()) {
                    sayToSpectators(now, client, player, heard);
                } else if (arena.say(now, player, heard)) {
                    // Without teams, all who play are one; and a client shows its own words when
                    // they come back.
                    client.player().ifPresent(own -> client.news().said(own, heard));
                }
            }
            case "tell" -> tell(now, client, player, words);
            case "team" -> {
                if (argument.isEmpty()) {
                    print(now, client, client.spectates() ? "Spectator team" : "Free team");
                    return;
                }
                boolean watch = argument.startsWith("s");
                if (client.wish(watch)) {
                    arena.change(now, player, "team", time -> watch(time, client, watch));
                }
            }
            case "follow" -> {
                if (client.spectates()) {
                    client.named(argument)
                            .ifPresent(who -> client.following().follow(who.id(), client.shown()));
                }
            }
            case "follownext", "followprev" -> {
                if (client.spectates()) {
                    int step = words.getFirst().equals("follownext") ? 1 : -1;
                    client.following().next(step, client.shown());
                }
            }
            case "kill" -> {
                if (!client.spectates() && arena.allows(now, player, RateLimitedAction.LIFE, 1)) {
                    moves.spawn(now, client);
                }
            }
            case "callvote" ->
                    print(
                            now,
                            client,
                            shared.getAsBoolean() && MAP_VOTES.contains(argument)
                                    ? SharedArena.REFUSAL
                                    : "Voting is not allowed here.");
            case "vote", "callteamvote", "teamvote" ->
                    print(now, client, "Voting is not allowed here.");
            case "score" ->
                    client.answer(now, Scores.command(now, client, clients, running.levelStart()));
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
    private void tell(long now, Quake3Player client, PlayerId id, List<String> words) {
        String who = words.size() > 1 ? Quake3Text.plain(words.get(1)) : "";
        Optional<Player> other = client.named(who);
        String text =
                Quake3Text.plain(
                        String.join(" ", words.subList(Math.min(2, words.size()), words.size())));
        if (other.isEmpty()) {
            print(now, client, "User " + who + " is not on the server");
        } else if (arena.whisper(now, id, other.get().id(), text) && !other.get().id().equals(id)) {
            client.player().ifPresent(own -> client.news().told(own, text));
        }
    }

    private static void print(long now, Quake3Player client, String line) {
        client.answer(now, "print \"" + Quake3Text.line(line, 200) + "\n\"");
    }

    private void watch(long now, Quake3Player client, boolean watch) {
        PlayerId player = client.id();
        if (player != null && client.plays() && moves.spectate(now, client, watch)) {
            restyle(now, client, player);
        }
    }

    private void sayToSpectators(long now, Quake3Player client, PlayerId id, String said) {
        if (!arena.allows(now, id, RateLimitedAction.CHAT, 1)) {
            return;
        }
        client.player()
                .ifPresent(player -> {
                    for (Quake3Player other : clients) {
                        if (other.spectates()) {
                            other.news().saidToTeam(player, said);
                        }
                    }
                });
    }
}
