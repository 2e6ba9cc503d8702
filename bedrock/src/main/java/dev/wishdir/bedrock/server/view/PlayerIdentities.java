package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.net.limit.TokenBucket;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The runtime ids, UUIDs and skins by which clients know players: those of this endpoint's clients,
 * and foreign ones.
 */
public final class PlayerIdentities {
    private static final int MAX_SKIN_BYTES = 8 << 20;

    /** At most a thirtieth of the loop's time. */
    private static final int SKIN_BYTES_A_SECOND = 1 << 20;

    private record Client(long runtimeId, Skin skin) {}

    private final Map<PlayerId, Client> clients = new HashMap<>();

    /** The bytes of clients' skins: their compression takes the loop's time for each viewer. */
    private final TokenBucket skinBytes = new TokenBucket(MAX_SKIN_BYTES, SKIN_BYTES_A_SECOND);

    private final long uuidPrefix;
    private long sessions;

    /**
     * @param uuidPrefix the upper half of the UUIDs of all players
     */
    public PlayerIdentities(long uuidPrefix) {
        this.uuidPrefix = uuidPrefix;
    }

    /** Assigns the runtime id of the next session's player: odd, from 1. */
    public long nextRuntimeId() {
        return 2 * sessions++ + 1;
    }

    /** Adds the player of a client that has joined. */
    public void add(PlayerId id, long runtimeId, Skin skin) {
        clients.put(id, new Client(runtimeId, skin));
    }

    public void remove(PlayerId id) {
        clients.remove(id);
    }

    /** The number of players that are clients of this endpoint. */
    public int clientCount() {
        return clients.size();
    }

    public boolean isClient(PlayerId id) {
        return clients.containsKey(id);
    }

    /** The runtime id of a player: odd for this endpoint's clients, even for foreign players. */
    public long runtimeId(PlayerId id) {
        Client client = clients.get(id);
        return client == null ? 2 * ((long) id.node() << 32 | id.number()) : client.runtimeId;
    }

    public Skin skin(Player player) {
        Client client = clients.get(player.id());
        return client == null ? GeneratedSkins.of(player.game(), player.name()) : client.skin;
    }

    /**
     * The skin of a player as it is sent to one more viewer: past the limit of bytes one that the
     * server generates, which compresses to nearly nothing.
     */
    public Skin limitedSkin(long now, Player player) {
        Skin skin = skin(player);
        return isClient(player.id()) && !skinBytes.tryAcquire(now, (int) Skins.heap(skin))
                ? GeneratedSkins.of(player.game(), player.name())
                : skin;
    }

    /** A player's UUID for all other clients: the one that its client claims may be another's. */
    public UUID uuid(long runtimeId) {
        return new UUID(uuidPrefix, runtimeId);
    }
}
