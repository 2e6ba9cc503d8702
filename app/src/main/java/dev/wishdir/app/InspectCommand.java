package dev.wishdir.app;

import com.google.gson.Gson;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.CaptureException;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.FieldFilter;
import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.JsonLines;
import dev.wishdir.inspect.TextListing;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * {@code inspect}: what captures or recordings hold, message by message.
 *
 * <p>It is longer than other classes because a reading needs all of the command's options.
 */
@Command(
        name = "inspect",
        sortOptions = false,
        preprocessor = RenamedOptions.class,
        description = {
            "Decode captures (pcap, pcapng) or demo files, packet by packet.",
            "The game of each UDP flow is detected."
        })
final class InspectCommand implements Callable<Integer> {
    /** Packets between two looks whether anybody still reads the output. */
    private static final int LOOK_UP = 256;

    /** Packets of several interfaces may stand in a capture a little out of order. */
    private static final double DISORDER = 1;

    /** The most players whose names are told instead of one that is not there. */
    private static final int MAX_NAMED_PLAYERS = 20;

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

    @Option(
            names = "--summary",
            description =
                    "Print totals of each connection instead: packets, bytes, rates,"
                            + " retransmissions, loss and round-trip times.")
    private boolean summary;

    @Option(
            names = "--message",
            paramLabel = "NAME",
            split = ",",
            description = "Print only messages and transport commands with these names.")
    private Set<String> names = Set.of();

