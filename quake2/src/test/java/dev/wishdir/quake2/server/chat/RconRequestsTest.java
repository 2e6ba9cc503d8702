package dev.wishdir.quake2.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.game.operator.RconHandler;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.server.session.Quake2Viewer;
import dev.wishdir.quake2.server.session.TestSessions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

class RconRequestsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress OPERATOR =
            new InetSocketAddress(InetAddress.ofLiteral("10.1.0.1"), 5000);

    private final TestSessions sessions = new TestSessions("", "orchid");
    private final List<String> maps = new ArrayList<>();
    private final List<String> announcements = new ArrayList<>();
    private final RconRequests rcon =
            new RconRequests(
                    sessions.context,
                    sessions.clients,
                    (_, name) -> {
                        maps.add(name);
                        return "changing to " + name;
                    },
                    sessions.sender,
                    sessions.quake2Counters);

    RconRequestsTest() throws IOException {}

    @BeforeEach
    void listen() {
        sessions.arena.addListener(event -> {
            if (event instanceof ArenaEvent.Announcement announcement) {
                announcements.add(announcement.text());
            }
        });
    }

    private void send(InetSocketAddress from, String line) {
        rcon.receive(sessions.network.now(), from, new OutOfBand(line));
    }

    @Test
    void runsCommandOfRightPassword() {
        send(OPERATOR, "rcon orchid map q2dm1");
        assertThat(maps).containsExactly("q2dm1");
        assertThat(sessions.said).startsWith("print\n").contains("changing to q2dm1");
        send(OPERATOR, "rcon orchid say hello");
        assertThat(announcements).singleElement().asString().contains("hello");
    }

    @Test
    void refusesWrongPasswordAndNone() {
        for (String line : List.of("rcon", "rcon rose say hello", "rcon \"\" say hello")) {
            sessions.said = "";
            send(OPERATOR, line);
            assertThat(sessions.said).as(line).isEqualTo("print\nBad rcon_password.\n");
        }
        assertThat(announcements).isEmpty();
        assertThat(sessions.counters.get("quake2.rcon.refused")).isEqualTo(3);
    }

    @Test
    void refusesAllWithoutAdminPassword() throws IOException {
        TestSessions closed = new TestSessions();
        RconRequests none =
                new RconRequests(
                        closed.context,
                        closed.clients,
                        (_, _) -> "",
                        closed.sender,
                        closed.quake2Counters);
        none.receive(0, OPERATOR, new OutOfBand("rcon \"\" status"));
        assertThat(closed.said).contains("Bad rcon_password.");
    }

    @Test
    void stopsCheckingAfterManyGuesses() {
        for (int i = 0; i < 10; i++) {
            send(OPERATOR, "rcon guess" + i + " status");
        }
        send(OPERATOR, "rcon orchid say hello");
        assertThat(announcements).isEmpty();
        assertThat(sessions.said).contains(RconHandler.TOO_MANY_WRONG_PASSWORDS);
        sessions.network.run(11 * SECOND);
        send(OPERATOR, "rcon orchid say hello");
        assertThat(announcements).hasSize(1);
    }

    /** Guesses in the name of a player's address don't take the player's own attempts. */
    @Test
    void keepsAttemptsOfProvenClientFromForgedGuesses() {
        TestSessions.Client client = sessions.add(1);
        sessions.prove(client);
        InetSocketAddress player = client.session().address();
        InetSocketAddress forged = new InetSocketAddress(player.getAddress(), 9);
        for (int i = 0; i < 100; i++) {
            send(forged, "rcon guess" + i + " status");
        }
        send(player, "rcon orchid say hello");
        assertThat(announcements).hasSize(1);
    }

    @Test
    @DisplayName("a ban by rcon leaves the player in that ordered it from the same address")
    void keepsPlayerThatBansItsOwnAddress() {
        TestSessions.Client client = sessions.add(1);
        sessions.prove(client);
        client.session().player().join(0, new Quake2Viewer(client.session()));
        client.session().enter(0);
        assertThat(sessions.arena.players()).hasSize(1);
        InetSocketAddress player = client.session().address();
        send(player, "rcon orchid ban " + player.getAddress().getHostAddress());
        assertThat(sessions.said).contains("Not kicked, as they have rights here: c1");
        assertThat(sessions.arena.players())
                .singleElement()
                .extracting(Player::proof)
                .isEqualTo(Proof.ADMIN_PASSWORD);
    }

    @Test
    void splitsLongAnswerIntoPackets() {
        int before = sessions.packets;
        send(OPERATOR, "rcon orchid help");
        assertThat(sessions.packets - before).isGreaterThanOrEqualTo(1);
        assertThat(sessions.said.length()).isLessThanOrEqualTo(1400);
    }
}
