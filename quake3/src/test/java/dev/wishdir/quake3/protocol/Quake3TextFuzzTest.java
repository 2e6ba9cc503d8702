package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

/** Any datagram out of band, compressed or not, up to the settings that a {@code connect} holds. */
class Quake3TextFuzzTest {
    /** The most bytes of a {@code connect}'s text, with its first word. */
    private static final int CONNECT = 1_024 + "connect ".length();

    @FuzzTest
    void outOfBand(byte[] data) {
        Bytes datagram = Bytes.wrap(data);
        if (!OutOfBand.is(datagram)) {
            return;
        }
        OutOfBand read;
        try {
            read = OutOfBand.read(datagram);
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
            return;
        }
        assertThat(read.text().length()).isLessThanOrEqualTo(Math.max(data.length, CONNECT));
        assertThat(read.words()).isNotEmpty();
        for (String word : read.words()) {
            InfoString info = InfoString.parse(word);
            assertThat(InfoString.parse(info.toString()).toString()).isEqualTo(info.toString());
            assertThat(Quake3Text.value(info.get("name"), 31))
                    .hasSizeLessThanOrEqualTo(31)
                    .matches("[ -~]*")
                    .doesNotContain("\"", ";", "\\", "%");
        }
        String first = read.text().split(" ", 2)[0];
        if (!first.equalsIgnoreCase("connect") || first.equals("connect")) {
            assertThat(OutOfBand.read(read.datagram())).isEqualTo(read);
        }
    }
}
