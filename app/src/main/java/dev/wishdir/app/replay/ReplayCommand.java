package dev.wishdir.app.replay;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.RecordedTime;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.Web;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.map.ReplayPage;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** {@code replay}: plays a recording in a browser, or writes a clip of it. */
@Command(
        name = "replay",
        sortOptions = false,
        description = {
            "Play a recording in a browser: the live map's page with a timeline, speeds from 1/8"
                    + " to 32, following, and clips.",
            "With --clip, write a part of the recording to a file instead."
        },
        footer = {
            "",
            "T is seconds from the start of the recording (90, 1:30, 1:02:03.5) or a time such as"
                    + " 2026-11-25T20:00:00Z.",
            "Exit status: 0 if the recording was played or the clip written; 1 if it could not be"
                    + " read or written; 2 for wrong usage."
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final long FOREVER = Long.MAX_VALUE;

    private final ShutdownSignal shutdown;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            description =
                    "Recording (.mcap), such as one that serve --record has written; or a capture"
                            + " or demo as for record --from.")
    private Path file = Path.of("");

    @Option(
            names = "--web",
            paramLabel = "ADDR",
            description =
                    "Address of the page: PORT (on 127.0.0.1), ADDR or ADDR:PORT (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "127.0.0.1:8262")
    private String web = "";

    @Option(names = "--open", description = "Open the page in the browser of this machine.")
    private boolean open;

    @Option(
            names = "--clip",
            paramLabel = "OUT",
            description = "Write the part from --from to --to to a recording of its own, and end.")
    private @Nullable Path clip;

    @Option(
            names = "--from",
            paramLabel = "T",
            converter = RecordedTime.Converter.class,
            description = "Start of the clip (default: that of the recording).")
    private @Nullable RecordedTime from;

    @Option(
            names = "--to",
            paramLabel = "T",
            converter = RecordedTime.Converter.class,
            description = "End of the clip (default: that of the recording).")
    private @Nullable RecordedTime to;

    /**
     * @param shutdown ends the pages
     */
    public ReplayCommand(ShutdownSignal shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (clip == null && (from != null || to != null)) {
            throw misuse("--from and --to are those of a clip: add --clip OUT");
        }
        if (clip != null && open) {
            throw misuse("--clip writes a file, --open shows the recording: choose one of them");
        }
        try (PlayableRecording recording =
                PlayableRecording.open(file, spec.commandLine().getErr())) {
            if (clip != null) {
                write(recording.file(), clip);
            } else {
                play(recording);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private CommandLine.ParameterException misuse(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private void play(PlayableRecording recording) throws CommandFailedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        shutdown.listen();
        ReplayPage page =
                new ReplayPage(
                        recording.file(),
                        String.valueOf(file.getFileName()),
                        recording.arena(),
                        String.join(" ", recording.notices()),
                        Games.weaponNames(Games.ALL));
        try (WebServer server = Web.start(web, List.of(), List.of(page))) {
            if (server == null) {
                throw misuse("--web must be an address: replay needs its page");
            }
            String url = server.url() + "replay.html";
            recording.notices().forEach(err::println);
            err.flush();
            out.println(file + ": " + url);
            out.println("Press Ctrl-C to stop.");
            out.flush();
            if (open) {
                open(url, err);
            }
            while (!shutdown.await(1, TimeUnit.HOURS)) {
                // Until the signal.
            }
        }
    }

    private static void open(String url, PrintWriter err) {
        try {
            Browser.open(url);
        } catch (IOException e) {
            err.println(
                    "cannot open a browser ("
                            + ExceptionMessage.of(e)
                            + "): open "
                            + url
                            + " yourself");
            err.flush();
        }
    }

    private void write(Path source, Path target) throws CommandFailedException {
        try (Recording recording = Recording.open(source)) {
            long start = recording.startNanos();
            long begin = from == null ? start : from.since1970(start);
            long end = to == null ? FOREVER : to.since1970(start);
            double seconds = (recording.endNanos() - start) / 1e9;
            if (begin >= end || end <= start || begin > recording.endNanos()) {
                throw new CommandFailedException(
                        String.format(
                                Locale.ROOT,
                                "--from and --to must be a part of the recording, which has %.3f"
                                        + " seconds",
                                seconds));
            }
            recording.copy(begin, end, target, RecordingOptions.DEFAULT);
            spec.commandLine()
                    .getOut()
                    .println("wrote " + target + ", " + Files.size(target) + " bytes");
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    target + " exists: recordings are never overwritten; give another name", e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot write " + target + ": " + ExceptionMessage.of(e), e);
        }
    }
}
