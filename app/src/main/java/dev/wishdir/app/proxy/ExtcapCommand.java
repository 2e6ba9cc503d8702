package dev.wishdir.app.proxy;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.Version;
import dev.wishdir.game.Game;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * {@code extcap}: a capture program of Wireshark, with an interface for each game that is a proxy.
 * Source: extcap(4) of Wireshark.
 */
@Command(
        name = "extcap",
        sortOptions = false,
        description = {
            "Let Wireshark capture what passes a proxy, with explanations.",
            "Wireshark calls the command itself, once --install has put a launcher into its"
                    + " folder. An interface is a proxy for one game: clients connect to it, and"
                    + " each packet has its explanation as comments."
        },
        footer = {
            "",
            "Exit status: 0 success; 1 if a file or pipe could not be written or the port could not"
                    + " be bound; 2 for wrong usage."
        })
public final class ExtcapCommand implements Callable<Integer> {
    private static final String PREFIX = "wishdir-";
    private static final String LAUNCHER = "wishdir";

    /** The number of raw IP in Linux's libpcap; in files it is 101. */
    private static final int DLT_RAW = 12;

    private static final int MIN_REPORT_CHARS = 4096;

    /** The last characters of what is written, at least {@link #MIN_REPORT_CHARS}. */
    private static final class LastText extends StringWriter {
        @Override
        public void write(String text, int offset, int length) {
            super.write(text, offset, length);
            StringBuffer all = getBuffer();
            if (all.length() > 2 * MIN_REPORT_CHARS) {
                all.delete(0, all.length() - MIN_REPORT_CHARS);
            }
        }
    }

    private final List<Game> games;
    private final ShutdownSignal shutdown;
    private final Class<?> main;

    @Spec private CommandSpec spec;

    @Option(
            names = "--install",
            arity = "0..1",
            paramLabel = "DIR",
            fallbackValue = "",
            description =
                    "Write the launcher into the user's folders for Wireshark's capture programs,"
                            + " or into this one.")
    private @Nullable String install;

    @Mixin private ExtcapCall called = new ExtcapCall();

    @Option(
            names = "--to",
            paramLabel = "HOST[:PORT]",
            description = "The server, as for wishdir proxy.")
    private String to = "";

    @Option(
            names = "--listen",
            paramLabel = "[ADDR]:PORT",
            description = "Address for clients, as for wishdir proxy.")
    private String listen = "";

    @Option(names = "--loss", paramLabel = "PERCENT", description = "Lose this share.")
    private String loss = "";

    @Option(names = "--delay", paramLabel = "MS", description = "Delay each datagram.")
    private String delay = "";

    @Option(names = "--jitter", paramLabel = "MS", description = "Further random delay.")
    private String jitter = "";

    @Option(
            names = "--explain",
            description = "Comment every field instead of only the values of a message.")
    private boolean explain;

    @Option(names = "--allow-public", description = "Allow a public address of the server.")
    private boolean allowPublic;

