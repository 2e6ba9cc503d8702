package dev.wishdir.quake2.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.ClientText;
import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

class Quake2CodecTest {
    private final RandomMessages random = new RandomMessages(4);

    private static void lawsOfServer(ServerMessage message) {
        WireLaws.hold(message, ServerMessage.Signal.NOP, Quake2Codec::server);
    }

    private static void lawsOfClient(ClientMessage message) {
        WireLaws.holdToTheEnd(
                message,
                ClientMessage.Nop.NOP,
                (w, m) -> {
                    return w.reading() && w.remaining() == 0 ? end(w) : Quake2Codec.client(w, m);
                });
    }

    private static ClientMessage end(Wire w) {
        throw w.malformed("clc", "is not there");
    }

    @Test
    void holdsLawsForServerMessages() {
        lawsOfServer(new ServerMessage.MuzzleFlash(false, 3, 129));
        lawsOfServer(new ServerMessage.MuzzleFlash(true, -1, 2));
        lawsOfServer(new ServerMessage.Layout("xv 32 yv 8 picn inventory "));
        lawsOfServer(new ServerMessage.Inventory(IntStream.range(-128, 128).boxed().toList()));
        for (ServerMessage.Signal signal : ServerMessage.Signal.values()) {
            lawsOfServer(signal);
        }
        for (int flags = 0; flags < 32; flags++) {
            lawsOfServer(
                    new Sound(
                            flags,
                            7,
                            (flags & 1) == 0 ? 255 : 9,
                            (flags & 2) == 0 ? 64 : 8,
                            (flags & 16) == 0 ? 0 : 7,
                            (flags & 8) == 0 ? 0 : 8191,
                            (flags & 8) == 0 ? 0 : 6,
                            (flags & 4) == 0 ? Triple.ZERO : new Triple(-1, 2, -32768)));
        }
        lawsOfServer(new ServerMessage.Print(3, "caf\u00e9: \u0080\u00ff\n"));
        lawsOfServer(new ServerMessage.StuffText("precache 5\n"));
        lawsOfServer(new ServerMessage.ServerData(34, -7, 1, "baseq2", -1, "Box"));
        lawsOfServer(new ServerMessage.ConfigString(2079, "m"));
        lawsOfServer(new ServerMessage.CenterPrint(""));
        lawsOfServer(ServerMessage.Download.REFUSED);
        lawsOfServer(new ServerMessage.Download(3, 100, Bytes.ofHex("010203")));
    }

    @Test
    void holdsLawsForTempEntities() {
        for (int type = 0; type < TempEntity.SHAPES.size(); type++) {
            String shape = TempEntity.SHAPES.get(type);
            List<Integer> values = new ArrayList<>();
            for (int k = 0; k < shape.length(); k++) {
                for (int i = 0; i < (shape.charAt(k) == 'p' ? 3 : 1); i++) {
                    values.add(random.below(128));
                }
            }
            if (!shape.isEmpty()) {
                lawsOfServer(new TempEntity(type, values));
            }
        }
        lawsOfServer(new TempEntity(40, List.of(-1, 2, 3, 4, 5, 6, 7, 8)));
    }

