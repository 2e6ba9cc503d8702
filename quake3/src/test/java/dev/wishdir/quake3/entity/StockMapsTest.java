package dev.wishdir.quake3.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The entities of stock maps against what an original server sends of them at the start. */
class StockMapsTest {
    private static final Path DATA = Path.of("/usr/share/games/openarena/baseoa");

    /** What clients do with the entity, by its number on the wire. */
    private static final Set<Integer> KINDS = Set.of(4, 8, 9);

    private static final float EXACT = 0.001f;

    private static Quake3Map load(String map) throws IOException {
        assumeTrue(
                Files.exists(DATA.resolve("pak1-maps.pk3"))
                        || "true".equals(System.getenv("WISHDIR_REQUIRE_PEERS")),
                "stock maps need the Debian package openarena-data");
        return new Quake3MapCatalog(Optional.of(DATA)).load(map);
    }

    @Test
    void hidesAreasAsOriginalServer() throws IOException {
        LevelEntities entities = new LevelEntities(load("oa_dm5"), new Random(1));
        assertThat(entities.hiddenAreas(new Vec3f(359.345f, -520.76f, 73.7f)).hex())
                .isEqualTo("fe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q3dm6ish", "kaos", "fan", "oa_dm2"})
    void sendsSameAsOriginalServer(String map) throws IOException {
        Quake3Map level = load(map);
        LevelEntities entities = new LevelEntities(level, new Random(1));
        entities.advance(100, List.of());
        Map<Integer, EntityState> told =
                entities.networkedEntities().stream()
                        .map(each -> each.state().get())
                        .collect(
                                Collectors.toMap(
                                        state -> state.get(EntityField.MODELINDEX),
                                        Function.identity()));
        JsonObject expected =
                JsonParser.parseString(
                                Files.readString(
                                        Quake3Captures.FILES.path(
                                                "entities-of-a-real-server.json")))
                        .getAsJsonObject()
                        .getAsJsonObject(map);
        int checked = 0;
        for (Map.Entry<String, JsonElement> each : expected.entrySet()) {
            JsonObject fields = each.getValue().getAsJsonObject();
            if (KINDS.contains(fields.get("eType").getAsInt())) {
                EntityState state =
                        Objects.requireNonNull(
                                told.get(Integer.parseInt(each.getKey())), each.getKey());
                check(map + " *" + each.getKey(), fields, state);
                checked++;
            }
        }
        assertThat(checked)
                .isEqualTo(
                        (int)
                                told.values().stream()
                                        .filter(s -> KINDS.contains(s.get(EntityField.E_TYPE)))
                                        .count());
    }

    private static void check(String what, JsonObject expected, EntityState state) {
        for (EntityField field : EntityField.values()) {
            float value =
                    expected.has(field.label()) ? expected.get(field.label()).getAsFloat() : 0;
            switch (field) {
                case SOLID, MODELINDEX, MODELINDEX2, LOOP_SOUND, POS_TR_TIME -> {}
                case POS_TR_DELTA_0, POS_TR_DELTA_1, POS_TR_DELTA_2 -> {
                    // An original server fills in what a thing at rest does not use.
                    if (expected.has("pos.trType")) {
                        assertThat(state.real(field))
                                .as("%s %s", what, field)
                                .isCloseTo(value, within(EXACT));
                    }
                }
                default ->
                        assertThat(field.isFloat() ? state.real(field) : state.get(field))
                                .as("%s %s", what, field)
                                .isCloseTo(value, within(EXACT));
            }
        }
    }
}
