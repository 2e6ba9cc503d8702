package dev.wishdir.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.loop.Counters;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

class OperatorLogTest {
    private static final LeaveReason FULL =
            new LeaveReason(LeaveReason.Code.SERVER_FULL, "Server is full.");

    private static final long SECOND = 1_000_000_000;

    private final List<String> lines = new ArrayList<>();
    private final Counters counters = new Counters();
    private final Arena arena = new Arena(dev.wishdir.arena.event.Level.BOX, 100);
    private final OperatorLog log =
            new OperatorLog(line -> lines.add(line.text()), counters, arena::connectionInfo, true);

    OperatorLogTest() {
        arena.addListener(log);
    }

    @Test
    void mergesRefusalsByNetworkAndReason() {
        for (int i = 0; i < 50; i++) {
            arena.reportRefusal(i, "quake2", "192.0.2." + i, FULL);
            arena.reportRefusal(i, "quake2", "2001:db8::" + i, FULL);
        }
        arena.reportRefusal(
                50,
                "quake2",
                "192.0.2.7",
                new LeaveReason(LeaveReason.Code.PASSWORD, "Wrong password."));
        log.advance(SECOND);
        assertThat(lines)
                .containsExactly(
                        "refused 192.0.2.0 (quake2): Server is full.",
                        "refused 2001:db8::0 (quake2): Server is full.",
                        "refused 192.0.2.7 (quake2): Wrong password.");
        lines.clear();
        log.advance(11 * SECOND);
        assertThat(lines)
                .containsExactly(
                        "refused 49 connections from 192.0.2.0/24 in 10 s (quake2): Server is"
                                + " full.",
                        "refused 49 connections from 2001:db8::/64 in 10 s (quake2): Server is"
                                + " full.");
        arena.reportRefusal(12 * SECOND, "quake2", "192.0.2.9", FULL);
        assertThat(lines).hasSize(3).last().asString().startsWith("refused 192.0.2.9 (quake2)");
    }

