package dev.wishdir.nethernet.ice;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.wire.MalformedPacketException;

/** Any bytes as a message of STUN. */
class StunFuzzTest {
    @FuzzTest
    void decode(byte[] data) {
        try {
            Stun.read(data).isSigned(data, "password");
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }
}