    @Test
    void shapesTempEntitiesAsTabulated() throws IOException {
        List<String> shapes = new ArrayList<>();
        Files.readAllLines(Path.of("src/test/resources/vectors/temp-entities.csv")).stream()
                .skip(1)
                .forEach(line -> {
                    StringBuilder shape = new StringBuilder();
                    for (String field : line.split(",")[2].split(";")) {
                        String name = field.strip().replaceFirst("and only if id != -1: ", "");
                        shape.append(name.startsWith("not") ? "" : name.substring(0, 1));
                    }
                    shapes.add(shape.toString());
                });
        assertThat(TempEntity.SHAPES).isEqualTo(shapes);
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 56, 255})
    void refusesUnknownTempEntity(int type) {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() ->
                        Quake2Codec.readServer(new Reader(new byte[] {3, (byte) type, 0, 0, 0})))
                .withMessageContaining("is not a temp entity");
    }

    @Test
    void holdsLawsForClientMessages() {
        lawsOfClient(ClientMessage.Nop.NOP);
        lawsOfClient(new ClientMessage.StringCmd("say hi"));
        lawsOfClient(new ClientMessage.StringCmd(new ClientText("disconnect", false)));
        lawsOfClient(new ClientMessage.UserInfo(ClientText.of("\\name\\x")));
        for (int i = 0; i < 1000; i++) {
            UserCmd a = random.userCmd(UserCmd.ZERO);
            UserCmd b = random.userCmd(a);
            UserCmd c = random.userCmd(b);
            Move move = Move.of(random.below(99) - 1, a, b, c);
            WireLaws.hold(move, Move.BLANK, Move::wire);
        }
    }

    @Test
    void restoresEntitiesFromDeltas() {
        for (int i = 0; i < 3000; i++) {
            EntityState base = random.entity(EntityState.ZERO);
            EntityState now = random.entity(base);
            EntityDelta delta = EntityDelta.between(1 + random.below(1000), base, now, true);
            Writer w = new Writer(200);
            Quake2Codec.write(w, new ServerMessage.SpawnBaseline(delta));
            Reader r = new Reader(w.toByteArray());
            ServerMessage.SpawnBaseline read =
                    (ServerMessage.SpawnBaseline) Quake2Codec.readServer(r);
            assertThat(r.remaining()).isZero();
            assertThat(read.entity().number()).isEqualTo(delta.number());
            assertThat(read.entity().applyTo(base)).isEqualTo(now);
            lawsOfServer(read);
        }
    }

    @Test
    void writesEmptyDeltaOfUnchangedEntity() {
        EntityState state = random.entity(EntityState.ZERO).unmentioned();
        assertThat(EntityDelta.between(300, state, state, false).isEmpty()).isTrue();
        assertThat(EntityDelta.removal(300).isEmpty()).isFalse();
        assertThat(EntityDelta.removal(300).bits()).isEqualTo(0x40 | 0x100 | 0x80);
    }

    @Test
    void restoresPlayersFromDeltas() {
        for (int i = 0; i < 3000; i++) {
            PlayerState base = random.player(PlayerState.ZERO);
            PlayerState now = random.player(base);
            Frame frame = frame(PlayerDelta.between(base, now), List.of());
            Writer w = new Writer(400);
            Quake2Codec.write(w, frame);
            Frame read = (Frame) Quake2Codec.readServer(new Reader(w.toByteArray()));
            assertThat(read.player().applyTo(base)).isEqualTo(now);
            lawsOfServer(read);
        }
    }

    private static Frame frame(PlayerDelta player, List<EntityDelta> entities) {
        return new Frame(12, -1, 3, Bytes.ofHex("ff01"), player, entities);
    }

    @Test
    void holdsLawsForFrameWithEntities() {
        List<EntityDelta> entities = List.of(EntityDelta.removal(2), EntityDelta.removal(400));
        lawsOfServer(frame(PlayerDelta.between(PlayerState.ZERO, PlayerState.ZERO), entities));
    }

    @Test
    void encodesSolidOfStandingPlayer() {
        assertThat(EntityState.solid(16, 24, 32)).isEqualTo(8290);
        assertThat(EntityState.solid(16, 24, 4)).isEqualTo(4194);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 17, 18, 19, 21, 22, 64, 128, 255})
    void refusesUnknownServerMessage(int op) {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Quake2Codec.readServer(new Reader(new byte[] {(byte) op})));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 6, 255})
    void refusesUnknownClientMessage(int op) {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> Quake2Codec.readClient(new Reader(new byte[] {(byte) op})));
    }

    @Test
    void refusesTextWithZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Quake2Codec.write(
                                new Writer(99), new ServerMessage.StuffText("a\0quit\n")));
    }
}
