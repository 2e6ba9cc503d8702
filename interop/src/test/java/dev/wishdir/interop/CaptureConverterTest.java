package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.record.CaptureConverter;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The captures and demos of all games as events, against what the inspector prints of them. */
@Tag("slow")
class CaptureConverterTest {
    private static final double FLOAT_QUANTUM_METRES = 1e-6;
    private static final Random RANDOM = new Random(7);

    record Capture(Game game, Path file) {
        Optional<Path> keys() {
            return String.valueOf(file.getFileName()).equals("encrypted.pcap")
                    ? Optional.of(file.resolveSibling("encrypted.keys.jsonl"))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return game.name() + " " + file.getFileName();
        }
    }

    static Stream<Capture> captures() throws IOException {
        List<Capture> captures = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            try (Stream<Path> files =
                    Files.walk(Path.of("..", game.name(), "src/test/resources"))) {
                files.filter(file -> file.toString().matches(".*\\.(pcap|dm2|dm_68|dm_71|dmo)"))
                        .sorted()
                        .forEach(file -> captures.add(new Capture(game, file)));
            }
        }
        assertThat(captures).hasSizeGreaterThan(60);
        return captures.stream();
    }

    private static List<ArenaEvent> events(Capture capture) throws IOException {
        List<String> keys =
                capture.keys().isPresent() ? Files.readAllLines(capture.keys().get()) : List.of();
        List<ArenaEvent> events = new ArrayList<>();
        assertThat(new CaptureConverter(FourGames.ALL, keys, events::add).convert(capture.file()))
                .isTrue();
        return events;
    }

    /** Where each player was, by time in nanoseconds since the start. */
    private static Map<PlayerId, List<Map.Entry<Long, Vec3>>> tracks(
            List<ArenaEvent> events, long start) {
        Map<PlayerId, List<Map.Entry<Long, Vec3>>> tracks = new LinkedHashMap<>();
        for (ArenaEvent event : events) {
            movement(event)
                    .ifPresent(movement ->
                            tracks.computeIfAbsent(
                                            ((ArenaEvent.OfPlayer) event).id(),
                                            _ -> new ArrayList<>())
                                    .add(Map.entry(event.time() - start, movement.position())));
        }
        return tracks;
    }

    private static Optional<Movement> movement(ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.Spawned e -> Optional.of(e.movement());
            case ArenaEvent.Moved e -> Optional.of(e.movement());
            case ArenaEvent.Teleported e -> Optional.of(e.movement());
            default -> Optional.empty();
        };
    }

    /** The documented conversions of units, written down once more. */
    private static List<Vec3> metres(Game game, Vec3 units) {
        return switch (game.name()) {
            // The side of the map decides where the origin is.
            case "sauerbraten" ->
                    Stream.of(256, 512, 1024, 2048)
                            .map(half ->
                                    new Vec3(
                                            (units.x() - half) / 8,
                                            (half - units.y()) / 8,
                                            (units.z() - half) / 8))
                            .toList();
            case "quake2", "quake3" ->
                    List.of(new Vec3(units.x() / 32, units.y() / 32, (units.z() - 24) / 32));
            default -> List.of(new Vec3(units.x(), -units.z(), units.y() - 1.62001));
        };
    }

    /** Whether a track is where the inspector saw a client, at each time. */
    private static boolean follows(
            Game game, List<Map.Entry<Long, Vec3>> track, List<InspectedCapture.Place> places) {
        int at = 0;
        for (InspectedCapture.Place place : places) {
            long nanos = Math.round(place.seconds() * 1e9);
            // Two movements may be of one moment: the place before that is one of its own.
            while (!Double.isNaN(place.seconds())
                    && at + 1 < track.size()
                    && track.get(at + 1).getKey() < nanos) {
                at++;
            }
            int found = -1;
            for (int i = at; i < track.size() && found < 0; i++) {
                boolean later = !Double.isNaN(place.seconds()) && track.get(i).getKey() > nanos;
                if (later) {
                    break;
                }
                Vec3 there = track.get(i).getValue();
                if (metres(game, place.units()).stream()
                        .anyMatch(each -> each.distance(there) < FLOAT_QUANTUM_METRES)) {
                    found = i;
                }
            }
            if (found < 0) {
                return false;
            }
            at = found;
        }
        return true;
    }

    @ParameterizedTest
    @MethodSource("captures")
    void placesRecordedPlayerWhereInspectorDoes(Capture capture) throws IOException {
        InspectedCapture inspected =
                InspectedCapture.of(capture.game(), capture.file(), capture.keys());
        List<ArenaEvent> events = events(capture);
        long start = CaptureReader.firstNanos(capture.file()).orElse(0);
        var tracks = tracks(events, start);
        Set<PlayerId> found = new HashSet<>();
        inspected.places.forEach((client, places) -> {
            List<PlayerId> fitting =
                    tracks.keySet().stream()
                            .filter(id ->
                                    follows(capture.game(), requireNonNull(tracks.get(id)), places))
                            .toList();
            assertThat(fitting)
                    .as("players at the %d places of %d", places.size(), client)
                    .isNotEmpty();
            found.addAll(fitting);
        });
        assertThat(found).hasSizeGreaterThanOrEqualTo(inspected.places.size());
    }

    @ParameterizedTest
    @MethodSource("captures")
    void reportsLifeOfEachPlayerInOrder(Capture capture) throws IOException {
        long last = CaptureReader.firstNanos(capture.file()).orElse(0);
        Map<PlayerId, Player> present = new HashMap<>();
        for (ArenaEvent event : events(capture)) {
            assertThat(event.time()).isGreaterThanOrEqualTo(last);
            last = event.time();
            movement(event).ifPresent(movement -> assertThat(movement.isValid()).isTrue());
            if (!(event instanceof ArenaEvent.OfPlayer of)) {
                continue;
            }
            Player before = present.put(of.id(), of.player());
            switch (event) {
                case ArenaEvent.Joined _ -> assertThat(before).as("%s", event).isNull();
                case ArenaEvent.Left _ -> {
                    assertThat(before).as("%s", event).isNotNull();
                    assertThat(before.spawned()).as("%s", event).isFalse();
                    present.remove(of.id());
                }
                case ArenaEvent.Spawned _ -> {
                    assertThat(before).as("%s", event).isNotNull();
                    assertThat(before.spawned()).as("%s", event).isFalse();
                }
                case ArenaEvent.Moved _, ArenaEvent.Teleported _, ArenaEvent.Despawned _ -> {
                    assertThat(before).as("%s", event).isNotNull();
                    assertThat(before.spawned()).as("%s", event).isTrue();
                }
                default -> assertThat(before).as("%s", event).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("captures")
    void reportsNamesAndChatAsInspectorDoes(Capture capture) throws IOException {
        InspectedCapture inspected =
                InspectedCapture.of(capture.game(), capture.file(), capture.keys());
        Set<String> names = new TreeSet<>();
        List<String> chat = new ArrayList<>();
        for (ArenaEvent event : events(capture)) {
            switch (event) {
                case ArenaEvent.Joined e -> names.add(e.player().name());
                case ArenaEvent.Renamed e -> names.add(e.name());
                case ArenaEvent.Chat e -> chat.add(e.text());
                default -> {}
            }
        }
        if (inspected.malformed == 0) {
            assertThat(names).isEqualTo(inspected.names);
        }
        assertThat(chat).hasSameSizeAs(inspected.chat);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void skipsDamagedParts(Capture capture, @TempDir Path folder) throws IOException {
        byte[] whole = Files.readAllBytes(capture.file());
        Path damaged = folder.resolve(capture.file().getFileName().toString());
        for (int round = 0; round < 6; round++) {
            byte[] bytes =
                    round < 3 ? Arrays.copyOf(whole, RANDOM.nextInt(whole.length)) : whole.clone();
            for (int i = 0; round >= 3 && i < 40; i++) {
                bytes[24 + RANDOM.nextInt(bytes.length - 24)] ^= (byte) (1 << RANDOM.nextInt(8));
            }
            Files.write(damaged, bytes);
            List<ArenaEvent> events = new ArrayList<>();
            CaptureConverter converter =
                    new CaptureConverter(FourGames.ALL, List.of(), events::add);
            try {
                converter.convert(damaged);
            } catch (IOException | MalformedPacketException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
            long last = Long.MIN_VALUE;
            for (ArenaEvent event : events) {
                assertThat(event.time()).isGreaterThanOrEqualTo(last);
                last = event.time();
                movement(event).ifPresent(movement -> assertThat(movement.isValid()).isTrue());
            }
        }
    }

    @Test
    void countsUnknownFlows() throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        CaptureConverter converter =
                new CaptureConverter(List.of(FourGames.ALL.get(2)), List.of(), events::add);
        assertThat(
                        converter.convert(
                                Path.of("../quake2/src/test/resources/captures/08-download.pcap")))
                .isTrue();
        assertThat(events).isEmpty();
        assertThat(converter.unclaimed()).isPositive();
        assertThat(converter.packets()).isGreaterThanOrEqualTo(converter.unclaimed());
    }

    /** One file after another: the second demo starts where the first ended. */
    @Test
    void continuesTimeOverSeveralDemos() throws IOException {
        Path folder = Path.of("../quake3/src/test/resources/dev/wishdir/quake3");
        List<ArenaEvent> events = new ArrayList<>();
        CaptureConverter converter = new CaptureConverter(FourGames.ALL, List.of(), events::add);
        converter.convert(folder.resolve("legacy-68.dm_68"));
        long end = events.getLast().time();
        int first = events.size();
        converter.convert(folder.resolve("modern-71.dm_71"));
        // The last snapshots show no change.
        assertThat((events.get(first).time() - end) / 1e9).isBetween(0.0, 1.0);
        assertThat((events.getLast().time() - events.get(first).time()) / 1e9)
                .isCloseTo(2.3, within(0.2));
        assertThat(events.stream().filter(ArenaEvent.Left.class::isInstance)).hasSize(3);
    }
}
