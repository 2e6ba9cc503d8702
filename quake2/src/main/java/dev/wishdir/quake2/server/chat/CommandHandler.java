package dev.wishdir.quake2.server.chat;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.quake2.message.ServerMessage.Inventory;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.join.ServerInfo;
import dev.wishdir.quake2.server.join.SignOn;
import dev.wishdir.quake2.server.match.Overlay;
import dev.wishdir.quake2.server.match.PlayerListing;
import dev.wishdir.quake2.server.session.ClientPlayer;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.EventMessages;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs the text commands of clients: sign-on, downloads, chat, lists. */
public final class CommandHandler {
    /** Maximum length of a player list. */
    private static final int MAX_LIST_CHARS = 900;

    private static final int MAX_VERSION_CHARS = 60;
    private static final int MAX_ITEM_CHARS = 40;

    private final SignOn signOn;
    private final ClientTable clients;
    private final RunningLevel level;
    private final ServerInfo serverInfo;
    private final PlayerListing listings;
    private final BooleanSupplier isShared;
    private final Quake2Counters counters;

    /**
     * @param isShared whether other games play the same arena, so that players can't change the map
     */
    public CommandHandler(
            SignOn signOn,
            ClientTable clients,
            RunningLevel level,
            ServerInfo serverInfo,
            PlayerListing listings,
            BooleanSupplier isShared,
            Quake2Counters counters) {
        this.signOn = signOn;
        this.clients = clients;
        this.level = level;
        this.serverInfo = serverInfo;
        this.listings = listings;
        this.isShared = isShared;
        this.counters = counters;
    }

    /**
     * Whether a command only requests the next block of a download, which is exempt from the limit.
     */
    public static boolean isFree(String line) {
        return line.equals("nextdl");
    }

    /** Runs a command. */
    public void run(long now, Quake2Session session, String text) {
        List<String> words = CommandTokenizer.of(text);
        if (words.isEmpty()) {
            return;
        }
        ClientPlayer player = session.player();
        switch (words.getFirst()) {
            case "new" -> signOn.start(session);
            case "configstrings" -> signOn.configStrings(session, words);
            case "baselines" -> signOn.precache(session, words);
            case "begin" -> signOn.begin(now, session, words);
            case SignOn.VERSION_PROBE -> setVersion(session, words, text);
            case "disconnect" -> clients.remove(session, LeaveReason.LEFT);
            case "download" -> download(session, words);
            case "nextdl" -> {
                session.download().request();
                sendBlock(session, words);
            }
            case "team" -> team(now, session, words);
            case "say_team" -> sayToTeam(now, session, CommandTokenizer.afterFirst(text));
            case "say" -> say(now, session, CommandTokenizer.afterFirst(text));
            case "kill" -> {
                if (session.isInGame()) {
                    player.kill(now);
                }
            }
            case "wave" -> {
                if (session.isInGame()) {
                    player.gesture(now);
                }
            }
            case "info" -> print(now, session, words, () -> serverInfo.settings().toString());
            case "players" -> {
                int first = Numbers.parse(words, 1).orElse(0);
                print(now, session, words, () -> listings.list("players", first, MAX_LIST_CHARS));
            }
            case "vote", "callvote" -> {
                if (isShared.getAsBoolean()) {
                    print(now, session, words, () -> SharedArena.REFUSAL);
                } else {
                    counters.count("command");
                }
            }
            case "score", "help" ->
                    inGame(
                            session,
                            player.overlay()::toggleScores,
                            () -> listings.board(player.id(), player.killer()));
            case "inven" ->
                    inGame(
                            session,
                            player.overlay()::toggleInventory,
                            () -> List.of(new Inventory(player.gun().inventory().counts())));
            case "use" -> {
                if (session.isInGame()) {
                    use(now, session, words, CommandTokenizer.afterFirst(text).strip());
                }
            }
            case "drop" -> drop(now, session, words);
            case "weapnext" -> player.gun().useNext(false);
            case "weapprev" -> player.gun().useNext(true);
            case "weaplast" -> player.gun().useLast();
            case "putaway" -> player.overlay().putAway();
            default -> counters.count("command");
        }
    }

