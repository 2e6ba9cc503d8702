package dev.wishdir.quake3.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A file on its way to a client. */
class DownloadTest {
    @Test
    @DisplayName("G16 a download of which nothing is acknowledged is given up")
    void endsUnacknowledgedDownload() {
        long second = 1_000_000_000L;
        byte[] file = new byte[200_000];
        Download download = new Download(Bytes.wrap(file), 0);
        assertThat(sent(download, 0)).isEqualTo(4);
        assertThat(download.acknowledge(0, 60)).as("never sent").isFalse();
        assertThat(download.acknowledge(0, 1)).as("not the next").isFalse();
        assertThat(download.isNotAcknowledging(29 * second)).isFalse();
        // What was sent again meanwhile is acknowledged by the first answer that comes, however
        // late.
        assertThat(download.next(29 * second)).isNotNull();
        for (int block = 0; block < 4; block++) {
            assertThat(download.acknowledge(29 * second, block)).isTrue();
        }
        assertThat(download.acknowledge(29 * second, 4)).as("never sent").isFalse();
        assertThat(download.isNotAcknowledging(58 * second)).isFalse();
        assertThat(download.isNotAcknowledging(60 * second)).isTrue();
    }

    /** How many blocks it sends until it awaits answers. */
    private static int sent(Download download, long now) {
        int blocks = 0;
        while (download.next(now) != null) {
            blocks++;
        }
        return blocks;
    }

    @Test
    void growsWindowWithAnswersAndShrinksWithLoss() {
        long second = 1_000_000_000L;
        Download download = new Download(Bytes.wrap(new byte[200_000]), 0);
        int next = sent(download, 0);
        int acknowledged = 0;
        while (acknowledged < 100) {
            assertThat(download.acknowledge(0, acknowledged++)).isTrue();
            next += sent(download, 0);
        }
        assertThat(next - acknowledged).isEqualTo(48);
        assertThat(sent(download, 2 * second)).as("sent again").isEqualTo(24);
        assertThat(sent(download, 20 * second)).isEqualTo(12);
        assertThat(sent(download, 40 * second)).isEqualTo(6);
        assertThat(sent(download, 60 * second)).isEqualTo(4);
    }
}
