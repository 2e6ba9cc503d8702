package dev.wishdir.app.proxy;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.Version;
import dev.wishdir.app.command.Web;
import dev.wishdir.app.inspect.MessageOptions;
import dev.wishdir.app.log.AsyncLineWriter;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.inspect.output.TextListing;
import dev.wishdir.net.PortException;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.explore.Explorer;
import dev.wishdir.web.explore.LiveControl;
import dev.wishdir.web.explore.LiveIndex;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The options that show what passes a proxy, and their consumers. */
final class WatchOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--print",
            description =
                    "Print a line for each message and transport command, as inspect does. So do"
                            + " the next options.")
    private boolean print;

    @Option(
            names = "--explain",
            description = "Print every field with its offset, bytes and meaning.")
    private boolean explain;

    @Option(names = "--json", description = "Print JSON lines.")
    private boolean json;

    @Mixin private MessageOptions messages = new MessageOptions();

    @Option(
            names = "--pcap",
            paramLabel = "FILE",
            description =
                    "Capture the datagrams as the clients send and receive them, with the addresses"
                            + " of clients and server. A new file, readable by its owner.")
    private @Nullable Path pcap;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description =
                    "Record the movement of players as MCAP, as wishdir record does. A new file.")
    private @Nullable Path record;

    @Option(
            names = "--web",
            paramLabel = "[ADDR]:PORT",
            description =
                    "Show the session in browsers, where faults can be changed: PORT (on"
                            + " 127.0.0.1), ADDR or ADDR:PORT. Every browser that reaches the page"
                            + " shows all traffic.",
            defaultValue = "off")
    private String web = "off";

    @Option(
            names = "--web-allowed-host",
            paramLabel = "NAME",
            description =
                    "Another host name under which browsers request the page, for example that of"
                            + " a reverse proxy. Can be repeated.")
    private List<String> webHosts = List.of();

    @Option(
            names = "--web-memory",
            paramLabel = "MB",
            description =
                    "Memory of the newest datagrams and messages that the page has, at least 4"
                            + " (default ${DEFAULT-VALUE}).",
            defaultValue = "64")
    private int webMegabytes;

    /**
     * Result of the options.
     *
     * @param printer empty if nothing is printed
     * @param index what the page shows; empty if there is no page
     */
    record Watched(
            List<TrafficConsumer> consumers,
            Optional<MessagePrinter> printer,
            Optional<LiveIndex> index) {}

    /** Opens a further consumer. */
    @FunctionalInterface
    interface ConsumerFactory {
        /**
         * @param start when the proxy started, on its clock
         * @param epochNanos the same time, nanoseconds since 1970
         */
        TrafficConsumer open(Game game, long start, long epochNanos) throws IOException;
    }

    private Optional<ConsumerFactory> further = Optional.empty();

    /** Adds a consumer to those of the options. */
    void add(ConsumerFactory consumer) {
        further = Optional.of(consumer);
    }

    private boolean prints() {
        return print || explain || json || messages.isAny();
    }

    /** Whether messages are printed or recorded, so that an encrypted game shows nothing. */
    boolean needsContent() {
        return prints() || record != null || !web.equals("off");
    }

    /**
     * Opens the files.
     *
     * @param start when the proxy starts, on its clock
     * @param lines takes printed lines
     * @throws CommandFailedException if a file exists or cannot be written
     */
    Watched open(
            Game game, InetSocketAddress server, long start, Instant time, AsyncLineWriter lines)
            throws CommandFailedException {
        DistinctFiles files = new DistinctFiles();
        files.addOutput("--pcap", pcap);
        files.addOutput("--record", record);
        for (String same : files.problems()) {
            throw new CommandLine.ParameterException(spec.commandLine(), same);
        }
        long epochNanos = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
        List<TrafficConsumer> consumers = new ArrayList<>();
        try {
            if (further.isPresent()) {
                consumers.add(further.get().open(game, start, epochNanos));
            }
            if (pcap != null) {
                consumers.add(new CaptureFile(create(pcap), start, epochNanos));
            }
            if (record != null) {
                RecordingInfo info =
                        new RecordingInfo(
                                "Wishdir " + Version.text(), PortException.text(server), "", time);
                RecordingWriter writer =
                        RecordingWriter.create(
                                record, info, Optional.empty(), RecordingOptions.DEFAULT);
                consumers.add(new MovementRecorder(game, writer, start, epochNanos));
            }
            Optional<MessagePrinter> printer = Optional.empty();
            if (prints()) {
                printer =
                        Optional.of(
                                new MessagePrinter(
                                        game.name(),
                                        game.dissector(explain, Optional.empty()),
                                        messages.query(),
                                        start,
                                        listing(lines)));
                consumers.add(printer.get());
            }
            Optional<LiveIndex> index = Optional.empty();
            if (!web.equals("off")) {
                index = Optional.of(index(game, server));
                Dissector dissector = game.dissector(true, Optional.empty());
                consumers.add(
                        new IndexFeeder(game.name(), dissector, index.get(), start, epochNanos));
            }
            return new Watched(consumers, printer, index);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    e.getMessage() + " exists and is not overwritten: name another file", e);
        } catch (IOException e) {
            throw new CommandFailedException("cannot write: " + ExceptionMessage.of(e), e);
        }
    }

    private LiveIndex index(Game game, InetSocketAddress server) {
        try {
            String title = game.title() + ", " + PortException.text(server);
            return new LiveIndex(
                    title,
                    Math.multiplyFull(webMegabytes, 1 << 20),
                    Games.movements(List.of(game)));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--web-memory: " + e.getMessage());
        }
    }

    /**
     * Starts the page.
     *
     * @return null if there is none
     */
    @Nullable WebServer serve(Watched watched, LiveControl control) throws CommandFailedException {
        return watched.index().isEmpty()
                ? null
                : Web.start(web, webHosts, List.of(new Explorer(watched.index().get(), control)));
    }

    /** Opens a new file, which only its owner may read where the file system supports that. */
    private static OutputStream create(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        boolean posix =
                folder != null
                        && folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] owner =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        return Channels.newOutputStream(
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        owner));
    }

    private Consumer<DissectedMessage> listing(AsyncLineWriter lines) {
        if (json) {
            return message -> lines.accept(JsonLines.written(message).line());
        }
        return message -> {
            StringWriter text = new StringWriter();
            new TextListing(new PrintWriter(text)).accept(message);
            lines.accept(text.toString().stripTrailing());
        };
    }
}
