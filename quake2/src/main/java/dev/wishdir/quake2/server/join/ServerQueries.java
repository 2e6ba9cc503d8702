package dev.wishdir.quake2.server.join;

import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.Numbers;
import dev.wishdir.quake2.server.match.PlayerListing;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;

/** Answers the queries of server browsers and server lists. See docs/protocols/quake2.md, 1. */
public final class ServerQueries {
    /** Characters of a packet, besides the four bytes of its mark. */
    private static final int MAX_TEXT_CHARS = Netchan.MAX_PACKET_BYTES - 4;

    private final ServerInfo serverInfo;
    private final PlayerListing listings;
    private final PacketSender sender;
    private final Quake2Counters counters;

    public ServerQueries(
            ServerInfo serverInfo,
            PlayerListing listings,
            PacketSender sender,
            Quake2Counters counters) {
        this.serverInfo = serverInfo;
        this.listings = listings;
        this.sender = sender;
        this.counters = counters;
    }

    /** Answers {@code status}: the settings and the players. */
    public void status(long now, InetSocketAddress from) {
        sender.reply(now, from, status("print\n"));
    }

    /**
     * The settings and the players, as many as fit into a packet.
     *
     * @param command that precedes them
     */
    String status(String command) {
        String head = command + serverInfo.settings() + "\n";
        return head + listings.status(MAX_TEXT_CHARS - head.length());
    }

    /**
     * Answers {@code info}: the line of a server browser.
     *
     * @param words of the packet
     */
    public void info(long now, InetSocketAddress from, List<String> words) {
        if (words.size() < 2) {
            // An answer of the same name, perhaps our own, reflected.
            counters.count("drop.command");
            return;
        }
        OptionalInt version = Numbers.parse(words, 1);
        sender.reply(now, from, "info\n" + serverInfo.line(version.orElse(-1)));
    }

    /** Answers {@code ping}. */
    public void ping(long now, InetSocketAddress from) {
        sender.reply(now, from, "ack");
    }
}
