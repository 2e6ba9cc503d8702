package dev.wishdir.app.proxy;

import dev.wishdir.app.inspect.MessageOptions;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.web.explore.LiveIndex;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.util.ArrayList;
import java.util.List;

/** Adds the datagrams of a proxy and their messages to the index of its page. */
final class IndexFeeder implements TrafficConsumer {
    private final LiveIndex index;
    private final List<DissectedMessage> lines = new ArrayList<>();
    private final MessagePrinter dissected;
    private final long start;
    private final long epochNanos;

    /**
     * @param dissector with traces
     * @param start when the proxy started, on its clock
     * @param epochNanos the same time, nanoseconds since 1970
     */
    IndexFeeder(String game, Dissector dissector, LiveIndex index, long start, long epochNanos) {
        this.index = index;
        this.start = start;
        this.epochNanos = epochNanos;
        dissected =
                new MessagePrinter(
                        game, dissector, new MessageOptions().query(), start, lines::add);
    }

    @Override
    public void accept(long frame, ProxiedDatagram proxied) {
        lines.clear();
        dissected.accept(frame, proxied);
        index.add(
                proxied.captured(frame, start),
                epochNanos + proxied.nanos() - start,
                proxied.source(),
                proxied.destination(),
                lines);
    }

    /** The index stays, for the page. */
    @Override
    public void close() {}
}