    @Option(
            names = "--player",
            paramLabel = "NAME|PORT",
            description =
                    "Print only packets between the server and this player: its name, without"
                            + " colours and in any case, or its client's port.",
            defaultValue = "")
    private String player = "";

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
            names = "--where",
            paramLabel = "FIELD=VALUE",
            converter = Field.class,
            description =
                    "Print only lines with this field, given by its path: ps.origin.2=257. Can be"
                            + " repeated; lines must match all.")
    private List<FieldFilter> where = List.of();

    @Option(
            names = "--explain",
            description = "Print every field with its offset, bytes and meaning.")
    private boolean explain;

    @Option(names = "--json", description = "Print JSON lines.")
    private boolean json;

    /** The most names of messages, and of fields, that are remembered. */
    private static final int MAX_SEEN = 1000;

    private final Flows flows = new Flows(Inspector.MAX_FLOWS);
    private final Set<String> seenNames = new TreeSet<>();
    private final Set<String> seenFields = new TreeSet<>();
    private final List<String> unseenFields = new ArrayList<>();
    private int finished;

    /** Whether a part of the files was not read: what is in it is not known. */
    private boolean stopped;

    /** A field and its value on the command line. */
    static final class Field implements ITypeConverter<FieldFilter> {
        @Override
        public FieldFilter convert(String text) {
            try {
                return FieldFilter.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    InspectCommand(List<Game> games, ShutdownSignal shutdown, InputStream in, Terminal terminal) {
        this.games = games;
        this.shutdown = shutdown;
        this.in = in;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailedException {
        check();
        PrintWriter err = spec.commandLine().getErr();
        if (files.contains(STANDARD_INPUT)) {
            shutdown.listen();
        }
        int failed = 0;
        Reading reading = null;
        for (Path file : files.size() == 1 ? files : CaptureReader.inOrder(files)) {
            if (reading == null || !reading.isContinuedBy(file)) {
                if (reading != null) {
                    reading.finish();
                }
                reading = new Reading();
            }
            try {
                reading.run(file);
            } catch (CommandFailedException e) {
                if (files.size() == 1) {
                    reading.finish();
                    throw e;
                }
                err.println("wishdir: " + e.getMessage());
                failed++;
            }
        }
        if (reading != null) {
            reading.finish();
        }
        if (failed > 0) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        checkNames();
        return CommandLine.ExitCode.OK;
    }

    /**
     * Refuses names that no line of the files has, whatever else was asked for.
     *
     * <p>Which there may be only the files say: packets out of band are called by their first word.
     */
    private void checkNames() {
        if (stopped || seenNames.isEmpty() && seenFields.isEmpty()) {
            return;
        }
        for (String name : names) {
            if (seenNames.stream().noneMatch(name::equalsIgnoreCase)) {
                throw misused(
                        "no message here is called '"
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
                    "no line here has a field '"
                            + field
                            + "'"
                            + Suggestion.hint(field, seenFields, "")
                            + "; there are "
                            + String.join(", ", seenFields));
        }
    }

    private void check() {
        if (from > to) {
            throw misused("--from " + from + " is after --to " + to);
        }
        if (summary && (explain || !names.isEmpty() || !where.isEmpty())) {
            throw misused("--summary is of connections: it takes no --message, --where, --explain");
        }
        if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw misused("- can be read once");
        }
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    /** The reading of a capture, which may be in several files, or of a recording. */
    private final class Reading {
        private final PrintWriter out = spec.commandLine().getOut();
        private final PrintWriter err = spec.commandLine().getErr();
        private final MessageFilter.Question question =
                new MessageFilter.Question(names, player, from, to, where);
        private final Consumer<DissectedMessage> printer = printer();
        private final MessageFilter filter =
                new MessageFilter(question, message -> printer.accept(message));
        private final Function<Consumer<DissectedMessage>, Inspector> inspectors;
        private final List<String> read = new ArrayList<>();
        private final List<DissectedMessage> told = new ArrayList<>();
        private final int flowsBefore = flows.all().size();
        private final Inspector inspector;
        private Path file = STANDARD_INPUT;
        private String name = "";
        private @Nullable CaptureReader capture;
        private boolean failed;
        private int shown;

        Reading() throws CommandFailedException {
            inspectors = dissectors.inspector(games, explain);
            inspector = inspectors.apply(told::add);
        }

        /** Whether a file goes on with the capture that was read. */
        boolean isContinuedBy(Path next) {
            try {
                return capture != null && capture.isContinuedBy(next);
            } catch (IOException e) {
                // Reading it says why.
                return false;
            }
        }

        /** What prints lines; where there are several files they say of which they are. */
        private Consumer<DissectedMessage> printer() {
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
                if (read.isEmpty()) {
                    flows.begin(name);
                }
                read.add(name);
                if (file.equals(STANDARD_INPUT)) {
                    live();
                } else if (CaptureReader.recognises(file)) {
                    stored();
                } else if (!inspectors.apply(this::take).recording(file)) {
                    throw new CommandFailedException(
                            file
                                    + " is neither a capture (pcap, pcapng) nor a recording of a"
                                    + " game");
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
                        name + ": this program's own defect, please report it with the file: " + e,
                        e);
            } finally {
                out.flush();
            }
        }

        /** Says what of all files together is to be said. */
        void finish() {
            name = String.join(", ", read);
            if (capture != null) {
                leftOut(inspector, capture).ifPresent(err::println);
            }
            if (summary) {
                List<FlowSummary> all = flows.all().subList(flowsBefore, flows.all().size());
                if (!all.isEmpty() || !failed) {
                    summarise(all);
                }
            } else if (filter.printed() == 0 && !failed) {
                err.println(name + " holds " + nothing());
            }
            if (!failed && question.isOfAllTime()) {
                if (finished++ == 0) {
                    unseenFields.addAll(filter.unseen());
                } else {
                    unseenFields.retainAll(filter.unseen());
                }
            }
            out.flush();
        }

        /** What of all that was asked for is not there, as far as that shows. */
        private String nothing() {
            if (!filter.unseen().isEmpty()) {
                return "no field " + String.join(", ", filter.unseen()) + " in such lines";
            }
            if (!filter.isMet()) {
                return nobody(filter.names());
            }
            if (!player.isEmpty() || !where.isEmpty() || !question.isOfAllTime()) {
                return "nothing of what was asked for";
            }
            return names.isEmpty()
                    ? "nothing of a game that is known"
                    : "none of " + String.join(", ", names);
        }

        private String nobody(List<String> named) {
            List<String> known =
                    named.stream()
                            .filter(each -> !each.isEmpty())
                            .distinct()
                            .limit(MAX_NAMED_PLAYERS)
                            .map(TextListing::quoted)
                            .toList();
            return "no player "
                    + player
                    + (known.isEmpty() ? "" : "; there are " + String.join(", ", known));
        }

        private void stored() throws IOException {
            CaptureReader before = capture;
            try (FileChannel channel = FileChannel.open(file);
                    InputStream stream = Channels.newInputStream(channel);
                    CaptureReader next =
                            before == null ? CaptureReader.of(stream) : before.continuedBy(stream);
                    Progress progress = Progress.besideOutput(err, terminal)) {
                long size = channel.size();
                capture = next;
                read(next, () -> progress.at(name, channel.position(), size));
            }
        }

        private void live() throws IOException {
            try (Progress progress = Progress.besideOutput(err, terminal);
                    InterruptibleInput input = new InterruptibleInput(in, shutdown, out::flush);
                    CaptureReader live = CaptureReader.of(input)) {
                capture = live;
                read(live, () -> progress.at(name, live.position(), 0));
            } catch (CaptureException e) {
                // Who is asked to end does not wait for the rest of a packet.
                if (!shutdown.asked()) {
                    throw e;
                }
            }
        }

        private void read(CaptureReader capture, Step step) throws IOException {
            try {
                for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                    Datagram datagram = next.get();
                    inspector.datagram(datagram);
                    take(datagram, told);
                    told.clear();
                    if (datagram.time() > to + DISORDER && files.size() == 1) {
                        stopped = true;
                        return;
                    }
                    if (capture.frames() % LOOK_UP == 0) {
                        step.done();
                        if (out.checkError()) {
                            stopped = true;
                            return;
                        }
                    }
                }
            } finally {
                // What came before one that could not be explained.
                out.flush();
                told.clear();
            }
        }

        /** A line of a recording. */
        private void take(DissectedMessage message) {
            note(message);
            filter.take(message);
        }

        private void note(DissectedMessage message) {
            if (!names.isEmpty() && seenNames.size() < MAX_SEEN) {
                seenNames.add(message.name());
            }
            if (!where.isEmpty() && seenFields.size() < MAX_SEEN && filter.isNamed(message)) {
                seenFields.addAll(message.fields().keySet());
            }
        }

        private void take(Datagram datagram, List<DissectedMessage> told) {
            if (!summary) {
                for (DissectedMessage message : told) {
                    note(message);
                    filter.take(datagram.flow(message.direction()), message);
                }
            } else if (question.isIn(datagram.time())) {
                flows.count(datagram, told);
            }
        }

        private void summarise(List<FlowSummary> all) {
            Gson gson = new Gson();
            int printed = 0;
            for (FlowSummary flow : all) {
                if (!question.isMeant(flow.player(), flow.name())) {
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
                                + " holds "
                                + (all.isEmpty()
                                        ? "no connection of a game that is known"
                                        : nobody(all.stream().map(FlowSummary::name).toList())));
            }
        }
    }

    /** What is done now and then while a capture is read. */
    @FunctionalInterface
    private interface Step {
        void done() throws IOException;
    }

    /** What of a capture is not in the output, in one line. */
    private static Optional<String> leftOut(Inspector inspector, CaptureReader capture) {
        List<String> parts = new ArrayList<>();
        if (inspector.unclaimed() > 0) {
            parts.add(inspector.unclaimed() + " datagrams of no known game");
        }
        capture.skipped().forEach((why, count) -> parts.add(count + " packets " + why.label()));
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "of "
                                + capture.frames()
                                + " packets left out: "
                                + String.join(", ", parts));
    }
}
