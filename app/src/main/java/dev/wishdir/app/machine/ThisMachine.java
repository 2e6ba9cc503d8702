package dev.wishdir.app.machine;

import dev.wishdir.net.netty.KernelFile;
import dev.wishdir.net.netty.NettyLoop;

import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine on which the program runs. */
public final class ThisMachine implements Machine {
    private static final int TIMEOUT_MILLIS = 1000;
    private static final String PROC = "/proc";
    private static final List<String> ROOT_PATH_FOLDERS = List.of("/usr/sbin", "/sbin");

    private final Clock clock = Clock.systemUTC();
    private final Path root;

    public ThisMachine() {
        this(Path.of("/"));
    }

    /**
     * @param root the folder that stands for {@code /}, to test with other files
     */
    public ThisMachine(Path root) {
        this.root = root;
    }

    private Path at(Path file) {
        return file.isAbsolute() ? root.resolve(Path.of("/").relativize(file)) : file;
    }

    @Override
    public int java() {
        return Runtime.version().feature();
    }

    @Override
    public Optional<String> slowSockets() {
        return NettyLoop.epollUnavailableReason();
    }

    @Override
    public Optional<String> read(Path file) {
        try {
            return Optional.of(KernelFile.read(at(file)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean isRoot() {
        return read(Path.of(PROC, "self", "status")).stream()
                .flatMap(String::lines)
                .anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    }

    @Override
    public boolean isInstalled(String program) {
        String path = String.valueOf(System.getenv("PATH"));
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), ROOT_PATH_FOLDERS.stream())
                .anyMatch(folder -> Files.isExecutable(at(Path.of(folder, program))));
    }

    @Override
    public Optional<Owner> owner(String inode) {
        String socket = "socket:[" + inode + "]";
        try (Stream<Path> processes = Files.list(at(Path.of(PROC)))) {
            return processes
                    .filter(process -> String.valueOf(process.getFileName()).matches("\\d+"))
                    .filter(process -> has(process, socket))
                    .findFirst()
                    .map(process ->
                            new Owner(
                                    Long.parseLong(String.valueOf(process.getFileName())),
                                    program(process)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A process's program; of Java's processes that of Wishdir, with its command. */
    private static String program(Path process) {
        try {
            List<String> words = List.of(KernelFile.read(process.resolve("cmdline")).split("\0"));
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).endsWith("wishdir.jar")) {
                    return "wishdir" + (i + 1 < words.size() ? " " + words.get(i + 1) : "");
                }
            }
            return KernelFile.read(process.resolve("comm")).strip();
        } catch (IOException e) {
            return "?";
        }
    }

    private static boolean has(Path process, String socket) {
        try (Stream<Path> open = Files.list(process.resolve("fd"))) {
            return open.anyMatch(file -> {
                try {
                    return Files.readSymbolicLink(file).toString().equals(socket);
                } catch (IOException e) {
                    return false;
                }
            });
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public List<InetAddress> addresses() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(ThisMachine::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface each) {
        try {
            return each.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public Optional<String> echo(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            byte[] sent = "wishdir".getBytes(StandardCharsets.US_ASCII);
            socket.send(new DatagramPacket(sent, sent.length, socket.getLocalSocketAddress()));
            socket.receive(new DatagramPacket(new byte[64], 64));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Optional<String> bind(boolean tcp, InetSocketAddress address) {
        try {
            if (tcp) {
                new ServerSocket(address.getPort(), 1, address.getAddress()).close();
            } else {
                new DatagramSocket(address).close();
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Optional<String> run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            try (var out = process.getInputStream()) {
                process.onExit()
                        .completeOnTimeout(process, TIMEOUT_MILLIS * 3L, TimeUnit.MILLISECONDS)
                        .thenAccept(Process::destroyForcibly);
                String output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
                return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public Instant now() {
        return clock.instant();
    }
}
