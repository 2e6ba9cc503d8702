package dev.wishdir.arena.relay;

import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The players with a body by where they are: a grid of square columns, in which the nearest are
 * found without a look at all others. It has about as many columns as players, and the positions of
 * its last {@link #update}. Metres.
 */
final class PlayerGrid {
    /** Minimum width of a column. */
    private static final double MIN_COLUMN_METRES = 1;

    /**
     * A player that a search found.
     *
     * @param order of joining; equally near players are found in this order
     */
    private record FoundPlayer(ActivePlayer player, double distance, int order) {
        static final Comparator<FoundPlayer> NEAREST_FIRST =
                Comparator.comparingDouble(FoundPlayer::distance)
                        .thenComparingInt(FoundPlayer::order);
    }

    private ActivePlayer[] players = new ActivePlayer[0];

    /** The places in {@link #players} of each column's players: from its own entry to the next. */
    private int[] starts = new int[2];

    /** The players' order of joining, with the indices of {@link #players}. */
    private int[] orders = new int[0];

    private double minX;
    private double minY;
    private double width = MIN_COLUMN_METRES;
    private int columnsX = 1;
    private int columnsY = 1;

    /** Takes the positions of all players with a body. */
    void update(List<ActivePlayer> all) {
        ActivePlayer[] bodies = new ActivePlayer[all.size()];
        int[] order = new int[bodies.length];
        int count = 0;
        int next = 0;
        double maxX = Double.NEGATIVE_INFINITY;
        double maxY = Double.NEGATIVE_INFINITY;
        minX = Double.POSITIVE_INFINITY;
        minY = Double.POSITIVE_INFINITY;
        for (ActivePlayer player : all) {
            if (player.spawned()) {
                Vec3 at = player.movement().position();
                minX = Math.min(minX, at.x());
                minY = Math.min(minY, at.y());
                maxX = Math.max(maxX, at.x());
                maxY = Math.max(maxY, at.y());
                order[count] = next;
                bodies[count++] = player;
            }
            next++;
        }
        lay(count, maxX - minX, maxY - minY);
        sort(bodies, order, count);
    }

    /** Chooses the columns for a number of players in a rectangle. */
    private void lay(int count, double sizeX, double sizeY) {
        if (count == 0) {
            minX = 0;
            minY = 0;
            columnsX = 1;
            columnsY = 1;
            return;
        }
        // In a long strip the columns would be far more than the players.
        double even = Math.max(Math.sqrt(sizeX * sizeY / count), Math.max(sizeX, sizeY) / count);
        width = Math.max(even, MIN_COLUMN_METRES);
        columnsX = (int) (sizeX / width) + 1;
        columnsY = (int) (sizeY / width) + 1;
    }

    /** Sorts the players by column. */
    private void sort(ActivePlayer[] bodies, int[] order, int count) {
        int[] columns = new int[count];
        starts = new int[columnsX * columnsY + 1];
        for (int i = 0; i < count; i++) {
            Vec3 at = bodies[i].movement().position();
            columns[i] = columnX(at.x()) + columnY(at.y()) * columnsX;
            starts[columns[i] + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        int[] free = Arrays.copyOf(starts, starts.length);
        players = new ActivePlayer[count];
        orders = new int[count];
        for (int i = 0; i < count; i++) {
            int at = free[columns[i]]++;
            players[at] = bodies[i];
            orders[at] = order[i];
        }
    }

    private int columnX(double x) {
        return Math.clamp((long) ((x - minX) / width), 0, columnsX - 1);
    }

    private int columnY(double y) {
        return Math.clamp((long) ((y - minY) / width), 0, columnsY - 1);
    }

    /**
     * The players around a place, the nearest first.
     *
     * @param maxDistance players at this distance or farther are left out
     * @param filter whether a player counts
     */
    Search around(Vec3 here, double maxDistance, Predicate<ActivePlayer> filter) {
        return new Search(here, maxDistance, filter);
    }

    /** A search that goes outwards ring by ring, as far as players are asked for. */
    final class Search {
        /**
         * Columns are rounded: a player may be this much outside of its own, which must not change
         * the order.
         */
        private static final double ROUNDING_METRES = 1e-6;

        private final Vec3 here;
        private final double maxDistance;
        private final Predicate<ActivePlayer> filter;
        private final PriorityQueue<FoundPlayer> found =
                new PriorityQueue<>(FoundPlayer.NEAREST_FIRST);
        private final int x;
        private final int y;

        /** The number of the next ring of columns; 0 is the one column at the place itself. */
        private int ring;

        /** All players nearer than this are found. */
        private double reach;

        private Search(Vec3 here, double maxDistance, Predicate<ActivePlayer> filter) {
            this.here = here;
            this.maxDistance = maxDistance;
            this.filter = filter;
            x = columnX(here.x());
            y = columnY(here.y());
        }

        /** Whether there is no further player. */
        boolean isEmpty() {
            return nearest() == null;
        }

        /** The distance of the nearest player that was not removed; infinite if there is none. */
        double distance() {
            FoundPlayer nearest = nearest();
            return nearest == null ? Double.POSITIVE_INFINITY : nearest.distance;
        }

        /**
         * Removes the nearest player from the result.
         *
         * @throws NoSuchElementException if there is none
         */
        ActivePlayer remove() {
            if (isEmpty()) {
                throw new NoSuchElementException("no further player");
            }
            return found.remove().player;
        }

        /** The first of the queue, once no player that was not found yet can be nearer. */
        private @Nullable FoundPlayer nearest() {
            FoundPlayer nearest = found.peek();
            while ((nearest == null || nearest.distance >= reach) && reach < maxDistance) {
                searchRing();
                nearest = found.peek();
            }
            return nearest;
        }

        private void searchRing() {
            int west = x - ring;
            int east = x + ring;
            int south = y - ring;
            int north = y + ring;
            for (int row = Math.max(south, 0); row <= Math.min(north, columnsY - 1); row++) {
                if (row == south || row == north) {
                    search(row, Math.max(west, 0), Math.min(east, columnsX - 1));
                } else {
                    if (west >= 0) {
                        search(row, west, west);
                    }
                    if (east < columnsX) {
                        search(row, east, east);
                    }
                }
            }
            ring++;
            // Beyond the edges of the grid there are no players.
            double reachX =
                    Math.min(
                            west <= 0 ? maxDistance : here.x() - (minX + west * width),
                            east >= columnsX - 1
                                    ? maxDistance
                                    : minX + (east + 1) * width - here.x());
            double reachY =
                    Math.min(
                            south <= 0 ? maxDistance : here.y() - (minY + south * width),
                            north >= columnsY - 1
                                    ? maxDistance
                                    : minY + (north + 1) * width - here.y());
            double least = Math.min(reachX, reachY);
            reach = least < maxDistance ? least - ROUNDING_METRES : maxDistance;
        }

        /** Searches the columns of a row, from one to another. */
        private void search(int row, int from, int to) {
            int end = starts[row * columnsX + to + 1];
            for (int i = starts[row * columnsX + from]; i < end; i++) {
                ActivePlayer player = players[i];
                double distance = here.distance(player.movement().position());
                if (distance < maxDistance && filter.test(player)) {
                    found.add(new FoundPlayer(player, distance, orders[i]));
                }
            }
        }
    }
}
