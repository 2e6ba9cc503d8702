package dev.wishdir.quake2.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.game.SharedArena;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.quake2.message.ServerMessage.Inventory;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.netchan.CommandTokenizer;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Runs the text commands of a client: sign-on, downloads, chat, lists. */
final class ClientCommands {
    /** Maximum length of a player list. */
    private static final int MAX_LIST_CHARS = 900;

    private static final int MAX_VERSION_CHARS = 60;

    private final Quake2Endpoint endpoint;
    private final Quake2Session session;
    private final ReliableChannel channel;
    private final SignOn signOn;
    private final ClientPlayer clientPlayer;
    private final FileTransfer download = new FileTransfer();
    private String version = "";

    ClientCommands(
            Quake2Endpoint endpoint,
            Quake2Session session,
            ReliableChannel channel,
            SignOn signOn,
            ClientPlayer clientPlayer) {
        this.endpoint = endpoint;
        this.session = session;
        this.channel = channel;
        this.signOn = signOn;
        this.clientPlayer = clientPlayer;
    }

    /** The program that the client reports; empty before. */
    String version() {
        return version;
    }

    /** Stops the download, as another map starts. */
    void stopDownload() {
        download.stop();
    }

    /**
     * Whether a command only requests the next block of a download, which is exempt from the limit.
     */
    static boolean isFree(String line) {
        return line.equals("nextdl");
    }

    /** Runs a command. */
    void run(long now, String text) {
        List<String> words = CommandTokenizer.of(text);
        if (words.isEmpty()) {
            return;
        }
        switch (words.getFirst()) {
            case "new" -> session.startSignOn();
            case "configstrings" ->
                    inSignOn(
                            words,
                            number(words, 2),
                            start -> answer(words, () -> signOn.configStrings(start)));
            case "baselines" ->
                    inSignOn(words, number(words, 2), _ -> answer(words, signOn::precache));
            case "begin" -> inSignOn(words, OptionalInt.of(0), _ -> session.enter(now));
            case "disconnect" -> endpoint.remove(session, LeaveReason.LEFT);
            case "download" -> download(words);
            case "nextdl" -> {
                download.request();
                answer(words, this::nextBlock);
            }
            case "say", "say_team" -> say(now, CommandTokenizer.afterFirst(text));
            case "kill" -> {
                if (session.isInGame()) {
                    clientPlayer.kill(now);
                }
            }
            case "wave" -> {
                if (session.isInGame()) {
                    clientPlayer.gesture(now);
                }
            }
            case SignOn.VERSION_PROBE -> {
                if (words.size() > 2 && words.get(1).equals("version")) {
                    version =
                            Quake2Text.line(
                                    Quake2Text.plain(
                                            CommandTokenizer.afterFirst(
                                                    CommandTokenizer.afterFirst(text))),
                                    MAX_VERSION_CHARS);
                }
            }
            case "info" -> answer(words, () -> lines(endpoint.serverInfo().toString()));
            case "players" -> {
                int first = number(words, 1).orElse(0);
                answer(
                        words,
                        () -> lines(endpoint.listings().list("players", first, MAX_LIST_CHARS)));
            }
            case "vote", "callvote" -> {
                if (endpoint.isShared()) {
                    answer(words, () -> lines(SharedArena.REFUSAL));
                } else {
                    endpoint.count("command");
                }
            }
            case "score", "help" ->
                    inGame(clientPlayer.overlay()::toggleScores, clientPlayer::board);
            case "inven" ->
                    inGame(clientPlayer.overlay()::toggleInventory, () -> List.of(Inventory.BLANK));
            case "putaway" -> clientPlayer.overlay().putAway();
            default -> endpoint.count("command");
        }
    }

    /** Toggles an overlay of a client in the game, and sends its content if it is now on. */
    private void inGame(BooleanSupplier toggle, Supplier<List<? extends ServerMessage>> content) {
        if (session.isInGame() && toggle.getAsBoolean()) {
            channel.state(Overlay.KIND, content);
        }
    }

    /**
     * Answers a command once, however often it was repeated before there was room for the answer.
     */
    private void answer(List<String> words, Supplier<List<? extends ServerMessage>> messages) {
        channel.state(words.getFirst(), messages);
    }

    private static List<Print> lines(String text) {
        return List.of(EventMessages.line(text));
    }

    private static OptionalInt number(List<String> words, int index) {
        return index < words.size() ? Numbers.parse(words.get(index)) : OptionalInt.empty();
    }

    /** Runs a sign-on command, which must have the number of the map. */
    private void inSignOn(List<String> words, OptionalInt start, IntConsumer command) {
        if (!session.isJoining()) {
            return;
        }
        boolean wasProven = signOn.isProven();
        if (!signOn.verify(number(words, 1))) {
            session.startSignOn();
            return;
        }
        if (!wasProven) {
            endpoint.onProven(session);
        }
        if (!session.isJoining()) {
            return;
        }
        if (start.isEmpty() || start.getAsInt() < 0 || start.getAsInt() >= ConfigString.COUNT) {
            endpoint.count("command");
        } else {
            command.accept(start.getAsInt());
        }
    }

    private void say(long now, String said) {
        String text = Quake2Text.plain(said);
        if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
            text = text.substring(1, text.length() - 1);
        }
        if (!session.isInGame() || clientPlayer.player().isEmpty()) {
            return;
        }
        if (endpoint.arena().say(now, clientPlayer.player().get(), text)) {
            EventMessages.chat(clientPlayer.name(), text).ifPresent(session::event);
        }
    }

    private void download(List<String> words) {
        Optional<Bytes> file =
                words.size() < 2 ? Optional.empty() : endpoint.download(words.get(1));
        int offset = words.size() < 3 ? 0 : Numbers.parse(words.get(2)).orElse(-1);
        if (file.isEmpty() || offset < 0 || offset > file.get().length()) {
            endpoint.count("download");
            download.stop();
            answer(words, () -> List.of(Download.REFUSED));
            return;
        }
        download.start(file.get(), offset);
        answer(words, this::nextBlock);
    }

    private List<Download> nextBlock() {
        return download.next().stream().toList();
    }
}
