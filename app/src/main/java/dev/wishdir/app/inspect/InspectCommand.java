package dev.wishdir.app.inspect;

import com.google.gson.Gson;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.Suggestion;
import dev.wishdir.app.terminal.Progress;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureException;
import dev.wishdir.inspect.capture.CaptureFile;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.inspect.output.TextListing;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Quantity;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * {@code inspect}: prints the messages in captures or recordings. Long, because reading needs all
 * of the command's options.
 */
@Command(
        name = "inspect",
        sortOptions = false,
        description = {
            "Decode captures (pcap, pcapng) or demo files, packet by packet.",
            "The game of each UDP flow is detected."
        },
        footer = {
            "",
            "Exit status: 0 if all files were read; 1 if a file could not be read to its end; 2 for"
                + " wrong usage, or if no message has a name of --message or a field of --where."
        })
public final class InspectCommand implements Callable<Integer> {
    /** Number of packets after which it is checked again that the output is still read. */
    private static final int PACKETS_PER_CHECK = 256;

    /** Largest disorder of packets of several interfaces in a capture. */
    private static final double MAX_REORDERING_SECONDS = 1;

    /** Maximum number of names that the message about an absent player lists. */
    private static final int MAX_LISTED_PLAYERS = 20;

    private static final Path STANDARD_INPUT = Path.of("-");

