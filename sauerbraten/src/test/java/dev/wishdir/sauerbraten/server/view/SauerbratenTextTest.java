package dev.wishdir.sauerbraten.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.PlayerModel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;
import java.util.TreeSet;

/** What becomes of text and looks of other games' players here, and of this game's text there. */
class SauerbratenTextTest {
    @ParameterizedTest
    @DisplayName("F1 the game's colour codes do not leave it")
    @CsvSource({
        "'\f3red \fsand \f0green\fr', 'red and green'",
        "'end\f', end",
        "'\f\f3two', 3two",
        "'a\nb\tc', 'a b c'",
    })
    void cleansInput(String said, String plain) {
        assertThat(CubeText.chat(said)).isEqualTo(plain);
    }

    @ParameterizedTest
    @DisplayName("F1 what others say is shown as far as the game has it, and colours nothing")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`^1Quake, §cBedrock; \"quotes\" \\ % $ /kick 0`, `^1Quake, ?cBedrock; \"quotes\""
                        + " \\ % $ /kick 0`",
                "`“don’t” – wait… 10 × 2`, `\"don't\" - wait... 10 x 2`",
                "Größe Łódź Ёлка, Größe Łódź Ëлкa",
                "ẽxtrå Ｗｉｄｅ ﬁ ½, extrå Wide fi 12",
                "漢字 😀!, ?? ?!",
                "`a\u202Eb\u200Bc\u0301d`, abcd",
                "`one\f3two\r\n/quit`, `onetwo  /quit`",
            })
    void keepsShowableOutput(String said, String shown) {
        assertThat(CubeText.chat(said)).isEqualTo(shown);
    }

    @ParameterizedTest
    @DisplayName("F1 names keep what can be shown, without blanks, and are never empty")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "Ränger ☃, Ränger",
                "Zoë the Brave One, ZoëtheBraveOne",
                "漢字, unnamed",
                "`\f3admin\n`, admin",
                "ẽve’s, eve's",
                "a-name-longer-than-any, a-name-~han-any",
            })
    void keepsShowableNames(String name, String shown) {
        assertThat(CubeText.playerName(name)).isEqualTo(shown);
    }

    @Test
    @DisplayName("F1 no character whatever becomes a colour, a line break or the end of a text")
    void neverProducesControl() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c < 0x30000; c++) {
            if (c != '\f') {
                all.appendCodePoint(c);
            }
            if (all.length() > 1000) {
                String shown = CubeText.chat(all.toString());
                assertThat(shown.chars().allMatch(kept -> kept >= ' ')).isTrue();
                all.setLength(0);
            }
        }
    }

    @Test
    void givesForeignPlayersSteadyModels() {
        Set<Integer> models = new TreeSet<>();
        for (int i = 0; i < 40; i++) {
            models.add(PlayerModel.of("player" + i));
            assertThat(PlayerModel.of("player" + i)).isEqualTo(PlayerModel.of("player" + i));
        }
        assertThat(models).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void putsEachGameInATeam() {
        assertThat(ForeignPlayers.team("quake2")).isEqualTo("qua2");
        assertThat(ForeignPlayers.team("quake3")).isEqualTo("qua3");
        assertThat(ForeignPlayers.team("bedrock")).isEqualTo("bedk");
        assertThat(ForeignPlayers.team("doom")).isEqualTo("doom");
    }
}
