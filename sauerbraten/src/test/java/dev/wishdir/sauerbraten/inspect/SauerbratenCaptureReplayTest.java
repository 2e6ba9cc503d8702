package dev.wishdir.sauerbraten.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.sauerbraten.message.InfoMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.util.List;

/** Every message of every capture is written back as the bytes that it was. */
class SauerbratenCaptureReplayTest {
    private SauerbratenCodec codec = SauerbratenCodec.V260;
    private final Writer fragments = new Writer(1 << 20);
    private int messages;

    @ParameterizedTest
    @FieldSource("dev.wishdir.sauerbraten.inspect.SauerbratenCaptures#NAMES")
    void writesCapturedMessagesBack(String capture) {
        SauerbratenDissector dissector = new SauerbratenDissector(false);
        for (Datagram datagram : SauerbratenCaptures.FILES.datagrams(capture)) {
            Direction direction = dissector.recognise(datagram).orElse(null);
            if (direction == null) {
                continue;
            }
            int port =
                    direction == Direction.C2S
                            ? datagram.destination().getPort()
                            : datagram.source().getPort();
            if (port % 2 == 0) {
                EnetDatagram.wire(new Reader(datagram.payload()), EnetDatagram.BLANK)
                        .commands()
                        .forEach(command -> deliver(direction, command));
            }
        }
        assertThat(messages).isGreaterThan(70);
    }

    private void deliver(Direction direction, EnetCommand command) {
        switch (command) {
            case EnetCommand.SendReliable c -> packet(direction, c.channel(), c.payload());
            case EnetCommand.SendUnreliable c -> packet(direction, c.channel(), c.payload());
            case EnetCommand.SendFragment c -> {
                Bytes part = c.fragment().payload();
                fragments.append(part.toArray(), 0, part.length());
                if (fragments.position() == c.fragment().total()) {
                    packet(direction, c.channel(), fragments.toBytes());
                    fragments.reset();
                }
            }
            default -> {}
        }
    }

    @Test
    void writesRecordedMessagesBack() {
        DemoFile demo = new DemoFile(SauerbratenCaptures.FILES.file("ctf_sample.dmo"));
        for (var next = demo.next(); next.isPresent(); next = demo.next()) {
            packet(Direction.S2C, next.get().channel(), next.get().packet());
        }
        assertThat(messages).isEqualTo(1096);
    }

    private void packet(Direction direction, int channel, Bytes packet) {
        List<SauerbratenMessage> read = codec.readPacket(direction, channel, new Reader(packet));
        assertThat(codec.packet(read.toArray(SauerbratenMessage[]::new))).isEqualTo(packet);
        for (SauerbratenMessage message : read) {
            messages++;
            switch (message) {
                case MatchMessage.MapChange change -> codec = codec.inMode(change.mode());
                case RelayMessage.Client client ->
                        assertThat(
                                        codec.packet(
                                                codec.messages(client)
                                                        .toArray(SauerbratenMessage[]::new)))
                                .isEqualTo(client.messages());
                case Pos pos -> relaysRaw(pos);
                default -> {}
            }
        }
    }

    private void relaysRaw(Pos pos) {
        Bytes bytes = codec.packet(pos);
        Reader reader = new Reader(bytes);
        assertThat(Pos.Raw.read(reader)).isEqualTo(new Pos.Raw(pos.cn(), pos.state(), bytes));
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void writesInfoAnswersBack() {
        Bytes asked = Bytes.EMPTY;
        int answers = 0;
        for (Datagram datagram : SauerbratenCaptures.FILES.datagrams("info_password_kick")) {
            if (datagram.destination().getPort() == 28813) {
                asked = datagram.payload();
            } else if (datagram.source().getPort() == 28813) {
                Reader r = new Reader(datagram.payload());
                InfoMessage.Request request =
                        asked.length() == 0
                                ? InfoMessage.Request.BLANK
                                : InfoMessage.Request.wire(
                                        new Reader(asked), InfoMessage.Request.BLANK);
                r.bytes("echo", Bytes.EMPTY, asked.length());
                Writer writer = new Writer(1500);
                writer.append(asked.toArray(), 0, asked.length());
                InfoMessage.write(writer, InfoMessage.answer(r, request));
                assertThat(writer.toBytes()).isEqualTo(datagram.payload());
                answers++;
            }
        }
        assertThat(answers).isEqualTo(13);
    }
}
