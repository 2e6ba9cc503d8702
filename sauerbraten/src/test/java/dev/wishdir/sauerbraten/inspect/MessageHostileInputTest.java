package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

class MessageHostileInputTest {
    @Test
    @DisplayName("A2 each single byte is a message or malformed")
    void readsOrRefusesSingleByte() {
        for (Direction direction : Direction.values()) {
            for (int b = 0; b < 256; b++) {
                readsOrIsMalformed(direction, new byte[] {(byte) b});
            }
        }
    }

    @Test
    @DisplayName("A2 each prefix of a real packet is messages or malformed")
    void readsOrRefusesEveryPrefix() {
        SauerbratenDissector dissector = new SauerbratenDissector(true);
        SauerbratenCaptures.FILES.datagrams("coop_edit").stream()
                .limit(1200)
                .forEach(datagram -> {
                    Direction way = dissector.recognise(datagram).orElseThrow();
                    byte[] bytes = datagram.payload().toArray();
                    for (int cut = 0; cut < bytes.length; cut++) {
                        new SauerbratenFlowDissector(true, null)
                                .datagram(
                                        0,
                                        way,
                                        Bytes.wrap(Arrays.copyOf(bytes, cut)),
                                        (layer, dissected) ->
                                                assertThat(dissected.name()).isNotEmpty());
                    }
                });
    }

    private static void readsOrIsMalformed(Direction direction, byte[] packet) {
        try {
            List<SauerbratenMessage> messages =
                    SauerbratenCodec.V260.readPacket(direction, 1, new Reader(packet));
            assertThat(messages).hasSizeBetween(1, packet.length);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            assertThat(e.offset()).isBetween(0, packet.length);
        }
    }

