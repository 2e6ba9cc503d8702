package dev.wishdir.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class PlayerNameExtractorTest {
    private static DissectedMessage line(Direction way, String name, Map<String, ?> fields) {
        return new DissectedMessage(
                1,
                0,
                way,
                5,
                "g",
                DissectedMessage.Layer.MESSAGE,
                name,
                fields,
                Bytes.EMPTY,
                List.of());
    }

    private static DissectedMessage said(String name, String field, String text) {
        return line(Direction.C2S, name, Map.of(field, text));
    }

    @Test
    void readsNamesOfEachGame() {
        assertThat(PlayerNameExtractor.in(said("N_CONNECT", "name", "alice"))).hasValue("alice");
        assertThat(PlayerNameExtractor.in(said("N_SWITCHNAME", "name", "bob"))).hasValue("bob");
        assertThat(PlayerNameExtractor.in(said("login", "name", "Ann"))).hasValue("Ann");
        assertThat(
                        PlayerNameExtractor.in(
                                said(
                                        "connect",
                                        "text",
                                        "connect 34 8200 7 \"\\fov\\90\\NAME\\a b\\rate\\8\"\n")))
                .hasValue("a b");
        assertThat(PlayerNameExtractor.in(said("userinfo", "text", "\\name\\last")))
                .hasValue("last");
        assertThat(
                        PlayerNameExtractor.in(
                                said("clientCommand", "text", "userinfo \"\\x\\1\\name\\^1Zed\"")))
                .hasValue("^1Zed");
    }

    @Test
    void ignoresNamesOfOtherPlayers() {
        Map<String, ?> other = Map.of("name", "eve", "text", "\\name\\eve");
        for (String name : List.of("N_CONNECT", "N_INITCLIENT", "connect", "userinfo", "login")) {
            assertThat(PlayerNameExtractor.in(line(Direction.S2C, name, other))).as(name).isEmpty();
        }
        assertThat(PlayerNameExtractor.in(said("clientCommand", "text", "say \\name\\eve")))
                .isEmpty();
        assertThat(PlayerNameExtractor.in(said("N_CONNECT", "name", ""))).isEmpty();
    }

    @Test
    void ignoresColoursAndCase() {
        for (String name : List.of("^1Z^7ed", "\f3Zed", "§cZed", "ZED")) {
            assertThat(PlayerNameExtractor.matches(name, "zed")).as(name).isTrue();
            assertThat(PlayerNameExtractor.matches(name, name)).isTrue();
            assertThat(PlayerNameExtractor.matches(name, "ze")).isFalse();
        }
    }
}
