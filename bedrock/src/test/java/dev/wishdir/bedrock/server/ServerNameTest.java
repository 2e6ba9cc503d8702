package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.join.ServerInfo;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of a server with odd characters, as a client reads them that knows a backslash escape. */
class ServerNameTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "|Night shift \\|, Night shift /",
                "|a\\;b|, |a/,b|",
                "|a;b|, |a,b|",
                "|two\nlines|, two lines",
                "|a\r\0\u2028b|, |a   b|",
                "|quote \" and 'x'|, |quote \" and 'x'|",
                "|\uD83Dhalf|, ?half",
                "§cred, §cred",
            })
    void keepsFieldsAtTheirPlaces(String name, String shown) {
        String motd = new ServerInfo(name, name, 1, 2, false).motd(7, 19_132);
        // A bare semicolon ends a field; one behind a backslash does not.
        String[] fields = motd.split("(?<!\\\\);", -1);
        assertThat(fields[0]).isEqualTo("MCPE");
        assertThat(fields[1]).isEqualTo(shown);
        assertThat(fields[7]).isEqualTo(shown);
        assertThat(fields[2]).matches("\\d+");
        assertThat(fields).hasSize(13);
        assertThat(motd).doesNotContain("\\").doesNotContainPattern("\\p{Cntrl}");
    }

    @ParameterizedTest
    @CsvSource({"59, 59", "58, 60"})
    void cutsLongNamesAtCodePoints(int before, int length) {
        String name = "a".repeat(before) + "\uD83D\uDE00\uD83D\uDE00";
        assertThat(new ServerInfo(name, "", 1, 2, false).name())
                .isEqualTo(name.substring(0, length));
    }

    @Test
    @DisplayName("A12 players join a server whose name is longer than any text of the game")
    void servesUnderLongName() {
        BedrockNetwork n = new BedrockNetwork(1, "x".repeat(40_000));
        n.client("Ann", BedrockNetwork.STILL, new BedrockNetwork.Events(), BedrockCodec.V748);
        assertThat(
                        n.network.runUntil(
                                () -> !n.arena.players().isEmpty(), 10 * BedrockNetwork.SECOND))
                .isTrue();
    }
}
