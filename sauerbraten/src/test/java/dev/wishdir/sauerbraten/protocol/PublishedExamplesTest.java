package dev.wishdir.sauerbraten.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.Tracer;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** The packets that two public articles on the protocol take apart, byte by byte. */
class PublishedExamplesTest {
    private static final Bytes POS =
            decimal("4 1 17 16 11 39 102 35 207 27 134 112 90 132 151 126 35");

    private static final Bytes SERVINFO =
            decimal(
                    "1 0 128 3 1 129 184 252 162 0 0 108 111 99 97 108 32 116 101 115 116 32 115"
                            + " 101 114 118 101 114 32 50 0 0");

    private static final Bytes CONNECT =
            decimal("0 124 121 101 115 86 73 58 112 105 120 0 1 0 0 0");

    private static final Bytes WELCOME =
            decimal(
                    "2 22 114 101 105 115 115 101 110 0 5 0 33 87 58 1 3 1 -1 61 0 103 111 111 100"
                            + " 0 -1 17 0 0 100 100 100 1 2 20 20 10 10 20 0 37 1 0 12 1 0 3 100"
                            + " 100 100 1 2 16 4 3 8 15 0 -1 3 1 67 111 111 107 105 101 0 101 118"
                            + " 105 108 0 1");

    @Test
    void readsPosition() {
        Pos pos = (Pos) only(SauerbratenCodec.V260, Direction.S2C, POS);
        assertThat(pos)
                .isEqualTo(
                        new Pos(1, 17, Pos.FALL, 9995, 9062, 7119, 28806, 90, 132, 32407, 35, 0));
        assertThat(pos.physstate()).isEqualTo(1);
        assertThat(pos.lifeseq()).isZero();
        assertThat(pos.move()).isEqualTo(1);
        assertThat(pos.strafe()).isZero();
        assertThat(pos.pos()).isEqualTo(new Vec3(624.6875, 566.375, 444.9375));
        assertThat(pos.yaw()).isEqualTo(6);
        assertThat(pos.pitch()).isEqualTo(-10);
        assertThat(pos.roll()).isZero();
        assertThat(pos.vel().distance(new Vec3(-16.087, 131.016, 0))).isLessThan(0.001);
        assertThat(pos.fall().distance(new Vec3(0, 0, -35))).isLessThan(1e-9);
        assertThat(pos.gameclip()).isFalse();
        assertThat(SauerbratenCodec.V260.packet(pos)).isEqualTo(POS);
    }

    @Test
    void readsPositionFieldByField() {
        assertThat(trace(SauerbratenCodec.V260, Direction.S2C, POS))
                .containsExactly(
                        "0 code 04: 4 (N_POS)",
                        "1 cn 01: 1",
                        "2 state 11: 17",
                        "2.0 physstate 1: 1 (fall)",
                        "2.3 lifeseq 0: 0",
                        "2.4 move 1: 1 (forward)",
                        "2.6 strafe 0: 0",
                        "3 flags 10: 16",
                        "3.0 x3 0: no",
                        "3.1 y3 0: no",
                        "3.2 z3 0: no",
                        "3.3 vel2 0: no",
                        "3.4 fall 1: falling",
                        "3.5 fall2 0: no",
                        "3.6 falldir 0: no",
                        "3.7 gameclip 0: no",
                        "4 x 0b27: 624.6875 units",
                        "6 y 6623: 566.375 units",
                        "8 z cf1b: 444.9375 units",
                        "10 dir 8670: yaw 6, pitch -10 degrees",
                        "12 roll 5a: 0 degrees",
                        "13 vel 84: 132 units a second",
                        "14 veldir 977e: yaw 7, pitch 0 degrees",
                        "16 fall 23: 35 units a second");
    }

    @Test
    void readsFirstServerMessage() {
        SessionMessage.ServInfo info =
                new SessionMessage.ServInfo(0, 259, 10681528, false, "local test server 2", "");
        assertThat(only(SauerbratenCodec.V259, Direction.S2C, SERVINFO)).isEqualTo(info);
        assertThat(SauerbratenCodec.V259.packet(info)).isEqualTo(SERVINFO);
        assertThat(trace(SauerbratenCodec.V259, Direction.S2C, SERVINFO))
                .containsExactly(
                        "0 code 01: 1 (N_SERVINFO)",
                        "1 cn 00: 0",
                        "2 protocol 800301: 259",
                        "5 sessionid 81b8fca200: 10681528",
                        "10 haspwd 00: no",
                        "11 desc 6c6f63616c207465737420736572766572203200:"
                                + " \"local test server 2\"",
                        "31 auth 00: \"\"");
    }

    @Test
    void readsJoinRequest() {
        SessionMessage.Connect connect = new SessionMessage.Connect("|yesVI:pix", 1, "", "", "");
        for (SauerbratenCodec codec : List.of(SauerbratenCodec.V259, SauerbratenCodec.V260)) {
            assertThat(only(codec, Direction.C2S, CONNECT)).isEqualTo(connect);
            assertThat(codec.packet(connect)).isEqualTo(CONNECT);
        }
        assertThat(trace(SauerbratenCodec.V260, Direction.C2S, CONNECT))
                .containsExactly(
                        "0 code 00: 0 (N_CONNECT)",
                        "1 name 7c79657356493a70697800: \"|yesVI:pix\"",
                        "12 model 01: 1",
                        "13 pwdhash 00: \"\"",
                        "14 authdesc 00: \"\"",
                        "15 authname 00: \"\"");
    }

