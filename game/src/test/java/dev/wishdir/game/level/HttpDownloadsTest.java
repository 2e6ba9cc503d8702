package dev.wishdir.game.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Level;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

class HttpDownloadsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String GAME = "quake3";
    private static final InetAddress ANN = InetAddress.ofLiteral("203.0.113.7");
    private static final InetAddress BOB = InetAddress.ofLiteral("198.51.100.9");

    private final HttpDownloads httpDownloads = new HttpDownloads();

    private static Level.File file(String path) {
        return new Level.File(path, Bytes.wrap(path.getBytes(StandardCharsets.US_ASCII)));
    }

    private Optional<String> told(long second, InetAddress client) {
        return httpDownloads.url(second * SECOND, GAME, client);
    }

    @Test
    void offersNoUrlWithoutServerOrFiles() {
        httpDownloads.offer(GAME, List.of(file("baseoa/hall.pk3")));
        assertThat(told(0, ANN)).isEmpty();
        httpDownloads.setUrlProvider(_ -> Optional.of("http://host/files"));
        assertThat(told(0, ANN)).contains("http://host/files/quake3");
        httpDownloads.offer(GAME, List.of());
        assertThat(told(1, BOB)).isEmpty();
    }

    @Test
    void givesNoUrlToAddressAfterFailedFetch() {
        httpDownloads.offer(GAME, List.of(file("baseoa/hall.pk3")));
        httpDownloads.setUrlProvider(_ -> Optional.of("http://host/files"));
        assertThat(told(100, ANN)).isPresent();
        assertThat(told(110, ANN)).as("it needed nothing").isPresent();
        httpDownloads.reportFailure(120 * SECOND, ANN);
        assertThat(told(130, ANN)).isEmpty();
        assertThat(told(719, ANN)).isEmpty();
        assertThat(told(721, ANN)).as("after a while it is tried again").isPresent();
        assertThat(told(110, BOB)).isPresent();
        assertThat(httpDownloads.file(GAME, "baseoa/hall.pk3", BOB)).isPresent();
        httpDownloads.reportFailure(120 * SECOND, BOB);
        assertThat(told(130, BOB)).as("it left for another reason").isPresent();
        httpDownloads.reportFailure(140 * SECOND, BOB);
        assertThat(told(150, BOB)).as("it fetched nothing since").isEmpty();
        httpDownloads.reportFailure(160 * SECOND, InetAddress.ofLiteral("192.0.2.1"));
        assertThat(told(161, InetAddress.ofLiteral("192.0.2.1"))).as("never told").isPresent();
    }

    /** The address at which a client reaches this machine is found by asking the system. */
    @Test
    void looksFilesUpOnceForRepeatedRequests() {
        int[] asked = {0};
        httpDownloads.offer(GAME, List.of(file("baseoa/hall.pk3")));
        httpDownloads.setUrlProvider(_ -> {
            asked[0]++;
            return Optional.empty();
        });
        for (int second = 0; second < 100; second++) {
            assertThat(told(second, ANN)).isEmpty();
        }
        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void keepsFilesOfPreviousLevel() {
        httpDownloads.offer(GAME, List.of(file("baseoa/one.pk3")));
        httpDownloads.offer(GAME, List.of(file("baseoa/two.pk3")));
        assertThat(httpDownloads.file(GAME, "baseoa/one.pk3", ANN)).isPresent();
        assertThat(httpDownloads.file(GAME, "baseoa/two.pk3", ANN)).isPresent();
        httpDownloads.offer(GAME, List.of(file("baseoa/three.pk3")));
        assertThat(httpDownloads.file(GAME, "baseoa/one.pk3", ANN)).isEmpty();
        assertThat(httpDownloads.file("quake2", "baseoa/three.pk3", ANN)).isEmpty();
        assertThat(httpDownloads.file(GAME, "baseoa/../baseoa/three.pk3", ANN)).isEmpty();
    }
}
