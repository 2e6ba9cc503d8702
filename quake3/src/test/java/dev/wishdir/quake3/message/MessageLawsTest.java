package dev.wishdir.quake3.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.wire.BitReader;
import dev.wishdir.wire.BitWireLaws;
import dev.wishdir.wire.BitWriter;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The laws of the bit wire, for each message, and what hostile messages come to. */
class MessageLawsTest {
    private static final ClientMessage.MoveKey KEY = (message, reliable) -> 77 ^ message ^ reliable;

    private static ClientMessage client(ClientMessage.Op... ops) {
        return new ClientMessage(736, 16, -1, List.of(ops));
    }

    private static void hold(ClientMessage message) {
        BitWireLaws.hold(
                Huffman.CODE,
                message,
                ClientMessage.BLANK,
                (w, m) -> ClientMessage.wire(w, m, KEY));
    }

    private static void hold(ServerMessage.Op... ops) {
        BitWireLaws.hold(
                Huffman.CODE,
                new ServerMessage(9, List.of(ops)),
                ServerMessage.BLANK,
                ServerMessage::wire);
    }

    @Test
    void holdsLawsForClientMessages() {
        hold(client());
        hold(client(new ClientMessage.Nop(), new ClientMessage.ClientCommand(7, "say hello")));
        Usercmd first = new Usercmd(5000, 1, 65_535, 0, 127, -127, 0, 2048, 2);
        hold(
                client(
                        new ClientMessage.Move(
                                true,
                                List.of(
                                        first,
                                        new Usercmd(5016, 1, 65_535, 0, 127, -127, 0, 2048, 2),
                                        new Usercmd(9000, 9, 8, 7, 6, 5, 4, 3, 2)))));
        hold(client(new ClientMessage.Move(false, List.of(Usercmd.ZERO))));
        for (int code : new int[] {6, 7}) {
            hold(
                    client(
                            new ClientMessage.Voip(
                                    code,
                                    1,
                                    2,
                                    3,
                                    Bytes.of(new byte[8]),
                                    4,
                                    Bytes.of((byte) 1, (byte) 2)),
                            new ClientMessage.ClientCommand(8, "x")));
        }
    }

    @Test
    void encodesBothZerosInFourteenBits() {
        for (float zero : new float[] {0f, -0f}) {
            int bits = Float.floatToRawIntBits(zero);
            BitWriter written = new BitWriter(Huffman.CODE, 64);
            assertThat(FieldCodecs.real(written, bits)).isZero();
            BitWriter small = new BitWriter(Huffman.CODE, 64);
            small.bit("large", false);
            small.bits("whole", 4096, 13);
            assertThat(written.toByteArray()).isEqualTo(small.toByteArray());
            BitWriter full = new BitWriter(Huffman.CODE, 64);
            full.bit("large", true);
            full.i32("float", bits);
            assertThat(FieldCodecs.real(new BitReader(Huffman.CODE, full.toByteArray()), -1))
                    .isZero();
        }
    }

    @Test
    void holdsLawsForServerMessages() {
        EntityState player =
                EntityState.builder()
                        .set(EntityField.E_TYPE, 1)
                        .real(EntityField.POS_TR_BASE_0, -12.5)
                        .real(EntityField.POS_TR_BASE_1, 4095)
                        .set(EntityField.SOLID, 0x40180F)
                        .build();
        PlayerState own =
                PlayerState.builder()
                        .set(PlayerField.PM_TIME, -5)
                        .set(PlayerField.VIEWHEIGHT, -16)
                        .real(PlayerField.ORIGIN_2, 24.125)
                        .set(PlayerArray.STATS, 0, -40)
                        .set(PlayerArray.POWERUPS, 15, 1 << 30)
                        .build();
        hold(new ServerMessage.Nop(), new ServerMessage.ServerCommand(3, "print \"x\"\n"));
        hold(
                new ServerMessage.Gamestate(
                        4,
                        new TreeMap<>(Map.of(0, "\\a\\b", 1, "x", 1023, "last")),
                        List.of(
                                new EntityDelta(5, false, player.since(EntityState.ZERO)),
                                new EntityDelta(6, false, Delta.NONE)),
                        7,
                        -99));
        hold(
                new ServerMessage.Snapshot(
                        5000,
                        2,
                        4,
                        Bytes.of((byte) -2),
                        own.since(PlayerState.ZERO),
                        List.of(
                                new EntityDelta(0, false, player.since(EntityState.ZERO)),
                                EntityDelta.removed(3),
                                new EntityDelta(1022, false, Delta.NONE))));
        hold(new ServerMessage.Download(0, 5, "", Bytes.of((byte) 1, (byte) 2)));
        hold(new ServerMessage.Download(1, 0, "", Bytes.EMPTY));
        hold(new ServerMessage.Download(0, -1, "no such file", Bytes.EMPTY));
        for (int code : new int[] {9, 10}) {
            hold(new ServerMessage.Voip(code, 1, 2, 3, 4, 2, Bytes.of((byte) 7)));
        }
    }

    @Test
    void refusesUsercmdsThatTheWireWouldCut() {
        int[] most = {0, 0xFFFF, 0xFFFF, 0xFFFF, 127, 127, 127, 0xFFFF, 0xFF};
        int[] least = {0, 0, 0, 0, -127, -127, -127, 0, 0};
        usercmd(most);
        usercmd(least);
        for (int i = 1; i < most.length; i++) {
            int[] over = most.clone();
            over[i]++;
            assertThatIllegalArgumentException().isThrownBy(() -> usercmd(over));
            int[] under = least.clone();
            under[i]--;
            assertThatIllegalArgumentException().isThrownBy(() -> usercmd(under));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Usercmd(0, 0, 0, 0, 200, 0, 0, 0, 0))
                .withMessage("forward is 200, must be -127..127");
    }

