package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.sauerbraten.message.DemoMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

public class SauerbratenCodecTest {
    private static final List<SauerbratenCodec> CODECS =
            List.of(
                    SauerbratenCodec.V260,
                    SauerbratenCodec.V259,
                    SauerbratenCodec.V260.inMode(15),
                    SauerbratenCodec.V259.inMode(15));

    @Test
    void writesSamePositionWithLittleRoom() {
        for (int seed = 0; seed < 2000; seed++) {
            Pos pos = (Pos) new RandomMessages(SauerbratenCodec.V260, seed).like(Pos.BLANK);
            Writer wide = new Writer(64);
            Pos.wire(wide, pos);
            Writer narrow = new Writer(wide.position());
            Pos.wire(narrow, pos);
            assertThat(wide.toBytes()).as("%s", pos).isEqualTo(narrow.toBytes());
        }
    }

    @Test
    void refusesPositionThatFourBytesWouldCut() {
        for (int value : new int[] {1 << 28, 1 << 29, -(1 << 28) - 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Pos(value, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                    .withMessage("cn is " + value + ", must fit 29 bits");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Pos(0, 0, value, 0, 0, 0, 0, 0, 0, 0, 0, 0))
                    .withMessage("flags is " + value + ", must fit 29 bits");
        }
        new Pos((1 << 28) - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A2 the laws hold for every message")
    void holdsLawsForEveryMessage(Direction direction) {
        for (SauerbratenCodec codec : CODECS) {
            for (int seed = 0; seed < 20; seed++) {
                for (SauerbratenMessage message : RandomMessages.each(codec, direction, seed)) {
                    WireLaws.Walk<SauerbratenMessage> walk =
                            (wire, m) -> walk(codec, direction, wire, m);
                    boolean toTheEnd =
                            message instanceof EditMessage.SendMap
                                    || message instanceof DemoMessage.SendDemo;
                    if (toTheEnd) {
                        WireLaws.holdToTheEnd(message, SessionMessage.Welcome.BLANK, walk);
                    } else {
                        WireLaws.hold(message, SessionMessage.Welcome.BLANK, walk);
                    }
                }
            }
        }
    }

    private static SauerbratenMessage walk(
            SauerbratenCodec codec, Direction direction, Wire wire, SauerbratenMessage message) {
        if (wire instanceof Reader reader) {
            return codec.read(direction, reader);
        }
        codec.write(wire, message);
        return message;
    }

    @Test
    void mapsEveryCodeToMessage() {
        assertThat(SauerbratenCodec.V260.blanks(Direction.C2S)).hasSize(74);
        assertThat(SauerbratenCodec.V260.blanks(Direction.S2C)).hasSize(85);
        assertThat(SauerbratenCodec.V259.blanks(Direction.C2S)).hasSize(71);
        assertThat(SauerbratenCodec.V259.blanks(Direction.S2C)).hasSize(82);
    }

    @Test
    void closesGapOfThreeCodesInProtocol259() {
        assertThat(SauerbratenCodec.V259.code(LifeMessage.Resume.BLANK)).isEqualTo(37);
        assertThat(SauerbratenCodec.V259.code(EditMessage.NewMap.BLANK)).isEqualTo(50);
        assertThat(SauerbratenCodec.V259.code(RelayMessage.Client.BLANK)).isEqualTo(85);
        assertThat(SauerbratenCodec.V259.code(RosterMessage.SwitchName.BLANK)).isEqualTo(101);
        assertThat(SauerbratenCodec.V259.code(DemoMessage.DemoPacket.BLANK)).isEqualTo(111);
        assertThat(SauerbratenCodec.V260.code(DemoMessage.DemoPacket.BLANK)).isEqualTo(114);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SauerbratenCodec.V259.packet(EditMessage.EditVSlot.BLANK))
                .withMessageContaining("protocol 259 has no EditVSlot");
    }

    @Test
    void readsCodeByDirection() {
        Bytes spawn = SauerbratenCodec.V260.packet(new LifeMessage.ClientSpawn(3, 6));
        assertThat(read(Direction.C2S, spawn)).containsExactly(new LifeMessage.ClientSpawn(3, 6));
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> read(Direction.S2C, spawn));
    }

    @Test
    @DisplayName("B14 messages that only the other side sends are malformed")
    void refusesMessagesOfOtherSide() {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> read(Direction.C2S, Bytes.ofHex("02")))
                .withMessage("code at byte 1: protocol 260 has no client message 2");
        for (int code : new int[] {-1, 115, 127, 128, 40_000, Integer.MIN_VALUE}) {
            Bytes packet =
                    Bytes.wrap(
                            WireLaws.write(code, (w, value) -> CubeWire.integer(w, "code", value)));
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> read(Direction.C2S, packet));
        }
    }

    @Test
    void readsNestedMessagesAsServerMessages() {
        RelayMessage.Client client =
                new RelayMessage.Client(
                        7,
                        SauerbratenCodec.V260.packet(
                                new ActionMessage.Sound(1), new ChatMessage.Text("café")));
        assertThat(SauerbratenCodec.V260.messages(client))
                .containsExactly(new ActionMessage.Sound(1), new ChatMessage.Text("café"));
    }

    @Test
    void appliesHoldModesWithinPacket() {
        FlagMessage.Status held =
                new FlagMessage.Status(1, 2, -1, false, true, new Point(16, 32, 48), 1, 25);
        MatchMessage.MapChange hold = new MatchMessage.MapChange("boxarena", 15, true);
        FlagMessage.InitFlags flags = new FlagMessage.InitFlags(1, 2, List.of(held));
        Bytes packet = SauerbratenCodec.V260.inMode(15).packet(hold, flags);
        assertThat(read(Direction.S2C, packet)).containsExactly(hold, flags);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void refusesMoreFlagsThanMapsHave(Direction direction) {
        for (int flags : new int[] {FlagMessage.MAX_FLAGS, FlagMessage.MAX_FLAGS + 1}) {
            Writer writer = new Writer(1 << 12);
            CubeWire.integer(writer, "code", 86);
            if (direction == Direction.S2C) {
                CubeWire.integer(writer, "score1", 0);
                CubeWire.integer(writer, "score2", 0);
            }
            CubeWire.integer(writer, "n", flags);
            for (int i = 0; i < 4 * flags; i++) {
                CubeWire.integer(writer, "team, x, y, z; version, spawn, owner, invisible", 1);
            }
            Reader reader = new Reader(writer.toBytes());
            if (flags == FlagMessage.MAX_FLAGS) {
                SauerbratenCodec.V260.read(direction, reader);
                assertThat(reader.remaining()).isZero();
            } else {
                assertThatExceptionOfType(MalformedPacketException.class)
                        .isThrownBy(() -> SauerbratenCodec.V260.read(direction, reader));
            }
        }
    }

    @Test
    void carriesFilesOnChannelTwo() {
        Bytes file = Bytes.ofHex("1f8b0800");
        assertThat(SauerbratenCodec.V260.readPacket(Direction.C2S, 2, new Reader(file)))
                .containsExactly(new EditMessage.MapData(file));
        assertThat(SauerbratenCodec.V260.packet(new EditMessage.MapData(file))).isEqualTo(file);
        assertThat(SauerbratenCodec.channel(new EditMessage.MapData(file))).isEqualTo(2);
        assertThat(SauerbratenCodec.channel(Pos.BLANK)).isZero();
        assertThat(SauerbratenCodec.channel(new ChatMessage.Text(""))).isEqualTo(1);
    }

    /** The position that hex digits, blanks between them, spell. */
    public static Pos pos(String hex) {
        return (Pos) read(Direction.C2S, Bytes.ofHex(hex)).getFirst();
    }

    private static List<SauerbratenMessage> read(Direction direction, Bytes packet) {
        return SauerbratenCodec.V260.readPacket(direction, 1, new Reader(packet));
    }
}
