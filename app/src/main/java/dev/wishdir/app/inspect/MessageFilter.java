package dev.wishdir.app.inspect;

import dev.wishdir.inspect.output.FieldFilter;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Flow;
import dev.wishdir.wire.dissect.PlayerName;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Selects the messages of a capture that are printed. Messages of a client whose name is not known
 * yet are buffered until it is: at most {@link #MAX_BUFFERED_MESSAGES} for each of {@link
 * #MAX_UNNAMED_CLIENTS} clients.
 */
public final class MessageFilter {
    /** Maximum number of buffered messages of a client without a name. */
    static final int MAX_BUFFERED_MESSAGES = 500;

    /** Maximum number of clients whose messages are buffered. */
    static final int MAX_UNNAMED_CLIENTS = 200;

    private static final int MAX_CLIENTS = 65_536;

    /**
     * The operator's query.
     *
     * @param names names of messages and transport commands; empty for all
     * @param player a name, or the client's port; empty for all
     * @param from start, in seconds of the capture
     * @param to end, in seconds of the capture
     * @param where the required fields
     */
    public record Query(
            Set<String> names, String player, double from, double to, List<FieldFilter> where) {
        /** Whether the time is not limited. */
        boolean isUnboundedTime() {
            return from == Double.NEGATIVE_INFINITY && to == Double.POSITIVE_INFINITY;
        }

        boolean includes(double time) {
            return isUnboundedTime() || time >= from && time <= to;
        }

        /** Whether a client matches the player by its port. */
        boolean matchesPort(int port) {
            return player.isEmpty() || player.equals(Integer.toString(port));
        }

        /** Whether a client matches the player by its port or name. */
        boolean matchesPlayer(int port, Optional<PlayerName> name) {
            return matchesPort(port) || name.filter(it -> it.matches(player)).isPresent();
        }
    }

    private final Query query;
    private final Consumer<DissectedMessage> print;
    private final Map<Flow, Boolean> clients = EvictingMap.leastRecentlyUsed(MAX_CLIENTS);
    private final Map<Flow, List<DissectedMessage>> buffered =
            EvictingMap.leastRecentlyUsed(MAX_UNNAMED_CLIENTS);
    private final Set<FieldFilter> missingFields;
    private final Map<String, Boolean> names = new EvictingMap<>(MAX_UNNAMED_CLIENTS);
    private final Map<String, Boolean> named = new EvictingMap<>(MAX_UNNAMED_CLIENTS);
    private long printed;

    /**
     * @param print receives the selected messages
     */
    public MessageFilter(Query query, Consumer<DissectedMessage> print) {
        this.query = query;
        this.print = print;
        missingFields = new HashSet<>(query.where);
    }

    /** Handles a message of a recording, which has no client. */
    void accept(DissectedMessage message) {
        if (query.player.isEmpty() && matches(message)) {
            print(message);
        }
    }

    /** Handles a message of a capture. */
    public void accept(Flow flow, DissectedMessage message) {
        if (!query.player.isEmpty()) {
            message.player().ifPresent(name -> onName(flow, name));
            if (flow.client().getPort() != 0 && query.matchesPort(flow.client().getPort())) {
                clients.putIfAbsent(flow, true);
            }
        }
        if (!matches(message)) {
            return;
        }
        Boolean wanted = query.player.isEmpty() ? Boolean.TRUE : clients.get(flow);
        if (wanted == null) {
            List<DissectedMessage> waiting = buffered.computeIfAbsent(flow, _ -> new ArrayList<>());
            if (waiting.size() < MAX_BUFFERED_MESSAGES) {
                waiting.add(message);
            }
        } else if (wanted) {
            print(message);
        }
    }

    private void onName(Flow flow, PlayerName name) {
        boolean wanted = query.matchesPlayer(flow.client().getPort(), Optional.of(name));
        names.put(name.text(), wanted);
        List<DissectedMessage> waiting = buffered.remove(flow);
        if (wanted && waiting != null) {
            waiting.forEach(this::print);
        }
        clients.put(flow, wanted);
    }

    /** Whether a message has one of the queried names, ignoring case. */
    boolean matchesName(DissectedMessage message) {
        return query.names.isEmpty()
                || named.computeIfAbsent(
                        message.name(),
                        name -> query.names.stream().anyMatch(name::equalsIgnoreCase));
    }

    private boolean matches(DissectedMessage message) {
        if (!query.includes(message.time()) || !matchesName(message)) {
            return false;
        }
        missingFields.removeIf(field -> field.isPresent(message));
        return query.where.stream().allMatch(field -> field.matches(message));
    }

    private void print(DissectedMessage message) {
        printed++;
        print.accept(message);
    }

    /** Number of printed messages. */
    public long printed() {
        return printed;
    }

    /** Whether the queried player was found. */
    boolean hasPlayer() {
        return query.player.isEmpty() || clients.containsValue(true);
    }

    /** Names of players, at most {@link #MAX_UNNAMED_CLIENTS}. */
    List<String> names() {
        return List.copyOf(names.keySet());
    }

    /** Whether a queried field is in no message so far. */
    boolean lacksFields() {
        return !missingFields.isEmpty();
    }

    /** The queried fields that no message had, with any value. */
    List<String> missingFields() {
        return query.where.stream().filter(missingFields::contains).map(FieldFilter::path).toList();
    }
}
