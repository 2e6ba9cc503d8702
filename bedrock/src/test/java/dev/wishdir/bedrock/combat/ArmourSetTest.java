package dev.wishdir.bedrock.combat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.event.Vitals;
import dev.wishdir.bedrock.protocol.BedrockCodec;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmourSetTest {
    @ParameterizedTest
    @CsvSource({
        "0, NONE",
        "5, NONE",
        "20, LEATHER",
        "50, GOLD",
        "75, IRON",
        "100, DIAMOND",
        "200, DIAMOND"
    })
    void isTheSuitWhosePointsComeNearest(double armour, ArmourSet set) {
        assertThat(ArmourSet.of(armour)).isEqualTo(set);
    }

    /** left = d (1 - 0.04 max(p / 5, p - d / (2 + t / 4))), in points of the game. */
    @ParameterizedTest
    @CsvSource({
        "0, 35, 0",
        "75, 35, 16.1", // 7 of iron: 15 - 3.5 = 11.5 points
        "100, 35, 25.55", // 7 of diamond: 20 - 7 / 4 = 18.25 points
        "100, 500, 80" // 100: the least, 4 points
    })
    void takesItsShareByTheRuleOfTheGame(double armour, double damage, double absorbed) {
        assertThat(ArmourSet.RULE.absorbed(damage, new Vitals(100, armour, 0)))
                .isCloseTo(absorbed, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 712, 748, 844, 898, 1001, 2168, 2193})
    void hasItsPiecesWhereItemsHaveOtherNumbers(int protocol) {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        for (ArmourSet set : ArmourSet.values()) {
            assertThat(set.stacks(codec, 7)).hasSize(4);
        }
    }
}
