package dev.wishdir.web;

import dev.wishdir.wire.Bytes;

import io.javalin.http.ServiceUnavailableResponse;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Limit on the clips that are written or sent at once, in total and for each address (IPv6: /64):
 * each takes a temporary file until its browser has read it, however slowly. Thread-safe.
 */
final class ClipLimiter {
    static final int MAX_CLIPS = 8;
    static final int MAX_CLIPS_PER_ADDRESS = 2;

    private final Map<Bytes, Integer> byAddress = new HashMap<>();
    private int clips;

    /**
     * Counts a clip until {@link #leave}.
     *
     * @throws ServiceUnavailableResponse if the address or all together have too many
     */
    synchronized void enter(InetAddress address) {
        Bytes prefix = WebHosts.prefix(address);
        int own = byAddress.getOrDefault(prefix, 0);
        if (own == MAX_CLIPS_PER_ADDRESS || clips == MAX_CLIPS) {
            throw new ServiceUnavailableResponse(
                    own == MAX_CLIPS_PER_ADDRESS
                            ? own + " clips are being sent to your address: try again later"
                            : clips + " clips are being sent: try again later");
        }
        byAddress.put(prefix, own + 1);
        clips++;
    }

    /** Ends a clip that {@link #enter} has counted. */
    synchronized void leave(InetAddress address) {
        byAddress.computeIfPresent(WebHosts.prefix(address), (_, own) -> own == 1 ? null : own - 1);
        clips--;
    }
}
