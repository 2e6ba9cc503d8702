package dev.wishdir.quake2.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

class PacketSenderTest {
    private static final InetSocketAddress TO =
            new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 27901);

    private final TestSessions sessions = new TestSessions();
    private final PacketSender sender = sessions.sender;

    PacketSenderTest() throws IOException {}

    private long count(String name) {
        return sessions.counters.get("quake2.drop." + name);
    }

    @Test
    void limitsRepliesToUnprovenAddresses() {
        for (int i = 0; i < 100; i++) {
            sender.reply(0, TO, "x".repeat(1000));
        }
        assertThat(sessions.packets).isBetween(1, 99);
        assertThat(count("budget")).isEqualTo(100 - sessions.packets);
    }

    @Test
    void allowsMoreRepliesAfterTheCookie() {
        for (int i = 0; i < 1000; i++) {
            sender.reply(0, TO, "x");
        }
        int unproven = sessions.packets;
        assertThat(count("budget")).isPositive();
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral("10.9.0.1"), 27901);
        for (int i = 0; i < 1000; i++) {
            sender.replyAfterCookie(0, other, "x");
        }
        assertThat(sessions.packets - unproven).isGreaterThanOrEqualTo(unproven);
    }

    @Test
    void sendsWithoutLimitToProvenAddresses() {
        for (int i = 0; i < 1000; i++) {
            sender.send(TO, new byte[1000], 1000);
        }
        assertThat(sessions.packets).isEqualTo(1000);
    }

    @Test
    void sendsNoReplyLongerThanAPacket() {
        sender.reply(0, TO, "x".repeat(1397));
        sender.replyAfterCookie(0, TO, "x".repeat(1397));
        assertThat(sessions.packets).isZero();
        assertThat(count("long-reply")).isEqualTo(2);
        sender.reply(0, TO, "x".repeat(1396));
        assertThat(sessions.packets).isEqualTo(1);
    }
}
