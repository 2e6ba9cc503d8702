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
 * A map as a headless client needs it, decoded once for all clients of a process, as it takes more
 * memory than the rest of a client. Immutable.
 *
 * @param crc as a client with this map reports it
 * @param ground empty if the geometry is not supported
 */
record DecodedMap(int crc, Optional<Ground> ground) {
    /** Geometry, player starts and move triggers of a map. */
    record Ground(Octree octree, List<Movement> starts, MoveTriggers triggers) {}

    private record Entry(Bytes file, DecodedMap map) {}

    /** The last decoded map. */
    private static volatile SoftReference<Entry> last = new SoftReference<>(null);

    static DecodedMap of(Bytes file) {
        Entry cached = last.get();
        if (cached != null && cached.file().equals(file)) {
            return cached.map();
        }
        Ogz ogz = Ogz.read(file);
        DecodedMap map =
                new DecodedMap(
                        ogz.crc(),
                        Octree.read(ogz)
                                .map(octree ->
                                        new Ground(
                                                octree,
                                                List.copyOf(ogz.starts(octree.motion())),
                                                MoveTriggers.of(ogz, octree.motion()))));
        last = new SoftReference<>(new Entry(file, map));
        return map;
    }
}
