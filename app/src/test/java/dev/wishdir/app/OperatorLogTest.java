package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Origin;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.Operations;
import dev.wishdir.game.SilentViewer;
import dev.wishdir.net.Counters;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

class OperatorLogTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> lines = new ArrayList<>();
    private final Counters counters = new Counters();
    private final Arena arena = new Arena(dev.wishdir.arena.Level.BOX, 100);
    private final OperatorLog log =
            new OperatorLog(line -> lines.add(line.text()), counters, arena::origin);

    OperatorLogTest() {
        arena.observe(log);
    }

    @Test
    void refusalsAreToldOnceAndThenCounted() {
        for (int i = 0; i < 1000; i++) {
            arena.refused(i, "quake2", "10.0.0." + i, "Server is full.");
        }
        log.advance(SECOND);
        assertThat(lines).containsExactly("refused 10.0.0.0 (quake2): Server is full.");
        log.advance(11 * SECOND);
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("refused 10.0.0.999 (quake2): Server is full. (999 times in 10 s)");
        log.advance(30 * SECOND);
        arena.refused(30 * SECOND, "quake2", "10.0.0.1", "Server is full.");
        assertThat(lines).hasSize(3);
    }

    @Test
    void theNumberOfCausesIsBounded() {
        for (int i = 0; i < 10_000; i++) {
            arena.refused(0, "quake2", "10.0.0.1", "reason " + i);
        }
        assertThat(lines).hasSize(65);
    }

    @Test
    void whoIsLimitedOrSentAwayIsNamed() {
        PlayerId rob = arena.join(0, "quake3", "rob", new SilentViewer()).id();
        for (int i = 0; i < 100; i++) {
            arena.say(0, rob, "spam");
        }
        arena.judged(0, rob, "speed", 30, 12.5, 2.5);
        arena.leave(0, rob, Departure.sentAway("You were talking too much."));
        assertThat(lines)
                .containsExactly(
                        "rob (quake3 1) joined",
                        "rob (quake3 1) is limited: talking too much",
                        "rob (quake3 1): speed 30.00, allowed 12.50 (2.50 of it for lag)",
                        "rob (quake3 1) was sent away: You were talking too much.");
    }

    private static Viewer from(String address, String version) {
        Origin origin =
                new Origin(
                        new InetSocketAddress(InetAddress.ofLiteral(address), 27_961), version, "");
        return new Viewer() {
            @Override
            public Origin origin() {
                return origin;
            }

            @Override
            public void moved(List<Player> movers) {}

            @Override
            public void told(ArenaEvent event) {}
        };
    }

    @Test
    void whoComesAndGoesIsNamedWithWhereHeComesFrom() {
        Viewer viewer = from("192.0.2.7", "protocol 71");
        PlayerId ann = arena.join(0, "quake3", "ann", viewer).id();
        arena.leave(SECOND, ann, Departure.LEFT);
        for (int i = 0; i < 5; i++) {
            PlayerId again = arena.join(SECOND, "quake3", "ann", viewer).id();
            arena.leave(SECOND, again, Departure.TIMED_OUT);
        }
        assertThat(lines)
                .startsWith(
                        "ann (quake3 1) joined from 192.0.2.7:27961, protocol 71",
                        "ann (quake3 1) left",
                        "ann (quake3 2) timed out");
        log.advance(11 * SECOND);
        assertThat(lines)
                .contains(
                        "ann (quake3 6) joined from 192.0.2.7:27961, protocol 71"
                                + " (5 times in 10 s)");
    }

    /** From as many addresses as they like. */
    @Test
    void manyWhoJoinAtOnceAreToldTogether() {
        for (int i = 0; i < 60; i++) {
            arena.join(0, "quake3", "p" + i, from("192.0.2." + i, ""));
        }
        assertThat(lines).hasSize(21);
        log.advance(11 * SECOND);
        assertThat(lines)
                .hasSize(22)
                .last()
                .isEqualTo("p59 (quake3 60) joined from 192.0.2.59:27961 (39 times in 10 s)");
    }

    @Test
    void whatOperatorsDoIsToldWithTheirNames() {
        log.done(new Operations.Done(0, "console", "kicks ann (quake3 1): loud"));
        assertThat(lines).containsExactly("console kicks ann (quake3 1): loud");
    }

    @Test
    @DisplayName("a line of the log for programs is one JSON object, whatever is in it")
    void jsonIsOneObjectALine() {
        LoggerContext context = new LoggerContext();
        LoggingEvent event =
                new LoggingEvent(
                        "", context.getLogger("wishdir"), Level.INFO, "a\n\"b\u2028", null, null);
        event.addKeyValuePair(new KeyValuePair("event", "join"));
        event.addKeyValuePair(new KeyValuePair("player", 7));
        String line = new LogForm.JsonLayout().doLayout(event);
        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonObject json = JsonParser.parseString(line).getAsJsonObject();
        assertThat(json.get("message").getAsString()).isEqualTo("a\n\"b\u2028");
        assertThat(json.get("event").getAsString()).isEqualTo("join");
        assertThat(json.get("player").getAsInt()).isEqualTo(7);
    }

    @Test
    void whatWasDroppedIsSummedUpEachMinute() {
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
                        "in the last minute: quake2.drop.budget +7",
                        "in the last minute: quake2.drop.budget +2");
    }
}
