package dev.wishdir.sauerbraten.client;

import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Octree;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.wire.Bytes;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Optional;

/**
 * A map's file as a headless client needs it. Decoded once for all clients of a process that walk
 * in it: a map takes more memory than all else of a client. Immutable.
 *
 * @param crc what a client says that has loaded it
 * @param ground its geometry, where players begin and what takes them elsewhere; empty where the
 *     geometry can't be understood
 */
record DecodedMap(int crc, Optional<Ground> ground) {
    /**
     * @param starts where players begin
     * @param exits what takes bodies elsewhere
     */
    record Ground(Octree octree, List<Movement> starts, MoveTriggers exits) {}

    private record Entry(Bytes file, DecodedMap map) {}

    /** The map that was decoded last. */
    private static volatile SoftReference<Entry> last = new SoftReference<>(null);

    static DecodedMap of(Bytes file) {
        Entry known = last.get();
        if (known != null && known.file().equals(file)) {
            return known.map();
        }
        Ogz sent = Ogz.read(file);
        DecodedMap map =
                new DecodedMap(
                        sent.crc(),
                        Octree.read(sent)
                                .map(octree ->
                                        new Ground(
                                                octree,
                                                List.copyOf(sent.starts(octree.motion())),
                                                MoveTriggers.of(sent, octree.motion()))));
        last = new SoftReference<>(new Entry(file, map));
        return map;
    }
}
