package dev.wishdir.app.serve.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.wishdir.app.command.Web;
import dev.wishdir.arena.event.Level;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.web.WebServer;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.Random;

class MapFilesTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    /** More than any buffer on the way. */
    private static final byte[] FILE = new byte[300_001];

    static {
        new Random(3).nextBytes(FILE);
    }

    private static HttpResponse<byte[]> get(String url, String... headers) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
            return client.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    @Test
    void servesAnnouncedFiles() throws Exception {
        HttpDownloads httpDownloads = new HttpDownloads();
        httpDownloads.offer("quake3", List.of(new Level.File("baseoa/hall.pk3", Bytes.wrap(FILE))));
        try (WebServer server =
                Objects.requireNonNull(
                        Web.start("0.0.0.0:0", List.of(), List.of(new MapFiles(httpDownloads))))) {
            MapFiles.publish(httpDownloads, server, "");
            String url = httpDownloads.url(0, "quake3", HERE).orElseThrow();
            assertThat(url).isEqualTo("http://127.0.0.1:" + server.port() + "/files/quake3");
            assertThat(get(url + "/baseoa/hall.pk3").body()).isEqualTo(FILE);
            for (String coding : List.of("gzip", "deflate", "br", "gzip, deflate, br, zstd")) {
                HttpResponse<byte[]> coded =
                        get(url + "/baseoa/hall.pk3", "Accept-Encoding", coding);
                assertThat(coded.headers().firstValue("Content-Encoding")).isEmpty();
                assertThat(coded.headers().firstValueAsLong("Content-Length"))
                        .hasValue(FILE.length);
                assertThat(coded.body()).isEqualTo(FILE);
            }
            for (String other : List.of("/baseoa/pak0.pk3", "/hall.pk3", "/..%2fhall.pk3")) {
                assertThat(get(url + other).statusCode()).as(other).isGreaterThanOrEqualTo(400);
            }
        }
    }

    @Test
    void usesConfiguredUrl() throws Exception {
        HttpDownloads httpDownloads = new HttpDownloads();
        httpDownloads.offer("quake2", List.of(new Level.File("baseq2/a.bsp", Bytes.wrap(FILE))));
        try (WebServer server =
                Objects.requireNonNull(
                        Web.start(
                                "127.0.0.1:0", List.of(), List.of(new MapFiles(httpDownloads))))) {
            InetAddress far = InetAddress.ofLiteral("203.0.113.7");
            MapFiles.publish(httpDownloads, server, "off");
            assertThat(httpDownloads.url(0, "quake2", HERE)).isEmpty();
            MapFiles.publish(httpDownloads, server, "");
            assertThat(httpDownloads.url(0, "quake2", far)).as("loopback alone").isEmpty();
            MapFiles.publish(httpDownloads, server, "http://example.org/w/");
            assertThat(httpDownloads.url(0, "quake2", far))
                    .contains("http://example.org/w/files/quake2");
        }
    }

    /** A client that connects to this machine's own name comes from that address. */
    @Test
    void givesClientOnSameHostLoopbackUrl() throws Exception {
        InetAddress own =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                        .findAny()
                        .orElse(null);
        assumeThat(own).as("an address beside loopback").isNotNull();
        HttpDownloads.UrlProvider loopback = MapFiles.at(HERE, () -> 8260);
        assertThat(loopback.url(Objects.requireNonNull(own)))
                .contains("http://127.0.0.1:8260/files");
        assertThat(MapFiles.at(own, () -> 8260).url(HERE))
                .contains("http://" + own.getHostAddress() + ":8260/files");
        assertThat(loopback.url(InetAddress.ofLiteral("203.0.113.7"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, true",
        "::1, ::1, true",
        "192.168.1.9, 192.168.1.2, true",
        "203.0.113.7, 192.168.1.2, false",
        "203.0.113.7, 198.51.100.2, true",
        "192.168.1.9, 198.51.100.2, true",
        "203.0.113.7, 127.0.0.1, false",
        "127.0.0.1, 198.51.100.2, false",
        "2001:db8::7, fd00::2, false",
        "fd00::7, fd00::2, true",
        "2001:db8::7, fe80::2, false",
    })
    void announcesNoUnreachableAddress(String client, String local, boolean reaches) {
        assertThat(
                        MapFiles.isReachable(
                                InetAddress.ofLiteral(client), InetAddress.ofLiteral(local)))
                .isEqualTo(reaches);
    }
}
