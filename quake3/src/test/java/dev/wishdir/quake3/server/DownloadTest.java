package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A file on its way to a client. */
class DownloadTest {
    @Test
    @DisplayName("G16 a download of which nothing is acknowledged is given up")
    void downloadDeadline() {
        long second = 1_000_000_000L;
        byte[] file = new byte[200_000];
        Download download = new Download(Bytes.wrap(file), 0);
        int blocks = 0;
        while (download.next(0) != null) {
            blocks++;
        }
        assertThat(blocks).isEqualTo(48);
        assertThat(download.acknowledge(0, 60)).as("never sent").isFalse();
        assertThat(download.acknowledge(0, 1)).as("not the next").isFalse();
        assertThat(download.isNotAcknowledging(29 * second)).isFalse();
        // What was sent again meanwhile is acknowledged by the first answer that comes, however
        // late.
        assertThat(download.next(29 * second)).isNotNull();
        for (int block = 0; block < 48; block++) {
            assertThat(download.acknowledge(29 * second, block)).isTrue();
        }
        assertThat(download.acknowledge(29 * second, 48)).as("never sent").isFalse();
        assertThat(download.isNotAcknowledging(58 * second)).isFalse();
        assertThat(download.isNotAcknowledging(60 * second)).isTrue();
    }
}
