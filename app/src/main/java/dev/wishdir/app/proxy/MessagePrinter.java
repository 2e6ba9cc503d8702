package dev.wishdir.app.proxy;

import dev.wishdir.app.inspect.MessageFilter;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import java.util.function.Consumer;

/**
 * Dissects the datagrams of a proxy and passes the messages on. A datagram that gives none, or at
 * which the dissector fails, gives a line {@code undecoded} with its bytes.
 */
final class MessagePrinter implements TrafficConsumer {
    private final String game;
    private final Dissector dissector;
    private final MessageFilter filter;
    private final long start;
    private long lines;

    /**
     * @param start when the proxy started, on its clock
     * @param print takes the messages that pass the query
     */
    MessagePrinter(
            String game,
            Dissector dissector,
            MessageFilter.Query query,
            long start,
            Consumer<DissectedMessage> print) {
        this.game = game;
        this.dissector = dissector;
        this.start = start;
        filter = new MessageFilter(query, print);
    }

    /** Number of messages that passed the query. Only after {@link #close}. */
    long printed() {
        return filter.printed();
    }

    @Override
    public void accept(long frame, ProxiedDatagram proxied) {
        Datagram datagram = proxied.captured(frame, start);
        long before = lines;
        try {
            // Dissectors find the server, and what each of its ports is for, by this.
            dissector.recognise(datagram);
            dissector.datagram(datagram, proxied.direction(), line -> print(datagram, line));
        } catch (RuntimeException | StackOverflowError e) {
            print(datagram, undecoded(proxied, datagram, e.toString()));
        }
        if (lines == before) {
            print(datagram, undecoded(proxied, datagram, "no message"));
        }
    }

    private void print(Datagram datagram, DissectedMessage line) {
        lines++;
        filter.accept(datagram.flow(line.direction()), line);
    }

    private DissectedMessage undecoded(ProxiedDatagram proxied, Datagram datagram, String error) {
        return DissectedMessage.of(
                datagram,
                proxied.direction(),
                game,
                DissectedMessage.Layer.TRANSPORT,
                DissectedMessage.UNDECODED,
                DissectedMessage.undecoded(error, datagram.payload()));
    }

    @Override
    public void close() {}
}