    private final List<Game> games;
    private final ShutdownSignal shutdown;
    private final InputStream in;
    private final Terminal terminal;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Captures or recordings. Consecutive captures are read as one. - is a capture"
                            + " on standard input, such as from tcpdump -U -w -.")
    private List<Path> files = List.of();

    @Mixin private DissectorOptions dissectors = new DissectorOptions();

    @Mixin private MessageOptions selected = new MessageOptions();

    @Option(
            names = "--summary",
            description =
                    "Print totals of each connection instead: packets, bytes, rates,"
                            + " retransmissions, loss and round-trip times.")
    private boolean summary;

    @Option(
            names = "--from",
            paramLabel = "S",
            description = "Print nothing before this second of the capture.")
    private double from = Double.NEGATIVE_INFINITY;

    @Option(
            names = "--to",
            paramLabel = "S",
            description = "Print nothing after this second of the capture.")
    private double to = Double.POSITIVE_INFINITY;

    @Option(
            names = "--explain",
            description = "Print every field with its offset, bytes and meaning.")
    private boolean explain;

    @Option(names = "--json", description = "Print JSON lines.")
    private boolean json;

    /** Maximum number of message names, and of fields, that are remembered for error messages. */
    private static final int MAX_SEEN = 1000;

    private final Flows flows = new Flows(Inspector.MAX_FLOWS);
    private final Set<String> seenNames = new TreeSet<>();
    private final Set<String> seenFields = new TreeSet<>();
    private final List<String> unseenFields = new ArrayList<>();
    private int finished;

    /** Whether reading stopped early, so that absent names may be in the rest. */
    private boolean stopped;

    public InspectCommand(
            List<Game> games, ShutdownSignal shutdown, InputStream in, Terminal terminal) {
        this.games = games;
        this.shutdown = shutdown;
        this.in = in;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailedException {
        check();
        PrintWriter err = spec.commandLine().getErr();
        files = DistinctFiles.inputs(files, err);
        if (files.stream().anyMatch(it -> it.equals(STANDARD_INPUT) || SeekableFile.isStream(it))) {
            shutdown.listen();
        }
        int failed = 0;
        CapturePrinter printer = null;
        for (Path file : files.size() == 1 ? files : CaptureReader.inOrder(files)) {
            if (printer == null || !printer.isContinuedBy(file)) {
                if (printer != null) {
                    printer.finish();
                }
                printer = new CapturePrinter();
            }
            try {
                printer.run(file);
            } catch (CommandFailedException e) {
                if (files.size() == 1) {
                    printer.finish();
                    throw e;
                }
                err.println("wishdir: " + e.getMessage());
                failed++;
            }
        }
        if (printer != null) {
            printer.finish();
        }
        if (failed > 0) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        checkNames();
        return CommandLine.ExitCode.OK;
    }

    /**
     * Rejects names of {@code --message} and {@code --where} that no line of the files has,
     * whatever the other filters are.
     *
     * <p>Only the files say which names exist: out-of-band packets are named by their first word.
     */
    private void checkNames() {
        if (stopped || seenNames.isEmpty() && seenFields.isEmpty()) {
            return;
        }
        for (String name : selected.names()) {
            if (seenNames.stream().noneMatch(name::equalsIgnoreCase)) {
                throw misused(
                        "no message is called '"
                                + name
                                + "'"
                                + Suggestion.hint(name, seenNames, "")
                                + "; there are "
                                + String.join(", ", seenNames));
            }
        }
        if (!unseenFields.isEmpty()) {
            String field = unseenFields.getFirst();
            throw misused(
                    "no message has a field '"
                            + field
                            + "'"
                            + Suggestion.hint(field, seenFields, "")
                            + "; there are "
                            + String.join(", ", siblings(field)));
        }
    }

    /** The fields in the innermost field on a path that exists; those of messages if none does. */
    private List<String> siblings(String path) {
        String parent = path;
        do {
            parent = parent.substring(0, Math.max(0, parent.lastIndexOf('.')));
        } while (!parent.isEmpty() && !seenFields.contains(parent));
        String prefix = parent.isEmpty() ? "" : parent + ".";
        List<String> found =
                seenFields.stream()
                        .filter(it -> it.startsWith(prefix))
                        .filter(it -> it.indexOf('.', prefix.length()) < 0)
                        .toList();
        return found.isEmpty() ? List.of(parent) : found;
    }

    private void check() {
        if (from > to) {
            throw misused("--from " + from + " is after --to " + to);
        }
        if (summary && (explain || !selected.names().isEmpty() || !selected.where().isEmpty())) {
            throw misused(
                    "--summary prints connections: it cannot be combined with --message, --where or"
                            + " --explain");
        }
        if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw misused("- (standard input) can be given only once");
        }
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    /** Prints a recording, or a capture, which may consist of several files. */
    private final class CapturePrinter {
        private final PrintWriter out = spec.commandLine().getOut();
        private final PrintWriter err = spec.commandLine().getErr();
        private final MessageFilter.Query query = selected.query(from, to);
        private final MessageFilter filter = new MessageFilter(query, listing());
        private final Function<Consumer<DissectedMessage>, Inspector> inspectors;
        private final List<String> fileNames = new ArrayList<>();
        private final List<DissectedMessage> messages = new ArrayList<>();
        private final int flowsBefore = flows.all().size();
        private final Inspector inspector;
        private Path file = STANDARD_INPUT;
        private String name = "";
        private @Nullable CaptureReader capture;
        private boolean failed;
        private int shown;

        CapturePrinter() throws CommandFailedException {
            inspectors = dissectors.inspector(games, explain);
            inspector = inspectors.apply(messages::add);
        }

        /** Whether a file continues the capture that was read. */
        boolean isContinuedBy(Path next) {
            try {
                return capture != null
                        && !SeekableFile.isStream(next)
                        && capture.isContinuedBy(next);
            } catch (IOException e) {
                // Reading it reports the reason.
                return false;
            }
        }

        /** Prints lines; with several files, after the name of their file. */
        private Consumer<DissectedMessage> listing() {
            boolean named = files.size() > 1;
            if (json) {
                JsonLines lines = new JsonLines(out);
                return message -> {
                    if (named && shown++ == 0) {
                        lines.begin(name);
                    }
                    lines.accept(message);
                };
            }
            TextListing lines = new TextListing(out);
            return message -> {
                if (named && shown++ == 0) {
                    out.println(name + ":");
                }
                lines.accept(message);
            };
        }

        void run(Path next) throws CommandFailedException {
            file = next;
            name = file.equals(STANDARD_INPUT) ? "standard input" : file.toString();
            shown = 0;
            try {
                if (fileNames.isEmpty()) {
                    flows.begin(name);
                }
                fileNames.add(name);
                if (file.equals(STANDARD_INPUT) || SeekableFile.isStream(file)) {
                    readStream();
                } else {
                    readFile();
                }
            } catch (CommandFailedException e) {
                failed = true;
                throw e;
            } catch (CaptureException | MalformedPacketException e) {
                failed = true;
                throw new CommandFailedException(name + ": " + e.getMessage(), e);
            } catch (IOException e) {
                failed = true;
                throw DissectorOptions.unreadable(file, e);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                failed = true;
                throw new CommandFailedException(
                        name + ": a defect of wishdir; please report it with the file: " + e, e);
            } finally {
                out.flush();
            }
        }

        /** Prints what concerns all files of the capture together. */
        void finish() {
            name = String.join(", ", fileNames);
            if (capture != null) {
                leftOut(inspector, capture).ifPresent(err::println);
            }
            if (summary) {
                List<FlowSummary> all = flows.all().subList(flowsBefore, flows.all().size());
                if (!all.isEmpty() || !failed) {
                    summarise(all);
                }
            } else if (filter.printed() == 0 && !failed) {
                err.println(name + ": " + emptyReason());
            }
            if (!failed && query.isUnboundedTime()) {
                if (finished++ == 0) {
                    unseenFields.addAll(filter.missingFields());
                } else {
                    unseenFields.retainAll(filter.missingFields());
                }
            }
            out.flush();
        }

        /** Reason for which nothing was printed. */
        private String emptyReason() {
            if (!filter.missingFields().isEmpty()) {
                return "no message that passes the other filters has a field "
                        + String.join(", ", filter.missingFields());
            }
            if (!filter.hasPlayer()) {
                return noPlayer(filter.names());
            }
            if (!selected.player().isEmpty()
                    || !selected.where().isEmpty()
                    || !query.isUnboundedTime()) {
                return "no message passes the filters";
            }
            return selected.names().isEmpty()
                    ? "no message of a known game"
                    : "no message " + String.join(", ", selected.names());
        }

        private String noPlayer(List<String> named) {
            List<String> known =
                    named.stream()
                            .filter(each -> !each.isEmpty())
                            .distinct()
                            .limit(MAX_LISTED_PLAYERS)
                            .map(TextListing::quoted)
                            .toList();
            return "no player "
                    + selected.player()
                    + (known.isEmpty() ? "" : "; there are " + String.join(", ", known));
        }

        private void readFile() throws IOException, CommandFailedException {
            try (FileChannel channel = FileChannel.open(file);
                    CaptureFile opened = CaptureFile.of(Channels.newInputStream(channel));
                    Progress progress = Progress.unlessOutputIsTerminal(err, terminal)) {
                long size = channel.size();
                read(opened, () -> progress.update(name, channel.position(), size));
            }
        }

        /** Reads the standard input, or a pipe, only once and as it comes. */
        private void readStream() throws IOException, CommandFailedException {
            InputStream stream = file.equals(STANDARD_INPUT) ? in : Files.newInputStream(file);
            try (Progress progress = Progress.unlessOutputIsTerminal(err, terminal);
                    InterruptibleInput input =
                            new InterruptibleInput(stream, shutdown, out::flush);
                    CaptureFile opened = CaptureFile.of(input)) {
                read(
                        opened,
                        () -> progress.update(name, capture == null ? 0 : capture.position(), 0));
            } catch (CaptureException | CommandFailedException e) {
                // A command that is asked to end does not wait for the rest of a packet.
                if (!shutdown.isRequested()) {
                    throw e;
                }
            }
        }

        private void read(CaptureFile opened, Step step)
                throws IOException, CommandFailedException {
            if (opened.isCapture()) {
                CaptureReader next = opened.reader(capture);
                capture = next;
                read(next, step);
            } else if (!inspectors
                    .apply(this::onRecordedMessage)
                    .recording(String.valueOf(file.getFileName()), opened)) {
                throw new CommandFailedException(
                        name
                                + " is neither a capture (pcap, pcapng) nor a demo file of a game;"
                                + " convert other captures with editcap -F pcapng IN OUT");
            }
        }

        private void read(CaptureReader capture, Step step) throws IOException {
            try {
                for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                    Datagram datagram = next.get();
                    inspector.datagram(datagram);
                    onDatagram(datagram, messages);
                    messages.clear();
                    if (datagram.time() > to + MAX_REORDERING_SECONDS && files.size() == 1) {
                        stopped = true;
                        return;
                    }
                    if (capture.frames() % PACKETS_PER_CHECK == 0) {
                        step.run();
                        if (out.checkError()) {
                            stopped = true;
                            return;
                        }
                    }
                }
            } finally {
                // The messages before a packet that could not be decoded.
                out.flush();
                messages.clear();
            }
        }

        /** Handles a message of a recording. */
        private void onRecordedMessage(DissectedMessage message) {
            note(message);
            filter.accept(message);
        }

        private void note(DissectedMessage message) {
            if (!selected.names().isEmpty() && seenNames.size() < MAX_SEEN) {
                seenNames.add(message.name());
            }
            if (filter.lacksFields()
                    && seenFields.size() < MAX_SEEN
                    && filter.matchesName(message)) {
                noteFields("", message.fields());
            }
        }

        /** Notes the paths of all fields in a value; an item of a list has the path of the list. */
        private void noteFields(String prefix, @Nullable Object value) {
            if (value instanceof Map<?, ?> fields) {
                fields.forEach((name, field) -> {
                    if (seenFields.size() < MAX_SEEN) {
                        seenFields.add(prefix + name);
                        noteFields(prefix + name + ".", field);
                    }
                });
            } else if (value instanceof List<?> items) {
                items.forEach(item -> noteFields(prefix, item));
            }
        }

        private void onDatagram(Datagram datagram, List<DissectedMessage> messages) {
            if (!summary) {
                for (DissectedMessage message : messages) {
                    note(message);
                    filter.accept(datagram.flow(message.direction()), message);
                }
            } else if (query.includes(datagram.time())) {
                flows.count(datagram, messages);
            }
        }

        private void summarise(List<FlowSummary> all) {
            Gson gson = new Gson();
            int printed = 0;
            for (FlowSummary flow : all) {
                if (!query.matchesPlayer(flow.player(), flow.playerName())) {
                    continue;
                }
                printed++;
                if (json) {
                    out.println(gson.toJson(flow.figures()));
                } else {
                    if (files.size() > 1 && printed == 1) {
                        out.println(name + ":");
                    }
                    SummaryText.print(flow, out);
                }
            }
            if (printed == 0) {
                err.println(
                        name
                                + ": "
                                + (all.isEmpty()
                                        ? "no connection of a known game"
                                        : noPlayer(all.stream().map(FlowSummary::name).toList())));
            }
        }
    }

    /** Work that is done at intervals while a capture is read. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** A line about the packets of a capture that are not in the output. */
    private static Optional<String> leftOut(Inspector inspector, CaptureReader capture) {
        List<String> parts = new ArrayList<>();
        if (inspector.unclaimed() > 0) {
            parts.add(Quantity.of(inspector.unclaimed(), "datagram") + " of unknown protocols");
        }
        capture.skipped()
                .forEach((why, count) ->
                        parts.add(Quantity.of(count, "packet") + " " + why.label()));
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "of "
                                + Quantity.of(capture.frames(), "packet")
                                + " left out: "
                                + String.join(", ", parts));
    }
}
