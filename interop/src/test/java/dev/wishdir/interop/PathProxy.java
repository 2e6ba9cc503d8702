package dev.wishdir.interop;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A reverse proxy that shows a web server of this machine below a path, which it strips. */
final class PathProxy implements AutoCloseable {
    private static final String NOT_FOUND =
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private final String path;
    private final int port;
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    /**
     * Opens any port of this machine.
     *
     * @param path from the root, without a slash at its end
     * @param port of the web server
     */
    PathProxy(String path, int port) throws IOException {
        this.path = path;
        this.port = port;
        Thread.ofVirtual()
                .start(() -> {
                    while (!socket.isClosed()) {
                        try {
                            Socket from = socket.accept();
                            Thread.ofVirtual().start(() -> pass(from));
                        } catch (IOException _) {
                            // The proxy was closed.
                        }
                    }
                });
    }

    /** The page's own address. */
    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort() + path + "/";
    }

    private void pass(Socket from) {
        try (from;
                Socket to = new Socket(InetAddress.getLoopbackAddress(), port)) {
            InputStream in = new BufferedInputStream(from.getInputStream());
            Optional<String> head = stripped(head(in));
            if (head.isEmpty()) {
                from.getOutputStream().write(NOT_FOUND.getBytes(StandardCharsets.US_ASCII));
                return;
            }
            to.getOutputStream().write(head.get().getBytes(StandardCharsets.ISO_8859_1));
            Thread.ofVirtual().start(() -> copy(in, to));
            to.getInputStream().transferTo(from.getOutputStream());
        } catch (IOException _) {
            // One of both has ended.
        }
    }

    private static void copy(InputStream in, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException _) {
            // One of both has ended.
        }
    }

    /** The lines of a request before its body. */
    private static List<String> head(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.append((char) next);
                continue;
            }
            String whole = line.toString().strip();
            if (whole.isEmpty()) {
                break;
            }
            lines.add(whole);
            line.setLength(0);
        }
        return lines;
    }

    /** The request below the path, for one answer unless it becomes a WebSocket. */
    private Optional<String> stripped(List<String> lines) {
        if (lines.isEmpty() || !lines.getFirst().contains(" " + path + "/")) {
            return Optional.empty();
        }
        boolean upgrade =
                lines.stream()
                        .anyMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("upgrade:"));
        StringBuilder head = new StringBuilder();
        head.append(lines.getFirst().replaceFirst(" " + path, " ")).append("\r\n");
        lines.stream()
                .skip(1)
                .filter(line -> upgrade || !line.toLowerCase(Locale.ROOT).startsWith("connection:"))
                .forEach(line -> head.append(line).append("\r\n"));
        return Optional.of(head.append(upgrade ? "\r\n" : "Connection: close\r\n\r\n").toString());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
