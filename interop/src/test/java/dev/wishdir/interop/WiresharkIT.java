package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.PcapWriter;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Traced;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Wireshark's own programs with our dissector, our PDML and our capture interface. */
@Timeout(240)
class WiresharkIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path TSHARK = Path.of("/usr/bin/tshark");
    private static final Path STYLE_SHEET = Path.of("/usr/share/wireshark/pdml2html.xsl");

    /** Packets of a capture that are compared. */
    private static final int MAX_PACKETS = 1000;

    /** Longer meanings are cut in Wireshark's lines. */
    private static final int MAX_COMPARED_CHARS = 100;

    /** Messages of RakNet that need no earlier packet. */
    private static final Set<String> RAKNET =
            Set.of(
                    "unconnected_ping",
                    "unconnected_pong",
                    "open_connection_request_1",
                    "open_connection_reply_1",
                    "open_connection_request_2",
                    "open_connection_reply_2",
                    "incompatible_protocol",
                    "connection_refused",
                    "ack",
                    "nack",
                    "data");

    private static final Set<String> MOVEMENT = Set.of("N_POS", "N_TELEPORT", "N_JUMPPAD");

    @TempDir private @Nullable Path directory;

    /** A field as Wireshark has it. */
    private record Shown(
            String proto, String title, int pos, int size, String show, String value) {}

    /** The fields of our dissector in a packet, and where the payload of UDP is. */
    private static final class ShownPacket {
        final List<Shown> fields = new ArrayList<>();
        int payload;
    }

    @BeforeAll
    static void needsTshark() {
        Peer.need("tshark", TSHARK);
        Peer.need("tshark", STYLE_SHEET);
    }

    @BeforeEach
    void clean() {
        found.clear();
    }

    private final Set<String> found = new TreeSet<>();

    private Path directory() {
        return requireNonNull(directory);
    }

    /** Runs a program to its end; what it prints is in a file. */
    private Path output(Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile(directory(), "out", ".txt");
        Path err = Files.createTempFile(directory(), "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        // Errors of a script are only printed.
        assertThat(Files.readString(err)).doesNotContainIgnoringCase("lua: error");
        return out;
    }

    private Path wishdir(String... arguments) throws Exception {
        Path out = Files.createTempFile(directory(), "wishdir", ".txt");
        try (Peer wishdir = Peer.wishdir(directory(), arguments)) {
            assertThat(wishdir.awaitExit(SOON)).isZero();
            return Files.write(out, wishdir.lines());
        }
    }

    private static Path capture(String module, String path) {
        return Path.of("..", module, "src/test/resources", path).toAbsolutePath().normalize();
    }

    @Test
    void showsEachFieldAsInspectDoes() throws Exception {
        Path script = wishdir("extcap", "--lua");
        compare(
                script,
                "sauerbraten",
                "enet",
                28_785,
                capture("sauerbraten", "captures/two_clients.pcap"));
        compare(
                script,
                "sauerbraten",
                "enet",
                28_785,
                capture("sauerbraten", "captures/ramp_slide.pcap"));
        compare(
                script,
                "sauerbraten",
                "enet",
                28_785,
                capture("sauerbraten", "captures/combat_damage.pcap"));
        for (String name :
                List.of(
                        "plain-server-auth",
                        "cookie",
                        "lossy",
                        "refused",
                        "raknet-version",
                        "encrypted")) {
            compare(
                    script,
                    "bedrock",
                    "raknet",
                    19_132,
                    capture("bedrock", "captures/" + name + ".pcap"));
        }
        for (String name : List.of("01a-oob-yquake2", "01b-oob-q2pro", "04-yq2server-loss")) {
            compare(
                    script,
                    "quake2",
                    "quake2",
                    27_910,
                    capture("quake2", "captures/" + name + ".pcap"));
        }
        for (String name :
                List.of("ioq3-modern71-aggressor-2clients", "oa-legacy71-labbox-download")) {
            compare(
                    script,
                    "quake3",
                    "quake3",
                    27_960,
                    capture("quake3", "dev/wishdir/quake3/" + name + ".pcap"));
        }

        compare(script, "bedrock", "raknet", 19_132, pings());

        assertThat(found)
                .contains(
                        "enet CONNECT",
                        "enet VERIFY_CONNECT",
                        "enet ACK",
                        "enet SEND_RELIABLE",
                        "enet SEND_UNRELIABLE",
                        "sauerbraten N_POS",
                        "raknet connection_refused",
                        "raknet unconnected_ping",
                        "raknet unconnected_pong",
                        "raknet open_connection_request_1",
                        "raknet open_connection_reply_1",
                        "raknet open_connection_request_2",
                        "raknet open_connection_reply_2",
                        "raknet ack",
                        "raknet nack",
                        "raknet data",
                        "quake2 netchan",
                        "quake2 getchallenge",
                        "quake3 getinfo",
                        "quake3 infoResponse");
    }

    /** What the captures of sessions do not have: server lists, and a refusal. */
    private Path pings() throws IOException {
        InetSocketAddress client =
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 50_000);
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 19_132);
        String magic = RakNetSettings.MAGIC.hex();
        String guid = "fedcba9876543210";
        Path file = directory().resolve("pings.pcap");
        try (PcapWriter writer = new PcapWriter(Files.newOutputStream(file))) {
            writer.write(1, client, server, Bytes.ofHex("01 0000000000000005" + magic + guid));
            writer.write(2, client, server, Bytes.ofHex("02 00000000000f4240" + magic));
            writer.write(
                    3,
                    server,
                    client,
                    Bytes.ofHex("1c 0000000000000005" + guid + magic + "0003 4d4350"));
            writer.write(4, server, client, Bytes.ofHex("14" + magic + guid));
        }
        return file;
    }

    /** Compares every field of every message that needs no earlier packet. */
    private void compare(Path script, String game, String protocol, int port, Path capture)
            throws Exception {
        Set<Integer> ports = new TreeSet<>(Set.of(port));
        Map<Long, List<DissectedMessage>> expected = new TreeMap<>();
        Game of =
                Games.ALL.stream()
                        .filter(each -> each.name().equals(game))
                        .findFirst()
                        .orElseThrow();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            List<DissectedMessage> lines = new ArrayList<>();
            Inspector inspector =
                    Inspector.of(of.dissector(true, Optional.empty()), port, lines::add);
            for (var next = reader.next();
                    next.isPresent() && next.get().frame() <= MAX_PACKETS;
                    next = reader.next()) {
                inspector.datagram(next.get());
                for (DissectedMessage line : lines) {
                    ports.add(next.get().flow(line.direction()).server().getPort());
                    if (isStateless(line)) {
                        expected.computeIfAbsent(line.frame(), _ -> new ArrayList<>()).add(line);
                    }
                }
                lines.clear();
            }
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                TSHARK.toString(),
                                "-r",
                                capture.toString(),
                                "-c",
                                Integer.toString(MAX_PACKETS),
                                "-X",
                                "lua_script:" + script,
                                "-T",
                                "pdml"));
        for (int server : ports) {
            command.addAll(List.of("-d", "udp.port==" + server + ",wishdir." + protocol));
        }
        Map<Long, ShownPacket> packets = read(output(Map.of(), command.toArray(String[]::new)));
        assertThat(expected).isNotEmpty();
        for (Map.Entry<Long, List<DissectedMessage>> frame : expected.entrySet()) {
            ShownPacket packet = packets.getOrDefault(frame.getKey(), new ShownPacket());
            compare(capture.getFileName() + " frame " + frame.getKey(), frame.getValue(), packet);
        }
    }

    private static boolean isStateless(DissectedMessage line) {
        if (line.trace().isEmpty()) {
            return false;
        }
        return switch (line.game()) {
            case "sauerbraten" -> line.layer() == Layer.TRANSPORT || MOVEMENT.contains(line.name());
            case "bedrock" -> line.layer() == Layer.TRANSPORT && RAKNET.contains(line.name());
            case "quake2" ->
                    line.name().equals("netchan")
                            || line.trace().getFirst().name().equals("out of band");
            default -> line.trace().getFirst().name().equals("mark");
        };
    }

    private void compare(String where, List<DissectedMessage> expected, ShownPacket packet) {
        Map<String, Deque<Shown>> shown = new TreeMap<>();
        packet.fields.forEach(
                field -> shown.computeIfAbsent(field.proto, _ -> new ArrayDeque<>()).add(field));
        for (DissectedMessage message : expected) {
            boolean inner = MOVEMENT.contains(message.name());
            String protocol =
                    switch (message.game()) {
                        case "sauerbraten" -> inner ? "sauerbraten" : "enet";
                        case "bedrock" -> "raknet";
                        default -> message.game();
                    };
            found.add(protocol + " " + message.name());
            Deque<Shown> fields = shown.getOrDefault(protocol, new ArrayDeque<>());
            int start = -1;
            for (Traced field : message.trace()) {
                String name = field.name().substring(field.name().lastIndexOf('.') + 1);
                String what = where + " " + message.name() + " " + field.name();
                assertThat(fields).as(what).isNotEmpty();
                Shown actual = fields.remove();
                assertThat(actual.title).as(what).startsWith(name + ": ");
                if (field.part()) {
                    assertThat(actual.show).as(what).isEqualTo(field.raw());
                } else {
                    assertThat(actual.value).as(what).isEqualTo(field.raw());
                    assertThat(actual.size).as(what).isEqualTo(field.bits() / Byte.SIZE);
                    int offset = actual.pos - field.bit() / Byte.SIZE;
                    if (start < 0) {
                        start = inner ? offset : packet.payload;
                    }
                    assertThat(offset).as(what).isEqualTo(start);
                }
                compareMeaning(what, name, field, actual);
            }
        }
        shown.forEach((protocol, rest) ->
                assertThat(rest).as(where + " further fields of " + protocol).isEmpty());
    }

    /** A line has the meaning; of bytes, Wireshark's own form of them. */
    private static void compareMeaning(String what, String name, Traced field, Shown actual) {
        String meaning = field.meaning();
        boolean isBytes = field.raw().startsWith(meaning.replaceAll("….*", ""));
        if ((!isBytes || field.part())
                && meaning.length() < MAX_COMPARED_CHARS
                && meaning.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
            assertThat(actual.title).as(what).isEqualTo(name + ": " + meaning);
        }
    }

    /** Reads tshark's own PDML. */
    private static Map<Long, ShownPacket> read(Path pdml) throws Exception {
        Map<Long, ShownPacket> packets = new TreeMap<>();
        ShownPacket packet = new ShownPacket();
        try (InputStream in = Files.newInputStream(pdml)) {
            XMLStreamReader xml = XMLInputFactory.newInstance().createXMLStreamReader(in);
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                String name = attribute(xml, "name");
                if (xml.getLocalName().equals("packet")) {
                    packet = new ShownPacket();
                } else if (name.equals("num")) {
                    packets.put(Long.parseLong(attribute(xml, "show")), packet);
                } else if (name.equals("udp") && packet.payload == 0) {
                    packet.payload =
                            Integer.parseInt(attribute(xml, "pos"))
                                    + Integer.parseInt(attribute(xml, "size"));
                } else if (name.startsWith("wishdir.") && xml.getLocalName().equals("field")) {
                    packet.fields.add(
                            new Shown(
                                    name.split("\\.")[1],
                                    attribute(xml, "showname").replace("[truncated]", "").strip(),
                                    Integer.parseInt(attribute(xml, "pos")),
                                    Integer.parseInt(attribute(xml, "size")),
                                    attribute(xml, "show"),
                                    attribute(xml, "value")));
                }
            }
        }
        return packets;
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    @Test
    void rendersOurPdmlWithItsStyleSheet() throws Exception {
        for (Path capture :
                List.of(
                        capture("sauerbraten", "captures/two_clients.pcap"),
                        capture("quake2", "captures/04-yq2server-loss.pcap"))) {
            Path pdml = wishdir("inspect", "--pdml", "--to", "3", capture.toString());
            Path html = directory().resolve("page.html");
            TransformerFactory.newInstance()
                    .newTransformer(new StreamSource(STYLE_SHEET.toFile()))
                    .transform(new StreamSource(pdml.toFile()), new StreamResult(html.toFile()));
            String page = Files.readString(html);
            String source = Files.readString(pdml);

            assertThat(page).contains(capture.toString());
            assertThat(count(page, "toggle_node('f[0-9]+c')"))
                    .isEqualTo(count(source, "<packet>"))
                    .isPositive();
            // Every field is a line of the page.
            assertThat(count(page, "<br>"))
                    .isGreaterThanOrEqualTo(
                            count(source, "<field ") - 2 * count(source, "<packet>"));
            assertThat(page).contains(capture.toString().contains("two") ? "x: " : "qport: ");
        }
    }

    private static long count(String text, String pattern) {
        return java.util.regex.Pattern.compile(pattern.replace("(", "\\(").replace(")", "\\)"))
                .matcher(text)
                .results()
                .count();
    }

    @Test
    void capturesThroughOurInterface() throws Exception {
        Map<String, String> environment =
                Map.of("HOME", directory().toString(), "XDG_CONFIG_HOME", "");
        try (Peer wishdir = Peer.wishdir(directory(), environment, "extcap", "--install")) {
            assertThat(wishdir.awaitExit(SOON)).isZero();
            assertThat(wishdir.lines()).hasSize(2).allMatch(line -> line.startsWith("installed "));
        }
        assertThat(Files.readString(output(environment, TSHARK.toString(), "-D")))
                .contains(Games.ALL.stream().map(game -> "wishdir-" + game.name()).toList());

        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket server = new DatagramSocket(0, loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            int port;
            try (DatagramSocket free = new DatagramSocket(0, loopback)) {
                port = free.getLocalPort();
            }
            Thread asking = Thread.startVirtualThread(() -> talk(server, client, port));
            Path lines =
                    output(
                            environment,
                            TSHARK.toString(),
                            "-i",
                            "wishdir-quake3",
                            "-o",
                            "extcap.wishdir_quake3.to:127.0.0.1:" + server.getLocalPort(),
                            "-o",
                            "extcap.wishdir_quake3.listen:" + port,
                            "-c",
                            "2",
                            "-T",
                            "fields",
                            "-e",
                            "udp.srcport",
                            "-e",
                            "udp.dstport",
                            "-e",
                            "frame.comment");
            asking.interrupt();
            List<String> packets = Files.readAllLines(lines);
            assertThat(packets).hasSize(2);
            assertThat(packets.getFirst())
                    .startsWith(client.getLocalPort() + "\t" + server.getLocalPort())
                    .contains("getstatus  text=");
            assertThat(packets.getLast())
                    .startsWith(server.getLocalPort() + "\t" + client.getLocalPort())
                    .contains("statusResponse  text=");
        }
    }

    /** A client that asks until there is an answer, and a server that gives it. */
    private static void talk(DatagramSocket server, DatagramSocket client, int port) {
        byte[] question = bytes("getstatus 1");
        byte[] answer = bytes("statusResponse\n\\mapname\\hall");
        Thread.startVirtualThread(() -> {
            DatagramPacket packet = new DatagramPacket(new byte[1500], 1500);
            try {
                while (true) {
                    server.receive(packet);
                    server.send(
                            new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException _) {
                // The test has closed the socket.
            }
        });
        while (!Thread.currentThread().isInterrupted()) {
            try {
                client.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
                client.send(new DatagramPacket(question, question.length));
                client.receive(new DatagramPacket(new byte[1500], 1500));
                return;
            } catch (PortUnreachableException _) {
                // The proxy is not open yet.
                LockSupport.parkNanos(20_000_000);
            } catch (IOException _) {
                return;
            }
        }
    }

    private static byte[] bytes(String text) {
        return ("\u00FF\u00FF\u00FF\u00FF" + text).getBytes(StandardCharsets.ISO_8859_1);
    }
}
