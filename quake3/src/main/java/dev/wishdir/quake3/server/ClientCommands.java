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

/** Executes the reliable commands of clients: those of the engine and those of the game. */
final class ClientCommands {
    /** The userinfo keys besides the name that other players see. */
    private static final List<String> APPEARANCE_KEYS =
            List.of("model", "headmodel", "color1", "color2");

    /** Commands that clients send by themselves and that have no effect here. */
    private static final Set<String> IGNORED = Set.of("teamtask");

    private static final Set<String> MAP_VOTES = Set.of("map", "nextmap", "g_gametype");

    private static final Set<String> CHEATS =
            Set.of("give", "god", "notarget", "noclip", "setviewpos", "levelshot");

    private final EndpointContext context;
    private final Arena arena;
    private final Clients clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final BooleanSupplier shared;

    /**
     * @param shared whether other games play the same arena, so that no vote of one game changes it
     */
    ClientCommands(
            EndpointContext context,
            Clients clients,
            RunningLevel running,
            UsercmdExecutor executor,
            BooleanSupplier shared) {
        this.shared = shared;
        this.context = context;
        arena = context.arena();
        this.clients = clients;
        this.running = running;
        this.executor = executor;
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
            sendFirstSnapshot(now, client);
            clients.drop(
                    now,
                    client,
                    new LeaveReason(
                            LeaveReason.Code.CLIENT_FILES,
                            "Unpure client detected. Invalid .PK3 files referenced!"));
        }
    }

    /** Sends a first snapshot: a loaded client shows no text before it. */
    private void sendFirstSnapshot(long now, Quake3Player client) {
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
        // A userinfo always has all keys: a name that an operator has changed must remain.
        if (!client.userinfo().get("name").equals(before.get("name"))) {
            arena.rename(now, player, client.name());
        }
        for (String key : APPEARANCE_KEYS) {
            if (!client.userinfo().get(key).equals(before.get(key))) {
                appearanceChanged(now, client, player);
                return;
            }
        }
    }

    private void appearanceChanged(long now, Quake3Player client, PlayerId player) {
        arena.reportAppearanceChange(now, player);
        client.configstrings().changedSelf();
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
                why += "Get it elsewhere: this server is pure and requires it.\n";
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
                String raw = text.substring(words.getFirst().length()).strip();
                if (raw.startsWith("\"") && raw.endsWith("\"") && raw.length() > 1) {
                    raw = raw.substring(1, raw.length() - 1);
                }
                String message = Quake3Text.plain(raw);
                if (message.isBlank()) {
                    return;
                }
                if (words.getFirst().equals("say_team") && client.spectates()) {
                    sayToSpectators(now, client, player, message);
                } else if (arena.say(now, player, message)) {
                    // Without teams, all players are one team; and a client shows its own words
                    // when
                    // they come back.
                    client.player().ifPresent(own -> client.news().said(own, message));
                }
            }
            case "tell" -> whisper(now, client, player, words);
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
                            .ifPresent(
                                    name -> client.following().follow(name.id(), client.shown()));
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
                    executor.spawn(now, client);
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
                } else if (!IGNORED.contains(name)) {
                    print(now, client, "unknown cmd " + name);
                }
            }
        }
    }

    /** Sends a private message to a player given by name or slot number. */
    private void whisper(long now, Quake3Player client, PlayerId id, List<String> words) {
        String name = words.size() > 1 ? Quake3Text.plain(words.get(1)) : "";
        Optional<Player> other = client.named(name);
        String text =
                Quake3Text.plain(
                        String.join(" ", words.subList(Math.min(2, words.size()), words.size())));
        if (other.isEmpty()) {
            print(now, client, "User " + name + " is not on the server");
        } else if (arena.whisper(now, id, other.get().id(), text) && !other.get().id().equals(id)) {
            client.player().ifPresent(own -> client.news().whisper(own, text));
        }
    }

    private static void print(long now, Quake3Player client, String line) {
        client.answer(now, "print \"" + Quake3Text.line(line, 200) + "\n\"");
    }

    private void watch(long now, Quake3Player client, boolean watch) {
        PlayerId player = client.id();
        if (player != null && client.plays() && executor.spectate(now, client, watch)) {
            appearanceChanged(now, client, player);
        }
    }

    private void sayToSpectators(long now, Quake3Player client, PlayerId id, String raw) {
        if (!arena.allows(now, id, RateLimitedAction.CHAT, 1)) {
            return;
        }
        client.player()
                .ifPresent(player -> {
                    for (Quake3Player other : clients) {
                        if (other.spectates()) {
                            other.news().saidToTeam(player, raw);
                        }
                    }
                });
    }
}
