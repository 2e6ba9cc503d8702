package dev.wishdir.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.doctor.Doctor.Finding;
import dev.wishdir.app.doctor.Doctor.State;
import dev.wishdir.app.machine.Machine;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.app.serve.ServePlan;
import dev.wishdir.app.serve.ServePlan.ServedGame;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Each thing that may ail a machine, on a machine that has it. */
@Tag("slow")
class DoctorTest {
    /** A machine on which all is well until a test says otherwise. */
    private static final class Patient implements Machine {
        int java = 25;
        Optional<String> slow = Optional.empty();
        final Map<String, String> files =
                new HashMap<>(
                        Map.of(
                                "/proc/sys/net/core/rmem_max", "4194304\n",
                                "/proc/sys/net/core/wmem_max", "4194304\n"));
        final Map<String, String> programs =
                new HashMap<>(Map.of("timedatectl", "yes\n", "nft", "", "iptables", ""));
        final Map<Integer, String> taken = new HashMap<>();
        final Set<String> installed = new HashSet<>(Set.of("timedatectl", "nft", "iptables"));
        boolean root;
        Optional<Owner> owner = Optional.empty();
        Optional<String> echo = Optional.empty();
        Instant now = Instant.parse("2026-11-22T12:00:00Z");

        @Override
        public int java() {
            return java;
        }

        @Override
        public Optional<String> slowSockets() {
            return slow;
        }

        @Override
        public Optional<String> read(Path file) {
            return Optional.ofNullable(files.get(file.toString()));
        }

        @Override
        public boolean isRoot() {
            return root;
        }

        @Override
        public boolean isInstalled(String program) {
            return installed.contains(program);
        }

        @Override
        public Optional<Owner> owner(String inode) {
            return inode.equals("777") ? owner : Optional.empty();
        }

        List<String> addresses = List.of("127.0.0.1", "2001:db8::7", "192.0.2.7");

        @Override
        public List<InetAddress> addresses() {
            return addresses.stream().map(InetAddress::ofLiteral).toList();
        }

        @Override
        public Optional<String> echo(InetAddress address) {
            return address.isLoopbackAddress() ? Optional.empty() : echo;
        }

        @Override
        public Optional<String> bind(boolean tcp, InetSocketAddress address) {
            return Optional.ofNullable(taken.get((tcp ? -1 : 1) * address.getPort()));
        }

        @Override
        public Optional<String> run(String... command) {
            return Optional.ofNullable(programs.get(command[0]));
        }

        @Override
        public Instant now() {
            return now;
        }
    }

    /** The kernel's table, with port 27960 in use by a socket of user 1000. */
    private static final String UDP6 =
            "  sl  local_address remote_address st tx_queue rx_queue tr tm->when retrnsmt"
                    + " uid timeout inode\n"
                    + " 12: 00000000000000000000000000000000:6D38"
                    + " 00000000000000000000000000000000:0000 07 00000000:00000000"
                    + " 00:00000000 00000000  1000 0 777 2 0 0\n";

    private static final List<ServedGame> GAMES = ServePlan.of(Games.ALL).games();

    private final Patient patient = new Patient();
    private String printed = "";

    private Doctor doctor() {
        return new Doctor(patient, GAMES, Optional.empty());
    }

    private List<Finding> look() {
        return doctor().checkAll();
    }

    /** Runs the command, and returns its status. */
    private int run(String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine line = DoctorCommand.commandLine(Games.ALL, patient);
        int status = line.setOut(new PrintWriter(out)).execute(arguments);
        printed = out.toString();
        return status;
    }

    private void assertFinds(State state, String check, String... texts) {
        assertThat(look())
                .filteredOn(found -> found.check().equals(check) && found.state() == state)
                .isNotEmpty()
                .first()
                .satisfies(found -> assertThat(found.text()).contains(texts));
    }

    @Test
    void acceptsHealthyMachine() {
        assertThat(look()).extracting(Finding::state).containsOnly(State.OK);
        assertThat(doctor().joinInstructions())
                .extracting(Finding::text)
                .anyMatch(text -> text.endsWith(": /connect 192.0.2.7"))
                .anyMatch(text -> text.endsWith(": connect 192.0.2.7 in the console"))
                .anyMatch(text -> text.endsWith(": /cl_allowDownload 1, then /connect 192.0.2.7"))
                .anyMatch(text -> text.endsWith("address 192.0.2.7, port 19132"));
    }

    @Test
    void reportsOldJava() {
        patient.java = 21;
        assertFinds(State.BAD, "java", "Java 21", "WISHDIR_JAVA_HOME");
    }

