package dev.wishdir.quake3.server.chat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.match.ScoreList;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.RunningLevel;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Executes the reliable commands of the game, of clients in the game: chat, team, follow, votes.
 */
public final class CommandHandler {
    /** Commands that clients send by themselves and that have no effect here. */
    private static final Set<String> IGNORED = Set.of("teamtask");

    private static final Set<String> MAP_VOTES = Set.of("map", "nextmap", "g_gametype");

    private static final Set<String> CHEATS =
            Set.of("give", "god", "notarget", "noclip", "setviewpos", "levelshot");

    /** By number, as the game calls them. */
    private static final List<String> TEAM_TITLES =
            List.of("Free team", "Red team", "Blue team", "Spectator team");

    private final Arena arena;
    private final ClientTable clients;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final BooleanSupplier shared;

    /**
     * @param shared whether other games play the same arena, so that no vote of one game changes it
     */
    public CommandHandler(
            Arena arena,
            ClientTable clients,
            RunningLevel running,
            UsercmdExecutor executor,
            BooleanSupplier shared) {
        this.arena = arena;
        this.clients = clients;
        this.running = running;
        this.executor = executor;
        this.shared = shared;
    }

    /**
     * @param words of the command
     * @param text of the whole command
     */
    void execute(long now, Quake3Session client, List<String> words, String text) {
        client.player().ifPresent(player -> execute(now, client, player, words, text));
    }

    private void execute(
            long now, Quake3Session client, ArenaPlayer player, List<String> words, String text) {
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.getFirst()) {
            case "say", "say_team" -> say(now, client, player, words.getFirst(), text);
            case "tell" -> whisper(now, client, player, words);
            case "team" -> team(now, client, player, argument);
            case "follow" -> follow(now, client, argument);
            case "follownext", "followprev" -> {
                if (client.spectates()) {
                    int step = words.getFirst().equals("follownext") ? 1 : -1;
                    client.following().next(step, client.visiblePlayers());
                }
            }
            case "kill" -> {
                if (!client.spectates() && player.allows(now, RateLimitedAction.LIFE, 1)) {
                    executor.endLife(now, client, player);
                }
            }
            case "dropflag" -> {
                if (!player.combatant().dropFlag(now)) {
                    print(now, client, "You carry no flag.");
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
                    client.answer(
                            now,
                            ScoreList.command(now, client, arena, clients, running.levelStart()));
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

    private static void follow(long now, Quake3Session client, String name) {
        Optional<Player> other = client.findPlayer(name);
        if (!client.spectates()) {
            print(now, client, "Only spectators can follow a player: type /team s first.");
        } else if (name.isEmpty()) {
            print(now, client, "Type /follow and a player's name or number.");
        } else if (other.isEmpty()) {
            printUnknown(now, client, Quake3Text.plain(name));
        } else {
            client.following().follow(other.get().id(), client.visiblePlayers());
        }
    }

    private static void printUnknown(long now, Quake3Session client, String name) {
        print(now, client, "User " + name + " is not on the server");
    }

    private void say(
            long now, Quake3Session client, ArenaPlayer player, String command, String text) {
        String raw = text.substring(command.length()).strip();
        if (raw.startsWith("\"") && raw.endsWith("\"") && raw.length() > 1) {
            raw = raw.substring(1, raw.length() - 1);
        }
        String message = Quake3Text.plain(raw);
        if (message.isBlank()) {
            return;
        }
        if (command.equals("say_team")
                && (client.spectates() || player.combatant().team().isPresent())) {
            sayToTeam(now, client, player, message);
        } else if (player.say(now, message)) {
            // Without teams, all players are one team; and a client shows its own words when they
            // come back.
            client.viewer().sendChat(player.snapshot(), message);
        }
    }

    /** To the spectators, or to the team of a match. */
    private void sayToTeam(long now, Quake3Session client, ArenaPlayer player, String message) {
        if (!player.allows(now, RateLimitedAction.CHAT, 1)) {
            return;
        }
        Player author = player.snapshot();
        for (Quake3Session other : clients) {
            if (isSameTeam(client, other) && !other.viewer().sendTeamChat(author, message)) {
                other.player().ifPresent(ArenaPlayer::recordDroppedEvent);
            }
        }
    }

    private boolean isSameTeam(Quake3Session one, Quake3Session other) {
        return one.body().team() == other.body().team() && other.player().isPresent();
    }

    /** Sends a private message to a player given by name or slot number. */
    private static void whisper(
            long now, Quake3Session client, ArenaPlayer player, List<String> words) {
        String name = words.size() > 1 ? Quake3Text.plain(words.get(1)) : "";
        Optional<Player> other = client.findPlayer(name);
        String text =
                Quake3Text.plain(
                        String.join(" ", words.subList(Math.min(2, words.size()), words.size())));
        if (other.isEmpty()) {
            printUnknown(now, client, name);
        } else if (player.whisper(now, other.get().id(), text)
                && !other.get().id().equals(player.id())) {
            client.viewer().sendWhisper(player.snapshot(), text);
        }
    }

    private void team(long now, Quake3Session client, ArenaPlayer player, String argument) {
        if (argument.isEmpty()) {
            print(now, client, TEAM_TITLES.get(client.body().team()));
            return;
        }
        boolean spectate = argument.startsWith("s");
        Optional<Team> wanted =
                player.combatant().team().isPresent() ? Team.of(argument) : Optional.empty();
        if (wanted.isPresent()) {
            player.change(now, "team", time -> joinTeam(time, client, player, wanted.get()));
            return;
        }
        if (client.following().request(spectate)) {
            player.change(now, "team", time -> changeTeam(time, client, spectate));
        }
    }

    /** Plays in a team of the match: a spectator that is in it already begins to play. */
    private void joinTeam(long now, Quake3Session client, ArenaPlayer player, Team team) {
        if (!client.isActive()) {
            return;
        }
        boolean isIn = player.combatant().team().equals(Optional.of(team));
        Optional<TeamRefusal> refusal =
                isIn && client.spectates()
                        ? Optional.empty()
                        : player.combatant().changeTeam(now, team);
        if (refusal.isPresent()) {
            print(now, client, refusal.get().notice());
        } else if (client.spectates()) {
            client.following().request(false);
            changeTeam(now, client, false);
        } else {
            executor.spawn(now, client);
        }
    }

    private void changeTeam(long now, Quake3Session client, boolean spectate) {
        Optional<ArenaPlayer> player = client.player();
        if (player.isPresent() && client.isActive() && executor.changeTeam(now, client, spectate)) {
            player.get().reportAppearanceChange(now);
            client.configstrings().changedSelf();
        }
    }

    private static void print(long now, Quake3Session client, String line) {
        client.answer(now, "print \"" + Quake3Text.line(line, 200) + "\n\"");
    }
}
