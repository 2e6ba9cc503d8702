package dev.wishdir.enet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Disconnect;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;
import dev.wishdir.enet.EnetCommand.SendUnsequenced;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.ThrottleConfigure;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

class EnetDatagramTest {
    private static final long U32 = 0xFFFFFFFFL;
    private static final Bytes DATA = Bytes.ofHex("0102030405");
    private static final Terms REAL =
            new Terms(0, 255, 255, 1400, 65536, 3, 0, 0, 5000, 2, 2, 1388782650);

    static Stream<EnetCommand> commands() {
        Fragment whole = new Fragment(7, 3, 2, 20, 15, DATA);
        return Stream.of(
                new Ack(0, 0, 65535, 65535, 65535),
                new Connect(0x80, 255, 1, REAL, 0),
                new Connect(
                        0x80,
                        255,
                        65535,
                        new Terms(65535, 1, 2, U32, U32, U32, U32, U32, U32, U32, U32, U32),
                        U32),
                new VerifyConnect(0x80, 255, 1, REAL),
                new Disconnect(0x80, 255, 2, 10),
                new Disconnect(0x40, 255, 2, U32),
                new Ping(0x80, 255, 3),
                new Ping(0xF0, 255, 3),
                new SendReliable(0x80, 2, 4, DATA),
                new SendReliable(0x80, 2, 5, Bytes.EMPTY),
                new SendUnreliable(0, 0, 4, 65535, DATA),
                new SendUnreliable(0, 1, 4, 1, Bytes.EMPTY),
                new SendFragment(0x80, 2, 9, whole),
                new SendFragment(
                        0x80,
                        2,
                        9,
                        new Fragment(
                                65535,
                                EnetCommand.MAX_FRAGMENTS,
                                EnetCommand.MAX_FRAGMENTS - 1,
                                EnetCommand.MAX_MESSAGE_BYTES,
                                EnetCommand.MAX_MESSAGE_BYTES - 5,
                                DATA)),
                new SendUnsequenced(0x40, 1, 0, 65535, DATA),
                new BandwidthLimit(0x80, 255, 4, U32, 1),
                new ThrottleConfigure(0x80, 255, 2, U32, 2, 3),
                new SendUnreliableFragment(0, 2, 9, whole));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void holdsLawsForCommands(EnetCommand command) {
        WireLaws.hold(command, Ping.BLANK, EnetCommand::wire);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false, -1", "4095, 3, true, 65535", "127, 1, false, 0"})
    void holdsLawsForHeader(int peerID, int session, boolean compressed, int sentTime) {
        var header = new EnetHeader(peerID, session, compressed, sentTime);
        WireLaws.hold(header, EnetHeader.BLANK, EnetHeader::wire);
    }

    @Test
    void holdsLawsForDatagramOfAllCommands() {
        WireLaws.holdToTheEnd(
                new EnetDatagram(new EnetHeader(5, 2, false, 451), commands().toList()),
                EnetDatagram.BLANK,
                EnetDatagram::wire);
    }

    @Test
    void readsFirstDatagramOfClient() {
        Bytes bytes =
                Bytes.ofHex(
                        "8fff01c3 82ff0001 0000ffff 00000578 00010000 00000003 00000000 00000000"
                                + " 00001388 00000002 00000002 52c7243a 00000000");
        EnetDatagram datagram = EnetDatagram.wire(new Reader(bytes), EnetDatagram.BLANK);
        assertThat(datagram)
                .isEqualTo(
                        new EnetDatagram(
                                new EnetHeader(EnetHeader.NO_PEER, 0, false, 451),
                                List.of(new Connect(0x80, 255, 1, REAL, 0))));
        assertThat(WireLaws.write(datagram, EnetDatagram::wire)).isEqualTo(bytes.toArray());
    }

    @Test
    void tracesHeaderAndCommands() {
        Tracer tracer = new Tracer(Bytes.ofHex("9001 0201 85ff0003"));
        EnetDatagram.wire(tracer, EnetDatagram.BLANK);
        assertThat(tracer.fields())
                .containsExactly(
                        new Traced("peerWord", 0, 16, "9001", "36865", false),
                        new Traced("peerID", 0, 12, "1", "1", true),
                        new Traced("session", 12, 2, "1", "1", true),
                        new Traced("compressed", 14, 1, "0", "0", true),
                        new Traced("hasSentTime", 15, 1, "1", "1", true),
                        new Traced("sentTime", 16, 16, "0201", "513 ms", false),
                        new Traced("commands.0.command", 32, 8, "85", "PING", false),
                        new Traced("commands.0.number", 32, 4, "5", "5", true),
                        new Traced("commands.0.unsequenced", 38, 1, "0", "0", true),
                        new Traced("commands.0.acknowledge", 39, 1, "1", "1", true),
                        new Traced("commands.0.channel", 40, 8, "ff", "255", false),
                        new Traced("commands.0.seq", 48, 16, "0003", "3", false));
    }

    @ParameterizedTest
    @CsvSource({"80ff0001, command, 0", "0dff0001, command, 13", "0fff0001, command, 15"})
    void refusesUnknownCommands(String hex, String field, int number) {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> EnetCommand.wire(new Reader(Bytes.ofHex(hex)), Ping.BLANK))
                .withMessageContaining("is " + number)
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 0, 10, 0, len",
        "1, 0, 0, 10, 0, count",
        "1, 1048577, 0, 2000000, 0, count",
        "1, 4294967295, 0, 2000000, 0, count",
        "1, 3, 3, 10, 0, num",
        "1, 3, 4294967295, 10, 0, num",
        "1, 3, 0, 2, 0, total",
        "1, 3, 0, 33554433, 0, total",
        "1, 3, 0, 4294967295, 0, total",
        "1, 3, 0, 10, 10, offset",
        "1, 3, 0, 10, 4294967295, offset",
        "6, 3, 0, 10, 5, len",
    })
    void refusesFragmentsOutsideMessage(
            int length, long count, long num, long total, long offset, String field) {
        var writer = new Writer(100);
        writer.u8("command", 0x88);
        writer.u8("channel", 1);
        writer.u16be("seq", 1);
        writer.u16be("start", 1);
        writer.u16be("len", length);
        writer.u32be("count", count);
        writer.u32be("num", num);
        writer.u32be("total", total);
        writer.u32be("offset", offset);
        writer.bytes("payload", Bytes.wrap(new byte[length]), length);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> EnetCommand.wire(new Reader(writer.toBytes()), Ping.BLANK))
                .satisfies(e -> assertThat(e.field()).isEqualTo(field));
    }

    @Test
    void refusesMoreThan32Commands() {
        String ping = "85ff0001";
        EnetDatagram full =
                EnetDatagram.wire(
                        new Reader(Bytes.ofHex("80000000" + ping.repeat(32))), EnetDatagram.BLANK);
        assertThat(full.commands()).hasSize(32);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() ->
                        EnetDatagram.wire(
                                new Reader(Bytes.ofHex("80000000" + ping.repeat(33))),
                                EnetDatagram.BLANK))
                .withMessageContaining("33");
    }
}
