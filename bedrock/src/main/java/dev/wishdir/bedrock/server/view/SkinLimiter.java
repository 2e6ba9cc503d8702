package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.net.limit.TokenBucket;

/**
 * Limit on the bytes of clients' skins that are sent to all viewers of an endpoint. Their
 * compression takes the loop's time again for each viewer. Past the limit a viewer is sent a skin
 * that the server generates, which compresses to nearly nothing.
 */
final class SkinLimiter {
    private static final int MAX_BYTES = 8 << 20;

    /** At most a thirtieth of the loop's time. */
    private static final int BYTES_A_SECOND = 1 << 20;

    private final TokenBucket bytes = new TokenBucket(MAX_BYTES, BYTES_A_SECOND);

    /** The skin of a player for one more viewer. */
    Skin next(long now, Player player, Skin own) {
        return bytes.tryAcquire(now, (int) Skins.heap(own))
                ? own
                : GeneratedSkins.of(player.game(), player.name());
    }
}
