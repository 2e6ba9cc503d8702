package dev.wishdir.app.proxy;

import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Dissector;

import java.io.IOException;
import java.util.List;

/** Records the movement in the datagrams of a proxy, as {@code record} does that of captures. */
final class MovementRecorder implements TrafficConsumer {
    private final RecordingWriter writer;
    private final Dissector dissector;
    private final long start;

    /**
     * @param writer is closed with the recorder
     * @param start when the proxy started, on its clock
     * @param epochNanos the same time, nanoseconds since 1970
     */
    MovementRecorder(Game game, RecordingWriter writer, long start, long epochNanos) {
        this.writer = writer;
        this.start = start;
        CapturedPlayers players = new CapturedPlayers(writer);
        players.start(epochNanos);
        dissector = game.movementDissector(players, List.of());
    }

    @Override
    public void accept(long frame, ProxiedDatagram proxied) {
        Datagram datagram = proxied.captured(frame, start);
        dissector.recognise(datagram);
        dissector.datagram(datagram, proxied.direction(), _ -> {});
        flush();
    }

    @Override
    public void flush() {
        writer.flush(System.nanoTime());
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
