package dev.wishdir.game.operator;

import dev.wishdir.net.limit.AddressRange;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The ban list of a server, for all games. A ban is found by its addresses and accounts, whatever
 * the length of the list. Used only on the thread of the duty cycle, but for the lists that {@code
 * onChange} makes.
 */
public final class Bans {
    /** Maximum number of bans; with more, ban ranges. */
    public static final int MAX_BANS = 20_000;

    /** Maximum number of unshared bans; a further one replaces the oldest. */
    static final int MAX_UNSHARED = 1_000;

    /** Time for which an unshared ban is kept. */
    static final Duration MAX_UNSHARED_TIME = Duration.ofDays(30);

    /** Time for which an ended ban is kept, as the clock may have been ahead when it ended. */
    private static final Duration KEPT_AFTER_END = Duration.ofDays(1);

    private record End(Instant end, long number) {}

    /** A ban that has been seen as ended since then, without a break. */
    private record Ended(Instant since, long number) {}

    private final InstantSource clock;
    private final Consumer<Supplier<BanList>> onChange;

    /** By number, oldest first, ended ones included. Read by other threads. */
    private final NavigableMap<Long, Ban> bans = new ConcurrentSkipListMap<>();

    /** By target and game, oldest first. */
    private final SequencedMap<String, UnsharedBan> unshared = new LinkedHashMap<>();

    /** Numbers by target and game. */
    private final Map<String, Long> numbers = new HashMap<>();

    /** By address range, {@link #account} and {@link #name}. */
    private final Map<Object, List<Ban>> byTarget = new HashMap<>();

    /** Number of ranges by the lengths of their prefixes. */
    private final NavigableMap<Integer, Integer> prefixLengths = new TreeMap<>();

    /** Bans that end, and were not seen as ended, the first to end first. */
    private final TreeSet<End> ends =
            new TreeSet<>(Comparator.comparing(End::end).thenComparingLong(End::number));

    private final Queue<Ended> ended = new ArrayDeque<>();
    private Instant seen = Instant.MIN;
    private long next;

    /**
     * @param clock by which bans end
     * @param initial from the ban file
     * @param onChange is called after each change, and must not block; what it receives makes the
     *     list as it is then, on any thread
     */
    public Bans(InstantSource clock, BanList initial, Consumer<Supplier<BanList>> onChange) {
        this.clock = clock;
        this.onChange = onChange;
        load(initial);
    }

    /** An empty list that is kept only in memory. */
    public static Bans none() {
        return new Bans(InstantSource.system(), BanList.EMPTY, _ -> {});
    }

    private void load(BanList list) {
        list.bans().forEach(this::put);
        list.unshared().forEach(this::put);
    }

    /** The time by which bans end. */
    public Instant now() {
        return clock.instant();
    }

    /** All bans that have not ended, oldest first. */
    public List<Ban> all() {
        Instant now = clock.instant();
        return bans.values().stream().filter(ban -> !ban.hasEnded(now)).toList();
    }

    /**
     * The ban of a client with a proven address.
     *
     * @param game that it joins
     * @param account verified by a third party; empty for none
     */
    public Optional<Ban> find(String game, InetAddress address, String account) {
        if (removeEnded()) {
            notifyChange();
        }
        return matching(game, address, account).findFirst();
    }

    /** All bans of a client, those of its account first; as {@link #find}. */
    Stream<Ban> matching(String game, InetAddress address, String account) {
        List<Ban> found = new ArrayList<>(byTarget.getOrDefault(account(account), List.of()));
        int bits = address.getAddress().length * Byte.SIZE;
        for (int length : prefixLengths.headMap(bits, true).keySet()) {
            AddressRange range = AddressRange.prefix(address, length);
            found.addAll(byTarget.getOrDefault(range, List.of()));
        }
        Instant now = clock.instant();
        return found.stream().filter(ban -> ban.isOf(game) && !ban.hasEnded(now));
    }

    /** The ban of the same addresses, accounts and game, if it has not ended. */
    Optional<Ban> find(String targets, String game) {
        Long number = numbers.get(key(targets, game));
        return Optional.ofNullable(number == null ? null : bans.get(number))
                .filter(ban -> !ban.hasEnded(clock.instant()));
    }

    /** The bans that a word identifies: an address, range or account of theirs, or their player. */
    List<Ban> named(String word) {
        List<Ban> named = new ArrayList<>(byTarget.getOrDefault(account(word), List.of()));
        named.addAll(byTarget.getOrDefault(name(word), List.of()));
        try {
            AddressRange range = AddressRange.parse(AddressRange.withoutPort(word));
            named.addAll(byTarget.getOrDefault(range, List.of()));
        } catch (IllegalArgumentException _) {
            // It is not an address.
        }
        Instant now = clock.instant();
        return named.stream().filter(ban -> !ban.hasEnded(now)).distinct().toList();
    }

