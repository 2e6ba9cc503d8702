package dev.wishdir.quake3.server.session;

import dev.wishdir.wire.EvictingMap;

import java.net.InetAddress;
import java.util.Map;

/**
 * The clients that left while they loaded a level that they had not downloaded, by address and
 * qport, which is a program's own until it ends.
 *
 * <p>A client with {@code cl_allowDownload 0} does not say so: it ends with an error about the map,
 * and shows that instead of the server's words. Only while it connects it shows a text of the
 * server, so that its next requests are answered with one before it is accepted.
 */
public final class MissingFilesTable {
    /** Text that the client shows before the error comes again. */
    public static final String NOTICE =
            "This arena must be downloaded. If your game could not load it, type"
                    + " /cl_allowDownload 1 in the console.";

    /** Requests that are answered with the notice: a client repeats them every 3 s. */
    static final int NOTICES = 2;

    private static final int MAX_CLIENTS = 1_024;
    private static final long KEPT_NANOS = 600_000_000_000L;

    private record Client(InetAddress address, int qport) {}

    private record Failure(long time, int notices) {}

    /** The oldest first. */
    private final Map<Client, Failure> failures = new EvictingMap<>(MAX_CLIENTS);

    /** A client has left without the level's files. */
    void add(long now, InetAddress address, int qport) {
        Client client = new Client(address, qport);
        failures.remove(client);
        failures.put(client, new Failure(now, NOTICES));
    }

    /** Whether a request to connect is to be answered with the notice; then that is counted. */
    public boolean takeNotice(long now, InetAddress address, int qport) {
        Client client = new Client(address, qport);
        Failure failure = failures.remove(client);
        if (failure == null || failure.notices == 0 || now - failure.time > KEPT_NANOS) {
            return false;
        }
        failures.put(client, new Failure(failure.time, failure.notices - 1));
        return true;
    }
}
