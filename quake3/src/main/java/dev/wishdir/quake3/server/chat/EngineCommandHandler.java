package dev.wishdir.quake3.server.chat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.session.GamestateSender;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.session.SessionLifecycle;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Optional;

/**
 * Executes the reliable commands of the engine: disconnect, userinfo, downloads, and the proof of a
 * pure client. Those of the game go to {@link CommandHandler}.
 */
public final class EngineCommandHandler {
    /** The userinfo keys besides the name that other players see. */
    private static final List<String> APPEARANCE_KEYS =
            List.of("model", "headmodel", "color1", "color2");

    private final Counters counters;
    private final SessionLifecycle lifecycle;
    private final RunningLevel running;
    private final CommandHandler gameCommands;

    public EngineCommandHandler(
            Counters counters,
            SessionLifecycle lifecycle,
            RunningLevel running,
            CommandHandler gameCommands) {
        this.counters = counters;
        this.lifecycle = lifecycle;
        this.running = running;
        this.gameCommands = gameCommands;
    }

    public void execute(long now, Quake3Session client, String text) {
        List<String> words = OutOfBand.words(text);
        String argument = words.size() > 1 ? words.get(1) : "";
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "disconnect" -> lifecycle.drop(now, client, LeaveReason.LEFT);
            case "userinfo" -> userinfo(now, client, argument);
            case "download" -> download(now, client, argument);
            case "nextdl" -> nextBlock(now, client, argument);
            case "stopdl" -> client.channel().downloads().stop();
            case "donedl" -> {
                client.channel().downloads().stop();
                GamestateSender gamestates = client.channel().gamestates();
                if (client.isPrimed() && gamestates.isAcknowledged()) {
                    gamestates.setPending(true);
                }
            }
            case "cp" -> prove(now, client, words);
            case "vdr" -> client.setPure(false);
            case "" -> {}
            default -> {
                if (client.isActive()) {
                    gameCommands.execute(now, client, words, text);
                }
            }
        }
    }

    private void prove(long now, Quake3Session client, List<String> words) {
        if (client.isPure()
                || !running.purity().isRequired()
                || words.size() < 2
                || !words.get(1).equals(Integer.toString(running.serverId()))) {
            return;
        }
        boolean pure = running.purity().isProvedBy(words);
        client.setPure(pure);
        if (!pure) {
            sendFirstSnapshot(now, client);
            lifecycle.drop(
                    now,
                    client,
                    new LeaveReason(
                            LeaveReason.Code.CLIENT_FILES,
                            "Unpure client detected. Invalid .PK3 files referenced!"));
        }
    }

    /** Sends a first snapshot: a loaded client shows no text before it. */
    private void sendFirstSnapshot(long now, Quake3Session client) {
        if (client.isPrimed() && !client.channel().transport().hasPendingFragments()) {
            client.activate(now);
            client.sendSnapshotNow(now, running, running.serverCountFlag());
        }
    }

    private static void userinfo(long now, Quake3Session client, String text) {
        InfoString before = client.userinfo();
        client.userinfo(InfoString.parse(text));
        client.player().ifPresent(player -> userinfoChanged(now, client, player, before));
    }

    private static void userinfoChanged(
            long now, Quake3Session client, ArenaPlayer player, InfoString before) {
        // A userinfo always has all keys: a name that an operator has changed must remain.
        if (!client.userinfo().get("name").equals(before.get("name"))) {
            player.rename(now, client.name());
        }
        for (String key : APPEARANCE_KEYS) {
            if (!client.userinfo().get(key).equals(before.get(key))) {
                player.reportAppearanceChange(now);
                client.configstrings().changedSelf();
                return;
            }
        }
    }

    private void download(long now, Quake3Session client, String file) {
        if (!client.channel().gamestates().isAcknowledged()) {
            return;
        }
        Optional<Bytes> offered = running.offer(file);
        if (offered.isPresent()) {
            client.channel().downloads().offer(now, offered.get());
        } else {
            counters.count("quake3.drop.download");
            String why = "This server does not offer " + Quake3Text.line(file, 80) + ".\n";
            if (running.purity().isRequired()) {
                why += "Get it elsewhere: this server is pure and requires it.\n";
            }
            client.channel().downloads().refuse(now, why);
        }
    }

    private static void nextBlock(long now, Quake3Session client, String block) {
        if (block.matches("\\d{1,5}")) {
            client.channel().downloads().acknowledge(now, Integer.parseInt(block));
        }
    }
}