    @Test
    void readsWelcomeOfProtocol259() {
        State spawn = new State(0, 100, 100, 100, 1, 2, List.of(20, 20, 10, 10, 20, 0));
        State other = new State(3, 100, 100, 100, 1, 2, List.of(16, 4, 3, 8, 15, 0));
        List<SauerbratenMessage> welcome =
                List.of(
                        new SessionMessage.Welcome(),
                        new MatchMessage.MapChange("reissen", 5, false),
                        new MatchMessage.TimeUp(87),
                        new AdminMessage.CurrentMaster(
                                1, List.of(new AdminMessage.Privileged(3, 1))),
                        new RosterMessage.SetTeam(0, "good", -1),
                        new LifeMessage.SpawnState(0, spawn),
                        new LifeMessage.Resume(
                                List.of(new LifeMessage.Score(1, 0, 12, 1, 0, 0, other))),
                        new RosterMessage.InitClient(1, "Cookie", "evil", 1));
        assertThat(SauerbratenCodec.V259.readPacket(Direction.S2C, 1, new Reader(WELCOME)))
                .isEqualTo(welcome);
        SauerbratenMessage[] messages = welcome.toArray(SauerbratenMessage[]::new);
        assertThat(SauerbratenCodec.V259.packet(messages)).isEqualTo(WELCOME);
        Bytes newer = SauerbratenCodec.V260.packet(messages);
        assertThat(newer.length())
                .as("the number of deaths is new")
                .isEqualTo(WELCOME.length() + 1);
        assertThat(SauerbratenCodec.V260.readPacket(Direction.S2C, 1, new Reader(newer)))
                .isEqualTo(welcome);
    }

    @Test
    void readsWelcomeFieldByField() {
        assertThat(trace(SauerbratenCodec.V259, Direction.S2C, WELCOME))
                .contains(
                        "0 code 02: 2 (N_WELCOME)",
                        "1 code 16: 22 (N_MAPCHANGE)",
                        "2 map 7265697373656e00: \"reissen\"",
                        "10 mode 05: 5 (efficiency)",
                        "11 needitems 00: no",
                        "13 secs 57: 87 s",
                        "14 code 3a: 58 (N_CURRENTMASTER)",
                        "15 mastermode 01: 1 (veto)",
                        "16 masters.0.cn 03: 3",
                        "17 masters.0.privilege 01: 1 (master)",
                        "18 masters.1.cn ff: end of the list",
                        "26 reason ff: -1 (silent)",
                        "33 armourtype 01: 1 (green)",
                        "34 gun 02: 2 (chaingun)",
                        "35 ammo.shotgun 14: 20",
                        "43 players.0.state 00: 0 (alive)",
                        "46 players.0.quadmillis 00: 0 ms",
                        "59 players.1.cn ff: end of the list",
                        "62 name 436f6f6b696500: \"Cookie\"");
    }

    @ParameterizedTest
    @CsvSource({
        "04 00 1d 50 000a 8808 6320 907e 5a 64 d8bd 05 fc3f, 160, 136.5, 518.1875, 70.711, -3.536",
        "04 00 18 09 4affff 0f9e 4f61 c499 5a e703 c499, -11.375, 2528.9375, 1556.9375, , 0",
        "04 00 18 0d 38f4ff 3f21 2d0001 5c9a 5a e703 5d9a, -188.5, 531.9375, 4098.8125, , 0",
        "04 00 09 30 ea17 3a25 a030 1401 5a 5c 6000 0301, 382.625, 595.625, 778, -92, -259",
        "04 00 09 9001 000a 0005 3220 907e 5a 00 907e 2c, 160, 80, 515.125, 0, -44",
    })
    void readsPositionsOfRealClients(
            String hex, double x, double y, double z, Double velZ, double fallZ) {
        Pos pos = SauerbratenCodecTest.pos(hex);
        assertThat(pos.pos()).isEqualTo(new Vec3(x, y, z));
        if (velZ != null) {
            assertThat(Math.abs(pos.vel().z() - velZ)).isLessThan(0.001);
        }
        assertThat(Math.abs(pos.fall().z() - fallZ)).isLessThan(0.001);
        assertThat(SauerbratenCodec.V260.packet(pos)).isEqualTo(Bytes.ofHex(hex));
    }

    private static SauerbratenMessage only(
            SauerbratenCodec codec, Direction direction, Bytes packet) {
        List<SauerbratenMessage> messages = codec.readPacket(direction, 1, new Reader(packet));
        assertThat(messages).hasSize(1);
        return messages.getFirst();
    }

    /** Offset, name, raw value and meaning of every field. */
    private static List<String> trace(SauerbratenCodec codec, Direction direction, Bytes packet) {
        Tracer tracer = new Tracer(packet);
        codec.readPacket(direction, 1, tracer);
        return tracer.fields().stream().map(PublishedExamplesTest::text).toList();
    }

    private static String text(Traced field) {
        return field.bit() / 8
                + (field.part() ? "." + field.bit() % 8 : "")
                + " "
                + field.name()
                + " "
                + field.raw()
                + ": "
                + field.meaning();
    }

    private static Bytes decimal(String text) {
        String[] numbers = text.split(" ");
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(numbers[i]);
        }
        return Bytes.wrap(bytes);
    }
}
