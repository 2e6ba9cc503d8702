package dev.wishdir.quake2.server.chat;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.RconHandler;
import dev.wishdir.net.limit.FailedAttemptLimiter;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates and runs the operator commands of {@code rcon}. See docs/protocols/quake2.md, 1.
 */
public final class RconRequests {
    /** Characters of an answer in a packet: without its mark and {@code print}. */
    private static final int MAX_TEXT_CHARS = Netchan.MAX_PACKET_BYTES - 4 - 16;

    private final EndpointContext context;
    private final ClientTable clients;
    private final OperatorConsole.Maps maps;
    private final PacketSender sender;
    private final Quake2Counters counters;
    private final RconHandler answers =
            new RconHandler(MAX_TEXT_CHARS, line -> Quake2Text.line(line, 500));

    /**
     * @param maps changes the map of this game
     */
    public RconRequests(
            EndpointContext context,
            ClientTable clients,
            OperatorConsole.Maps maps,
            PacketSender sender,
            Quake2Counters counters) {
        this.context = context;
        this.clients = clients;
        this.maps = maps;
        this.sender = sender;
        this.counters = counters;
    }

    /** Runs a command if its password is right. */
    public void receive(long now, InetSocketAddress from, OutOfBand packet) {
        Optional<Quake2Session> session = clients.find(from).filter(Quake2Session::isProven);
        FailedAttemptLimiter attemptLimiter =
                context.addressLimits().passwords(session.isPresent());
        if (!attemptLimiter.isAllowed(now, from.getAddress())) {
            counters.count("rcon.limited");
            sender.reply(now, from, "print\n" + RconHandler.TOO_MANY_WRONG_PASSWORDS);
            return;
        }
        List<String> words = packet.words();
        if (words.size() < 2 || !context.isAdminPassword(words.get(1))) {
            attemptLimiter.recordFailure(now, from.getAddress());
            context.operatorConsole().reportWrongPassword(now, Quake2Codec.GAME, from.getAddress());
            counters.count("rcon.refused");
            sender.reply(now, from, "print\nBad rcon_password.\n");
            return;
        }
        OperatorConsole console = context.operatorConsole();
        OperatorConsole.Author by =
                console.rconAuthor(now, from, session.flatMap(it -> it.player().inArena()), maps);
        String answer =
                console.execute(now, by, Quake2Text.plain(RconHandler.commandLine(packet.text())));
        for (String part : answers.packets(now, answer)) {
            byte[] reply = new OutOfBand("print\n" + part).packet();
            sender.send(from, reply, reply.length);
        }
    }
}