    @Test
    @DisplayName("R9: 80 different refusals a second hide no join, no leave and no order")
    void writesEachJoinDuringFloodOfRefusals() {
        List<String> important = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            long now = second * SECOND;
            for (int i = 0; i < 80; i++) {
                arena.reportRefusal(
                        now,
                        "quake2",
                        "10." + second + "." + i + ".1",
                        new LeaveReason(LeaveReason.Code.VERSION, "reason " + i));
            }
            String name = "p" + second;
            Viewer viewer = from("192.0.2." + second, "");
            ArenaPlayer id = arena.join(now, "quake3", name, viewer);
            id.leave(now, LeaveReason.LEFT);
            log.onCommand(new OperatorConsole.ExecutedCommand(now, "console", "", "kicks " + name));
            log.advance(now);
            String player = name + " (quake3 " + id.id() + ")";
            important.add(player + " joined from 192.0.2." + second + ":27961");
            important.add(player + " left");
            important.add("console kicks " + name);
        }
        assertThat(lines)
                .containsSubsequence(important)
                .hasSizeLessThan(important.size() + 3 * (RepeatedLineLimiter.MAX_CAUSES + 1))
                .anyMatch(line -> line.startsWith("816 further refused connections in 10 s"));
    }

    @Test
    void namesLimitedAndKickedPlayers() {
        ArenaPlayer rob = arena.join(0, "quake3", "rob", new NoOpViewer());
        for (int i = 0; i < 100; i++) {
            rob.say(0, "spam");
        }
        rob.reportViolation(0, ViolationRule.DISTANCE, 30, 12.5, 2.5);
        rob.leave(
                0,
                new LeaveReason(
                        LeaveReason.Code.RATE_LIMIT, "Kicked: rate limit exceeded (chat)."));
        assertThat(lines)
                .containsExactly(
                        "rob (quake3 1) joined",
                        "rob (quake3 1) exceeded the rate limit: chat",
                        "rob (quake3 1) moved impossibly: distance 30.0 m, limit 12.5 m (2.5 m of"
                                + " it for lag)",
                        "rob (quake3 1) was disconnected: Kicked: rate limit exceeded (chat).");
    }

    private static Viewer from(String address, String version) {
        ConnectionInfo connectionInfo =
                new ConnectionInfo(
                        new InetSocketAddress(InetAddress.ofLiteral(address), 27_961), version);
        return new Viewer() {
            @Override
            public ConnectionInfo connectionInfo() {
                return connectionInfo;
            }

            @Override
            public void onMovement(List<Player> movers) {}

            @Override
            public void onEvent(ArenaEvent event) {}
        };
    }

    @Test
    void writesEveryJoinAndLeaveAtOnce() {
        Viewer viewer = from("192.0.2.7", "protocol 71");
        for (int i = 1; i <= 60; i++) {
            ArenaPlayer ann = arena.join(0, "quake3", "ann", viewer);
            ann.leave(0, i % 2 == 0 ? LeaveReason.LEFT : LeaveReason.TIMED_OUT);
            assertThat(lines)
                    .containsExactly(
                            "ann (quake3 " + i + ") joined from 192.0.2.7:27961, protocol 71",
                            "ann (quake3 " + i + ") " + (i % 2 == 0 ? "left" : "timed out"));
            lines.clear();
        }
        arena.mirror(0, new PlayerId(PlayerId.GHOST_NODE, 1), "quake3", "~ann")
                .leave(0, LeaveReason.LEFT);
        arena.join(0, "quake3", "bea", from("2001:db8::7", ""));
        assertThat(lines)
                .as("and not the ghost")
                .containsExactly("bea (quake3 61) joined from [2001:db8::7]:27961");
    }

    @Test
    void hidesAddressesOnRequest() {
        OperatorLog hiding =
                new OperatorLog(
                        line -> lines.add(line.text() + line.fields()),
                        counters,
                        arena::connectionInfo,
                        false);
        arena.removeListener(log);
        arena.addListener(hiding);
        arena.join(0, "quake3", "ann", from("192.0.2.7", ""));
        for (int i = 0; i < 3; i++) {
            arena.reportRefusal(0, "quake2", "192.0.2.7", FULL);
            hiding.onAccess(
                    new OperatorConsole.WrongPassword(
                            0, "quake2", InetAddress.ofLiteral("192.0.2.7")));
            hiding.onAccess(
                    new OperatorConsole.WrongKey(
                            0, "sauerbraten", InetAddress.ofLiteral("192.0.2.7"), "key ann@dom"));
        }
        hiding.advance(11 * SECOND);
        assertThat(lines).hasSize(7).noneMatch(line -> line.contains("192.0.2"));
    }

    @Test
    void mergesNewNamesOfOnePlayer() {
        ArenaPlayer ann = arena.join(0, "quake3", "ann", from("192.0.2.7", ""));
        ann.rename(0, "bea");
        ann.rename(0, "cis");
        ann.rename(0, "dora");
        log.advance(11 * SECOND);
        assertThat(lines)
                .endsWith(
                        "bea (quake3 1) changed its name from ann",
                        "dora (quake3 1) changed its name 2 more times in 10 s, last: changed its"
                                + " name from cis");
    }

    @Test
    void writesClaimsOfRightsAndMergesWrongPasswords() {
        for (int i = 0; i < 5; i++) {
            log.onAccess(
                    new OperatorConsole.WrongPassword(
                            0, "quake3", InetAddress.ofLiteral("192.0.2." + i)));
        }
        log.onAccess(
                new OperatorConsole.WrongKey(
                        0, "sauerbraten", InetAddress.ofLiteral("192.0.2.7"), "key ann@dom"));
        log.onAccess(
                new OperatorConsole.GrantedRights(
                        0, "ann (sauerbraten 192.0.2.7)", "admin", "key ann@dom"));
        log.advance(11 * SECOND);
        assertThat(lines)
                .containsExactly(
                        "wrong operator password from 192.0.2.0 (quake3)",
                        "wrong answer for key ann@dom from 192.0.2.7 (sauerbraten)",
                        "ann (sauerbraten 192.0.2.7) became admin by key ann@dom",
                        "4 wrong operator passwords from 192.0.2.0/24 in 10 s (quake3)");
    }

    @Test
    void logsOperatorActionsWithNames() {
        log.onCommand(
                new OperatorConsole.ExecutedCommand(0, "console", "", "kicked ann (quake3 1)"));
        log.onCommand(
                new OperatorConsole.ExecutedCommand(
                        0, "bob (sauerbraten 192.0.2.7)", "key bob@dom", "kicked ann (quake3 1)"));
        assertThat(lines)
                .containsExactly(
                        "console kicked ann (quake3 1)",
                        "bob (sauerbraten 192.0.2.7) with key bob@dom kicked ann (quake3 1)");
    }

    @Test
    void summarisesDroppedLinesEachMinute() {
        log.advance(0);
        counters.add("quake2.drop.budget", 7);
        log.advance(30 * SECOND);
        assertThat(lines).isEmpty();
        log.advance(60 * SECOND);
        counters.add("quake2.drop.budget", 2);
        log.advance(121 * SECOND);
        log.advance(182 * SECOND);
        assertThat(lines)
                .containsExactly(
                        "counters in the last minute: quake2.drop.budget +7",
                        "counters in the last minute: quake2.drop.budget +2");
    }
}