    /**
     * @param main the class that the launcher starts
     */
    public ExtcapCommand(List<Game> games, ShutdownSignal shutdown, Class<?> main) {
        this.games = games;
        this.shutdown = shutdown;
        this.main = main;
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (install != null) {
            install(install.isEmpty() ? personalFolders() : List.of(Path.of(install)));
            return CommandLine.ExitCode.OK;
        } else if (called.interfaces || called.version != null && called.name.isEmpty()) {
            print(interfaces());
            return CommandLine.ExitCode.OK;
        }
        Game game = game();
        if (called.dlts) {
            print("dlt {number=" + DLT_RAW + "}{name=RAW}{display=Raw IP}\n");
        } else if (called.config) {
            print(config(game));
        } else if (called.capture) {
            return capture(game);
        } else if (called.filter != null) {
            // Wireshark asks whether a capture filter is valid: what is printed is why not.
            print(called.filter.isEmpty() ? "" : "capture filters are not supported\n");
        } else {
            throw misused(
                    "nothing to do: --extcap-dlts, --extcap-config or --capture after"
                            + " --extcap-interface");
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    private String interfaces() {
        StringBuilder text = new StringBuilder("extcap {version=");
        text.append(value(Version.text())).append("}{display=Wishdir}\n");
        if (called.interfaces) {
            for (Game game : games) {
                text.append("interface {value=").append(PREFIX).append(game.name());
                text.append("}{display=").append(value(game.title())).append(" (proxy)}\n");
            }
        }
        return text.toString();
    }

    /** A text as a value of extcap, which has no escapes. */
    private static String value(String text) {
        return text.replaceAll("[{}\\p{Cntrl}]", "_");
    }

    private Game game() {
        return games.stream()
                .filter(game -> called.name.equals(PREFIX + game.name()))
                .findFirst()
                .orElseThrow(() ->
                        misused(
                                "--extcap-interface is '"
                                        + called.name
                                        + "'; there are "
                                        + games.stream()
                                                .map(game -> PREFIX + game.name())
                                                .collect(Collectors.joining(", "))));
    }

    private static String config(Game game) {
        List<String> arguments =
                List.of(
                        "{call=--to}{display=Server}{type=string}{required=true}{placeholder=HOST:"
                                + game.port()
                                + "}{tooltip=The server to which datagrams are passed}",
                        "{call=--listen}{display=Listen}{type=string}{placeholder="
                                + game.port()
                                + "}{tooltip=The port for clients, by default the game's usual"
                                + " one}",
                        "{call=--explain}{display=Explain every field}{type=boolflag}"
                                + "{default=false}",
                        "{call=--allow-public}{display=Allow a public server}{type=boolflag}"
                                + "{default=false}",
                        "{call=--loss}{display=Loss in percent}{type=double}{range=0,100}"
                                + "{group=Faults}",
                        "{call=--delay}{display=Delay in ms}{type=double}{range=0,10000}"
                                + "{group=Faults}",
                        "{call=--jitter}{display=Jitter in ms}{type=double}{range=0,10000}"
                                + "{group=Faults}");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            text.append("arg {number=").append(i).append('}').append(arguments.get(i)).append('\n');
        }
        return text.toString();
    }

    private int capture(Game game) throws CommandFailedException {
        Path fifo = called.fifo;
        if (fifo == null || to.isEmpty()) {
            throw misused("--capture needs --fifo and --to");
        }
        if (called.filter != null && !called.filter.isEmpty()) {
            throw misused("--extcap-capture-filter is not supported; use a display filter");
        }
        CommandLine proxy =
                Objects.requireNonNull(spec.root().commandLine().getSubcommands().get("proxy"));
        List<String> arguments = new ArrayList<>(List.of(game.name(), "--to", to));
        add(arguments, "--listen", listen);
        add(arguments, "--loss", loss);
        add(arguments, "--delay", delay);
        add(arguments, "--jitter", jitter);
        if (allowPublic) {
            arguments.add("--allow-public");
        }
        // Wireshark shows what a capture program prints as an error.
        PrintWriter err = spec.commandLine().getErr();
        LastText report = new LastText();
        proxy.setErr(new PrintWriter(report, true));
        ProxyCommand command = proxy.getCommand();
        command.add((played, start, epochNanos) ->
                new ExplainedCapture(
                        open(fifo),
                        called.name,
                        played.dissector(explain, Optional.empty()),
                        shutdown::request,
                        start,
                        epochNanos));
        int status = proxy.execute(arguments.toArray(String[]::new));
        if (status != CommandLine.ExitCode.OK) {
            err.print(report);
            err.flush();
        }
        return status;
    }

    private static void add(List<String> arguments, String option, String value) {
        if (!value.isEmpty()) {
            arguments.add(option);
            arguments.add(value);
        }
    }

    /** Opens a pipe that Wireshark has made; never a file, which would be overwritten. */
    private static OutputStream open(Path fifo) throws IOException {
        if (!Files.exists(fifo) || Files.isRegularFile(fifo) || Files.isDirectory(fifo)) {
            throw new IOException(fifo + " is not a pipe");
        }
        return Files.newOutputStream(fifo, java.nio.file.StandardOpenOption.WRITE);
    }

    /** The user's folders of Wireshark 4.2 and newer, and of older ones. */
    private static List<Path> personalFolders() {
        Path home = Path.of(variable("HOME", System.getProperty("user.home")));
        String config = variable("XDG_CONFIG_HOME", home.resolve(".config").toString());
        return List.of(
                home.resolve(".local/lib/wireshark/extcap"), Path.of(config, "wireshark/extcap"));
    }

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private void install(List<Path> folders) throws CommandFailedException {
        String text = launcher();
        for (Path folder : folders) {
            Path file = folder.resolve(LAUNCHER).toAbsolutePath();
            try {
                Files.createDirectories(folder);
                if (Files.exists(file) && Files.readString(file).equals(text)) {
                    print(file + " is installed already\n");
                    continue;
                }
                Files.createFile(
                        file,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
                Files.writeString(file, text);
                print("installed " + file + "\n");
            } catch (FileAlreadyExistsException e) {
                throw new CommandFailedException(
                        file + " exists and is not overwritten: remove it first", e);
            } catch (IOException | UnsupportedOperationException e) {
                throw new CommandFailedException(
                        "cannot write " + file + ": " + ExceptionMessage.of(e), e);
            }
        }
    }

    /** A script for a shell that starts this program. */
    private String launcher() throws CommandFailedException {
        return "#!/bin/sh\n# A capture program of Wireshark, written by wishdir extcap --install.\n"
                + start(
                        System.getProperty("java.class.path"),
                        System.getProperty("java.home"),
                        main.getName());
    }

    /**
     * The lines that start this program.
     *
     * @throws CommandFailedException if Java cannot read it from its folder
     */
    static String start(String classPath, String javaHome, String main)
            throws CommandFailedException {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path file = lasting(Path.of(entry).toAbsolutePath());
            if (file.toString().contains(File.pathSeparator)) {
                // The script next to the jar can start it from such a folder, Java by itself
                // cannot.
                Path script = file.resolveSibling("wishdir");
                if (!Files.isExecutable(script)) {
                    throw new CommandFailedException(
                            "Java cannot read a jar from a folder with a colon in its name: rename "
                                    + file.getParent());
                }
                return "WISHDIR_JAVA_HOME="
                        + quoted(javaHome)
                        + "\nexport WISHDIR_JAVA_HOME\nexec "
                        + quoted(script.toString())
                        + " extcap \"$@\"\n";
            }
            entries.add(file.toString());
        }
        return "exec "
                + quoted(Path.of(javaHome, "bin", "java").toString())
                + " --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -cp"
                + " "
                + quoted(String.join(File.pathSeparator, entries))
                + " "
                + main
                + " extcap \"$@\"\n";
    }

    /** The place of a file that is still there when this process, and what it has open, is not. */
    private static Path lasting(Path file) {
        try {
            return file.startsWith("/proc") ? file.toRealPath() : file;
        } catch (IOException _) {
            return file;
        }
    }

    /** A word for a shell, whatever characters it has. */
    static String quoted(String text) throws CommandFailedException {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new CommandFailedException(
                    "the path of this program has control characters: " + text);
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
