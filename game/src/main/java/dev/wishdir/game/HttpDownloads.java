package dev.wishdir.game;

import dev.wishdir.arena.Level;
import dev.wishdir.wire.Bytes;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The files of the levels that are played, for clients that fetch them over HTTP, which takes a
 * moment where in band it takes many round trips. The endpoints offer files and tell their clients
 * where they are; a web server gives them. Used by the threads of both.
 *
 * <p>Not every client gets along with it: there may be a firewall before the web server's port, and
 * a game that was told of files that it can't fetch gives up. So an address is told nothing for a
 * while after a client of it left without the files, and fetches in band. An address that fetched
 * nothing because it needed nothing (a bot, a client that has the files) is told again.
 */
public final class HttpDownloads {
    /** Where clients reach the files. */
    @FunctionalInterface
    public interface Shelf {
        /** The URL of all files for a client at an address; empty where it would reach none. */
        Optional<String> url(InetAddress client);
    }

    private static final int REMEMBERED = 1024;
    private static final long FALLBACK_NANOS = 600_000_000_000L;

    private record Told(long time, Optional<String> url, boolean fetched) {}

    private record Shown(List<Level.File> now, List<Level.File> before) {}

    private final Map<String, Shown> shown = new ConcurrentHashMap<>();

    /** As {@link #told} for both threads. */
    private Shelf shelf = _ -> Optional.empty();

    /**
     * What the addresses that joined were told, and whether they fetched a file; the eldest first.
     */
    private final Map<InetAddress, Told> told =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<InetAddress, Told> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /** There is a web server that gives the files. */
    public void open(Shelf shelf) {
        synchronized (told) {
            this.shelf = shelf;
            told.clear();
        }
    }

    /**
     * What clients of a game need of the level that begins; the files of the one before stay, as
     * some may be fetching them.
     *
     * @param files with paths as the game's clients ask a web server for them
     */
    public void offer(String game, List<Level.File> files) {
        shown.compute(
                game, (_, old) -> new Shown(List.copyOf(files), old == null ? List.of() : old.now));
    }

    /**
     * A file.
     *
     * @param who fetches it
     */
    public Optional<Bytes> file(String game, String path, InetAddress who) {
        Shown files = shown.getOrDefault(game, new Shown(List.of(), List.of()));
        Optional<Bytes> file =
                Stream.concat(files.now.stream(), files.before.stream())
                        .filter(each -> each.path().equals(path))
                        .map(Level.File::content)
                        .findFirst();
        if (file.isPresent()) {
            synchronized (told) {
                told.computeIfPresent(
                        who,
                        (_, before) ->
                                before.url.isEmpty()
                                        ? null
                                        : new Told(before.time, before.url, true));
            }
        }
        return file;
    }

    /**
     * What to tell a client that joins.
     *
     * @param now nanoseconds
     * @return the URL to which it adds a file's path; empty where it is to fetch in band
     */
    public Optional<String> url(long now, String game, InetAddress client) {
        Shown files = shown.get(game);
        if (files == null || files.now.isEmpty()) {
            return Optional.empty();
        }
        synchronized (told) {
            Told before = told.get(client);
            Told what =
                    before == null || now - before.time >= FALLBACK_NANOS
                            ? new Told(now, shelf.url(client), false)
                            : new Told(before.time, before.url, false);
            remember(client, what);
            return what.url.map(base -> base + "/" + game);
        }
    }

    /**
     * Notes that a client left without the files of its level. Where its address fetched nothing
     * over HTTP since it was told the URL, the next clients of that address fetch in band.
     *
     * @param now nanoseconds
     */
    public void failed(long now, InetAddress client) {
        synchronized (told) {
            Told before = told.get(client);
            if (before != null && !before.fetched) {
                remember(client, new Told(now, Optional.empty(), false));
            }
        }
    }

    private void remember(InetAddress client, Told what) {
        told.remove(client);
        told.put(client, what);
    }
}