    @Test
    void reportsMissingNativeSockets() {
        patient.slow = Optional.of("no epoll on this system");
        assertFinds(State.WARNING, "sockets", "no epoll on this system");
    }

    @Test
    void reportsClockFarInPast() {
        patient.now = Instant.parse("1970-01-01T00:05:00Z");
        assertFinds(State.BAD, "clock", "1970");
    }

    @Test
    void reportsUnsynchronisedClock() {
        patient.programs.put("timedatectl", "no\n");
        assertFinds(State.WARNING, "clock", "set-ntp");
        patient.programs.remove("timedatectl");
        assertFinds(State.UNKNOWN, "clock", "unknown");
    }

    @Test
    void reportsSmallBuffers() {
        patient.files.put("/proc/sys/net/core/rmem_max", "212992\n");
        assertFinds(State.WARNING, "buffers", "sysctl -w net.core.rmem_max=4194304");
        patient.files.remove("/proc/sys/net/core/rmem_max");
        assertFinds(State.UNKNOWN, "buffers", "rmem_max");
    }

    /** Files of a folder that stands for the root of the file system. */
    @ParameterizedTest
    @CsvSource({
        "4194303, false, WARNING, 'as root, sysctl -w net.core.rmem_max=4194304'",
        "4194303, true, WARNING, ': sysctl -w net.core.rmem_max=4194304'",
        "4194304, false, OK, net.core.rmem_max 4194304",
        "4194304, true, OK, net.core.rmem_max 4194304",
        "16777216, false, OK, net.core.rmem_max 16777216",
        "absent, false, UNKNOWN, cannot read /proc/sys/net/core/rmem_max",
        "unreadable, true, UNKNOWN, cannot read /proc/sys/net/core/rmem_max",
    })
    void readsBufferLimitsFromKernelFiles(
            String content, boolean root, State state, String text, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve("proc/sys/net/core/rmem_max");
        Files.createDirectories(file.getParent());
        Files.createDirectories(folder.resolve("proc/self"));
        Files.writeString(
                folder.resolve("proc/self/status"),
                "Name:\tjava\nUid:\t1000\t" + (root ? 0 : 1000) + "\t0\t0\n");
        switch (content) {
            case "absent" -> {}
            case "unreadable" -> Files.createDirectory(file);
            default -> Files.writeString(file, content + "\n");
        }
        ThisMachine machine = new ThisMachine(folder);
        assertThat(machine.isRoot()).isEqualTo(root);
        patient.root = machine.isRoot();
        patient.files.remove("/proc/sys/net/core/rmem_max");
        machine.read(Path.of("/proc/sys/net/core/rmem_max"))
                .ifPresent(read -> patient.files.put("/proc/sys/net/core/rmem_max", read));

        assertThat(look())
                .filteredOn(found -> found.text().contains("rmem_max"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.state()).isEqualTo(state);
                    assertThat(found.text()).contains(text);
                });
    }

    @Test
    void readsKernelValueOnThisMachine() throws Exception {
        Path file = Path.of("/proc/sys/net/core/rmem_max");
        assumeTrue(Files.isReadable(file));
        Process cat = new ProcessBuilder("cat", file.toString()).start();
        assertThat(new ThisMachine().read(file))
                .contains(new String(cat.getInputStream().readAllBytes(), UTF_8));
    }

    /** With every program of the machine missing or failing, and every port taken. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void doesNotAdviseRootToBecomeRoot(boolean installed) {
        patient.root = true;
        patient.programs.clear();
        if (!installed) {
            patient.installed.clear();
        }
        patient.files.replaceAll((_, _) -> "4\n");
        patient.taken.put(27_960, "Address already in use");
        patient.files.put("/proc/net/udp6", UDP6);
        assertThat(look()).extracting(Finding::text).noneMatch(text -> text.contains("as root"));
        patient.programs.put("timedatectl", "no\n");
        assertThat(look()).extracting(Finding::text).noneMatch(text -> text.contains("as root"));
        patient.root = false;
        assertThat(look())
                .extracting(Finding::text)
                .anyMatch(text -> text.contains("as root, timedatectl"))
                .anyMatch(text ->
                        text.contains("of user 1000 that is not visible; run doctor as root"));
    }

    @Test
    void namesMissingPrograms() {
        patient.programs.clear();
        assertFinds(State.UNKNOWN, "firewall", "nft and iptables can only be run by root");
        patient.installed.remove("iptables");
        assertFinds(State.UNKNOWN, "firewall", "unknown: nft can only be run by root");
        patient.installed.clear();
        assertFinds(State.UNKNOWN, "firewall", "neither nft nor iptables is installed");
        assertFinds(State.UNKNOWN, "clock", "timedatectl is not installed");
    }

    @Test
    void namesOwnerOfPortInUse() {
        patient.taken.put(27_960, "Address already in use");
        patient.files.put("/proc/net/udp6", UDP6);
        assertFinds(State.BAD, "port", "UDP 27960", ": in use by a process", "of user 1000");
        patient.owner = Optional.of(new Machine.Owner(4, "oa_ded"));
        assertFinds(State.BAD, "port", "in use by process 4 (oa_ded); stop it", "--quake3");
    }

    @Test
    void reportsRunningServerOfWishdir() {
        patient.taken.put(27_960, "Address already in use");
        patient.files.put("/proc/net/udp6", UDP6);
        patient.owner = Optional.of(new Machine.Owner(4, "wishdir serve"));
        assertThat(look())
                .filteredOn(found -> found.check().equals("port"))
                .allMatch(found -> found.state() == State.OK)
                .anyMatch(found -> found.text().endsWith("open in process 4 (wishdir serve)"));
        assertThat(run()).isZero();
        assertThat(printed)
                .contains("A server of Wishdir runs already, process 4 (wishdir serve); another");
        patient.files.put(
                "/proc/net/udp",
                "0: 0100007F:6D38 0:0 07 00000000:00000000 00:00000000 00000000 0 0 777 2 0 0");
        assertThat(run()).isZero();
        assertThat(printed).contains("/connect 127.0.0.1\n");
        patient.owner = Optional.of(new Machine.Owner(4, "wishdir proxy"));
        assertFinds(State.BAD, "port", "process 4 (wishdir proxy)");
    }

    @Test
    void checksPortsOfSettings(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("wishdir.conf");
        Files.writeString(file, "sauerbraten = \"192.0.2.7:4000\"\nquake2 = 27999\nweb = 8270\n");
        patient.taken.put(27_960, "Address already in use");
        patient.taken.put(27_910, "Address already in use");
        assertThat(run("--config", file.toString())).as(printed).isZero();
        assertThat(printed)
                .contains("UDP 4000, Cube 2: Sauerbraten: free", "UDP 4001, ", "TCP 8270, ")
                .contains("UDP 27999, ", "Sauerbraten: /connect 192.0.2.7 4000")
                .doesNotContain("27960", "27910", "19132");
        assertThat(run("--config", file.toString(), "--quake2=off")).isZero();
        assertThat(printed).contains("UDP 4000").doesNotContain("27999");
        assertThat(run("--quake3", ":27961")).isZero();
        assertThat(printed).contains("UDP 27961, ").doesNotContain("UDP 4000", "UDP 27960");
        patient.taken.put(-8270, "Address already in use");
        assertThat(run("--config", file.toString())).isOne();
        assertThat(printed).contains("TCP 8270, the live map: Address already in use", "--web");
        Files.writeString(file, "max-players = 0\nweb = \"x:y:z\"\n");
        assertThat(run("--config", file.toString())).isOne();
        assertThat(printed)
                .containsPattern("bad +settings .*conf, line 1: max-players must be from 1")
                .containsPattern("bad +settings .*conf, line 2: web: ")
                .contains("UDP 28785, ");
    }

    @Test
    void reportsNetherNetPortInUse() {
        patient.taken.put(-19_132, "Address already in use");
        assertFinds(State.BAD, "port", "TCP 19132", "NetherNet");
    }

    @Test
    void reportsBlockedUdpBetweenOwnAddresses() {
        patient.echo = Optional.of("Receive timed out");
        assertFinds(State.WARNING, "udp", "Receive timed out");
    }

    @Test
    void reportsFirewall() {
        patient.programs.put(
                "nft", "chain input { policy drop; udp dport { 28785, 27910, 19132 } accept }");
        assertFinds(State.WARNING, "firewall", "do not name UDP 27960, UDP 28786: allow these");
        patient.programs.put(
                "nft", "policy drop; dport { 28785-28786, 27910, 27960, 19132 } accept");
        assertFinds(State.OK, "firewall", "its rules name the games' ports");
        patient.programs.remove("nft");
        patient.programs.remove("iptables");
        assertFinds(State.UNKNOWN, "firewall", "unknown");
    }

    @Test
    void reportsMissingFolder() {
        List<ServedGame> games =
                GAMES.stream()
                        .map(it ->
                                new ServedGame(
                                        it.game(), it.address(), Map.of("data", "/nowhere/at/all")))
                        .toList();
        assertThat(new Doctor(patient, games, Optional.empty()).checkAll())
                .anyMatch(found -> found.check().equals("data") && found.state() == State.BAD);
    }

    @Test
    void setsStatusFromResult() {
        assertThat(run("--json")).isZero();
        JsonObject said = JsonParser.parseString(printed).getAsJsonObject();
        assertThat(said.get("well").getAsBoolean()).isTrue();
        assertThat(said.getAsJsonArray("join")).hasSize(4);
        patient.java = 17;
        assertThat(run()).isEqualTo(1);
        assertThat(printed).contains("bad      java").contains("cannot run until");
    }

    @Test
    void findsPortOwnerOnThisMachine() throws IOException {
        ThisMachine here = new ThisMachine();
        assertThat(here.echo(InetAddress.getLoopbackAddress())).isEmpty();
        try (DatagramSocket taken = new DatagramSocket()) {
            assertThat(here.bind(false, new InetSocketAddress(taken.getLocalPort()))).isPresent();
        }
        assertThat(here.java()).isGreaterThanOrEqualTo(25);
        assertThat(here.addresses()).contains(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(here.run("no-such-program-here")).isEmpty();
    }

    @Test
    void reportsArenaOfNewerRelease(@TempDir Path folder) throws IOException {
        Doctor doctor = new Doctor(patient, GAMES, Optional.empty());
        String flat = ArenaText.write(ArenaCatalog.FLAT);
        Path own = Files.writeString(folder.resolve("own.txt"), "\uFEFF" + flat);
        assertThat(doctor.arena(own).state()).isEqualTo(State.OK);
        Path later =
                Files.writeString(
                        folder.resolve("new.txt"),
                        flat.replace("wishdir-arena 1", "wishdir-arena 4"));
        Finding newer = doctor.arena(later);
        assertThat(newer.state()).isEqualTo(State.BAD);
        assertThat(newer.text()).contains("new.txt, line 1", "form 4, of a newer release");
        Finding none = doctor.arena(folder.resolve("none.txt"));
        assertThat(none.state()).isEqualTo(State.BAD);
        assertThat(none.text()).contains("none.txt: there is no such file");
    }

    @Test
    void reportsWhetherMasterServersCanListMachine() {
        Patient patient = new Patient();
        patient.addresses = List.of("127.0.0.1", "2620:fe::7", "9.9.9.7");
        Doctor doctor = new Doctor(patient, GAMES, Optional.empty());
        String ports = "UDP 28785, UDP 27910, UDP 27960, UDP 28786";
        assertThat(doctor.publicAddress())
                .isEqualTo(
                        new Finding(
                                "public",
                                State.OK,
                                "master servers can list 9.9.9.7, and 2620:fe::7 only in the"
                                        + " list of Quake III Arena, OpenArena; whether a firewall"
                                        + " in front of it passes "
                                        + ports
                                        + " is not known here"));
        patient.addresses = List.of("127.0.0.1", "10.0.0.7", "100.64.1.2", "fe80::1", "fd00::1");
        assertThat(doctor.publicAddress().state()).isEqualTo(State.WARNING);
        assertThat(doctor.publicAddress().text())
                .startsWith("this machine has only private IPv4 addresses")
                .contains("must pass " + ports);
        patient.addresses = List.of("10.0.0.7", "2620:fe::7");
        assertThat(doctor.publicAddress().state()).isEqualTo(State.WARNING);
        assertThat(doctor.publicAddress().text())
                .startsWith(
                        "2620:fe::7 only in the list of Quake III Arena, OpenArena; this machine"
                                + " has only private IPv4 addresses");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.1.2.3",
                "192.0.0.9",
                "192.0.2.7",
                "192.88.99.1",
                "198.18.0.1",
                "198.19.255.254",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.251",
                "240.0.0.1",
                "255.255.255.255"
            })
    void takesReservedAddressForNoPublicOne(String reserved) {
        Doctor doctor = new Doctor(patient, GAMES, Optional.empty());
        patient.addresses = List.of(reserved);
        assertThat(doctor.publicAddress().text()).startsWith("this machine has only private IPv4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::1",
                "64:ff9b::1",
                "100::1",
                "2001::1",
                "2001:2::1",
                "2001:20::1",
                "2001:db8::7",
                "2002:0909:0909::1",
                "3fff::1",
                "fec0::1",
                "ff02::1"
            })
    void takesReservedIpv6AddressForNoPublicOne(String reserved) {
        Doctor doctor = new Doctor(patient, GAMES, Optional.empty());
        patient.addresses = List.of("9.9.9.7", reserved);
        assertThat(doctor.publicAddress().text()).startsWith("master servers can list 9.9.9.7; ");
    }
}