    /** Takes another weapon in hand; the texts are those of the game. */
    private static void use(long now, Quake2Session session, List<String> words, String title) {
        Weapon.named(title)
                .map(weapon -> session.player().gun().use(weapon))
                .orElseGet(() ->
                        Optional.of("unknown item: " + Quake2Text.line(title, MAX_ITEM_CHARS)))
                .ifPresent(refusal -> print(now, session, words, () -> refusal));
    }

    /** Drops the flag; other items stay with their players. */
    private void drop(long now, Quake2Session session, List<String> words) {
        if (words.size() > 1 && !words.get(1).equalsIgnoreCase("flag")) {
            counters.count("command");
        } else if (session.isInGame() && !session.player().dropFlag(now)) {
            print(now, session, words, () -> "You carry no flag.");
        }
    }

    private static void setVersion(Quake2Session session, List<String> words, String text) {
        if (words.size() > 2 && words.get(1).equals("version")) {
            String reported = CommandTokenizer.afterFirst(CommandTokenizer.afterFirst(text));
            session.setVersion(Quake2Text.line(Quake2Text.plain(reported), MAX_VERSION_CHARS));
        }
    }

    /** Toggles an overlay of a client in the game, and sends its content if it is now on. */
    private static void inGame(
            Quake2Session session,
            BooleanSupplier toggle,
            Supplier<List<? extends ServerMessage>> content) {
        if (session.isInGame() && toggle.getAsBoolean()) {
            session.channel().state(Overlay.KIND, content);
        }
    }

    /**
     * Answers a command once, however often it was repeated before there was room for the answer.
     */
    private static void answer(
            Quake2Session session,
            List<String> words,
            Supplier<List<? extends ServerMessage>> messages) {
        session.channel().state(words.getFirst(), messages);
    }

    /** Answers a command with a line, unless the client asks too often. */
    private static void print(
            long now, Quake2Session session, List<String> words, Supplier<String> line) {
        if (session.allowsAnswer(now)) {
            answer(session, words, () -> List.of(EventMessages.line(line.get())));
        }
    }

    /** Changes the player's team in a match. */
    private static void team(long now, Quake2Session session, List<String> words) {
        Optional<Team> wanted = words.size() < 2 ? Optional.empty() : Team.of(words.get(1));
        if (wanted.isEmpty()) {
            print(now, session, words, () -> "team red or team blue");
        } else if (session.isInGame()) {
            session.player()
                    .changeTeam(
                            now,
                            wanted.get(),
                            refusal ->
                                    answer(
                                            session,
                                            words,
                                            () -> List.of(EventMessages.line(refusal.notice()))));
        }
    }

    /** To the clients of this game that are in the same team; without teams to all. */
    private void sayToTeam(long now, Quake2Session session, String said) {
        ClientPlayer player = session.player();
        if (player.team().isEmpty()) {
            say(now, session, said);
        } else if (session.isInGame() && player.mayChat(now)) {
            EventMessages.chat("(" + player.name() + ")", unquoted(said))
                    .ifPresent(line ->
                            clients.all().stream()
                                    .filter(Quake2Session::isInGame)
                                    .filter(other -> other.player().team().equals(player.team()))
                                    .filter(other -> other.player().watches() == player.watches())
                                    .forEach(other -> other.event(line)));
        }
    }

    private static String unquoted(String said) {
        String text = Quake2Text.plain(said);
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    private static void say(long now, Quake2Session session, String said) {
        String text = unquoted(said);
        ClientPlayer player = session.player();
        if (session.isInGame() && player.say(now, text)) {
            EventMessages.chat(player.name(), text).ifPresent(session::event);
        }
    }

    private void download(Quake2Session session, List<String> words) {
        Optional<Bytes> file = words.size() < 2 ? Optional.empty() : level.download(words.get(1));
        int offset = words.size() < 3 ? 0 : Numbers.parse(words, 2).orElse(-1);
        if (file.isEmpty() || offset < 0 || offset > file.get().length()) {
            counters.count("download");
            session.download().stop();
            answer(session, words, () -> List.of(Download.REFUSED));
            return;
        }
        session.download().start(file.get(), offset);
        sendBlock(session, words);
    }

    private static void sendBlock(Quake2Session session, List<String> words) {
        answer(session, words, () -> session.download().next().stream().toList());
    }
}
