package dev.wishdir.quake3.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWireLaws;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Published vectors of the protocol, and the tables that the messages are walked by. */
public class Quake3VectorsTest {
    static String resource(String name) throws IOException {
        try (InputStream in =
                Quake3VectorsTest.class.getResourceAsStream("/dev/wishdir/quake3/" + name)) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonElement json(String name) throws IOException {
        return JsonParser.parseString(resource("quake3-vectors-" + name + ".json"));
    }

    /** A table's rows, without its head. */
    public static List<String[]> rows(String name) throws IOException {
        return resource(name).lines().skip(1).map(line -> line.split(",", -1)).toList();
    }

    private static Bytes hex(JsonObject o, String key) {
        return Bytes.ofHex(o.get(key).getAsString());
    }

    @Test
    void matchesCodeTable() throws IOException {
        for (String[] row : rows("quake3-huffman-codes.csv")) {
            if (!row[0].equals("NYT")) {
                int symbol = Integer.parseInt(row[0]);
                assertThat(Huffman.CODE.length(symbol)).isEqualTo(Integer.parseInt(row[2]));
                assertThat(Huffman.CODE.code(symbol)).isEqualTo(Integer.parseInt(row[4]));
            }
        }
    }

    @Test
    void matchesFieldTables() throws IOException {
        List<String> entity = new ArrayList<>();
        for (EntityField field : EntityField.values()) {
            entity.add(field.label() + "," + field.width() + "," + field.isSigned());
        }
        assertThat(entity).isEqualTo(fields("quake3-entity-fields.csv"));
        List<String> player = new ArrayList<>();
        for (PlayerField field : PlayerField.values()) {
            player.add(field.label() + "," + field.width() + "," + field.isSigned());
        }
        assertThat(player).isEqualTo(fields("quake3-playerstate-fields.csv"));
    }

    private static List<String> fields(String name) throws IOException {
        return rows(name).stream()
                .map(row -> row[1] + "," + row[2] + "," + row[3].equals("signed"))
                .toList();
    }

    @Test
    void matchesBitVectors() throws IOException {
        for (JsonElement element : json("bits").getAsJsonArray()) {
            JsonObject vector = element.getAsJsonObject();
            BitWriter w = new BitWriter(Huffman.CODE, 16_384);
            for (JsonElement write : vector.getAsJsonArray("writes")) {
                JsonArray pair = write.getAsJsonArray();
                if (pair.get(0).getAsString().equals("str")) {
                    FieldCodecs.string(
                            w, "s", pair.get(1).getAsString(), FieldCodecs.MAX_STRING_BYTES);
                } else {
                    // The vectors have some values with more bits than their field.
                    int width = Math.abs(pair.get(0).getAsInt());
                    w.bits("v", pair.get(1).getAsInt() << 32 - width >>> 32 - width, width);
                }
            }
            assertWritten(w, vector);
            BitReader r = new BitReader(Huffman.CODE, w.toByteArray(), 0, w.position());
            for (JsonElement write : vector.getAsJsonArray("writes")) {
                JsonArray pair = write.getAsJsonArray();
                if (pair.get(0).getAsString().equals("str")) {
                    assertThat(FieldCodecs.string(r, "s", "", FieldCodecs.MAX_STRING_BYTES))
                            .isEqualTo(
                                    pair.get(1).getAsString().replaceAll("[%\u0080-\uFFFF]", "."));
                } else {
                    int width = pair.get(0).getAsInt();
                    int value = pair.get(1).getAsInt();
                    assertThat(width < 0 ? r.signed("v", 0, -width) : r.bits("v", 0, width))
                            .isEqualTo(value);
                }
            }
            assertThat(r.remaining()).isZero();
        }
    }

    private static void assertWritten(BitWriter w, JsonObject vector) {
        assertThat(w.position()).isEqualTo(vector.get("bitCount").getAsInt());
        String key = vector.has("hex") ? "hex" : "hexOfCountByteAndCmds";
        assertThat(Bytes.of(w.toByteArray((w.position() >> 3) + 1))).isEqualTo(hex(vector, key));
    }

    @Test
    void matchesUsercmdVectors() throws IOException {
        JsonObject vectors = json("usercmd").getAsJsonObject();
        for (JsonElement element : vectors.getAsJsonArray("hash")) {
            JsonObject vector = element.getAsJsonObject();
            assertThat(Usercmd.hash(vector.get("text").getAsString()))
                    .isEqualTo(vector.get("hash").getAsInt());
        }
        for (JsonElement element : vectors.getAsJsonArray("usercmds")) {
            JsonObject vector = element.getAsJsonObject();
            int key =
                    Usercmd.key(
                            vector.get("checksumFeed").getAsInt(),
                            vector.get("messageAcknowledge").getAsInt(),
                            vector.get("ackedServerCommand").getAsString());
            assertThat(key).isEqualTo((int) vector.get("key").getAsLong());
            List<Usercmd> cmds = new ArrayList<>();
            for (JsonElement cmd : vector.getAsJsonArray("cmds")) {
                cmds.add(usercmd(cmd.getAsJsonObject()));
            }
            BitWriter w = new BitWriter(Huffman.CODE, 16_384);
            w.u8("count", cmds.size());
            Usercmd from = Usercmd.ZERO;
            for (Usercmd cmd : cmds) {
                assertThat(Usercmd.wire(w, from, cmd, key)).isEqualTo(cmd);
                from = cmd;
            }
            assertWritten(w, vector);
            BitReader r = new BitReader(Huffman.CODE, w.toByteArray());
            assertThat(r.u8("count", 0)).isEqualTo(cmds.size());
            from = Usercmd.ZERO;
            for (Usercmd cmd : cmds) {
                from = Usercmd.wire(r, from, Usercmd.ZERO, key);
                assertThat(from).isEqualTo(cmd);
            }
        }
    }

    private static Usercmd usercmd(JsonObject o) {
        return new Usercmd(
                o.get("t").getAsInt(),
                o.get("a0").getAsInt(),
                o.get("a1").getAsInt(),
                o.get("a2").getAsInt(),
                o.get("fwd").getAsInt(),
                o.get("rt").getAsInt(),
                o.get("up").getAsInt(),
                o.get("btn").getAsInt(),
                o.get("wpn").getAsInt());
    }

    @Test
    void matchesDeltaVectors() throws IOException {
        for (JsonElement element : json("delta").getAsJsonArray()) {
            JsonObject vector = element.getAsJsonObject();
            BitWriter w = new BitWriter(Huffman.CODE, 16_384);
            if (vector.get("kind").getAsString().equals("entity")) {
                int number = vector.get("number").getAsInt();
                EntityDelta delta =
                        vector.get("changed").isJsonNull()
                                ? EntityDelta.removed(number)
                                : new EntityDelta(
                                        number, false, entity(vector.getAsJsonObject("changed")));
                w.bits("number", number, EntityState.NUMBER_BITS);
                assertThat(EntityDelta.wire(w, number, delta)).isEqualTo(delta);
                assertWritten(w, vector);
                BitWireLaws.hold(
                        Huffman.CODE,
                        delta,
                        EntityDelta.BLANK,
                        (wire, m) -> EntityDelta.wire(wire, number, m));
            } else {
                PlayerDelta delta = player(vector.getAsJsonObject("changed"));
                assertThat(PlayerDelta.wire(w, delta)).isEqualTo(delta);
                assertWritten(w, vector);
                BitWireLaws.hold(Huffman.CODE, delta, PlayerDelta.NONE, PlayerDelta::wire);
            }
        }
    }

    private static Delta entity(JsonObject changed) {
        int[] values = new int[EntityField.values().length];
        long mask = 0;
        for (EntityField field : EntityField.values()) {
            JsonElement value = changed.get(field.label());
            if (value != null) {
                mask |= 1L << field.ordinal();
                values[field.ordinal()] = value(value, field.isFloat());
            }
        }
        return new Delta(mask, values);
    }

    private static PlayerDelta player(JsonObject changed) {
        int[] values = new int[PlayerField.values().length];
        long mask = 0;
        for (PlayerField field : PlayerField.values()) {
            JsonElement value = changed.get(field.label());
            if (value != null) {
                mask |= 1L << field.ordinal();
                values[field.ordinal()] = value(value, field.isFloat());
            }
        }
        int[] slots = new int[64];
        long filled = 0;
        for (PlayerArray array : PlayerArray.values()) {
            JsonElement given = changed.get(array.name().toLowerCase(java.util.Locale.ROOT));
            if (given != null) {
                for (Map.Entry<String, JsonElement> slot : given.getAsJsonObject().entrySet()) {
                    int index = array.ordinal() * 16 + Integer.parseInt(slot.getKey());
                    filled |= 1L << index;
                    slots[index] = slot.getValue().getAsInt();
                }
            }
        }
        return new PlayerDelta(new Delta(mask, values), new Delta(filled, slots));
    }

    private static int value(JsonElement value, boolean real) {
        return real ? FieldCodecs.real(value.getAsFloat()) : value.getAsInt();
    }

    /** D4. */
    @Test
    void reportsReadsPastEnd() {
        byte[] stale = new byte[16];
        java.util.Arrays.fill(stale, (byte) 0x5A);
        Random random = new Random(4);
        for (int width = 1; width <= 32; width++) {
            BitWriter w = new BitWriter(Huffman.CODE, 16);
            int value = random.nextInt() >>> 32 - width;
            w.bits("field", value, width);
            byte[] bytes = w.toByteArray();
            System.arraycopy(bytes, 0, stale, 0, bytes.length);
            assertThat(new BitReader(Huffman.CODE, stale, 0, w.position()).bits("field", 0, width))
                    .isEqualTo(value);
            for (int cut = 0; cut < w.position(); cut++) {
                BitReader r = new BitReader(Huffman.CODE, stale, 0, cut);
                int bits = width;
                assertThatExceptionOfType(MalformedPacketException.class)
                        .isThrownBy(() -> r.bits("field", 0, bits));
                assertThat(r.position()).isZero();
            }
        }
    }

    /** D5. */
    @Test
    void refusesEscapesAtOnce() {
        // The code of the escape symbol, 00000000100, again and again.
        BitWriter w = new BitWriter(Huffman.CODE, 16_384);
        for (int i = 0; i < 11_000; i++) {
            w.raw("escape", 1 << 8, 11);
        }
        BitReader r = new BitReader(Huffman.CODE, w.toByteArray());
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> ServerMessage.wire(r, ServerMessage.BLANK))
                .withMessageContaining("no byte has this code");
        assertThat(r.position()).isZero();
        for (int symbol = 0; symbol < 256; symbol++) {
            BitReader other = new BitReader(Huffman.CODE, Bytes.ofHex("00010101010101").toArray());
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> other.u8("op", 0));
        }
    }
}
