package dev.wishdir.quake2.combat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class PrecacheTableTest {
    private final PrecacheTable table = new PrecacheTable(3);

    @Test
    void putsModelsAfterThoseOfTheMap() {
        assertThat(table.model("models/weapons/v_blast/tris.md2")).isEqualTo(5);
        assertThat(table.configStrings()).containsEntry(32 + 5, "models/weapons/v_blast/tris.md2");
    }

    @Test
    void countsCarriedWeaponsAsClientsDo() {
        List<String> carried =
                table.configStrings().values().stream()
                        .filter(text -> text.startsWith("#"))
                        .toList();
        for (Weapon weapon : Weapon.values()) {
            String model = carried.get(weapon.number() - 1);
            assertThat(model).isIn("#" + weapon.icon() + ".md2");
        }
    }

    @Test
    void staysWithinTheNumbersOfEachKind() {
        assertThat(table.configStrings().keySet())
                .allMatch(index ->
                        index > 32 && index < 288
                                || index > 288 && index < 544
                                || index > 544 && index < 800
                                || index > 1056 && index < 1312);
    }

    @Test
    void knowsNothingElse() {
        assertThat(table.model("models/none.md2")).isZero();
        assertThat(table.sound("")).isZero();
        assertThat(table.picture("none")).isZero();
    }
}
