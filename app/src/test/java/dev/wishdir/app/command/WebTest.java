package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.LiveMap;
import dev.wishdir.web.map.LivePlayers;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

class WebTest {
    private static WebServer start(String where) throws CommandFailedException {
        return Objects.requireNonNull(
                Web.start(
                        where,
                        List.of(),
                        List.of(
                                new LiveMap(
                                        new LivePlayers(WeaponNames.MEANS),
                                        List.of(),
                                        _ -> Optional.empty(),
                                        () -> 0))));
    }

    private static String status(WebServer server, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine()
                    .split(" ")[1];
        }
    }

    @Test
    @DisplayName("G9 the name that the operator typed is served, no other")
    void servesTypedName() throws Exception {
        try (WebServer server = start("localhost:0")) {
            assertThat(status(server, "localhost")).isEqualTo("200");
            assertThat(status(server, "map.example.org")).isEqualTo("403");
        }
    }

    @Test
    void servesNoPageWhenOff() throws CommandFailedException {
        assertThat(Web.start("off", List.of(), List.of())).isNull();
    }

    @Test
    void reportsPortInUseInOneLine() throws CommandFailedException {
        try (WebServer server = start("127.0.0.1:0")) {
            assertThatThrownBy(() -> start("127.0.0.1:" + server.port()))
                    .isInstanceOf(CommandFailedException.class)
                    .hasMessageContaining("cannot bind TCP 127.0.0.1:" + server.port());
        }
    }
}