    @Test
    @DisplayName("B12 a position cut anywhere is malformed")
    void refusesCutPosition() {
        Pos longest =
                Pos.of(
                        1 << 27, 0xFF, -1 << 23, -1, 1 << 16, 65535, 255, 65535, 65535, 65535,
                        65535, true);
        byte[] bytes = SauerbratenCodec.V260.packet(longest).toArray();
        assertThat(bytes).hasSize(1 + 4 + 1 + 2 + 9 + 2 + 1 + 2 + 2 + 2 + 2);
        for (int cut = 1; cut < bytes.length; cut++) {
            byte[] shorter = Arrays.copyOf(bytes, cut);
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(
                            () -> SauerbratenCodec.V260.read(Direction.C2S, new Reader(shorter)));
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> Pos.Raw.read(new Reader(shorter)));
        }
    }

    @Test
    @DisplayName("B12 all flags and extremes decode to finite movement")
    void decodesExtremePositionsToFiniteMovement() {
        Random random = new Random(12);
        byte[] bytes = new byte[40];
        for (int flags = 0; flags < 256; flags++) {
            for (int round = 0; round < 40; round++) {
                fill(bytes, round, random);
                Writer writer = new Writer(64);
                CubeWire.integer(writer, "code", 4);
                CubeWire.uint(writer, "cn", round);
                writer.u8("state", bytes[0] & 0xFF);
                CubeWire.uint(writer, "flags", flags);
                writer.append(bytes, 1, 30);
                Reader reader = new Reader(writer.toByteArray());
                Pos pos = (Pos) SauerbratenCodec.V260.read(Direction.C2S, reader);
                assertThat(pos.flags()).isEqualTo(flags);
                assertThat(SauerbratenCodec.V260.packet(pos))
                        .isEqualTo(reader.slice(0, reader.position()));
                Reader raw = new Reader(writer.toByteArray());
                assertThat(Pos.Raw.read(raw).bytes()).isEqualTo(reader.slice(0, reader.position()));
                Movement movement = SauerbratenMotion.CENTERED.toCanonical(pos);
                assertThat(movement.isValid()).isTrue();
                assertThat(movement.position().length()).isLessThan(200_000);
                assertThat(pos.yaw()).isBetween(0, 359);
                assertThat(pos.pitch()).isBetween(-90, 90);
                Movement again =
                        SauerbratenMotion.CENTERED.toCanonical(
                                SauerbratenMotion.CENTERED.toNative(movement, round, round));
                assertThat(again.isValid()).isTrue();
            }
        }
    }

    private static void fill(byte[] bytes, int round, Random random) {
        switch (round) {
            case 0 -> Arrays.fill(bytes, (byte) 0);
            case 1 -> Arrays.fill(bytes, (byte) 0xFF);
            case 2 -> Arrays.fill(bytes, (byte) 0x80);
            case 3 -> Arrays.fill(bytes, (byte) 0x7F);
            default -> random.nextBytes(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "80", "8000", "81", "8100", "810000", "81000000"})
    @DisplayName("B15 an int cut by the end is malformed")
    void refusesCutInt(String hex) {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> CubeWire.integer(new Reader(Bytes.ofHex(hex)), "millis", 0))
                .withMessageContaining("millis");
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "7f, 127",
        "82, -126",
        "ff, -1",
        "800000, 0",
        "800500, 5",
        "80ffff, -1",
        "8081ff, -127",
        "8080ff, -128",
        "800080, -32768",
        "8105000000, 5",
        "81ffffffff, -1",
        "8100800000, 32768",
        "8100000080, -2147483648",
    })
    @DisplayName("B15 longer forms of an int are read")
    void readsLongerFormsOfInt(String hex, int value) {
        Reader reader = new Reader(Bytes.ofHex(hex));
        assertThat(CubeWire.integer(reader, "millis", 0)).isEqualTo(value);
        assertThat(reader.remaining()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "7f, 127",
        "8001, 128",
        "8000, 0",
        "ff7f, 16383",
        "808001, 16384",
        "80808001, 2097152",
        "8080807f, 266338304",
        "80808080, -268435456",
        "ffffffff, -1",
    })
    @DisplayName("B15 uints of every length are read")
    void readsUintsOfEveryLength(String hex, int value) {
        Reader reader = new Reader(Bytes.ofHex(hex));
        assertThat(CubeWire.uint(reader, "cn", 0)).isEqualTo(value);
        assertThat(reader.remaining()).isZero();
    }

    @Test
    @DisplayName("B15 text without an end is malformed")
    void refusesTextWithoutEnd() {
        byte[] endless = new byte[6000];
        Arrays.fill(endless, (byte) 'a');
        endless[0] = 5;
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> SauerbratenCodec.V260.read(Direction.C2S, new Reader(endless)))
                .withMessage("N_TEXT: text at byte 5001: has more than 4999 characters");
        byte[] cut = Arrays.copyOf(endless, 4000);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> SauerbratenCodec.V260.read(Direction.C2S, new Reader(cut)));
    }

    @Test
    @DisplayName("B15 a name longer than its limit is malformed")
    void refusesOverlongName() {
        String name = "n".repeat(259);
        Bytes longest = SauerbratenCodec.V260.packet(new RosterMessage.SwitchName(name));
        assertThat(SauerbratenCodec.V260.read(Direction.C2S, new Reader(longest)))
                .isEqualTo(new RosterMessage.SwitchName(name));
        byte[] longer = new byte[262];
        Arrays.fill(longer, (byte) 'n');
        longer[0] = 104;
        longer[261] = 0;
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> SauerbratenCodec.V260.read(Direction.C2S, new Reader(longer)));
    }

    @Test
    @DisplayName("B15 characters are bytes modulo 256")
    void readsCharactersModulo256() {
        Bytes chat = Bytes.ofHex("05 8080ff 8081ff 82 ff 804101 8141020000 00");
        ChatMessage.Text text =
                (ChatMessage.Text) SauerbratenCodec.V260.read(Direction.C2S, new Reader(chat));
        assertThat(text.text()).isEqualTo("ÝßàґAA");
        assertThat(SauerbratenCodec.V260.packet(text))
                .isEqualTo(Bytes.ofHex("05 8080ff 8081ff 82 ff 41 41 00"));
    }

    @Test
    @DisplayName("B15 colours and control bytes are removed")
    void filtersColoursAndControlBytes() {
        assertThat(CubeText.playerName("\f3red\fs \tname\r\n")).isEqualTo("redname");
        assertThat(CubeText.playerName("\f3\f4 \0")).isEqualTo("unnamed");
        assertThat(CubeText.playerName("0123456789abcdefg")).isEqualTo("0123456~abcdefg");
        assertThat(CubeText.playerName("漢字😀x")).isEqualTo("x");
        assertThat(CubeText.team("goodies")).isEqualTo("good");
        assertThat(CubeText.chat("a\tb\nc\0\f")).isEqualTo("a b c");
        assertThat(CubeText.chat("x".repeat(9000))).hasSize(4999);
    }

    @Test
    void refusesTextOutsideCharacterSet() {
        Bytes packet = SauerbratenCodec.V260.packet(new ChatMessage.Text("a\0漢Привет"));
        ChatMessage.Text text =
                (ChatMessage.Text) SauerbratenCodec.V260.read(Direction.C2S, new Reader(packet));
        assertThat(text.text()).isEqualTo("aПpивeт");
    }

    @Test
    void refusesHugestCountsBeforeAllocation() {
        for (String hex : List.of("08 00 00 00 00 00 00 00 00 81ffffff7f", "41 81ffffff7f")) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() ->
                            SauerbratenCodec.V260.read(Direction.C2S, new Reader(Bytes.ofHex(hex))))
                    .withMessageContaining("is 2147483647, must be 0..");
        }
    }
}
