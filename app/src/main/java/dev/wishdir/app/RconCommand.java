package dev.wishdir.app;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.game.operator.RconHandler;
import dev.wishdir.game.text.AsciiTransliterator;
import dev.wishdir.wire.AddressText;
import dev.wishdir.wire.TextFile;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code rcon}: sends an operator command to a running server, for example one without a terminal.
 */
@Command(
        name = "rcon",
        sortOptions = false,
        preprocessor = RconCommand.TextAtEnd.class,
        description = {
            "Send an operator command to a running server and print the answer.",
            "Uses the rcon protocol of Quake II and III, for Wishdir and for servers of these"
                + " games. The password is sent as plain text: use it on the server's own machine"
                + " or on a trusted network."
        })
final class RconCommand implements Callable<Integer> {
    /** The environment variable with the password. */
    static final String PASSWORD_VARIABLE = "WISHDIR_RCON_PASSWORD";

    private static final int DEFAULT_PORT = 27_960;
    private static final int MAX_DATAGRAM_BYTES = 1 << 16;
    private static final int MAX_FILE_BYTES = 1 << 16;

    /** Time to wait for a further packet of the answer, as no packet is marked as the last. */
    private static final int NEXT_PACKET_TIMEOUT_MILLIS = 500;

    /** Servers read the first line only. */
    private static final Pattern LINE_BREAKS = Pattern.compile("[\\n\\r\\x00]+");

    private static final String OUT_OF_BAND = "\u00FF\u00FF\u00FF\u00FF";
    private static final String ANSWER_PREFIX = OUT_OF_BAND + "print\n";

    /**
     * Marks the first word of the command as the end of the options, as what follows may be the
     * text of a player: {@code say -h}.
     */
    static final class TextAtEnd implements IParameterPreprocessor {
        private static final String END_OF_OPTIONS = "--";

        @Override
        public boolean preprocess(
                Stack<String> arguments,
                CommandSpec command,
                @Nullable ArgSpec option,
                Map<String, Object> info) {
            boolean hasHost = false;
            // The next argument is the top of the stack.
            for (int at = arguments.size() - 1; at >= 0; at--) {
                String word = arguments.get(at);
                OptionSpec known = command.optionsMap().get(word);
                if (known != null) {
                    at -= known.arity().max();
                } else if (word.equals(END_OF_OPTIONS)) {
                    return false;
                } else if (!word.startsWith("-")) {
                    if (hasHost) {
                        arguments.add(at + 1, END_OF_OPTIONS);
                        return false;
                    }
                    hasHost = true;
                }
            }
            return false;
        }
    }

    @Spec private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "HOST[:PORT]",
            description =
                    "The server's port of Quake II or III (default port " + DEFAULT_PORT + ").")
    private HostPort server = new HostPort("", -1);

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description =
                    "The operator command: status, kick NAME, quit. All that follows its first word"
                            + " is sent as it is typed; options stand before it.")
    private List<String> command = List.of();

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description =
                    "The password; other users of this machine can see it in the list of"
                            + " processes. Without it, --password-file or the environment"
                            + " variable "
                            + PASSWORD_VARIABLE
                            + ".",
            defaultValue = "${env:" + PASSWORD_VARIABLE + "}")
    private @Nullable String password;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            description = "Time to wait for an answer, in seconds (default ${DEFAULT-VALUE}).",
            defaultValue = "3")
    private int timeoutSeconds;

    @Override
    public Integer call() throws CommandFailedException {
        if (timeoutSeconds < 1 || timeoutSeconds > 3600) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--timeout must be from 1 to 3600, is " + timeoutSeconds);
        }
        String secret = secret();
        InetSocketAddress to = server.resolveServer(DEFAULT_PORT);
        String request =
                OUT_OF_BAND
                        + "rcon "
                        + (secret.matches("\\S+") ? secret : '"' + secret + '"')
                        + " "
                        + latin1(LINE_BREAKS.matcher(String.join(" ", command)).replaceAll(" "))
                        + "\n";
        String answer = exchange(to, request);
        PrintWriter out = spec.commandLine().getOut();
        out.print(answer);
        if (!answer.isEmpty() && !answer.endsWith("\n")) {
            out.println();
        }
        out.flush();
        // The texts of the servers of both games.
        boolean refused =
                answer.equals(RconHandler.TOO_MANY_WRONG_PASSWORDS)
                        || answer.matches("(?is)\\s*(bad rcon_?password|no rconpassword set).*");
        return refused ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    /** A text with the nearest letters that rcon has, one byte each. */
    private static String latin1(String text) {
        return text.codePoints()
                .mapToObj(Character::toString)
                .map(it -> it.charAt(0) > 0xFF ? AsciiTransliterator.transliterate(it) : it)
                .collect(Collectors.joining());
    }

    private String secret() throws CommandFailedException {
        Path file = passwordFile;
        String given = password;
        if (file != null) {
            try {
                String first = TextFile.read(file, MAX_FILE_BYTES).split("\n", 2)[0].strip();
                if (first.isEmpty()) {
                    throw new CommandFailedException(
                            "--password-file: the first line of " + file + " is empty");
                }
                return first;
            } catch (IOException e) {
                throw new CommandFailedException("--password-file: " + e.getMessage(), e);
            }
        }
        if (given == null || given.isEmpty() || given.startsWith("${env:")) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "no password: set "
                            + PASSWORD_VARIABLE
                            + ", or give --password-file or --password");
        }
        return given;
    }

    /**
     * Sends the request and collects the packets of the answer.
     *
     * @throws CommandFailedException without an answer; the command may have been executed anyway
     */
    private String exchange(InetSocketAddress to, String request) throws CommandFailedException {
        StringBuilder answer = new StringBuilder();
        boolean answered = false;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(to);
            byte[] bytes = request.getBytes(StandardCharsets.ISO_8859_1);
            socket.send(new DatagramPacket(bytes, bytes.length));
            socket.setSoTimeout(timeoutSeconds * 1000);
            DatagramPacket packet =
                    new DatagramPacket(new byte[MAX_DATAGRAM_BYTES], MAX_DATAGRAM_BYTES);
            while (true) {
                packet.setLength(MAX_DATAGRAM_BYTES);
                socket.receive(packet);
                String text =
                        new String(
                                packet.getData(),
                                0,
                                packet.getLength(),
                                StandardCharsets.ISO_8859_1);
                if (text.startsWith(ANSWER_PREFIX)) {
                    answered = true;
                    // Control characters could take over the terminal.
                    answer.append(
                            text.substring(ANSWER_PREFIX.length())
                                    .replaceAll("[\\p{Cc}&&[^\n\t]]", ""));
                    socket.setSoTimeout(NEXT_PACKET_TIMEOUT_MILLIS);
                }
            }
        } catch (SocketTimeoutException | PortUnreachableException e) {
            if (answered) {
                return answer.toString();
            }
            throw new CommandFailedException(
                    AddressText.of(to)
                            + " does not answer: check that a server of Quake II or III with an"
                            + " admin password runs there; after many wrong passwords some"
                            + " servers do not answer for a while",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot send to " + AddressText.of(to) + ": " + e.getMessage(), e);
        }
    }
}
