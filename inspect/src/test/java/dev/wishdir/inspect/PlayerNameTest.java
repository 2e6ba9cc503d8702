package dev.wishdir.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Dissector.Direction;
import dev.wishdir.wire.Line;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class PlayerNameTest {
    private static Line line(Direction way, String name, Map<String, ?> fields) {
        return new Line(
                1, 0, way, 5, "g", Line.Layer.MESSAGE, name, fields, Bytes.EMPTY, List.of());
    }

    private static Line said(String name, String field, String text) {
        return line(Direction.C2S, name, Map.of(field, text));
    }

    @Test
    void eachGameSaysNamesInItsOwnWay() {
        assertThat(PlayerName.in(said("N_CONNECT", "name", "alice"))).hasValue("alice");
        assertThat(PlayerName.in(said("N_SWITCHNAME", "name", "bob"))).hasValue("bob");
        assertThat(PlayerName.in(said("login", "name", "Ann"))).hasValue("Ann");
        assertThat(
                        PlayerName.in(
                                said(
                                        "connect",
                                        "text",
                                        "connect 34 8200 7 \"\\fov\\90\\NAME\\a b\\rate\\8\"\n")))
                .hasValue("a b");
        assertThat(PlayerName.in(said("userinfo", "text", "\\name\\last"))).hasValue("last");
        assertThat(PlayerName.in(said("clientCommand", "text", "userinfo \"\\x\\1\\name\\^1Zed\"")))
                .hasValue("^1Zed");
    }

    @Test
    void whatOthersAreCalledIsNoNameOfThisPlayer() {
        Map<String, ?> other = Map.of("name", "eve", "text", "\\name\\eve");
        for (String name : List.of("N_CONNECT", "N_INITCLIENT", "connect", "userinfo", "login")) {
            assertThat(PlayerName.in(line(Direction.S2C, name, other))).as(name).isEmpty();
        }
        assertThat(PlayerName.in(said("clientCommand", "text", "say \\name\\eve"))).isEmpty();
        assertThat(PlayerName.in(said("N_CONNECT", "name", ""))).isEmpty();
    }

    @Test
    void coloursAndCaseAreNotTyped() {
        for (String name : List.of("^1Z^7ed", "\f3Zed", "§cZed", "ZED")) {
            assertThat(PlayerName.isMeant(name, "zed")).as(name).isTrue();
            assertThat(PlayerName.isMeant(name, name)).isTrue();
            assertThat(PlayerName.isMeant(name, "ze")).isFalse();
        }
    }
}
