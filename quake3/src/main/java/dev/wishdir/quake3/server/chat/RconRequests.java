package dev.wishdir.quake3.server.chat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.RconHandler;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.server.join.OutOfBandSender;
import dev.wishdir.quake3.server.session.ClientTable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** Checks the password of {@code rcon} packets, and answers them. */
public final class RconRequests {
    private static final int MAX_ANSWER_CHARS = 1_000;

    private final EndpointContext context;
    private final OutOfBandSender sender;
    private final ClientTable clients;
    private final RconConsole console;
    private final RconHandler answers =
            new RconHandler(MAX_ANSWER_CHARS, line -> Quake3Text.line(line, 500));

    public RconRequests(
            EndpointContext context,
            OutOfBandSender sender,
            ClientTable clients,
            RconConsole console) {
        this.context = context;
        this.sender = sender;
        this.clients = clients;
        this.console = console;
    }

    /**
     * @param words of the packet: rcon, password, command line
     * @param text of the whole packet
     */
    public void receive(long now, InetSocketAddress from, List<String> words, String text) {
        Optional<ArenaPlayer> player = clients.player(from);
        FailedAttemptLimiter attemptLimiter = context.addressLimits().passwords(player.isPresent());
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            context.counters().count("quake3.drop.rcon");
            sender.reply(now, from, "print\n" + RconHandler.TOO_MANY_WRONG_PASSWORDS);
            return;
        }
        if (context.adminPassword().isEmpty()) {
            sender.reply(now, from, "print\nNo rconpassword set on the server.\n");
        } else if (words.size() < 3 || !context.isAdminPassword(words.get(1))) {
            attemptLimiter.recordFailure(now, from.getAddress());
            context.operatorConsole().reportWrongPassword(now, Quake3Codec.GAME, from.getAddress());
            sender.reply(now, from, "print\nBad rconpassword.\n");
        } else {
            String line = Quake3Text.plain(RconHandler.commandLine(text));
            String answer = console.execute(now, from, player, line);
            for (String part : answers.packets(now, answer)) {
                sender.replyToOperator(from, "print\n" + part);
            }
        }
    }
}
