package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The live map behind a real nginx, with the lines that docs/map.md has for it. */
@Timeout(120)
class ReverseProxyIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Pattern LINES = Pattern.compile("```nginx\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PAGE = Pattern.compile("Live map: http://127\\.0\\.0\\.1:(\\d+)/");

    @TempDir private Path directory = Path.of("");

    private final List<Socket> sockets = new ArrayList<>();

    private Peer nginx(int port, String server) throws IOException {
        Matcher lines = LINES.matcher(Files.readString(Path.of("../docs/map.md")));
        assertThat(lines.find()).isTrue();
        String temporary =
                List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi").stream()
                        .map(kind -> kind + "_temp_path " + directory + "/" + kind + ";\n")
                        .reduce("", String::concat);
        Path config =
                Files.writeString(
                        directory.resolve("nginx.conf"),
                        "daemon off;\nmaster_process off;\npid "
                                + directory
                                + "/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n"
                                + temporary
                                + "server {\nlisten 127.0.0.1:"
                                + port
                                + ";\n"
                                + lines.group(1).replace("127.0.0.1:8260", server)
                                + "}\n}\n");
        return Peer.start(
                directory,
                Map.of(),
                NGINX.toString(),
                "-e",
                "stderr",
                "-p",
                directory.toString(),
                "-c",
                config.toString());
    }

    /** The status of a request through the proxy, whose connection stays open. */
    private int status(int port, String path, String... headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout(60_000);
        List<String> lines = new ArrayList<>(List.of("GET /map/" + path + " HTTP/1.1"));
        lines.add("Host: map.example.org");
        lines.add("Origin: https://map.example.org");
        lines.addAll(List.of(headers));
        socket.getOutputStream()
                .write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                socket.getInputStream(), StandardCharsets.ISO_8859_1));
        int status = Integer.parseInt(reader.readLine().split(" ")[1]);
        if (status == 101) {
            // A viewer counts when it has its first frame, which is later than the status.
            while (!reader.readLine().isEmpty()) {}
            assertThat(reader.read()).as("first byte of a binary frame").isEqualTo(0x82);
        }
        return status;
    }

    private int viewer(int port, String... headers) throws IOException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "Upgrade: websocket",
                                "Connection: Upgrade",
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                                "Sec-WebSocket-Version: 13"));
        all.addAll(List.of(headers));
        return status(port, "live", all.toArray(String[]::new));
    }

    private static boolean isOpen(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void countsViewersBehindProxyByTheirOwnAddress() throws Exception {
        Peer.need("nginx", NGINX);
        int port = TestPort.free();
        try (Peer server =
                Peer.wishdir(
                        directory,
                        "serve",
                        "--quake3",
                        "127.0.0.1:0",
                        "--web",
                        "127.0.0.1:0",
                        "--web-allowed-host",
                        "map.example.org")) {
            Matcher page = PAGE.matcher(server.awaitLine("Live map: ", SOON));
            assertThat(page.find()).isTrue();
            try (Peer _ = nginx(port, "127.0.0.1:" + page.group(1))) {
                Peer.await("nginx listens", SOON, () -> isOpen(port));
                assertThat(status(port, "")).isEqualTo(200);
                for (int i = 0; i < 12; i++) {
                    assertThat(viewer(port)).as("viewer %d of this machine", i).isEqualTo(101);
                }
                List<Integer> ofOne = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    ofOne.add(viewer(port, "X-Forwarded-For: 10.0.0." + i + ", 192.0.2.7"));
                }
                assertThat(ofOne).containsExactly(101, 101, 101, 101, 101, 101, 101, 101, 503, 503);
                assertThat(viewer(port, "X-Forwarded-For: 192.0.2.8")).isEqualTo(101);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
