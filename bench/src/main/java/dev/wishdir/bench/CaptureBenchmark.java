package dev.wishdir.bench;

import dev.wishdir.game.CapturedPlayers;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.sauerbraten.SauerbratenGame;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Packets a second out of a capture of a walk in Sauerbraten: only reading them, converting them to
 * the movement of players as {@code record} does, and dissecting them as {@code inspect --summary}
 * does. In the repository's root, as it reads a capture of the tests.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CaptureBenchmark {
    private static final Path WALK =
            Path.of("sauerbraten/src/test/resources/captures/solo_walk.pcap");
    private static final int PACKETS = 1101;

    private byte[] capture = new byte[0];

    @Setup
    public void read() throws IOException {
        capture = Files.readAllBytes(WALK);
        try (CaptureReader reader = open()) {
            while (reader.next().isPresent()) {
                // Count them.
            }
            if (reader.frames() != PACKETS) {
                throw new IllegalStateException(WALK + " has " + reader.frames() + " packets");
            }
        }
    }

    private CaptureReader open() throws IOException {
        return CaptureReader.of(new ByteArrayInputStream(capture));
    }

    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void packets(Blackhole sink) throws IOException {
        try (CaptureReader reader = open()) {
            for (Optional<Datagram> next = reader.next(); next.isPresent(); next = reader.next()) {
                sink.consume(next);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void movement(Blackhole sink) throws IOException {
        CapturedPlayers players = new CapturedPlayers(sink::consume);
        players.start(0);
        Dissector dissector = new SauerbratenGame().movementDissector(players, List.of());
        try (CaptureReader reader = open()) {
            Inspector.of(List.of(dissector), sink::consume).capture(reader);
        }
    }

    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public Flows summary() throws IOException {
        Flows flows = new Flows(Inspector.MAX_FLOWS);
        flows.begin("walk");
        List<DissectedMessage> messages = new ArrayList<>();
        Dissector dissector = new SauerbratenGame().dissector(false, Optional.empty());
        Inspector inspector = Inspector.of(List.of(dissector), messages::add);
        try (CaptureReader reader = open()) {
            for (Optional<Datagram> next = reader.next(); next.isPresent(); next = reader.next()) {
                inspector.datagram(next.get());
                flows.count(next.get(), messages);
                messages.clear();
            }
        }
        return flows;
    }
}
