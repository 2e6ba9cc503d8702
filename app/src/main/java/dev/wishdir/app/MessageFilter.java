package dev.wishdir.app;

import dev.wishdir.inspect.FieldFilter;
import dev.wishdir.inspect.PlayerNameExtractor;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which lines of a capture are printed. Those of a client that has not said its name yet wait until
 * it does: {@link #MAX_HELD_LINES} of it, of {@link #MAX_NAMELESS_CLIENTS} clients.
 */
final class MessageFilter {
    /** The most lines of a client that wait for its name. */
    static final int MAX_HELD_LINES = 500;

    /** The most clients whose lines wait. */
    static final int MAX_NAMELESS_CLIENTS = 200;

    private static final int MAX_CLIENTS = 65_536;

    /**
     * What is asked for.
     *
     * @param names of messages and transport commands; empty for all
     * @param player a name, or the client's port; empty for all
     * @param from seconds of the capture
     * @param to seconds of the capture
     * @param where what fields must be
     */
    record Question(
            Set<String> names, String player, double from, double to, List<FieldFilter> where) {
        /** Whether all of the capture's time is wanted. */
        boolean isOfAllTime() {
            return from == Double.NEGATIVE_INFINITY && to == Double.POSITIVE_INFINITY;
        }

        boolean isIn(double time) {
            return isOfAllTime() || time >= from && time <= to;
        }

        /** Whether a client is meant by its port, or by the name that it has given. */
        boolean isMeant(int port, String name) {
            return player.isEmpty()
                    || player.equals(Integer.toString(port))
                    || PlayerNameExtractor.isMeant(name, player);
        }
    }

    private final Question question;
    private final Consumer<DissectedMessage> print;
    private final Map<Flow, Boolean> clients = EvictingMap.leastRecentlyUsed(MAX_CLIENTS);
    private final Map<Flow, List<DissectedMessage>> held =
            EvictingMap.leastRecentlyUsed(MAX_NAMELESS_CLIENTS);
    private final Set<FieldFilter> unseen;
    private final Map<String, Boolean> names = new EvictingMap<>(MAX_NAMELESS_CLIENTS);
    private final Map<String, Boolean> named = new EvictingMap<>(MAX_NAMELESS_CLIENTS);
    private long printed;

    /**
     * @param print takes what is wanted
     */
    MessageFilter(Question question, Consumer<DissectedMessage> print) {
        this.question = question;
        this.print = print;
        unseen = new HashSet<>(question.where);
    }

    /** A line of a recording, which has no client of its own. */
    void take(DissectedMessage message) {
        if (question.player.isEmpty() && isAskedFor(message)) {
            put(message);
        }
    }

    /** A line of a capture. */
    void take(Flow flow, DissectedMessage message) {
        if (!question.player.isEmpty()) {
            PlayerNameExtractor.in(message).ifPresent(name -> named(flow, name));
            if (flow.client().getPort() != 0 && question.isMeant(flow.client().getPort(), "")) {
                clients.putIfAbsent(flow, true);
            }
        }
        if (!isAskedFor(message)) {
            return;
        }
        Boolean wanted = question.player.isEmpty() ? Boolean.TRUE : clients.get(flow);
        if (wanted == null) {
            List<DissectedMessage> waiting = held.computeIfAbsent(flow, _ -> new ArrayList<>());
            if (waiting.size() < MAX_HELD_LINES) {
                waiting.add(message);
            }
        } else if (wanted) {
            put(message);
        }
    }

    private void named(Flow flow, String name) {
        boolean wanted = question.isMeant(flow.client().getPort(), name);
        names.put(name, wanted);
        List<DissectedMessage> waiting = held.remove(flow);
        if (wanted && waiting != null) {
            waiting.forEach(this::put);
        }
        clients.put(flow, wanted);
    }

    /** Whether a line has one of the names that are asked for, in either case. */
    boolean isNamed(DissectedMessage message) {
        return question.names.isEmpty()
                || named.computeIfAbsent(
                        message.name(),
                        name -> question.names.stream().anyMatch(name::equalsIgnoreCase));
    }

    private boolean isAskedFor(DissectedMessage message) {
        if (!question.isIn(message.time()) || !isNamed(message)) {
            return false;
        }
        unseen.removeIf(field -> field.isIn(message));
        return question.where.stream().allMatch(field -> field.takes(message));
    }

    private void put(DissectedMessage message) {
        printed++;
        print.accept(message);
    }

    /** How many lines were wanted. */
    long printed() {
        return printed;
    }

    /** Whether there was somebody who is meant. */
    boolean isMet() {
        return question.player.isEmpty() || clients.containsValue(true);
    }

    /** What players called themselves, of many some. */
    List<String> names() {
        return List.copyOf(names.keySet());
    }

    /** The fields that no line had, whatever their values. */
    List<String> unseen() {
        return question.where.stream().filter(unseen::contains).map(FieldFilter::path).toList();
    }
}