    private static Usercmd usercmd(int... v) {
        return new Usercmd(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    }

    /** The wire has a value more than an axis. */
    @Test
    void readsLowestAxisByteAsFullSpeed() {
        BitWriter w = new BitWriter(Huffman.CODE, 100);
        w.bit("near", true);
        w.u8("elapsed", 0);
        for (boolean changed : new boolean[] {true, false, false, false, true}) {
            w.bit("changed", changed);
        }
        w.bits("forward", 0x80, 8);
        for (int i = 0; i < 5; i++) {
            w.bit("changed", false);
        }
        BitReader r = new BitReader(Huffman.CODE, w.toByteArray());
        assertThat(Usercmd.wire(r, Usercmd.ZERO, Usercmd.ZERO, 0).forward()).isEqualTo(-127);
    }

    /** D9. */
    @Test
    void carries1To32CommandsInMove() {
        for (int count : new int[] {0, 33, 255, 32}) {
            BitWriter w = new BitWriter(Huffman.CODE, 100);
            w.i32("serverId", 1);
            w.i32("messageAcknowledge", 1);
            w.i32("reliableAcknowledge", 1);
            w.u8("op", 2);
            w.u8("count", count);
            assertMalformed(w);
        }
    }

    /** D17: codes that no client sends; D12: a command as long as the longest string and longer. */
    @Test
    void refusesUnknownCodesAndOverlongCommands() {
        for (int code = 0; code < 256; code++) {
            if (code < 1 || code > 7) {
                BitWriter w = new BitWriter(Huffman.CODE, 100);
                w.i32("serverId", 1);
                w.i32("messageAcknowledge", 1);
                w.i32("reliableAcknowledge", 1);
                w.u8("op", code);
                assertMalformed(w);
            }
        }
        hold(client(new ClientMessage.ClientCommand(1, "x".repeat(1023))));
        BitWriter w = new BitWriter(Huffman.CODE, 4000);
        w.i32("serverId", 1);
        w.i32("messageAcknowledge", 1);
        w.i32("reliableAcknowledge", 1);
        w.u8("op", 4);
        w.i32("id", 1);
        for (int i = 0; i < 1024; i++) {
            w.u8("text", 'x');
        }
        w.u8("text", 0);
        w.u8("op", 5);
        assertMalformed(w);
    }

    private static void assertMalformed(BitWriter w) {
        BitReader r = new BitReader(Huffman.CODE, w.toByteArray());
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> ClientMessage.wire(r, ClientMessage.BLANK, KEY));
    }

    /** Any bytes are a message or malformed, and a message writes back as one that is equal. */
    @Test
    void readsOrRefusesAnyBytes() {
        Random random = new Random(11);
        int messages = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            try {
                ClientMessage read =
                        ClientMessage.wire(
                                new BitReader(Huffman.CODE, bytes), ClientMessage.BLANK, KEY);
                messages++;
                BitWriter w = new BitWriter(Huffman.CODE, 16_384);
                ClientMessage.wire(w, read, KEY);
                assertThat(
                                ClientMessage.wire(
                                        new BitReader(Huffman.CODE, w.toByteArray()),
                                        ClientMessage.BLANK,
                                        KEY))
                        .isEqualTo(read);
            } catch (MalformedPacketException expected) {
                assertThat(expected.field()).isNotEmpty();
            }
            try {
                ServerMessage.wire(new BitReader(Huffman.CODE, bytes), ServerMessage.BLANK);
            } catch (MalformedPacketException expected) {
                assertThat(expected.field()).isNotEmpty();
            }
        }
        assertThat(messages).isPositive();
    }

    @Test
    void playersHoldNoValueThatTheirFieldsWouldCut() {
        for (PlayerField field : PlayerField.values()) {
            assertWritable(PlayerState.ZERO.with(field, 0x5555_5557), field.label());
            assertWritable(PlayerState.ZERO.with(field, -3), field.label());
        }
        for (PlayerArray array : PlayerArray.values()) {
            for (int value : new int[] {40_000, -40_000, Integer.MIN_VALUE}) {
                PlayerState built = PlayerState.builder().set(array, 3, value).build();
                assertThat(PlayerState.ZERO.with(array, 3, value)).isEqualTo(built);
                assertThat(Integer.signum(built.get(array, 3))).isEqualTo(Integer.signum(value));
                assertWritable(built, array.name());
            }
        }
    }

    private static void assertWritable(PlayerState state, String name) {
        BitWriter w = new BitWriter(Huffman.CODE, 1000);
        PlayerDelta.wire(w, state.since(PlayerState.ZERO));
        PlayerDelta read =
                PlayerDelta.wire(new BitReader(Huffman.CODE, w.toByteArray()), PlayerDelta.NONE);
        assertThat(PlayerState.ZERO.apply(read)).as(name).isEqualTo(state);
    }

    @Test
    void entitiesHoldNoValueThatTheirFieldsWouldCut() {
        for (EntityField field : EntityField.values()) {
            EntityState built = EntityState.builder().set(field, -3).build();
            assertThat(EntityState.ZERO.with(field, -3)).as(field.label()).isEqualTo(built);
            EntityDelta delta = new EntityDelta(1, false, built.since(EntityState.ZERO));
            BitWriter w = new BitWriter(Huffman.CODE, 100);
            EntityDelta.wire(w, 1, delta);
            assertThat(EntityDelta.wire(new BitReader(Huffman.CODE, w.toByteArray()), 1, delta))
                    .isEqualTo(delta);
        }
    }
}
