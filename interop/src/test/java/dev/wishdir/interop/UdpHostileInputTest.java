package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Rows of the hostile list about any UDP port, the same for each game and transport. A walker of
 * each is there all the time, and at the attacked port another client that sees it.
 */
@Tag("slow")
@ParameterizedClass
@EnumSource
class UdpHostileInputTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = SECOND / 1000;

    /** Number of first packets of a session, of both directions, that are kept. */
    private static final int FIRST_PACKETS = 100;

    private static final List<byte[]> NONE = List.of();
    private static final List<AddressRange> TRUSTED = List.of(AddressRange.parse("127.0.0.0/8"));

    private final GamePort port;
    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);

    /** What addresses without a session were sent. */
    private final Map<InetSocketAddress, List<byte[]>> answers = new HashMap<>();

    /** How many such datagrams each port has sent. */
    private final Map<InetSocketAddress, Integer> answersByPort = new HashMap<>();

    private final Map<Integer, List<byte[]>> firstByPort = new HashMap<>();

    /** What each client has sent, by its address. */
    private final Map<InetSocketAddress, List<byte[]>> sent = new LinkedHashMap<>();

    /** The longest datagram of each port. */
    private final Map<InetSocketAddress, Integer> longest = new HashMap<>();

    private final List<TestClient> guests = new ArrayList<>();

    /** Movements out of the arena, of which there must be none. */
    private final List<String> outside = new ArrayList<>();

    private FourGames server;
    private TestClient watcher;
    private InetSocketAddress walkerAddress;
    private long began;
    private int newcomers;

    UdpHostileInputTest(GamePort port) {
        this.port = port;
    }

    @BeforeEach
    void serve() throws IOException {
        network.tap(this::record);
        server = new FourGames(network, random, 64, "", TRUSTED);
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Moved moved
                            && !server.arena().bounds().contains(moved.movement().position())) {
                        outside.add(moved.toString());
                    }
                });
        for (GamePort each : GamePort.values()) {
            guests.add(server.guest(each, "127.0.0." + (10 + each.ordinal()), walker(each)));
        }
        watcher = server.guest(port, "seer");
        guests.add(watcher);
        server.await(guests);
        network.run(2 * SECOND);
        InetAddress walker = guests.get(port.ordinal()).address;
        walkerAddress =
                sent.keySet().stream()
                        .filter(address -> address.getAddress().equals(walker))
                        .max((a, b) -> sentBy(a).size() - sentBy(b).size())
                        .orElseThrow();
        began = network.now();
    }

    private void record(long time, InetSocketAddress from, InetSocketAddress to, byte[] data) {
        if (from.getAddress().isLoopbackAddress()) {
            longest.merge(from, data.length, Math::max);
            sent.computeIfAbsent(from, _ -> new ArrayList<>()).add(data);
        }
        if (!to.getAddress().isLoopbackAddress()) {
            answers.computeIfAbsent(to, _ -> new ArrayList<>()).add(data);
            answersByPort.merge(from, 1, Integer::sum);
        }
        for (int port : new int[] {from.getPort(), to.getPort()}) {
            List<byte[]> first = firstByPort.computeIfAbsent(port, _ -> new ArrayList<>());
            if (first.size() < FIRST_PACKETS) {
                first.add(data);
            }
        }
    }

    private List<byte[]> sentBy(InetSocketAddress address) {
        return sent.getOrDefault(address, List.of());
    }

    private static String walker(GamePort port) {
        return "walker" + port.ordinal();
    }

    private static InetSocketAddress stranger(int number) {
        return address(77, number);
    }

    private static InetSocketAddress address(int first, int number) {
        try {
            byte[] address = {
                (byte) first, (byte) (number >> 16), (byte) (number >> 8), (byte) number
            };
            return new InetSocketAddress(InetAddress.getByAddress(address), 4000);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void inject(InetSocketAddress from, byte[] data) {
        port.addresses(server).forEach(address -> network.inject(from, address, data));
    }

    /** How many datagrams addresses without a session were sent by a port. */
    private int answeredBy(InetSocketAddress address) {
        return answersByPort.getOrDefault(address, 0);
    }

    private int answered(InetSocketAddress address) {
        return answers.getOrDefault(address, List.of()).stream().mapToInt(it -> it.length).sum();
    }

    private int answered() {
        return answers.keySet().stream().mapToInt(this::answered).sum();
    }

    /** How a walker was seen: how often in a second, and how seldom at times. */
    private record Sight(double movesPerSecond, long p99GapNanos) {}

    /** What the watcher of a port sees of its walker, with something done at each step. */
    private Sight watch(int steps, long stepNanos, Runnable each) {
        watcher.moves.clear();
        for (int i = 0; i < steps; i++) {
            each.run();
            network.run(stepNanos);
        }
        List<Long> times = watcher.moves.getOrDefault(walker(port), List.of());
        assertThat(times).hasSizeGreaterThan(8);
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < times.size(); i++) {
            gaps.add(times.get(i) - times.get(i - 1));
        }
        gaps.sort(Long::compare);
        return new Sight(
                times.size() * (double) SECOND / (steps * stepNanos),
                gaps.get(gaps.size() * 99 / 100));
    }

    private Sight watch() {
        return watch(10, SECOND / 10, () -> {});
    }

    private long drops() {
        return server.counters().snapshot().entrySet().stream()
                .filter(each -> each.getKey().startsWith(port.gameName + "."))
                .filter(each -> each.getKey().contains("drop."))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /**
     * All players are in, the walker is still seen as often and where it is, no more than its
     * budget was sent to any network, and a newcomer is in within 2 s.
     */
    private void assertUndisturbed(Sight quiet, Sight flooded) throws IOException {
        assertThat(flooded.movesPerSecond)
                .isBetween(quiet.movesPerSecond * 0.9 - 1, quiet.movesPerSecond * 1.1 + 1);
        assertThat(flooded.p99GapNanos)
                .isLessThanOrEqualTo(quiet.p99GapNanos + port.gapToleranceNanos());
        assertThat(guests).allMatch(TestClient::in);
        assertThat(server.arena().players())
                .extracting(Player::name)
                .containsExactlyInAnyOrderElementsOf(guests.stream().map(it -> it.name).toList());
        assertThat(watcher.sees(walker(port)).position().distance(server.position(walker(port))))
                .isLessThan(1);
        double seconds = (network.now() - began) / 1e9;
        Map<Integer, Integer> byNetwork = new HashMap<>();
        answers.forEach((address, _) ->
                byNetwork.merge(
                        Arrays.hashCode(Arrays.copyOf(address.getAddress().getAddress(), 3)),
                        answered(address),
                        Integer::sum));
        assertThat(byNetwork.values()).allMatch(bytes -> bytes <= (4 + 2 * seconds) * 1024);
        assertThat(answered()).isLessThanOrEqualTo((int) ((1 + seconds) * (64 << 10)));
        port.addresses(server)
                .forEach(address ->
                        assertThat(longest.getOrDefault(address, 0))
                                .isLessThanOrEqualTo(port.maxDatagramBytes()));
        TestClient newcomer = server.guest(port, "newcomer" + newcomers++);
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
        guests.add(newcomer);
        assertThat(server.laws().broken()).isEmpty();
        assertThat(outside).isEmpty();
    }

    @Test
    @DisplayName("A1 a hundred thousand empty datagrams")
    void ignoresEmptyDatagrams() throws IOException {
        long dropped = drops();
        InetSocketAddress address = port.addresses(server).getFirst();
        Sight quiet = watch();
        Sight flooded =
                watch(
                        10,
                        SECOND / 10,
                        () -> {
                            for (int i = 0; i < 10_000; i++) {
                                network.inject(stranger(i % 7), address, new byte[0]);
                            }
                        });
        assertThat(drops() - dropped).isEqualTo(100_000);
        assertThat(answers).isEmpty();
        assertUndisturbed(quiet, flooded);
    }

    @Test
    @DisplayName("A2 every single byte, and every prefix of what a player sends")
    void ignoresSingleBytesAndPrefixes() throws IOException {
        Sight quiet = watch();
        int[] value = {0};
        Sight flooded =
                watch(
                        256,
                        20 * MILLI,
                        () -> {
                            byte[] single = {(byte) value[0]};
                            inject(stranger(value[0]++), single);
                            inject(walkerAddress, single);
                        });
        assertUndisturbed(quiet, flooded);
        InetSocketAddress from = stranger(300);
        InetSocketAddress address = port.addresses(server).getFirst();
        List<byte[]> packets = List.copyOf(sentBy(walkerAddress).subList(0, 2 * FIRST_PACKETS));
        for (byte[] packet : packets) {
            for (int length = 0; length < packet.length; length++) {
                network.inject(from, address, Arrays.copyOf(packet, length));
            }
        }
        network.run(SECOND);
        assertThat(answered(from)).isLessThanOrEqualTo(port == GamePort.SAUERBRATEN ? 0 : 6 << 10);
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A3 the longest datagrams, at and above each limit, are not cut into valid ones")
    void doesNotTruncateLongDatagrams() throws IOException {
        Sight quiet = watch();
        byte[] genuine = sentBy(walkerAddress).getLast();
        int[] lengths = {
            33, 1399, 1400, 1401, 1463, 1464, 1465, 1491, 1492, 1493, 2048, 4095, 4096, 4097,
            16_384, 16_400, 65_507
        };
        for (int length : lengths) {
            InetSocketAddress noisy = stranger(length);
            inject(noisy, new byte[length]);
            inject(noisy, GamePort.noise(random, length));
            byte[] garbage = GamePort.noise(random, length);
            inject(walkerAddress, GamePort.begin(garbage, port.garbage(random, genuine)));
            network.run(SECOND / 10);
            assertThat(answered(noisy)).as("answer to noise").isZero();
            for (byte[] question : length == 33 ? NONE : port.paddedQuestions(length)) {
                InetSocketAddress asker = address(78, random.nextInt(1 << 24));
                inject(asker, question);
                network.run(SECOND / 2);
                assertThat(answered(asker) > 0)
                        .as("answer to a question of %d bytes", length)
                        .isEqualTo(length <= port.longestAnsweredBytes());
            }
        }
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A4 random bytes from twenty thousand addresses")
    void ignoresNoiseFromManyAddresses() throws IOException {
        Sight quiet = watch();
        long retained = server.memory().retainedBytes();
        List<InetSocketAddress> addresses = port.addresses(server);
        List<byte[]> heads = port.heads();
        int[] n = {0};
        Sight flooded =
                watch(
                        200,
                        10 * MILLI,
                        () -> {
                            for (int i = 0; i < 500; i++, n[0]++) {
                                byte[] noise =
                                        GamePort.noise(
                                                random, random.nextInt(i % 4 == 0 ? 1400 : 100));
                                if (i % 2 == 0) {
                                    GamePort.begin(noise, heads.get(n[0] / 2 % heads.size()));
                                }
                                network.inject(
                                        stranger(n[0] % 20_000),
                                        addresses.get(n[0] % 3 % addresses.size()),
                                        noise);
                            }
                        });
        assertThat(n[0]).isEqualTo(100_000);
        assertThat(server.memory().retainedBytes() - retained).isLessThan(256 << 10);
        assertThat(answered()).isLessThan(256 << 10);
        assertThat(answeredBy(addresses.getFirst()) > 0).isEqualTo(port.answersNoise());
        assertUndisturbed(quiet, flooded);
    }

    @Test
    @DisplayName("A5 the first packets of other games")
    void ignoresPacketsOfOtherGames() throws IOException {
        Sight quiet = watch();
        InetSocketAddress main = port.addresses(server).getFirst();
        List<byte[]> packets = new ArrayList<>();
        GamePort.firstDatagrams().stream()
                .filter(datagram -> !port.isOwn(datagram))
                .forEach(packets::add);
        int toAllPorts = packets.size();
        for (GamePort other : GamePort.values()) {
            InetSocketAddress address = other.addresses(server).getFirst();
            if (!address.equals(main)) {
                List<byte[]> first = firstByPort.get(address.getPort());
                assertThat(first).hasSize(FIRST_PACKETS);
                packets.addAll(first);
            }
        }
        for (Questions.Question question : Questions.all(server::address)) {
            if (!port.addresses(server).contains(question.to())) {
                packets.add(question.data().toArray());
            }
        }
        for (int i = 0; i < packets.size(); i++) {
            if (i < toAllPorts) {
                inject(stranger(1000 + i), packets.get(i));
            } else {
                network.inject(stranger(1000 + i), main, packets.get(i));
            }
            network.run(MILLI);
        }
        network.run(SECOND);
        for (int i = 0; i < packets.size(); i++) {
            byte[] packet = packets.get(i);
            assertThat(answered(stranger(1000 + i)))
                    .as("answer to %s", new String(packet, StandardCharsets.ISO_8859_1))
                    .isLessThanOrEqualTo(port.maxAnswerBytes(packet));
        }
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A6 an echo service, our own address and port 0 make no loop of answers")
    void makesNoReplyLoop() throws IOException {
        Sight quiet = watch();
        List<InetSocketAddress> own = port.addresses(server);
        List<InetSocketAddress> sources = new ArrayList<>(own);
        for (int number : new int[] {0, 7, 19, 53}) {
            sources.add(new InetSocketAddress(stranger(number).getAddress(), number));
        }
        List<byte[]> echoes = new ArrayList<>();
        InetSocketAddress[] source = new InetSocketAddress[1];
        network.tap((_, from, to, data) -> {
            if (own.contains(from) && to.equals(source[0])) {
                echoes.add(data);
            }
        });
        int answered = 0;
        for (InetSocketAddress each : sources) {
            source[0] = each;
            boolean unanswered =
                    each.getPort() == 0 || own.contains(each) && !port.answersOwnAddress();
            for (byte[] question : port.questions()) {
                long dropped = drops();
                long refused = server.counters().get(port.refusedSourceCounter());
                inject(each, question);
                network.run(SECOND / 2);
                List<byte[]> first = List.copyOf(echoes);
                echoes.clear();
                answered += first.size();
                if (unanswered) {
                    assertThat(drops() - dropped).isEqualTo(own.size());
                    if (!port.refusedSourceCounter().isEmpty()) {
                        assertThat(server.counters().get(port.refusedSourceCounter()) - refused)
                                .isOne();
                    }
                }
                if (unanswered || !port.answersServicePorts()) {
                    assertThat(first).as("answers to %s", each).isEmpty();
                }
                for (byte[] echo : first) {
                    inject(each, echo);
                    network.run(SECOND / 2);
                }
                assertThat(echoes).as("answers to answers at %s", each).isEmpty();
            }
        }
        assertThat(answered > 0).isEqualTo(port.answersServicePorts());
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A7 garbage from a player's own address leaves its connection as it was")
    void ignoresGarbageFromPlayerAddress() throws IOException {
        Sight quiet = watch();
        Sight flooded =
                watch(
                        2000,
                        MILLI,
                        () -> {
                            byte[] genuine = sentBy(walkerAddress).getLast();
                            for (int i = 0; i < 10; i++) {
                                inject(walkerAddress, port.garbage(random, genuine));
                            }
                        });
        port.questions().forEach(question -> inject(walkerAddress, question));
        network.run(SECOND / 10);
        assertUndisturbed(quiet, flooded);
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A8 thirty days, then a clock that steps back an hour")
    void admitsNewcomerAfterClockSteps() throws IOException {
        network.stepClock(30L * 24 * 3600 * SECOND);
        network.run(SECOND);
        network.stepClock(-3600 * SECOND);
        for (int i = 0; i < 1000; i++) {
            for (Questions.Question question : Questions.all(server::address)) {
                network.inject(stranger(i), question.to(), question.data().toArray());
            }
        }
        TestClient newcomer = server.guest(port, "newcomer");
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
    }

    /** RakNet ends a connection after ten seconds of silence. */
    @Test
    @DisplayName("A8 a clock that steps back and ahead")
    void keepsPlayersOverClockSteps() throws IOException {
        guests.removeIf(guest -> {
            boolean other = !guest.name.equals(walker(port)) && guest != watcher;
            if (other) {
                guest.client.close();
            }
            return other;
        });
        network.run(2 * SECOND);
        Sight quiet = watch();
        stepClock(quiet, -SECOND / 2);
        if (port != GamePort.RAKNET) {
            stepClock(quiet, 20 * SECOND);
            // Nothing is due for an hour, and then it is as before.
            network.stepClock(-3600 * SECOND);
            network.run(5 * SECOND);
            assertThat(guests).allMatch(TestClient::in);
            stepClock(quiet, 3600 * SECOND);
        }
    }

    private void stepClock(Sight quiet, long nanos) throws IOException {
        network.run(2 * SECOND);
        network.stepClock(nanos);
        network.run(5 * SECOND);
        began = network.now();
        answers.clear();
        assertThat(guests).as("after a step of %d ns", nanos).allMatch(TestClient::in);
        assertUndisturbed(quiet, watch());
        assertAnswered(address(78, newcomers << 8));
    }

    /** An honest question is answered within 2 s. */
    private void assertAnswered(InetSocketAddress asker) {
        network.inject(asker, port.addresses(server).getLast(), port.questions().getFirst());
        assertThat(network.runUntil(() -> answered(asker) > 0, 2 * SECOND))
                .as("answer to %s", asker)
                .isTrue();
        assertThat(
                        new String(
                                Objects.requireNonNull(answers.get(asker)).getLast(),
                                StandardCharsets.ISO_8859_1))
                .startsWith(port.answer());
    }

    @Test
    @DisplayName("A9 one question from each of twenty thousand addresses, then an honest one")
    void answersHonestQuestionWithFullBuckets() throws IOException {
        Sight quiet = watch();
        InetSocketAddress to = port.addresses(server).getLast();
        for (int i = 0; i < 20_000; i++) {
            network.inject(stranger(i * 41), to, port.questions().get(i % port.questions().size()));
        }
        network.run(MILLI);
        assertThat(answered()).isLessThanOrEqualTo(64 << 10);
        network.run(SECOND);
        assertAnswered(address(78, 9));
        assertUndisturbed(quiet, watch());
    }

    @Test
    @DisplayName("A10 a hundred thousand malformed packets a second are counted, not logged")
    void countsMalformedPackets() throws IOException {
        Sight quiet = watch();
        Map<String, byte[]> malformed = port.malformed();
        Map<String, Long> before = server.counters().snapshot();
        List<byte[]> packets = List.copyOf(malformed.values());
        InetSocketAddress to = port.addresses(server).getFirst();
        int[] n = {0};
        Sight flooded =
                watch(
                        1000,
                        MILLI,
                        () -> {
                            for (int i = 0; i < 100; i++, n[0]++) {
                                network.inject(
                                        stranger(n[0] % 300),
                                        to,
                                        packets.get(n[0] % packets.size()));
                            }
                        });
        network.run(10 * MILLI);
        malformed
                .keySet()
                .forEach(counter ->
                        assertThat(
                                        server.counters().get(counter)
                                                - before.getOrDefault(counter, 0L))
                                .as(counter)
                                .isEqualTo(100_000 / packets.size()));
        assertThat(server.counters().snapshot())
                .hasSizeLessThanOrEqualTo(before.size() + packets.size());
        assertThat(answered()).isZero();
        assertUndisturbed(quiet, flooded);
    }
}
