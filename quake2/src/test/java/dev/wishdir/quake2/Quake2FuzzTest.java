package dev.wishdir.quake2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.MalformedMapException;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Triple;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.quake2.movement.Pmove;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Any bytes at all, to every reader of what others wrote. */
class Quake2FuzzTest {
    private static final UserCmd RUN = new UserCmd(Triple.ZERO, 400, 0, 400, 0, 0, 100, 0);

    @FuzzTest
    void clientMessages(byte[] data) {
        Reader r = new Reader(data);
        while (r.remaining() > 0) {
            int from = r.position();
            ClientMessage message;
            try {
                message = Quake2Codec.readClient(r);
            } catch (MalformedPacketException e) {
                assertThat(e.offset()).isBetween(0, data.length);
                return;
            }
            Writer w = new Writer(data.length);
            Quake2Codec.write(w, message);
            assertThat(w.toByteArray())
                    .as("%s", message)
                    .isEqualTo(Arrays.copyOfRange(data, from, r.position()));
        }
    }

    /** A field that is sent twice is kept once, so that only the message stays the same. */
    @FuzzTest
    void serverMessages(byte[] data) {
        Reader r = new Reader(data);
        while (r.remaining() > 0) {
            int from = r.position();
            ServerMessage message;
            try {
                message = Quake2Codec.readServer(r);
            } catch (MalformedPacketException e) {
                assertThat(e.offset()).isBetween(0, data.length);
                return;
            }
            Writer w = new Writer(data.length);
            Quake2Codec.write(w, message);
            assertThat(w.position()).isEqualTo(r.position() - from);
            assertThat(Quake2Codec.readServer(new Reader(w.toByteArray()))).isEqualTo(message);
        }
    }

    @FuzzTest
    void userInfo(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        Optional<InfoString> info = InfoString.parse(text);
        if (info.isPresent()) {
            String said = info.get().toString();
            assertThat(said).hasSizeLessThan(512).doesNotContain("\"", ";");
            assertThat(InfoString.parse(said).map(InfoString::toString)).contains(said);
            assertThat(info.get().get("name")).hasSizeLessThan(64);
            assertThat(Quake2Text.name(info.get().get("name"))).isNotEmpty().hasSizeLessThan(16);
        }
    }

    @FuzzTest
    void bsp(byte[] data) {
        Bsp38 map;
        try {
            map = Bsp38.read(data);
        } catch (MalformedMapException e) {
            return;
        }
        Pmove physics = new Pmove(map.world());
        PlayerState state = PlayerState.ZERO;
        for (int i = 0; i < 10; i++) {
            state = physics.run(state, RUN, i == 0);
        }
        assertThat(state.origin().x()).isBetween(-32768, 32767);
    }
}