    /**
     * Adds a ban; it replaces one of the same addresses, accounts and game.
     *
     * @return false if the list is full
     */
    boolean add(Ban ban) {
        removeEnded();
        while (bans.size() >= MAX_BANS && !numbers.containsKey(key(ban.targets(), ban.game()))) {
            Ended oldest = ended.poll();
            if (oldest == null) {
                return false;
            }
            remove(oldest.number());
        }
        put(ban);
        notifyChange();
        return true;
    }

    void remove(List<Ban> removed) {
        removeEnded();
        for (Ban ban : removed) {
            Long number = numbers.get(key(ban.targets(), ban.game()));
            if (number != null) {
                remove(number);
            }
        }
        notifyChange();
    }

    /** Replaces the list, as with that of a ban file that was read again. */
    void replace(BanList others) {
        List.copyOf(bans.keySet()).forEach(this::remove);
        ended.clear();
        unshared.clear();
        load(others);
    }

    private void put(Ban ban) {
        long number = next++;
        // The new one first, so that a list that is made meanwhile has one of them.
        bans.put(number, ban);
        Long before = numbers.get(key(ban.targets(), ban.game()));
        if (before != null) {
            remove(before);
        }
        numbers.put(key(ban.targets(), ban.game()), number);
        for (Object target : targets(ban)) {
            byTarget.computeIfAbsent(target, _ -> new ArrayList<>(1)).add(ban);
        }
        ban.ranges().forEach(range -> prefixLengths.merge(range.length(), 1, Integer::sum));
        ban.end().ifPresent(end -> ends.add(new End(end, number)));
    }

    private void remove(long number) {
        Ban ban = bans.remove(number);
        if (ban == null) {
            return;
        }
        numbers.remove(key(ban.targets(), ban.game()), number);
        for (Object target : targets(ban)) {
            byTarget.computeIfPresent(
                    target,
                    (_, of) -> {
                        of.remove(ban);
                        return of.isEmpty() ? null : of;
                    });
        }
        for (AddressRange range : ban.ranges()) {
            prefixLengths.computeIfPresent(
                    range.length(), (_, count) -> count == 1 ? null : count - 1);
        }
        ban.end().ifPresent(end -> ends.remove(new End(end, number)));
    }

    private static List<Object> targets(Ban ban) {
        List<Object> targets = new ArrayList<>(ban.ranges());
        ban.accounts().forEach(it -> targets.add(account(it)));
        if (!ban.name().isEmpty()) {
            targets.add(name(ban.name()));
        }
        return targets;
    }

    private static String account(String account) {
        return "account " + account;
    }

    private static String name(String name) {
        return "name " + name.toLowerCase(Locale.ROOT);
    }

    /**
     * Changes of an operator of this server that the other servers of its cluster may not have,
     * oldest first.
     */
    public List<UnsharedBan> unshared() {
        Instant oldest = clock.instant().minus(MAX_UNSHARED_TIME);
        return unshared.values().stream().filter(it -> it.since().isAfter(oldest)).toList();
    }

    /**
     * Keeps, also for the next start, that the other servers are to get a change of a ban.
     *
     * @return the oldest, if it is not kept any more, as there are too many
     */
    public Optional<UnsharedBan> addUnshared(Ban ban) {
        put(UnsharedBan.of(ban, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        Optional<UnsharedBan> oldest =
                unshared.size() <= MAX_UNSHARED
                        ? Optional.empty()
                        : Optional.ofNullable(unshared.pollFirstEntry()).map(Map.Entry::getValue);
        notifyChange();
        return oldest;
    }

    private void put(UnsharedBan ban) {
        unshared.remove(key(ban.targets(), ban.game()));
        unshared.put(key(ban.targets(), ban.game()), ban);
    }

    /** The other servers have a change of a ban, or can get it without this server. */
    public void removeUnshared(String targets, String game) {
        if (unshared.remove(key(targets, game)) != null) {
            notifyChange();
        }
    }

    private static String key(String targets, String game) {
        return game + " " + targets;
    }

    /**
     * Removes bans that have been ended for a day, as one wrong reading of the clock must not end a
     * ban.
     *
     * @return whether there were any
     */
    private boolean removeEnded() {
        Instant now = clock.instant();
        if (now.isBefore(seen)) {
            ended.removeIf(it -> {
                Ban ban = bans.get(it.number());
                Optional<Instant> end = ban == null ? Optional.empty() : ban.end();
                end.filter(now::isBefore).ifPresent(later -> ends.add(new End(later, it.number())));
                return end.isEmpty() || end.filter(now::isBefore).isPresent();
            });
        }
        seen = now;
        while (!ends.isEmpty() && !now.isBefore(ends.first().end())) {
            ended.add(new Ended(now, ends.removeFirst().number()));
        }
        boolean removed = false;
        for (Ended it = ended.peek();
                it != null && !now.isBefore(it.since().plus(KEPT_AFTER_END));
                it = ended.peek()) {
            ended.remove();
            removed |= bans.containsKey(it.number());
            remove(it.number());
        }
        return removed;
    }

    private void notifyChange() {
        List<UnsharedBan> waiting = unshared();
        onChange.accept(() -> new BanList(List.copyOf(bans.values()), waiting));
    }
}
