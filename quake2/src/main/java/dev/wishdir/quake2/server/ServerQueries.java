package dev.wishdir.quake2.server;

import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.Numbers;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;

/** Answers the queries of server browsers and server lists. See docs/protocols/quake2.md, 1. */
final class ServerQueries {
    /** Characters of a packet, besides the four bytes of its mark. */
    private static final int MAX_TEXT_CHARS = Netchan.MAX_PACKET_BYTES - 4;

    private final ServerInfo serverInfo;
    private final PlayerListings listings;
    private final PacketSender sender;
    private final Quake2Counters counters;

    ServerQueries(
            ServerInfo serverInfo,
            PlayerListings listings,
            PacketSender sender,
            Quake2Counters counters) {
        this.serverInfo = serverInfo;
        this.listings = listings;
        this.sender = sender;
        this.counters = counters;
    }

    /** Answers {@code status}: the settings and the players. */
    void status(long now, InetSocketAddress from) {
        String head = "print\n" + serverInfo.settings() + "\n";
        sender.reply(now, from, head + listings.status(MAX_TEXT_CHARS - head.length()));
    }

    /**
     * Answers {@code info}: the line of a server browser.
     *
     * @param words of the packet
     */
    void info(long now, InetSocketAddress from, List<String> words) {
        if (words.size() < 2) {
            // An answer of the same name, perhaps our own, reflected.
            counters.count("drop.command");
            return;
        }
        OptionalInt version = Numbers.parse(words, 1);
        sender.reply(now, from, "info\n" + serverInfo.line(version.orElse(-1)));
    }

    /** Answers {@code ping}. */
    void ping(long now, InetSocketAddress from) {
        sender.reply(now, from, "ack");
    }
}
